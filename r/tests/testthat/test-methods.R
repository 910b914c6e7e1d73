test_that("print and summary say what the fit is worth", {
  fit <- pinned(yield ~ rain + soil, plots)
  expect_output(print(fit), "Gaussian process of yield on rain, soil, 89 rows")
  expect_output(print(fit), "error .*held-out rows")
  seen <- summary(fit)
  expect_match(seen$headline, "^(Yes|Roughly|No)")
  expect_true(all(seen$levels %in% c("good", "note", "warning")))
  expect_true("noise" %in% seen$parameters$label)
  expect_output(print(seen), "Hyper-parameters:")
  expect_output(print(seen), "Increase of the held-out error")
  chosen <- suppressWarnings(gpcv(y ~ x, wave, candidates = c("se", "matern32"), assess = "inner"))
  expect_output(print(summary(chosen)), "Kernels in the last round")
})

test_that("residuals of held-out rows are those of the reported error", {
  fit <- pinned(yield ~ rain + w, plots)
  expect_equal(sqrt(mean(residuals(fit, "cv")^2)), fit$cv$rmse, tolerance = 1e-8)
  expect_equal(unname(residuals(fit) + fitted(fit)), plots$yield[-7])
  held <- gpcv_cv(fit)
  expect_named(held, c("observed", "fit", "se", "z", "fold"))
  expect_equal(held$z, (held$observed - held$fit) / held$se, tolerance = 1e-8)
  expect_equal(mean(abs(held$z) < if (is.finite(fit$df)) 10 else qnorm(0.975)) > 0.8, TRUE)
  expect_equal(unname(residuals(fit, "standardized")), held$z)
})

test_that("small functions of R know the fit", {
  fit <- pinned(yield ~ rain + w, plots)
  expect_identical(nobs(fit), 89L)
  expect_identical(formula(fit), yield ~ rain + w, ignore_formula_env = TRUE)
  expect_equal(sigma(fit), fit$noise_sd)
  expect_equal(unname(coef(fit)[["noise"]]), fit$noise_sd)
  expect_true(all(c("length scale of rain", "length scale of w") %in% names(coef(fit))))
  input_error(formula(pinned(wave$x, wave$y)), "not fitted by a formula")
})

test_that("the likelihood is that of the textbook, and there is none of models trained by folds", {
  small <- wave[seq(1, 120, 3), ]
  fit <- pinned(y ~ x, small, kernel = "se", trainer = "likelihood")
  l <- fit$values[["se.l"]]
  s2 <- fit$values[["se.s2"]]
  z <- (small$y - mean(small$y)) / fit$traits$target_scale
  K <- s2 * exp(-outer(small$x, small$x, "-")^2 / (2 * l^2)) + diag(fit$values[["noise"]], nrow(small))
  R <- chol(K)
  dense <- -0.5 * sum(backsolve(R, z, transpose = TRUE)^2) - sum(log(diag(R))) - nrow(small) / 2 * log(2 * pi) -
    nrow(small) * log(fit$traits$target_scale)
  ours <- logLik(fit)
  expect_equal(as.numeric(ours), dense, tolerance = 1e-3)
  expect_equal(attr(ours, "df"), 3)
  expect_true(is.finite(BIC(fit)))
  input_error(logLik(pinned(y ~ x, wave)), "trained by cross-validation")
})

test_that("every chart is drawn", {
  file <- tempfile(fileext = ".pdf")
  grDevices::pdf(file)
  on.exit(grDevices::dev.off())
  charts <- c("effects", "observed", "calibration", "convergence")
  seen <- plot(pinned(y ~ x, wave), charts, ask = FALSE, main = "a title")
  expect_true(all(seen$effects$x$lower_rows <= seen$effects$x$lower))
  expect_equal(nrow(seen$held_out), 120)
  several <- plot(pinned(yield ~ rain + soil + sown, plots), ask = FALSE)
  expect_setequal(names(several$effects), c("rain", "soil", "sown"))
  expect_identical(several$effects$soil$levels, c("clay", "loam", "sand"))
  one <- plot(pinned(yield ~ rain + soil, plots), "effects", inputs = "soil")
  expect_length(one$effects, 2)
  input_error(plot(pinned(y ~ x, wave), "effect"), "no chart 'effect'")
  input_error(plot(pinned(yield ~ rain + soil, plots), "effects", inputs = "rian"), "did you mean 'rain'")
})

test_that("charts of effects fit the shape of the page", {
  expect_equal(rows_and_columns(3, c(9, 3)), c(1, 3))
  expect_equal(rows_and_columns(3, c(3, 9)), c(3, 1))
  expect_equal(rows_and_columns(5, c(7, 7)), c(3, 2))
  expect_equal(rows_and_columns(1, c(7, 7)), c(1, 1))
})

test_that("the installation is described", {
  info <- gpcv_info()
  expect_true("gauss-newton" %in% info$trainers)
  expect_true("se" %in% info$candidates)
  expect_output(print(info), info$version, fixed = TRUE)
})
