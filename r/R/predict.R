#' Predict new rows
#'
#' Predictions of a fitted model with standard errors, intervals and quantiles, in the manner of [predict.lm()].
#'
#' @param object A fitted model.
#' @param newdata A data frame with the columns of the training, or a matrix where the model was given one. Without it the rows
#'   of the training are predicted, by the model that knows them; [residuals.gpcv()] has predictions of rows that were held out.
#' @param se.fit Whether the standard error of the predicted function is returned, too.
#' @param interval `"prediction"`: intervals of new observations; `"confidence"`: intervals of the function;
#'   `"conformal"`: intervals of new observations whose coverage is guaranteed for rows that are exchangeable with those
#'   reserved by `gpcv(calibration = 0.2)`.
#' @param level Probability of the intervals.
#' @param quantiles Probabilities of quantiles of a new observation, each of which becomes a column.
#' @param type `"terms"` returns the contributions of the summands of the kernel instead; `"covariance"` the joint covariance of the
#'   rows, which takes memory with the square of their number: of observations, or of the function with
#'   `interval = "confidence"`.
#' @param weights,noise_sd Weight, or standard deviation of the noise, of each new row, for a model that was trained with them;
#'   without them rows count as typical ones. They may name a column of `newdata`.
#' @param unseen What to do about a level that training has not seen: an error, or `"average"`, the mixture of all levels, whose
#'   variance is the mean of their variances plus the variance of their means.
#' @param variance Method of the variances: `"exact"`, `"neighbours:512"` (an upper bound from the nearest training rows),
#'   or `"auto"`, exact where that is affordable.
#' @param threads Number of threads, by default that of the fit.
#' @param progress As for [gpcv()].
#' @param ... Not used.
#'
#' @details
#' Means are in units of the target. An interval or a quantile is one of the distribution of errors that held-out rows have
#' shown: Student's t with `df` degrees of freedom, or a normal distribution (`df` is then `Inf`). Where the target was
#' transformed, that is the distribution of the transformed target, and intervals respect the bounds of the target.
#'
#' Rows with missing cells have the prediction `NA`. Rows far outside the training rows are predicted with a
#' `gpcv_extrapolation_warning`.
#'
#' @return A vector of means, named by the rows of `newdata`; with intervals or quantiles a matrix with the columns `fit`, `lwr`,
#'   `upr` and one for each quantile (`5%`). With `se.fit = TRUE` a list with `fit`, `se.fit`, `df` and `residual.scale`, the
#'   standard deviation of the noise. With `type = "terms"` a matrix with a column for each summand and the attribute `constant`,
#'   which add up to the mean (of the transformed target, if there is a transform). With `type = "covariance"` a matrix.
#' @examples
#' options(gpcv.threads = 2)
#' fit <- gpcv(dist ~ speed, cars)
#' new <- data.frame(speed = c(10, 15, 20))
#' predict(fit, new)
#' predict(fit, new, interval = "prediction", level = 0.9)
#' predict(fit, new, quantiles = c(0.05, 0.5, 0.95))
#' predict(fit, new, se.fit = TRUE)
#' @export
predict.gpcv <- function(object, newdata, se.fit = FALSE, interval = c("none", "confidence", "prediction", "conformal"),
                         level = 0.95, quantiles = NULL, type = c("response", "terms", "covariance"), weights = NULL, noise_sd = NULL,
                         unseen = c("error", "average"), variance = "auto", threads = NULL,
                         progress = getOption("gpcv.progress"), ...) {
  call <- match.call()
  refuse_unknown(names(list(...)), names(formals(predict.gpcv)))
  require_flag(se.fit, "se.fit")
  interval <- choice(interval, c("none", "confidence", "prediction", "conformal"), "interval")
  type <- choice(type, c("response", "terms", "covariance"), "type")
  average <- choice(unseen, c("error", "average"), "unseen") == "average"
  if (!is.null(quantiles)) require_probability(quantiles, "quantiles")
  require_probability(level, "level")
  if (length(level) != 1) refuse("level must be one probability")
  rows <- rows_to_predict(object, newdata, average)
  data <- if (missing(newdata)) NULL else newdata
  noise <- noise_of_rows(object, eval_in(call$weights, weights, data, parent.frame()),
                         eval_in(call$noise_sd, noise_sd, data, parent.frame()), length(rows$complete))
  how <- list(average = average, variance = checked(.Call(C_require_variance, as.character(variance))),
              noise = noise[rows$complete], display = display_of(progress)$display)
  compute <- object$compute
  if (!is.null(threads)) compute$threads <- threads
  if (!missing(newdata)) tell_of_far_rows(object, rows)
  if (type == "terms") return(predicted_terms(object, rows, how, compute, se.fit))
  if (type == "covariance") return(predicted_covariance(object, rows, how, compute, interval))
  predicted(object, rows, how, compute, se.fit, interval, level, quantiles)
}

# An argument that may name a column of the data.
eval_in <- function(expression, value, data, env) {
  if (is.data.frame(data) && is.symbol(expression) && as.character(expression) %in% names(data)) {
    return(data[[as.character(expression)]])
  }
  if (is.null(expression)) NULL else value
}

