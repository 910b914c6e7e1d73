# Tables that several tests fit, and a fit with one kernel and the error of its folds, for tests that are not about defaults.
options(gpcv.threads = 2, gpcv.progress = FALSE)

wave <- local({
  x <- seq(0, 10, length.out = 120)
  data.frame(x = x, y = 3 + sin(x) + 0.1 * cos(37 * x))
})

# Two numbers, a factor, a date, a group, and a cell that is missing.
plots <- local({
  n <- 90
  i <- seq_len(n)
  rain <- (i * 37) %% 101 / 10
  soil <- factor(c("clay", "sand", "loam")[i %% 3 + 1], levels = c("sand", "peat", "loam", "clay"))
  sown <- as.Date("2020-03-01") + (i * 11) %% 60
  yield <- 5 + sin(rain) + c(sand = 0, loam = 1, clay = 2)[as.character(soil)] + 0.05 * cos(91 * i)
  out <- data.frame(yield = unname(yield), rain = rain, soil = soil, sown = sown, farm = paste0("f", i %% 10), w = 1 + i %% 3)
  out$rain[7] <- NA
  out
})

# A call of gpcv() in the frame that calls this.
pinned <- function(...) {
  call <- sys.call()
  call[[1L]] <- quote(gpcv::gpcv)
  for (name in c("kernel", "assess")) {
    if (is.null(call[[name]])) call[[name]] <- c(kernel = "se(ard)", assess = "inner")[[name]]
  }
  suppressWarnings(eval.parent(call), classes = c("gpcv_data_warning", "gpcv_result_warning"))
}

# A table as CSV with every digit.
write_table <- function(data, file) {
  text <- lapply(data, function(column) {
    shown <- if (is.numeric(column)) sprintf("%.17g", column) else as.character(column)
    ifelse(is.na(column), "NA", shown)
  })
  writeLines(c(paste(names(data), collapse = ","), do.call(paste, c(unname(text), sep = ","))), file)
  file
}

input_error <- function(code, pattern) expect_error(code, pattern, class = "gpcv_input_error")
