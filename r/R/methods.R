#' What a fitted model is
#'
#' `print()` shows a fit in a few lines. `summary()` says in words whether it can be used, and for what, and shows the
#' hyper-parameters in the units of the table, the importance of the inputs, and the kernels among which one was chosen.
#'
#' @param object,x A fitted model, or its summary.
#' @param digits Number of significant digits.
#' @param ... Not used.
#' @return `summary()` returns a list of the class `summary.gpcv` with `headline`, `limits`, `sentences` with their `levels`
#'   (`"good"`, `"note"`, `"warning"`), and data frames `parameters` and `importance`.
#' @examples
#' fit <- gpcv(dist ~ speed, cars, threads = 2)
#' summary(fit)
#' @export
summary.gpcv <- function(object, ...) {
  seen <- checked(.Call(C_verdict, object$model, object$compute))
  structure(list(call = object$call, title = title_of(object), headline = seen$headline, level = seen$level,
                 limits = seen$limits, sentences = seen$sentences, levels = seen$levels, parameters = as_frame(seen$parameters),
                 kernel = object$kernel_rounded, noise_sd = object$noise_sd, cv = object$cv, kernels = object$kernels,
                 transform = object$transform, transforms = object$transforms, importance = object$importance,
                 na.action = object$na.action, status = object$status, findings = object$findings),
            class = "summary.gpcv")
}

# First line of print() and summary().
title_of <- function(object) {
  names <- object$encoding$names
  inputs <- if (length(names) <= 5) paste(names, collapse = ", ") else paste(length(names), "inputs")
  paste0("Gaussian process of ", object$target, " on ", inputs, ", ", format(object$n, big.mark = " "), " rows")
}

#' @rdname summary.gpcv
#' @export
print.gpcv <- function(x, digits = max(3L, getOption("digits") - 3L), ...) {
  show_call(x$call)
  cat(title_of(x), "\n\n", sep = "")
  show_line("kernel", x$kernel_rounded)
  if (x$transform != "none") show_line("transform", x$transform)
  show_line("noise", "a standard deviation of ", format(x$noise_sd, digits = digits), in_units_of(x))
  show_scores(x$cv, digits)
  if (x$status != "converged") show_line("status", x$message)
  show_omitted(x$na.action)
  invisible(x)
}

in_units_of <- function(x) {
  if (x$transform == "none") paste0(" (in the units of ", x$target, ")") else " (in the units of the transformed target)"
}

# A call may hold the data themselves, as do.call() writes it.
show_call <- function(call, most = 6) {
  if (is.null(call)) return(invisible())
  lines <- deparse(call, nlines = most + 1)
  cat("Call: ", paste(c(utils::head(lines, most), if (length(lines) > most) "\u2026"), collapse = "\n"), "\n\n", sep = "")
}

show_line <- function(label, ...) {
  text <- strwrap(paste0(...), width = max(30, getOption("width") - 13))
  cat(paste0(formatC(c(label, rep("", length(text) - 1)), width = -11), text, "\n"), sep = "")
}

show_scores <- function(cv, digits) {
  if (is.na(cv$rmse)) return(invisible())
  show_line("error", format(cv$rmse, digits = digits), " (root mean square of held-out rows), SMSE ",
            format(cv$smse, digits = digits), ", ", cv$folds)
  if (is.null(cv$coverage95)) return(invisible())
  show_line("intervals", sprintf("95 %% hold %.1f %%, 80 %% hold %.1f %%, 50 %% hold %.1f %% of held-out rows",
                                 100 * cv$coverage95, 100 * cv$coverage80, 100 * cv$coverage50))
}

show_omitted <- function(omitted) {
  if (length(omitted) == 0) return(invisible())
  count <- length(omitted)
  show_line("left out", count, if (count == 1) " row with a missing cell" else " rows with missing cells")
}

#' @rdname summary.gpcv
#' @export
print.summary.gpcv <- function(x, digits = max(3L, getOption("digits") - 3L), ...) {
  show_call(x$call)
  cat(x$title, "\n\n", sep = "")
  cat(strwrap(x$headline), sep = "\n")
  for (sentence in c(x$limits, x$sentences)) cat(strwrap(sentence, prefix = "  ", initial = "- "), sep = "\n")
  cat("\n")
  show_line("kernel", x$kernel)
  if (x$transform != "none") show_line("transform", x$transform)
  show_scores(x$cv, digits)
  show_omitted(x$na.action)
  show_parameters(x$parameters, digits)
  show_importance(x$importance, digits)
  show_choice(x$kernels, digits)
  invisible(x)
}

