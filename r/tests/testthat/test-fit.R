test_that("the defaults choose a kernel, nest the error and say what was found", {
  fit <- suppressWarnings(gpcv(y ~ x, wave, time = NULL, folds = "5:interleaved"), classes = "gpcv_data_warning")
  expect_s3_class(fit, "gpcv")
  expect_true(any(fit$kernels$chosen))
  expect_identical(fit$cv$assessment, "nested")
  expect_lt(fit$cv$smse, 0.1)
  expect_identical(fit$status, "converged")
  expect_equal(fit$n, 120)
  expect_true(all(c("about", "code", "message") %in% names(fit$findings)))
  expect_named(fit$importance, c("input", "increase", "standard_error", "relative"))
})

test_that("a formula and matrices give the same model to the last bit", {
  by_formula <- pinned(yield ~ rain + w, plots)
  complete <- plots[-7, ]
  by_matrix <- pinned(as.matrix(complete[c("rain", "w")]), complete$yield)
  by_frame <- pinned(complete[c("rain", "w")], complete$yield)
  expect_identical(by_formula$kernel, by_matrix$kernel)
  expect_identical(by_formula$kernel, by_frame$kernel)
  expect_identical(unname(predict(by_formula, complete)), unname(predict(by_matrix, as.matrix(complete[c("w", "rain")]))))
})

test_that("the same seed repeats a fit, whatever the state of R's generator", {
  set.seed(1)
  first <- pinned(y ~ x, wave, kernel = "rq")
  set.seed(2)
  expect_identical(pinned(y ~ x, wave, kernel = "rq")$kernel, first$kernel)
})

test_that("options reach the library", {
  expect_match(pinned(y ~ x, wave, noise = "0.01:fixed")$traits$settings[["noise"]], "0.01:fixed")
  expect_equal(pinned(y ~ x, wave, noise = 0.1, trainer = "likelihood")$trainer, "likelihood")
  expect_equal(pinned(y ~ x, wave, transform = "log")$transform, "log")
  expect_equal(pinned(y ~ x, wave, mean = "linear")$mean, "linear")
  expect_gt(pinned(y ~ x, wave, calibration = 0.3)$traits$calibration_rows, 20)
  expect_true(pinned(y ~ x, wave, robust = TRUE)$traits$robust)
  squared <- pinned(y ~ x, wave, criterion = "squared", control = gpcv_control(start = "values", solver = "cg"))
  expect_match(squared$work$solver, "cg")
  restricted <- suppressWarnings(gpcv(y ~ x, wave, candidates = c("se", "matern52"), assess = "inner"))
  expect_setequal(restricted$kernels$name, c("se", "matern52"))
})

test_that("the published algorithm has its own options", {
  fit <- suppressWarnings(gpcv(y ~ x, wave, kernel = "se", trainer = "naive", folds = "2:interleaved",
                               control = gpcv_control(preset = "paper")))
  expect_equal(fit$trainer, "naive")
  expect_match(fit$work$preset, ".")
  input_error(gpcv_control(rhoo = 1), "no argument 'rhoo'; did you mean 'rho'")
})

test_that("training starts from an earlier model, and goes on from a checkpoint", {
  first <- pinned(y ~ x, wave, kernel = "rq")
  again <- pinned(y ~ x, wave, kernel = "rq", warm = first)
  expect_lte(again$iterations, first$iterations)
  file <- tempfile()
  pinned(y ~ x, wave, checkpoint = file)
  expect_true(file.exists(file))
  resumed <- pinned(y ~ x, wave, checkpoint = file, resume = TRUE)
  expect_equal(resumed$status, "converged")
})

test_that("a limit of time and a function that says no end a fit with the best so far", {
  steps <- list()
  suppressWarnings(classes = "gpcv_data_warning", expect_warning(
    stopped <- gpcv(y ~ x, wave, kernel = "rq", assess = "inner", progress = function(step) {
      steps[[length(steps) + 1]] <<- step
      length(steps) < 3
    }),
    class = "gpcv_convergence_warning"))
  expect_equal(stopped$status, "stopped")
  expect_named(steps[[1]], c("target", "restart", "fold", "iteration", "objective", "gradient_norm", "seconds", "theta", "measures"))
  expect_true(is.finite(predict(stopped, data.frame(x = 1))))
})

test_that("an error in the function of the user is the user's error", {
  expect_error(pinned(y ~ x, wave, progress = function(step) stop("mine")), "^mine$")
  expect_error(pinned(y ~ x, wave, progress = function(step) predict(kept, wave)), "kept")
})

test_that("another fit inside the user's function is refused", {
  input_error(pinned(y ~ x, wave, progress = function(step) pinned(y ~ x, wave)), "gpcv is computing already")
})

test_that("a fit in a forked process works", {
  skip_on_os("windows")
  parent <- pinned(y ~ x, wave)
  children <- parallel::mclapply(1:2, function(seed) {
    fit <- pinned(y ~ x, wave, seed = seed)
    c(fit$kernel, predict(parent, data.frame(x = 2)))
  }, mc.cores = 2)
  expect_identical(children[[1]], c(parent$kernel, predict(parent, data.frame(x = 2))))
})

test_that("update changes the formula and the options", {
  fit <- pinned(yield ~ rain + w, plots)
  fewer <- suppressWarnings(update(fit, . ~ . - w))
  expect_equal(fewer$encoding$names, "rain")
  other <- suppressWarnings(update(fit, kernel = "matern52(ard)"))
  expect_match(other$kernel, "^matern52")
})
