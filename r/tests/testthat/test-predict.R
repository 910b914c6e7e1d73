new <- data.frame(x = c(1, 2.5, 9))

test_that("predictions have the shapes of predict.lm", {
  fit <- pinned(y ~ x, wave)
  line <- lm(y ~ x, wave)
  same_shape <- function(...) {
    ours <- predict(fit, new, ...)
    theirs <- predict(line, new, ...)
    expect_identical(lapply(list(ours), dimnames), lapply(list(theirs), dimnames))
    expect_identical(names(ours), names(theirs))
  }
  same_shape()
  same_shape(interval = "prediction")
  same_shape(interval = "confidence", level = 0.8)
  same_shape(se.fit = TRUE)
  expect_identical(colnames(predict(fit, new, quantiles = c(0.05, 0.5, 0.975))), c("fit", "5%", "50%", "97.5%"))
  expect_identical(names(predict(fit)), as.character(1:120))
})

test_that("intervals, standard errors and quantiles agree with each other", {
  fit <- pinned(y ~ x, wave)
  both <- predict(fit, new, se.fit = TRUE, interval = "confidence", level = 0.9)
  z <- if (is.finite(both$df)) qt(0.95, both$df) * sqrt((both$df - 2) / both$df) else qnorm(0.95)
  expect_equal(both$fit[, "upr"] - both$fit[, "fit"], z * both$se.fit, tolerance = 1e-10)
  wide <- predict(fit, new, interval = "prediction", level = 0.9, quantiles = c(0.05, 0.95))
  expect_equal(wide[, "lwr"], wide[, "5%"])
  expect_equal(wide[, "upr"], wide[, "95%"])
  expect_true(all(wide[, "lwr"] < both$fit[, "lwr"]))
  expect_equal(both$residual.scale, sigma(fit))
})

test_that("intervals of transformed targets respect their bounds", {
  fit <- pinned(y ~ x, transform(wave, y = exp(3 * sin(x) - 4)), transform = "log")
  expect_true(all(predict(fit, new, interval = "prediction", level = 0.999) > 0))
  # The mean is that of an observation, whatever is asked beside it.
  expect_identical(predict(fit, new, se.fit = TRUE)$fit, predict(fit, new))
  expect_equal(predict(fit, new, interval = "confidence")[, "fit"], predict(fit, new, interval = "prediction")[, "fit"])
})

test_that("conformal intervals need reserved rows", {
  input_error(predict(pinned(y ~ x, wave), new, interval = "conformal"), "train it with calibration = 0.2")
  fit <- pinned(y ~ x, wave, calibration = 0.4)
  expect_true(all(is.finite(predict(fit, new, interval = "conformal", level = 0.8))))
  input_error(predict(fit, new, interval = "conformal", level = 0.999), "calibration")
})

test_that("rows may have their own noise", {
  fit <- pinned(yield ~ rain, plots, weights = w)
  at <- data.frame(rain = c(2, 2), w = c(1, 4))
  wide <- predict(fit, at, interval = "prediction", weights = w)
  expect_gt(wide[1, "upr"] - wide[1, "lwr"], wide[2, "upr"] - wide[2, "lwr"])
  input_error(predict(fit, at, noise_sd = w), "trained with 'weights'")
  input_error(predict(pinned(yield ~ rain, plots), at, weights = w), "same noise in every row")
  known <- pinned(yield ~ rain, plots, noise_sd = w / 10)
  expect_length(predict(known, at, noise_sd = w), 2)
  input_error(pinned(yield ~ rain, plots, noise_sd = w / 10, noise = 0.1), "leave out 'noise'")
  input_error(pinned(yield ~ rain, plots, weights = w - 1), "weights must be positive and finite, but row 3 has 0")
})

test_that("summands add up to the prediction", {
  fit <- pinned(y ~ x, wave, kernel = "se + linear")
  parts <- predict(fit, new, type = "terms", se.fit = TRUE)
  expect_equal(unname(rowSums(parts$fit) + attr(parts$fit, "constant")), unname(predict(fit, new)))
  expect_identical(colnames(parts$fit), c("se", "linear"))
  expect_identical(dim(parts$se.fit), dim(parts$fit))
})

test_that("rows far away are predicted with a warning", {
  fit <- pinned(y ~ x, wave)
  expect_warning(predict(fit, data.frame(x = c(1, 40, 50))), "2 rows lie far .* in 'x' \\(rows 2, 3\\)", class = "gpcv_extrapolation_warning")
  expect_silent(predict(fit, data.frame(x = 14)))
})

test_that("new rows may come in any order of columns, as a matrix or a list", {
  fit <- pinned(yield ~ rain + w + soil, plots)
  rows <- plots[c(3, 9), ]
  expect_identical(predict(fit, rows[c("soil", "farm", "w", "rain")]), predict(fit, rows))
  expect_identical(unname(predict(fit, as.list(rows[c("rain", "w", "soil")]))), unname(predict(fit, rows)))
  unnamed <- pinned(unname(as.matrix(plots[-7, c("rain", "w")])), plots$yield[-7])
  expect_identical(unname(predict(unnamed, unname(as.matrix(rows[c("rain", "w")])))),
                   unname(predict(pinned(yield ~ rain + w, plots), rows)))
  one <- pinned(wave$x, wave$y)
  expect_identical(predict(one, c(1, 2)), unname(predict(one, matrix(c(1, 2)))))
  expect_length(predict(fit, rows[0, ]), 0)
  input_error(predict(fit, rows["soil"]), "^newdata has no column 'rain', which the model was trained on$")
  input_error(predict(fit, 1:3), "must be a data frame")
  input_error(predict(fit, rows, levl = 0.9), "no argument 'levl'; did you mean 'level'")
  input_error(predict(fit, rows, level = 95), "level must lie between 0 and 1, not 95")
  input_error(predict(fit, rows, interval = "x"), 'expected "none", "confidence", "prediction", "conformal"')
  input_error(predict(fit, rows, variance = "neighbors"), "neighbours")
})

test_that("variances by neighbours are near the exact ones", {
  fit <- pinned(y ~ x, wave)
  exact <- predict(fit, new, se.fit = TRUE, variance = "exact")$se.fit
  expect_true(all(predict(fit, new, se.fit = TRUE, variance = "neighbours:60")$se.fit >= exact * (1 - 1e-8)))
})

test_that("draws are those of the joint distribution", {
  fit <- pinned(y ~ x, wave)
  expect_identical(simulate(fit, 2, seed = 3, newdata = new), simulate(fit, 2, seed = 3, newdata = new))
  set.seed(4)
  first <- simulate(fit, 1, newdata = new)
  set.seed(4)
  expect_identical(simulate(fit, 1, newdata = new), first)
  many <- as.matrix(simulate(fit, 4000, seed = 1, newdata = new))
  expected <- predict(fit, new, interval = "prediction", level = 0.5)
  inside <- rowMeans(many > expected[, "lwr"] & many < expected[, "upr"])
  expect_true(all(abs(inside - 0.5) < 0.05))
  expect_named(simulate(fit, 2, seed = 1, newdata = new), c("sim_1", "sim_2"))
  expect_equal(dim(simulate(fit, 1, seed = 1)), c(120, 1))
})