show_parameters <- function(parameters, digits) {
  cat("\nHyper-parameters:\n")
  error <- parameters$relative_error
  shown <- data.frame(value = vapply(parameters$value, format, "", digits = digits), unit = parameters$unit,
                      error = ifelse(is.na(error), "", paste0(formatC(100 * error, format = "fg", digits = 2), " %")),
                      remark = parameters$remark, row.names = make.unique(parameters$label))
  print(shown[, colSums(shown != "") > 0, drop = FALSE], right = FALSE)
}

show_importance <- function(importance, digits) {
  if (nrow(importance) < 2) return(invisible())
  cat("\nIncrease of the held-out error without an input:\n")
  print(data.frame(increase = importance$increase, std.error = importance$standard_error,
                   relative = importance$relative, row.names = make.unique(importance$input)), digits = digits)
}

show_choice <- function(kernels, digits) {
  if (nrow(kernels) == 0) return(invisible())
  last <- kernels[kernels$rounds == max(kernels$rounds), ]
  cat("\nKernels in the last round of the choice:\n")
  print(data.frame(loss = last$loss, behind = last$behind, std.error = last$behind_error,
                   chosen = ifelse(last$chosen, "*", ""), row.names = make.unique(last$name)), digits = digits)
}

#' Values of a fitted model
#'
#' @param object,x A fitted model.
#' @param level Probability of intervals of the held-out predictions.
#' @param type `"response"`: target minus fitted mean, as for [lm()]; `"cv"`: target minus the prediction of the fold that held
#'   the row out, which is what to look at, because a Gaussian process may fit the rows of its training closely;
#'   `"standardized"`: the latter in standard deviations of its prediction.
#' @param ... Not used.
#'
#' @details
#' `coef()` has the hyper-parameters in the units of the table: length scales, amplitudes as standard deviations, and the standard
#' deviation of the noise. `values` of the model has those of the kernel, in standardised units. `sigma()` is the latter alone. `gpcv_cv()` is a data frame with a row for each row of
#' the training: `observed`, the held-out prediction `fit` with its standard deviation `se`, and the number of the `fold` that held
#' it out; with `level` also the bounds `lwr` and `upr` of the interval of this probability, and for a
#' robust fit the `weight` of the row, small where it contradicts the model.
#'
#' `logLik()`, and with it [AIC()] and [BIC()], exist for models whose trainer is `"likelihood"`: the others do not maximise a
#' likelihood and are compared by the errors of held-out rows, `fit$cv`.
#'
#' @return Vectors with one value per row of the training; see Details for the others.
#' @examples
#' fit <- gpcv(dist ~ speed, cars, kernel = "se", threads = 2)
#' coef(fit)
#' sqrt(mean(residuals(fit, "cv")^2))
#' head(gpcv_cv(fit))
#' logLik(update(fit, trainer = "likelihood"))
#' @name residuals.gpcv
NULL

#' @rdname residuals.gpcv
#' @export
residuals.gpcv <- function(object, type = c("response", "cv", "standardized"), ...) {
  type <- choice(type, c("response", "cv", "standardized"), "type")
  if (type == "response") {
    y <- checked(.Call(C_training, object$model))$y
    return(stats::naresid(object$na.action, stats::setNames(y, object$row_names) - fitted_rows(object)))
  }
  held <- gpcv_cv(object)
  values <- if (type == "cv") held$observed - held$fit else held$z
  stats::naresid(object$na.action, stats::setNames(values, object$row_names))
}

fitted_rows <- function(object) {
  object$na.action <- NULL
  predict.gpcv(object, progress = FALSE)
}

#' @rdname residuals.gpcv
#' @export
fitted.gpcv <- function(object, ...) predict.gpcv(object)

#' @rdname residuals.gpcv
#' @export
gpcv_cv <- function(object, level = NULL) {
  require_model(object)
  if (!is.null(level)) require_probability(level, "level")
  held <- checked(.Call(C_held_out, object$model, level %||% 0.95))
  missing <- rep(NA_real_, length(held$observed))
  bounds <- if (!is.null(level)) c("lwr", "upr")
  for (name in c("fit", "se", "z", "fold", bounds)) if (length(held[[name]]) == 0) held[[name]] <- missing
  frame <- as.data.frame(held[c("observed", "fit", "se", "z", "fold", bounds)])
  for (name in c("fit", "se", "z", bounds)) frame[[name]][is.nan(frame[[name]])] <- NA
  if (isTRUE(object$traits$robust)) frame$weight <- checked(.Call(C_training, object$model))$weights
  if (!is.null(object$row_names)) attr(frame, "row.names") <- object$row_names
  frame
}