# Rows as the numbers that the model sees: `x` of the complete ones, which `complete` tells, and the names of all.
rows_to_predict <- function(object, newdata, average) {
  if (missing(newdata)) {
    x <- checked(.Call(C_training, object$model))$x
    return(list(x = x, complete = rep(TRUE, nrow(x)), names = object$row_names, na.action = object$na.action))
  }
  if (is.list(newdata) && !is.data.frame(newdata)) newdata <- as.data.frame(newdata, optional = TRUE)
  raw <- columns_to_predict(object, newdata)
  x <- encode(columns_like(raw, object$encoding), object$encoding, average)
  complete <- !is.na(rowSums(x))
  complete[!complete] <- !apply(is.na(x[!complete, , drop = FALSE]), 1, any) # a sum of infinite numbers
  if (!all(complete)) x <- x[complete, , drop = FALSE]
  require_finite_inputs(x, features_of(object$encoding)$names, which(complete))
  list(x = x, complete = complete, names = row_names_of(newdata))
}

require_finite_inputs <- function(x, names, rows) {
  if (is.finite(sum(x))) return(invisible())
  for (k in seq_along(names)) require_finite(x[, k], paste0("column '", names[k], "'"), function(at) rows[at])
}

row_names_of <- function(newdata) {
  if (is.data.frame(newdata)) return(row.names(newdata))
  if (is.matrix(newdata)) rownames(newdata) else names(newdata)
}

# Columns of new data in the order of the training.
columns_to_predict <- function(object, newdata) {
  if (!is.null(object$terms)) return(columns_by_terms(object, newdata))
  encoding <- object$encoding
  if (is.atomic(newdata) && is.null(dim(newdata))) {
    newdata <- matrix(newdata, ncol = if (length(encoding$names) == 1) 1L else length(newdata), byrow = FALSE)
  }
  if (is.matrix(newdata)) {
    if (!is.null(colnames(newdata)) && isTRUE(encoding$named)) return(columns_by_name(as.data.frame(newdata, optional = TRUE), encoding))
    if (ncol(newdata) != length(encoding$names)) {
      refuse("newdata has ", ncol(newdata), " columns and the model has ", length(encoding$names), ": ", in_words(encoding$names))
    }
    return(lapply(seq_len(ncol(newdata)), function(k) newdata[, k]))
  }
  if (!is.list(newdata)) refuse("newdata must be a data frame or a matrix, not ", class(newdata)[1])
  if (!isTRUE(encoding$named) && length(newdata) == length(encoding$names)) return(unname(as.list(newdata)))
  columns_by_name(newdata, encoding)
}

columns_by_name <- function(data, encoding) {
  data <- flat_columns(as.list(data))
  for (name in setdiff(encoding$names, names(data))) refuse_column(name, names(data))
  data[encoding$names]
}

refuse_column <- function(name, names) {
  refuse("newdata has no column '", name, "', which the model was trained on", near_name(names, name))
}

# Columns that the terms of the training make of new data.
columns_by_terms <- function(object, newdata) {
  if (is.matrix(newdata)) newdata <- as.data.frame(newdata, optional = TRUE)
  if (!is.list(newdata)) refuse("newdata must be a data frame, not ", class(newdata)[1])
  terms <- stats::delete.response(object$terms)
  needed <- intersect(all.vars(terms), object$variables)
  for (name in setdiff(needed, names(newdata))) refuse_column(name, names(newdata))
  frame <- tryCatch(stats::model.frame(terms, plain_data(newdata), na.action = stats::na.pass),
                    error = function(e) refuse(conditionMessage(e)))
  labels <- attr(terms, "term.labels")
  inputs <- frame[match(labels, term_names(frame))]
  names(inputs) <- plain_names(labels)
  flat_columns(inputs)[object$encoding$names]
}

# Deviations of the noise of new rows, for a model whose rows have their own; NULL for typical rows.
noise_of_rows <- function(object, weights, noise_sd, rows) {
  if (is.null(weights) && is.null(noise_sd)) return(NULL)
  if (!is.null(weights) && !is.null(noise_sd)) refuse("weights and noise_sd exclude each other")
  given <- if (is.null(weights)) "noise_sd" else "weights"
  if (isTRUE(object$noise_model$learned)) refuse("this model has learned its noise: leave out '", given, "'")
  if (!nzchar(object$own_noise)) refuse("this model has the same noise in every row: leave out '", given, "', or train it with '", given, "'")
  own <- if (object$noise_is_weight) "weights" else "noise_sd"
  if (given != own) refuse("this model was trained with '", own, "': give '", own, "' here, not '", given, "'")
  values <- if (is.null(weights)) noise_sd else weights
  require_positive(values, given)
  if (anyNA(values)) refuse(given, " has no value in row ", which(is.na(values))[1])
  if (length(values) != rows) refuse(given, " must have one value per row: ", rows, " rows, ", length(values), " values")
  as.double(if (is.null(weights)) values else 1 / sqrt(values))
}

