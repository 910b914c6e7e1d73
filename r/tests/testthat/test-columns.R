test_that("factors, texts and logical columns become numbers as in the command", {
  fit <- pinned(yield ~ soil + rain, plots)
  expect_identical(fit$encoding$levels[[1]], c("clay", "loam", "sand"))
  texts <- transform(plots, soil = as.character(soil))
  expect_identical(pinned(yield ~ soil + rain, texts)$kernel, fit$kernel)
  new <- data.frame(soil = c(" sand", "clay"), rain = 3)
  expect_identical(unname(predict(fit, new)), unname(predict(fit, transform(new, soil = factor(trimws(soil))))))
  logical <- pinned(yield ~ I(rain > 5) + w, plots)
  expect_identical(logical$encoding$levels[[1]], NULL)
})

test_that("a level that training has not seen is refused, or averaged", {
  fit <- pinned(yield ~ soil + rain, plots)
  input_error(predict(fit, data.frame(soil = c("sand", "chalk"), rain = 1)), "has the level 'chalk' in row 2, .* it knows 'clay', 'loam', 'sand'")
  average <- predict(fit, data.frame(soil = "chalk", rain = 1), unseen = "average")
  each <- predict(fit, data.frame(soil = c("clay", "loam", "sand"), rain = 1))
  expect_equal(unname(average), mean(each))
})

test_that("dates are decimal years, whatever their class", {
  fit <- pinned(yield ~ sown + rain, plots)
  expect_true(fit$encoding$dates[1])
  for (moment in list(as.Date("2020-03-15"), as.POSIXct("2020-03-15", tz = "UTC"), as.POSIXlt("2020-03-15", tz = "UTC"),
                      "2020-03-15", 2020 + (31 + 29 + 14) / 366)) {
    new <- data.frame(rain = 3)
    new$sown <- moment
    expect_equal(unname(predict(fit, new)), unname(predict(fit, data.frame(sown = as.Date("2020-03-15"), rain = 3))),
                 tolerance = 1e-12)
  }
  input_error(predict(fit, data.frame(sown = 18336, rain = 3)), "had dates in training: give dates or decimal years, not 18336")
  input_error(pinned(yield ~ sown, transform(plots, sown = replace(as.character(sown), 4, "2020-02-30"))),
              "'2020-02-30' in row 4, which is not in the calendar")
  input_error(pinned(yield ~ sown, transform(plots, sown = replace(as.character(sown), 4, "soon"))), "'soon' in row 4, which is no ISO date")
})

test_that("durations are days", {
  fit <- pinned(yield ~ d, transform(plots, d = as.difftime(w * 24, units = "hours")))
  expect_identical(fit$kernel, pinned(yield ~ d, transform(plots, d = w))$kernel)
  input_error(predict(fit, data.frame(d = as.Date("2020-01-01"))), "has dates now, but had durations in training")
})

test_that("rows with missing cells are left out by the conventions of R", {
  fit <- pinned(yield ~ rain + w, plots)
  expect_equal(fit$n, 89)
  expect_equal(unclass(fit$na.action)[[1]], 7)
  expect_output(print(fit), "1 row with a missing cell")
  excluded <- pinned(yield ~ rain + w, plots, na.action = na.exclude)
  expect_length(fitted(fit), 89)
  expect_length(fitted(excluded), 90)
  expect_true(is.na(residuals(excluded, "cv")[7]))
  expect_identical(names(residuals(fit))[7], "8")
  input_error(pinned(yield ~ rain, plots, na.action = na.fail), "column 'rain' has no value in row 7, and 1 row has missing cells: na.action = na.omit leaves it out")
  input_error(pinned(yield ~ rain, transform(plots, rain = replace(rain, 3, Inf))), "column 'rain' has Inf in row 3")
  expect_true(is.na(predict(fit, data.frame(rain = c(1, NA), w = 1))[2]))
})

