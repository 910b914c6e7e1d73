# A session that fits and prints what came of it; it writes "step" when the first model is there.
interrupted <- function(signals) {
  script <- tempfile(fileext = ".R")
  said <- tempfile()
  steps <- tempfile()
  writeLines(c(
    sprintf(".libPaths(%s)", deparse1(.libPaths())), "library(gpcv)", "set.seed(1)",
    "d <- data.frame(x = runif(3000), u = runif(3000))", "d$y <- sin(9 * d$x) + d$u + rnorm(3000) / 10",
    sprintf("step <- function(s) if (s$iteration > 0) cat(s$iteration, '\\n', file = %s, append = TRUE)", deparse1(steps)),
    "r <- tryCatch(gpcv(y ~ ., d, kernel = 'se(ard)', threads = 1, progress = step, assess = 'inner',",
    "                   control = gpcv_control(epsilon = 1e-14, solver = 'cg')),",
    "              interrupt = function(i) 'interrupt')",
    "cat(if (inherits(r, 'gpcv')) r$status else r)"), script)
  system2(file.path(R.home("bin"), "Rscript"), c("--vanilla", shQuote(script)), stdout = said, stderr = said, wait = FALSE)
  find <- function() {
    cmd <- vapply(list.files("/proc", "^[0-9]+$"), function(pid) {
      paste(suppressWarnings(tryCatch(readLines(file.path("/proc", pid, "cmdline"), warn = FALSE, skipNul = TRUE), error = function(e) "")), collapse = " ")
    }, "")
    as.integer(names(cmd)[grepl(basename(script), cmd, fixed = TRUE)])
  }
  deadline <- Sys.time() + 120
  while (!file.exists(steps) && Sys.time() < deadline) Sys.sleep(0.1)
  for (k in seq_len(signals)) {
    tools::pskill(find(), tools::SIGINT)
    Sys.sleep(0.3)
  }
  while (length(find()) > 0 && Sys.time() < deadline) Sys.sleep(0.1)
  paste(readLines(said, warn = FALSE), collapse = "\n")
}

test_that("an interrupt keeps the best so far, and a second one ends at once", {
  skip_on_cran()
  skip_if_not(dir.exists("/proc/self"), "the process is found in /proc")
  one <- interrupted(1)
  expect_match(one, "gpcv: stopping; the result is there in about")
  expect_match(one, "stopped$")
  expect_match(interrupted(2), "interrupt$|stopped$")
})