#' @rdname residuals.gpcv
#' @export
coef.gpcv <- function(object, ...) {
  parameters <- summary.gpcv(object)$parameters
  stats::setNames(parameters$value, make.unique(parameters$label))
}

#' @rdname residuals.gpcv
#' @importFrom stats sigma
#' @export
sigma.gpcv <- function(object, ...) object$noise_sd

#' @rdname residuals.gpcv
#' @importFrom stats nobs
#' @export
nobs.gpcv <- function(object, ...) as.integer(object$n)

#' @rdname residuals.gpcv
#' @export
formula.gpcv <- function(x, ...) {
  if (is.null(x$terms)) refuse("the model was not fitted by a formula")
  stats::formula(x$terms)
}

#' @rdname residuals.gpcv
#' @importFrom stats logLik
#' @export
logLik.gpcv <- function(object, ...) {
  if (object$traits$uses_folds) {
    refuse("the model was trained by cross-validation, not by maximum likelihood: compare it by 'cv', or train it with ",
           "trainer = \"likelihood\"")
  }
  plain <- object$mean == "zero" && object$transform == "none" && !object$traits$own_noise && !object$traits$robust &&
    is.null(object$noise_model)
  if (!plain) refuse("the likelihood is known for models with the mean \"zero\", equal noise and no transform")
  # The objective is that of the standardised target.
  value <- -object$objective - object$n * log(object$traits$target_scale)
  noise_is_free <- !grepl(":fixed", object$traits$settings["noise"] %|% "", fixed = TRUE)
  structure(value, df = object$traits$free + noise_is_free, nobs = nobs.gpcv(object), class = "logLik")
}

# The first value, unless it is missing.
`%|%` <- function(a, b) if (length(a) == 0 || is.na(a)) b else a

#' Draw from the predicted joint distribution
#'
#' @param object A fitted model.
#' @param nsim Number of draws.
#' @param seed Seed of the draws. By default it comes from R's generator, so that [set.seed()] repeats the draws.
#' @param newdata Rows to draw, as for [predict.gpcv()]; by default those of the training.
#' @param latent Whether the function is drawn, without the noise.
#' @param weights,noise_sd As for [predict.gpcv()].
#' @param ... Not used.
#' @return A data frame with a row for each row of `newdata` and the columns `sim_1`, `sim_2`, ... The rows of a column belong to
#'   one draw of the function. The memory grows with the square of the number of rows.
#' @examples
#' fit <- gpcv(dist ~ speed, cars, kernel = "se", threads = 2)
#' simulate(fit, 3, seed = 1, newdata = data.frame(speed = c(5, 10, 15)))
#' @importFrom stats simulate
#' @export
simulate.gpcv <- function(object, nsim = 1, seed = NULL, newdata, latent = FALSE, weights = NULL, noise_sd = NULL, ...) {
  if (!is.numeric(nsim) || length(nsim) != 1 || is.na(nsim) || nsim < 1) refuse("nsim must be a whole number of at least 1")
  require_flag(latent, "latent")
  rows <- rows_to_predict(object, newdata, FALSE)
  if (is.null(seed)) seed <- sample.int(.Machine$integer.max, 1)
  noise <- noise_of_rows(object, weights, noise_sd, length(rows$complete))
  how <- list(average = FALSE, variance = "auto", noise = noise[rows$complete], display = display_of(NULL)$display, std = TRUE,
              latent = latent, z = numeric(), count = round(nsim), seed = as.double(seed))
  drawn <- checked(.Call(C_sample, object$model, rows$x, how, object$compute))
  colnames(drawn) <- paste0("sim_", seq_len(ncol(drawn)))
  drawn <- of_all_rows(drawn, rows)
  names <- rownames(drawn)
  rownames(drawn) <- NULL
  structure(as.data.frame(drawn), row.names = names %||% seq_len(nrow(drawn)), seed = seed)
}

require_model <- function(object) {
  if (inherits(object, "gpcv_targets")) refuse("the model has several targets: give one of them, as model[[\"", names(object)[1], "\"]]")
  if (!inherits(object, "gpcv")) refuse("expected a fitted model of gpcv, not ", class(object)[1])
}