test_that("messages count rows as the data do", {
  odd <- transform(plots, yield = replace(yield, 50, 500))
  fit <- suppressWarnings(gpcv(yield ~ rain + w, odd, subset = w > 1, kernel = "se(ard)", assess = "inner", robust = TRUE))
  expect_match(fit$findings$message[fit$findings$code == "distrusted_rows"], "row 50 by")
})

test_that("columns that name the role of rows are no inputs", {
  fit <- pinned(yield ~ ., plots, groups = farm, weights = w)
  expect_setequal(fit$encoding$names, c("rain", "soil", "sown"))
  named <- pinned(yield ~ . + w, plots, groups = farm, weights = w)
  expect_true("w" %in% named$encoding$names)
})

test_that("names that are not syntactic work everywhere", {
  odd <- setNames(plots[-7, c("yield", "rain", "w", "soil")], c("the yield", "rain (mm)", "a=b", "gr\u00f6\u00dfe"))
  fit <- pinned(`the yield` ~ ., odd)
  expect_identical(fit$target, "the yield")
  expect_identical(unname(predict(fit, odd)), unname(predict(pinned(yield ~ rain + w + soil, plots[-7, ]), plots[-7, ])))
  some <- pinned(`the yield` ~ . - `rain (mm)`, odd)
  expect_length(predict(some, odd[c("a=b", "gr\u00f6\u00dfe")]), 89)
  on_one <- pinned(`the yield` ~ `rain (mm)` + `a=b`, odd, kernel = 'se(on="rain (mm)") + linear')
  expect_match(on_one$kernel, 'on="rain (mm)"', fixed = TRUE)
})

test_that("terms of a formula may be expressions", {
  fit <- pinned(log(yield) ~ sqrt(w) + poly(rain, 2), plots[-7, ])
  expect_identical(fit$target, "log(yield)")
  expect_identical(fit$encoding$names, c("sqrt(w)", "poly(rain, 2)1", "poly(rain, 2)2"))
  expect_equal(unname(predict(fit, plots[3, ])), unname(fitted(fit)[3]), tolerance = 1e-6)
})

test_that("a formula without data finds its variables, and new rows must have them", {
  a <- wave$x
  b <- wave$y
  fit <- pinned(b ~ a)
  expect_identical(fit$kernel, pinned(y ~ x, wave)$kernel)
  expect_length(predict(fit, data.frame(a = 1:3)), 3)
  input_error(predict(fit, data.frame(x = 1:3)), "newdata has no column 'a'")
})

test_that("what cannot be an input is refused in one line", {
  input_error(gpcv(yield ~ rian, plots), "^there is no column 'rian'; did you mean 'rain'\\?$")
  input_error(gpcv(yield ~ rain * w, plots), "contains their interaction")
  input_error(gpcv(yield ~ offset(w) + rain, plots), "no offset")
  input_error(gpcv(~ rain, plots), "no target")
  input_error(gpcv(yield ~ 1, plots), "no input")
  input_error(gpcv(soil ~ rain, plots), "the target 'soil' has levels")
  input_error(gpcv(yield ~ id, transform(plots, id = sprintf("r%d", 1:90))[rep(1:90, 3), ] |> transform(id = sprintf("r%d", 1:270))), "more than 200 levels")
  input_error(gpcv(data.frame(a = I(list(1, 2, 3))), 1:3), "class AsIs")
  input_error(gpcv(matrix("a", 3, 1), 1:3), "must hold numbers")
  input_error(gpcv(matrix(1:6, 3), 1:4), "3 rows and y has 4|column 'x1' has 3 rows and the target has 4|x has 3 rows and y has 4")
  suppressWarnings(expect_warning(gpcv(yield ~ t, transform(plots, t = replace(as.character(rain), 3, "n/a")), kernel = "se", assess = "inner"),
                 "'n/a' is not", class = "gpcv_data_warning"))
})
