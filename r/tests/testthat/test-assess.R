test_that("scores on a test table are those of its predictions and of the command", {
  fit <- pinned(yield ~ rain + soil, plots[1:60, ])
  new <- plots[61:90, ]
  scores <- gpcv_evaluate(fit, new)
  expect_equal(row.names(scores), "yield")
  expect_equal(scores$rmse, sqrt(mean((predict(fit, new) - new$yield)^2)))
  expect_equal(scores$n, 30)
  expect_equal(gpcv_evaluate(fit, new[names(new) != "yield"], y = new$yield), scores)
  command <- Sys.getenv("GPCV_COMMAND")
  skip_if(command == "", "GPCV_COMMAND does not name the program")
  model <- tempfile(fileext = ".h5")
  gpcv_save(fit, model)
  test <- write_table(new[c("yield", "rain", "soil")], tempfile(fileext = ".csv"))
  theirs <- system2(command, c("evaluate", model, test, "--json"), stdout = TRUE)
  for (name in c("rmse", "smse", "nlpd", "crps")) {
    value <- as.numeric(sub(paste0('.*"', name, '": *([-0-9.e+]+).*'), "\\1", paste(theirs, collapse = "")))
    expect_equal(scores[[name]], value, tolerance = 1e-8, info = name)
  }
})

test_that("rows that lack a cell or their target do not count, and others are refused in words", {
  fit <- pinned(log(yield) ~ rain + w, plots)
  new <- plots[5:20, ]
  new$yield[1] <- NA
  expect_equal(gpcv_evaluate(fit, new)$n, 14) # row 7 lacks its rain
  input_error(gpcv_evaluate(fit, new["rain"]), "no column 'w'")
  input_error(gpcv_evaluate(fit, new[c("rain", "w")]), "newdata has no target")
  input_error(gpcv_evaluate(fit, new, weights = 1), "same noise in every row")
  plain <- pinned(wave["x"], wave$y)
  input_error(gpcv_evaluate(plain, wave["x"]), "give it as 'y'")
  expect_equal(gpcv_evaluate(plain, wave["x"], y = wave$y)$n, 120)
})

test_that("several targets have a row each", {
  fits <- pinned(cbind(a = y, b = -y) ~ x, wave)
  scores <- gpcv_evaluate(fits, wave)
  expect_equal(row.names(scores), names(fits))
  expect_equal(scores$rmse[1], scores$rmse[2], tolerance = 1e-4)
  folder <- tempfile()
  dir.create(folder)
  files <- gpcv_report(fits, file.path(folder, "page.html"), newdata = wave)
  expect_length(files, 2)
  expect_true(all(file.exists(files)))
})

test_that("models are ranked by the same held-out rows, and others are refused", {
  smooth <- pinned(y ~ x, wave)
  straight <- pinned(y ~ x, wave, kernel = "linear")
  ranked <- gpcv_compare(smooth, straight)
  expect_equal(row.names(ranked), c("smooth", "straight"))
  expect_equal(ranked$behind[1], 0)
  expect_gt(ranked$behind[2], 2 * ranked$behind_error[2])
  expect_equal(ranked["smooth", "rmse"], smooth$cv$rmse, tolerance = 1e-8)
  expect_equal(row.names(gpcv_compare(list(A = straight, B = smooth), criterion = "squared")), c("B", "A"))
  expect_equal(row.names(gpcv_compare(smooth, other = straight))[2], "other")
  expect_equal(nrow(gpcv_compare(smooth, pinned(y ~ x, wave, transform = "log"))), 2)
  input_error(gpcv_compare(smooth), "two models")
  input_error(gpcv_compare(smooth, pinned(y ~ x, wave[1:80, ])), "other rows")
  input_error(gpcv_compare(smooth, pinned(y ~ x, wave, seed = 2)), "the same seed")
  input_error(gpcv_compare(smooth, pinned(y ~ x, wave, assess = "nested")), "assess = \"inner\"")
})

