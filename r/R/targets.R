#' Models of several targets
#'
#' `gpcv(cbind(a, b) ~ x, data)`, or a matrix or data frame `y`, trains a model for each target with common folds; with
#' `share_kernel = TRUE` all of them have one kernel. A row that lacks the value of a target is left out for that target alone.
#'
#' @param object,x Models of several targets: a named list of objects of the class `gpcv`.
#' @param newdata Rows to predict, as for [predict.gpcv()].
#' @param ... Further arguments of the methods for one target.
#' @return `predict()` returns a matrix with a column for each target where [predict.gpcv()] returns a vector for one, otherwise a
#'   list with the predictions of each. `summary()` returns a list of summaries.
#' @examples
#' fits <- gpcv(cbind(Sepal.Length, Petal.Length) ~ Sepal.Width + Species, iris, kernel = "se(ard)",
#'              assess = "inner", threads = 2)
#' fits
#' predict(fits, iris[c(1, 51, 101), ])
#' fits$Petal.Length$cv$rmse
#' @name gpcv_targets
NULL

#' @rdname gpcv_targets
#' @export
print.gpcv_targets <- function(x, ...) {
  show_call(attr(x, "call"))
  cat("Gaussian processes of ", length(x), " targets\n\n", sep = "")
  table <- data.frame(rows = vapply(x, `[[`, 0, "n"), rmse = vapply(x, function(fit) fit$cv$rmse, 0),
                      smse = vapply(x, function(fit) fit$cv$smse, 0), kernel = vapply(x, `[[`, "", "kernel_rounded"),
                      row.names = names(x))
  print(table, digits = 4, right = FALSE)
  invisible(x)
}

#' @rdname gpcv_targets
#' @export
summary.gpcv_targets <- function(object, ...) each_target(object, summary.gpcv)

#' @rdname gpcv_targets
#' @export
predict.gpcv_targets <- function(object, newdata, ...) {
  rows <- if (missing(newdata)) list() else list(newdata)
  one <- function(fit) do.call(predict.gpcv, c(list(fit), rows, list(...)))
  silent <- function(fit) {
    withCallingHandlers(one(fit), gpcv_extrapolation_warning = function(w) invokeRestart("muffleWarning"))
  }
  fits <- unclass(object)
  attr(fits, "call") <- NULL
  parts <- c(lapply(fits[1], one), lapply(fits[-1], silent)) # all would warn of the same rows
  plain <- all(vapply(parts, function(part) is.numeric(part) && is.null(dim(part)), NA))
  if (plain && length(unique(lengths(parts))) == 1) do.call(cbind, parts) else parts
}

#' @rdname gpcv_targets
#' @export
fitted.gpcv_targets <- function(object, ...) each_target(object, fitted.gpcv)

# A function of the model of each target.
each_target <- function(object, f) {
  fits <- unclass(object)
  attr(fits, "call") <- NULL
  lapply(fits, f)
}
