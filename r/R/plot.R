#' Charts of a fitted model
#'
#' @param x A fitted model.
#' @param which Charts to draw, among
#'   * `"effects"`: the prediction along each of the most relevant inputs, the others at their medians; for one input the fit itself with the rows of
#'     the training. The dark band is that of the function, the light one that of observations;
#'   * `"observed"`: targets against the predictions of the folds that held them out;
#'   * `"calibration"`: the fraction of held-out rows in intervals against the nominal probability;
#'   * `"convergence"`: the objective of each start, step by step.
#' @param level Probability of the bands.
#' @param inputs Names of the inputs whose effects are drawn; by default up to twelve of the most relevant ones.
#' @param ask Whether to ask before the next page, as for [plot.lm()].
#' @param ... Further graphical parameters, for the axes and titles of each chart: `main`, `xlab`, `ylab`, `xlim`, `ylim` and
#'   others of [plot.default()].
#' @return The data of the charts, invisibly: `effects`, `held_out` and `calibration`.
#' @examples
#' fit <- gpcv(dist ~ speed, cars, kernel = "se", threads = 2)
#' plot(fit, "effects")
#' @export
plot.gpcv <- function(x, which = c("effects", "observed", "calibration"), level = 0.95, inputs = NULL,
                      ask = grDevices::dev.interactive() && length(which) > prod(graphics::par("mfcol")), ...) {
  charts <- c("effects", "observed", "calibration", "convergence")
  wrong <- setdiff(which, charts)
  if (length(wrong) > 0) refuse("there is no chart '", wrong[1], "': expected ", paste0('"', charts, '"', collapse = ", "))
  require_probability(level, "level")
  if (ask) {
    before <- grDevices::devAskNewPage(TRUE)
    on.exit(grDevices::devAskNewPage(before))
  }
  seen <- checked(.Call(C_diagnostics, x$model, x$compute, as.double(level), display_of(getOption("gpcv.progress"))$display))
  names(seen$effects) <- vapply(seen$effects, `[[`, "", "name")
  held <- seen$held_out
  for (chart in which) {
    switch(chart,
           effects = draw_effects(x, chosen_effects(seen$effects, inputs), level, ...),
           observed = draw_observed(x, held, ...),
           calibration = draw_calibration(held, ...),
           convergence = draw_convergence(x, ...))
  }
  invisible(list(effects = seen$effects, held_out = as_frame(held[c("rows", "observed", "fit")]),
                 calibration = as_frame(held[c("promised", "covered")])))
}

colours <- list(line = "#1f5fa8", function_band = "#1f5fa855", row_band = "#1f5fa826", points = "#444444", reference = "#999999")

# Draws an empty chart; the user's parameters replace ours.
frame_of <- function(own, ...) do.call(graphics::plot.default, utils::modifyList(c(own, list(type = "n")), list(...)))

chosen_effects <- function(effects, inputs) {
  if (is.null(inputs)) return(effects)
  wrong <- setdiff(inputs, names(effects))
  if (length(wrong) > 0) refuse("there is no effect of '", wrong[1], "'", near_name(names(effects), wrong[1]))
  effects[inputs]
}

draw_effects <- function(x, effects, level, ...) {
  if (length(effects) > 1) {
    before <- graphics::par(mfrow = rows_and_columns(length(effects), grDevices::dev.size()), mar = c(4, 4, 1, 1))
    on.exit(graphics::par(before))
  }
  training <- if (length(x$encoding$names) == 1) checked(.Call(C_training, x$model))
  limits <- range(unlist(lapply(effects, `[`, c("lower_rows", "upper_rows"))), training$y, finite = TRUE)
  for (effect in effects) {
    if (length(effect$levels) > 0) draw_levels(x, effect, limits, ...) else draw_curve(x, effect, limits, training, ...)
  }
}

# Rows and columns of n charts on a page of this width and height, such that charts are nearest to 4:3.
rows_and_columns <- function(n, size) {
  columns <- seq_len(n)
  rows <- ceiling(n / columns)
  best <- which.min(abs(log(size[1] / columns / (size[2] / rows) * 3 / 4)))
  c(rows[best], columns[best])
}

draw_curve <- function(x, effect, limits, training, ...) {
  order <- order(effect$at)
  at <- effect$at[order]
  frame_of(list(x = range(at), y = limits, xlab = effect$name, ylab = x$target), ...)
  band <- function(lower, upper, colour) {
    graphics::polygon(c(at, rev(at)), c(lower[order], rev(upper[order])), col = colour, border = NA)
  }
  band(effect$lower_rows, effect$upper_rows, colours$row_band)
  band(effect$lower, effect$upper, colours$function_band)
  if (!is.null(training)) draw_points(training$x[, 1], training$y)
  graphics::lines(at, effect$fit[order], col = colours$line, lwd = 2)
}

draw_points <- function(x, y) {
  graphics::points(x, y, pch = 16, cex = 0.6, col = grDevices::adjustcolor(colours$points, min(1, 20 / sqrt(length(y)))))
}

draw_levels <- function(x, effect, limits, ...) {
  places <- seq_along(effect$levels)
  frame_of(list(x = c(0.5, length(places) + 0.5), y = limits, xlab = effect$name, ylab = x$target, xaxt = "n"), ...)
  graphics::axis(1, places, effect$levels)
  graphics::segments(places, effect$lower_rows, places, effect$upper_rows, col = colours$row_band, lwd = 10, lend = 1)
  graphics::segments(places, effect$lower, places, effect$upper, col = colours$function_band, lwd = 10, lend = 1)
  graphics::points(places, effect$fit, pch = 16, col = colours$line)
}

draw_observed <- function(x, held, ...) {
  if (length(held$fit) == 0) return(invisible(message("gpcv: no row was held out")))
  frame_of(list(x = range(held$fit, finite = TRUE), y = range(held$observed), xlab = "held-out prediction", ylab = x$target,
                main = paste("error of held-out rows:", format(x$cv$rmse, digits = 4))), ...)
  graphics::abline(0, 1, lty = 2, col = colours$reference)
  draw_points(held$fit, held$observed)
}

draw_calibration <- function(held, ...) {
  if (length(held$promised) == 0) return(invisible(message("gpcv: no held-out row has a variance")))
  frame_of(list(x = c(0, 1), y = c(0, 1), xlab = "nominal probability", ylab = "fraction of held-out rows inside"), ...)
  graphics::abline(0, 1, lty = 2, col = colours$reference)
  graphics::lines(held$promised, held$covered, type = "b", pch = 16, cex = 0.7, col = colours$line)
}

draw_convergence <- function(x, ...) {
  trace <- x$trace
  if (nrow(trace) == 0) return(invisible(message("gpcv: the model has no record of its training")))
  positive <- all(trace$objective > 0)
  label <- if (x$traits$uses_folds) "mean squared error of held-out rows (standardised)" else "negative log likelihood"
  step <- stats::ave(trace$objective, trace$restart, trace$fold, FUN = seq_along)
  frame_of(list(x = range(step), y = range(trace$objective, finite = TRUE), xlab = "step", ylab = label,
                log = if (positive) "y" else ""), ...)
  for (rows in split(seq_len(nrow(trace)), list(trace$restart, trace$fold), drop = TRUE)) {
    graphics::lines(step[rows], trace$objective[rows], type = "b", pch = 16, cex = 0.6,
                    col = grDevices::adjustcolor(colours$line, if (trace$restart[rows[1]] == 0) 1 else 0.5))
  }
}