tell_of_far_rows <- function(object, rows) {
  far <- checked(.Call(C_far_rows, object$model, rows$x))
  if (far$count == 0) return(invisible())
  numbers <- which(rows$complete)[far$rows]
  one <- far$count == 1
  tell("gpcv_extrapolation_warning", format(far$count, big.mark = " "), if (one) " row lies" else " rows lie",
       " far outside the training rows, the first one in '", far$input, "' (", if (one) "row " else "rows ",
       paste(numbers, collapse = ", "), if (far$count > length(numbers)) " and others", "): ",
       if (one) "its prediction rests" else "their predictions rest", " on the kernel alone")
}

# Prediction of complete rows by the library.
ask <- function(object, rows, how, compute, std, latent, z = numeric()) {
  how <- c(how, list(std = std, latent = latent, z = as.double(z)))
  found <- checked(.Call(C_predict, object$model, rows$x, how, compute))
  if (length(z) == 0) found$values <- NULL
  found
}

factors_of <- function(object, probabilities, kind) {
  checked(.Call(C_factors, object$model, as.double(probabilities), kind))
}

predicted <- function(object, rows, how, compute, se.fit, interval, level, quantiles) {
  # A probability that the calibration set does not permit is refused before anything is computed.
  half <- if (interval != "none") factors_of(object, level, if (interval == "conformal") "conformal" else "interval")
  if (interval == "conformal") how$variance <- half$method
  places <- if (length(quantiles) > 0) factors_of(object, quantiles, "quantile")$factors
  latent_z <- if (interval == "confidence") c(-1, 1) * half$factors
  observed_z <- c(if (interval %in% c("prediction", "conformal")) c(-1, 1) * half$factors, places)
  of_function <- if (se.fit || interval == "confidence") ask(object, rows, how, compute, TRUE, TRUE, latent_z)
  # The mean of a transformed target depends on the noise: it is always that of an observation.
  has_own_mean <- is.null(of_function) || object$transform != "none"
  of_rows <- if (length(observed_z) > 0 || has_own_mean) {
    ask(object, rows, how, compute, length(observed_z) > 0, FALSE, observed_z)
  }
  tell_of_bound(how$variance, c(of_function$method, of_rows$method), se.fit || interval != "none" || length(places) > 0)
  bounds <- if (interval == "confidence") of_function$values
  # Without rows cbind() makes a column of NULL, too.
  fit <- do.call(cbind, Filter(Negate(is.null), list(as.matrix((of_rows %||% of_function)$mean), bounds, of_rows$values)))
  colnames(fit) <- c("fit", if (interval != "none") c("lwr", "upr"), if (length(places) > 0) percent(quantiles))
  fit <- of_all_rows(fit, rows)
  if (ncol(fit) == 1) fit <- fit[, 1]
  if (!se.fit) return(fit)
  list(fit = fit, se.fit = of_all_rows(as.matrix(of_function$std), rows)[, 1], df = object$df, residual.scale = object$noise_sd)
}

percent <- function(probabilities) paste0(format(100 * probabilities, trim = TRUE, digits = 7, drop0trailing = TRUE), "%")

# Says where a deviation is an upper bound instead of exact.
tell_of_bound <- function(asked, methods, shown) {
  used <- methods[startsWith(methods, "neighbours:")][1]
  if (!shown || asked != "auto" || is.na(used)) return(invisible())
  message("gpcv: standard errors are upper bounds from the ", sub("neighbours:", "", used),
          " nearest training rows (variance = \"exact\" for exact ones)")
}

# Values of the complete rows among all rows; the others are NA.
of_all_rows <- function(values, rows) {
  out <- values
  if (!all(rows$complete)) {
    out <- matrix(NA_real_, length(rows$complete), ncol(values), dimnames = list(NULL, colnames(values)))
    out[rows$complete, ] <- values
  }
  rownames(out) <- rows$names
  if (is.null(rows$na.action)) out else stats::napredict(rows$na.action, out)
}

predicted_covariance <- function(object, rows, how, compute, interval) {
  if (!interval %in% c("none", "prediction", "confidence")) refuse("a covariance has no interval \"", interval, "\"")
  if (how$average) refuse("a mixture of levels has no joint covariance: leave out 'unseen' or type = \"covariance\"")
  how <- c(how, list(std = TRUE, latent = interval == "confidence", z = numeric()))
  found <- checked(.Call(C_covariance, object$model, rows$x, how, compute))
  out <- matrix(NA_real_, length(rows$complete), length(rows$complete), dimnames = list(rows$names, rows$names))
  out[rows$complete, rows$complete] <- found
  out
}

predicted_terms <- function(object, rows, how, compute, se.fit) {
  how <- c(how, list(std = se.fit, latent = TRUE, z = numeric()))
  found <- checked(.Call(C_components, object$model, rows$x, how, compute))
  colnames(found$means) <- found$names
  fit <- structure(of_all_rows(found$means, rows), constant = found$offset)
  if (!se.fit) return(fit)
  colnames(found$std) <- found$names
  list(fit = fit, se.fit = of_all_rows(found$std, rows), df = object$df, residual.scale = object$noise_sd)
}