test_that("a check says what training would meet, without training", {
  doubled <- transform(wave, again = x)
  found <- gpcv_check(y ~ ., doubled)
  expect_s3_class(found, "gpcv_check")
  expect_true(all(c("memory", "time") %in% found$code))
  expect_true("warning" %in% found$severity)
  expect_output(print(found), "note: ")
  expect_true("error" %in% gpcv_check(doubled[rep(1:120, 50), c("x", "again")], rep(wave$y, 50), memory = "1M")$severity)
  holes <- gpcv_check(yield ~ rain, plots)
  expect_match(holes$message[holes$code == "missing"], "1 row has a missing cell and is left out")
  expect_equal(unique(gpcv_check(cbind(a = y, b = -y) ~ x, wave)$target), c("a", "b"))
  expect_true("memory" %in% gpcv_check(y ~ x, wave, control = gpcv_control(max_iterations = 3))$code)
  input_error(gpcv_check(y ~ z, wave), "there is no column 'z'")
  input_error(gpcv_check(y ~ x, wave, kernell = "se"), "did you mean 'kernel'")
})

test_that("a joint covariance has the variances of the rows, and held-out rows have intervals", {
  fit <- pinned(yield ~ rain + w, plots)
  new <- plots[5:9, ]
  both <- predict(fit, new, type = "covariance")
  expect_equal(dim(both), c(5L, 5L))
  expect_true(all(is.na(both["7", ])))
  latent <- predict(fit, new, type = "covariance", interval = "confidence")
  expect_equal(unname(sqrt(diag(latent))), unname(predict(fit, new, se.fit = TRUE)$se.fit), tolerance = 1e-6)
  expect_true(all(diag(both)[-3] > diag(latent)[-3]))
  input_error(predict(fit, new, type = "covariance", interval = "conformal"), "no interval")
  held <- gpcv_cv(fit, level = 0.8)
  expect_named(held, c("observed", "fit", "se", "z", "fold", "lwr", "upr"))
  expect_equal(mean(held$lwr < held$observed & held$observed < held$upr), fit$cv$coverage80, tolerance = 1e-9)
})

test_that("a table is drawn from a kernel", {
  drawn <- gpcv_generate("se(l=0.5)", n = 30, noise = 0.2, range = c(-1, 3), seed = 5)
  expect_named(drawn, c("x", "y"))
  expect_equal(range(drawn$x), c(-1, 3))
  expect_named(gpcv_generate("se", n = 5, dims = 2), c("x0", "x1", "y"))
  input_error(gpcv_generate("sea"), "expected a kernel")
  input_error(gpcv_generate("se", n = 0), "n must be a whole number")
  input_error(gpcv_generate("se", threads = 0), "threads must be")
  command <- Sys.getenv("GPCV_COMMAND")
  skip_if(command == "", "GPCV_COMMAND does not name the program")
  file <- tempfile(fileext = ".csv")
  system2(command, c("generate", "--kernel", shQuote("se(l=0.5)"), "--n", 30, "--noise", 0.2, "--range=-1:3", "--seed", 5, "-o", file))
  expect_equal(drawn, utils::read.csv(file), tolerance = 1e-12)
})

test_that("a robust fit tells the weight of each row", {
  wrong <- wave
  wrong$y[60] <- 40
  held <- gpcv_cv(pinned(y ~ x, wrong, robust = TRUE))
  expect_equal(which.min(held$weight), 60)
  expect_lt(held$weight[60], 0.2)
  expect_null(gpcv_cv(pinned(y ~ x, wave))$weight)
})

test_that("every held-out row has a deviation where that is asked for", {
  drawn <- gpcv_generate("se(l=1)", n = 2200, noise = 0.1)
  fit <- function(...) suppressWarnings(pinned(y ~ x, drawn, kernel = "se", restarts = 1, criterion = "squared",
                                               control = gpcv_control(max_iterations = 1, start = "values", ...)))
  expect_true(anyNA(gpcv_cv(fit())$se))
  expect_false(anyNA(gpcv_cv(fit(every_held_out_variance = TRUE))$se))
  input_error(fit(every_held_out_variance = 2), "expected TRUE or FALSE")
})
