test_that("several targets have a model each, with common folds", {
  both <- transform(plots, second = rain * 2 + sin(w))
  fits <- pinned(cbind(yield, second) ~ rain + w, both)
  expect_s3_class(fits, "gpcv_targets")
  expect_named(fits, c("yield", "second"))
  alone <- pinned(yield ~ rain + w, both)
  expect_identical(fits$yield$kernel, alone$kernel)
  expect_output(print(fits), "Gaussian processes of 2 targets")
  expect_identical(predict(fits, both[1:3, ])[, "yield"], predict(alone, both[1:3, ]))
  expect_named(predict(fits, both[1:3, ], interval = "prediction"), c("yield", "second"))
  expect_named(summary(fits), c("yield", "second"))
  expect_length(fitted(fits)$second, 89)
  expect_length(warnings <- capture_warnings(predict(fits, data.frame(rain = 99, w = 1))), 1)
})

test_that("a row without one target is there for the others", {
  y <- cbind(a = wave$y, b = rev(wave$y))
  y[1:5, "b"] <- NA
  fits <- pinned(wave["x"], y)
  expect_equal(c(fits$a$n, fits$b$n), c(120, 115))
})

test_that("targets may share a kernel", {
  fits <- pinned(wave["x"], data.frame(a = wave$y, b = wave$y * 2 + 1), share_kernel = TRUE)
  scale <- function(fit) fit$values[["se.l[0]"]]
  expect_equal(scale(fits$a), scale(fits$b))
  input_error(pinned(y ~ x, wave, warm = 3), "warm must be a fitted model")
})

test_that("what is of one target needs one", {
  fits <- pinned(wave["x"], cbind(a = wave$y, b = wave$y))
  input_error(gpcv_cv(fits), "several targets: give one of them, as model\\[\\[\"a\"\\]\\]")
})
