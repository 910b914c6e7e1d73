# The command and the Python package of the same build: GPCV_COMMAND names the program, GPCV_PYTHON an interpreter that
# imports gpcv. `make r` sets both.
run <- function(program, arguments) {
  path <- Sys.getenv(program)
  skip_if(path == "", paste(program, "names no program"))
  out <- suppressWarnings(system2(path, arguments, stdout = TRUE, stderr = TRUE))
  status <- attr(out, "status")
  if (!is.null(status) && status > 1) stop(paste(out, collapse = "\n"))
  out
}
quoted <- function(...) vapply(c(...), shQuote, "")

test_that("the command predicts by a model of R what R predicts", {
  fit <- pinned(yield ~ rain + soil + sown, plots)
  model <- tempfile(fileext = ".h5")
  gpcv_save(fit, model)
  new <- plots[c(2:6, 40), c("sown", "rain", "soil")]
  table <- write_table(new, tempfile(fileext = ".csv"))
  out <- tempfile(fileext = ".csv")
  run("GPCV_COMMAND", quoted("predict", model, table, "-o", out, "--interval", "0.9", "--quantiles", "0.25", "--threads", "2"))
  theirs <- read.csv(out)
  ours <- predict(fit, new, interval = "prediction", level = 0.9, quantiles = 0.25)
  expect_equal(unname(ours), unname(as.matrix(theirs[c("mean", "lower", "upper", "q0.25")])), tolerance = 1e-14)
  run("GPCV_COMMAND", quoted("predict", model, table, "-o", out, "--latent", "--threads", "2"))
  expect_equal(unname(predict(fit, new, se.fit = TRUE)$se.fit), read.csv(out)$std, tolerance = 1e-14)
})

test_that("the command trains what R trains, to the last bit", {
  table <- write_table(plots[-7, c("rain", "soil", "sown", "yield")], tempfile(fileext = ".csv"))
  model <- tempfile(fileext = ".h5")
  run("GPCV_COMMAND", quoted("fit", table, "--target", "yield", "--categorical", "soil", "-o", model, "--threads", "2", "--quiet"))
  theirs <- gpcv_load(model)
  ours <- suppressWarnings(gpcv(yield ~ rain + soil + sown, plots))
  expect_identical(ours$kernel, theirs$kernel)
  expect_identical(ours$cv$rmse, theirs$cv$rmse)
  expect_identical(ours$encoding$levels, theirs$encoding$levels)
  expect_identical(ours$encoding$dates, theirs$encoding$dates)
  expect_identical(unname(predict(ours, plots)), unname(predict(theirs, plots)))
  expect_setequal(ours$findings$code, theirs$findings$code)
})

test_that("the folds of groups and of time are those of the command", {
  data <- transform(plots[-7, ], t = seq_len(89))
  table <- write_table(data[c("rain", "w", "t", "farm", "yield")], tempfile(fileext = ".csv"))
  model <- tempfile(fileext = ".h5")
  options <- quoted("fit", table, "--target", "yield", "-o", model, "--threads", "2", "--quiet", "--kernel", "se(ard)", "--assess", "inner")
  run("GPCV_COMMAND", c(options, quoted("--features", "rain,w", "--groups", "farm")))
  expect_identical(pinned(yield ~ rain + w, data, groups = farm)$kernel, gpcv_load(model)$kernel)
  run("GPCV_COMMAND", c(options, quoted("--features", "rain,w", "--time", "t:4")))
  expect_identical(pinned(yield ~ rain + w, data, time = t, folds = "time:4")$kernel, gpcv_load(model)$kernel)
  run("GPCV_COMMAND", c(options, quoted("--features", "rain", "--weight-column", "w")))
  weighted <- gpcv_load(model)
  expect_identical(pinned(yield ~ rain, data, weights = w)$kernel, weighted$kernel)
  expect_length(predict(weighted, data[1:3, ], weights = w), 3)
})

test_that("the Python package predicts by a model of R what R predicts, and the other way round", {
  fit <- pinned(yield ~ rain + w, plots)
  ours <- tempfile(fileext = ".h5")
  theirs <- tempfile(fileext = ".h5")
  gpcv_save(fit, ours)
  script <- tempfile(fileext = ".py")
  writeLines(c(
    "import gpcv, numpy as np",
    sprintf("model = gpcv.load(%s)", deparse1(ours)),
    "print(*(format(v, '.17g') for v in np.concatenate(model.predict([[2.0, 1.0], [5.0, 3.0]], return_std=True))))",
    "x = np.linspace(0, 10, 120)[:, None]",
    "gpcv.GPRegressor('se(ard)', assess='inner', threads=2).fit(x, 3 + np.sin(x[:, 0]) + 0.1 * np.cos(37 * x[:, 0])).save(",
    sprintf("    %s)", deparse1(theirs))), script)
  out <- run("GPCV_PYTHON", shQuote(script))
  numbers <- as.numeric(strsplit(grep("^[-0-9. e]+$", out, value = TRUE), " ")[[1]])
  new <- data.frame(rain = c(2, 5), w = c(1, 3))
  mine <- predict(fit, new, interval = "prediction", level = 0.5)
  expect_equal(unname(mine[, "fit"]), numbers[1:2], tolerance = 1e-14)
  wide <- predict(fit, new, interval = "prediction", level = 0.95)
  z <- gpcv:::factors_of(fit, 0.95, "interval")$factors
  expect_equal(unname(wide[, "upr"] - wide[, "fit"]) / z, numbers[3:4], tolerance = 1e-12)
  loaded <- gpcv_load(theirs)
  expect_equal(unname(predict(loaded, matrix(c(1, 2)))), unname(predict(pinned(wave["x"], wave$y), data.frame(x = c(1, 2)))),
               tolerance = 1e-6)
})
