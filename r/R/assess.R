# What predictions of rows with known targets are worth, and which of several models is best.

#' Scores of a fitted model on a test table
#'
#' `gpcv_evaluate()` compares predictions with known targets, as the command `gpcv evaluate` does. The scores of the rows that
#' cross-validation has held out are in `fit$cv`.
#'
#' @param object A fitted model, or models of several targets.
#' @param newdata Rows as for [predict.gpcv()], with a column of the target.
#' @param y The targets, where `newdata` has no column of them.
#' @param weights,noise_sd,unseen,variance,threads,progress As for [predict.gpcv()].
#' @return A data frame with a row for each target: the number `n` of rows with all cells; `rmse` and `crps` in the target's units;
#'   `smse`, the mean squared error over the variance of the targets; `nlpd`, the mean negative log predictive density;
#'   `coverage50`, `coverage80`, `coverage95` of the central intervals.
#' @examples
#' train <- seq(1, 50, 2)
#' fit <- gpcv(dist ~ speed, cars[train, ], kernel = "se", threads = 2)
#' gpcv_evaluate(fit, cars[-train, ])
#' @export
gpcv_evaluate <- function(object, newdata, y = NULL, weights = NULL, noise_sd = NULL, unseen = c("error", "average"),
                          variance = "auto", threads = NULL, progress = getOption("gpcv.progress")) {
  average <- choice(unseen, c("error", "average"), "unseen") == "average"
  method <- checked(.Call(C_require_variance, as.character(variance)))
  call <- match.call()
  weights <- eval_in(call$weights, weights, newdata, parent.frame())
  noise_sd <- eval_in(call$noise_sd, noise_sd, newdata, parent.frame())
  scores <- lapply(fits_of(object), function(fit) {
    test <- rows_to_test(fit, newdata, y, weights, noise_sd, average)
    how <- list(average = average, variance = method, noise = test$noise, display = display_of(progress)$display)
    compute <- fit$compute
    if (!is.null(threads)) compute$threads <- threads
    checked(.Call(C_evaluate, fit$model, test$x, test$y, how, compute))
  })
  as.data.frame(do.call(rbind, lapply(scores, unlist)), row.names = vapply(fits_of(object), `[[`, "", "target"))
}

# Fitted models of one target or several.
fits_of <- function(object) {
  if (!inherits(object, "gpcv_targets")) {
    require_model(object)
    return(list(object))
  }
  attr(object, "call") <- NULL
  unclass(object)
}

# Rows that have every cell and a target: inputs, targets and noise.
rows_to_test <- function(fit, newdata, y, weights = NULL, noise_sd = NULL, average = FALSE) {
  rows <- rows_to_predict(fit, newdata, average)
  tell_of_far_rows(fit, rows)
  observed <- observed_of(fit, newdata, y, length(rows$complete))
  noise <- noise_of_rows(fit, weights, noise_sd, length(rows$complete))
  kept <- rows$complete & !is.na(observed)
  if (!any(kept)) refuse("no row has all inputs and the target '", fit$target, "'")
  require_finite(observed, paste0("the target '", fit$target, "'"))
  list(x = rows$x[kept[rows$complete], , drop = FALSE], y = observed[kept], noise = noise[kept])
}

# Targets of new rows as numbers: those that are given, or those of newdata.
observed_of <- function(fit, newdata, y, rows) {
  if (is.null(y)) y <- target_in(fit, newdata)
  if (is.data.frame(y) || is.matrix(y)) y <- column_of_target(fit, y)
  table <- list(y = y, target = fit$target, rows = rows)
  targets_of(table)[, 1]
}

# The target that new rows have, by the formula of the training or by its name.
target_in <- function(fit, newdata) {
  if (is.matrix(newdata)) newdata <- as.data.frame(newdata, optional = TRUE)
  if (!is.list(newdata)) refuse("newdata has no column of the target: give it as 'y'")
  if (is.null(fit$terms)) {
    if (fit$target %in% names(newdata)) return(newdata[[fit$target]])
    refuse("newdata has no column '", fit$target, "', the target", near_name(names(newdata), fit$target), ": give it as 'y'")
  }
  response <- stats::reformulate("1", response = fit$terms[[2L]], env = environment(fit$terms))
  frame <- tryCatch(stats::model.frame(response, plain_data(newdata), na.action = stats::na.pass),
                    error = function(e) refuse("newdata has no target: ", conditionMessage(e)))
  stats::model.response(frame)
}

column_of_target <- function(fit, y) {
  if (ncol(y) == 1) return(y[, 1, drop = TRUE])
  if (fit$target %in% colnames(y)) return(if (is.data.frame(y)) y[[fit$target]] else y[, fit$target])
  refuse("y has no column '", fit$target, "'", near_name(colnames(y), fit$target))
}

#' Ranking of fitted models
#'
#' Ranks models by the loss of the rows that cross-validation has held out, as the command `gpcv compare` does. All models must be
#' fitted to the same rows with the same folds and seed.
#'
#' @param ... Fitted models, or a list of them; their names are those of the arguments.
#' @param criterion Loss of the held-out rows: `"crps"`, `"squared"` or `"log"`.
#' @return A data frame with a row for each model, best first: `rmse` with its standard error `rmse_error`; the mean `loss`;
#'   `behind`, by how much it exceeds that of the best, relative to it unless the criterion is `"log"`, with the standard error
#'   `behind_error` of the paired difference, below two of which it is a tie; and `nlpd`.
#' @examples
#' smooth <- gpcv(dist ~ speed, cars, kernel = "se", assess = "inner", threads = 2)
#' straight <- update(smooth, kernel = "linear")
#' gpcv_compare(smooth, straight)
#' @export
gpcv_compare <- function(..., criterion = "crps") {
  fits <- list(...)
  if (length(fits) == 1 && is.list(fits[[1]]) && !inherits(fits[[1]], c("gpcv", "gpcv_targets"))) {
    fits <- fits[[1]]
  } else {
    written <- vapply(as.list(substitute(list(...)))[-1L], deparse1, "")
    names(fits) <- ifelse(nzchar(names(fits) %||% rep("", length(fits))), names(fits), written)
  }
  if (length(fits) < 2) refuse("give two models or more")
  for (fit in fits) require_model(fit)
  names <- make.unique(names(fits) %||% vapply(fits, `[[`, "", "kernel_rounded"))
  for (at in seq_along(fits)[-1]) require_same_rows(fits[[1]], fits[[at]], names[c(1, at)])
  ranked <- as_frame(checked(.Call(C_ranked, unname(lapply(fits, `[[`, "model")), names, criterion)))
  structure(ranked[-1], row.names = ranked$name)
}

# Refuses models that have no predictions of the same rows by the same folds.
require_same_rows <- function(a, b, names) {
  both <- paste0("'", names[1], "' and '", names[2], "'")
  held <- lapply(list(a, b), function(fit) checked(.Call(C_held_out, fit$model, 0.95)))
  # A transform of the target and its inverse leave a rounding error.
  if (!isTRUE(all.equal(held[[1]]$observed, held[[2]]$observed, tolerance = 1e-9))) refuse(both, " were fitted to other rows")
  if (a$cv$assessment != b$cv$assessment) {
    refuse("the errors of ", both, " are '", a$cv$assessment, "' and '", b$cv$assessment,
           "': fit both with assess = \"inner\", or both with assess = \"nested\"")
  }
  if (a$cv$folds != b$cv$folds || !identical(held[[1]]$fold, held[[2]]$fold)) {
    refuse(both, " were fitted with other folds: give both the same folds and the same seed")
  }
}
