test_that("a model file keeps predictions to the last bit", {
  fit <- pinned(yield ~ rain + soil + sown, plots)
  file <- tempfile(fileext = ".h5")
  expect_identical(gpcv_save(fit, file), file)
  again <- gpcv_load(file)
  expect_identical(unname(predict(again, plots[1:5, ], interval = "prediction")), unname(predict(fit, plots[1:5, ], interval = "prediction")))
  expect_identical(again$encoding$levels, fit$encoding$levels)
  expect_identical(again$encoding$dates, fit$encoding$dates)
  expect_identical(again$cv, fit$cv)
  expect_output(print(summary(again)), "Gaussian process of yield on rain, soil, sown")
  texts <- transform(plots[1:5, ], soil = as.character(soil), sown = as.character(sown))
  expect_identical(predict(again, texts), predict(again, plots[1:5, ]))
  input_error(predict(again, plots["rain"]), "newdata has no column 'soil'")
})

test_that("models of several targets share a file", {
  fits <- pinned(wave["x"], cbind(a = wave$y, b = -wave$y))
  file <- tempfile(fileext = ".h5")
  gpcv_save(fits, file)
  again <- gpcv_load(file)
  expect_s3_class(again, "gpcv_targets")
  expect_identical(predict(again, wave[1:2, ]), predict(fits, wave[1:2, ]))
})

test_that("fitted objects survive saveRDS, copies and other sessions", {
  fit <- pinned(y ~ x, wave)
  expected <- predict(fit, wave)
  file <- tempfile(fileext = ".rds")
  saveRDS(fit, file)
  expect_identical(predict(readRDS(file), wave), expected)
  again <- readRDS(file)
  saveRDS(again, file) # without having been used
  expect_identical(predict(readRDS(file), wave), expected)
  copy <- fit
  copy$call <- NULL
  attr(copy$model, "note") <- "a copy"
  expect_identical(predict(copy, wave), expected)
  other <- tempfile(fileext = ".R")
  writeLines(c(sprintf(".libPaths(%s)", deparse1(.libPaths())), "library(gpcv)",
               sprintf("p <- predict(readRDS(%s), data.frame(x = 2))", deparse1(file)),
               "cat(sprintf('%.17g', p))"), other)
  out <- system2(file.path(R.home("bin"), "Rscript"), c("--vanilla", shQuote(other)), stdout = TRUE)
  expect_identical(as.numeric(out), unname(predict(fit, data.frame(x = 2))))
})

test_that("a model that was changed or is none is refused", {
  fit <- pinned(y ~ x, wave)
  fit$model <- 3L
  input_error(predict(fit, wave), "no model of gpcv")
  input_error(gpcv_save(lm(y ~ x, wave), tempfile()), "not lm")
  input_error(gpcv_load(tempfile()), "cannot open|does not exist|no such file")
  broken <- tempfile()
  writeLines("this is no model", broken)
  input_error(gpcv_load(broken), "not")
  input_error(gpcv_save(pinned(y ~ x, wave), file.path(tempfile(), "no", "folder.h5")), "folder|directory")
  input_error(gpcv_load(c("a", "b")), "file must be the name of a file")
})

test_that("the report is a page", {
  file <- tempfile(fileext = ".html")
  gpcv_report(pinned(y ~ x, wave), file)
  expect_match(readLines(file, 1), "<!DOCTYPE html>", ignore.case = TRUE)
})
