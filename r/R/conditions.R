# Conditions: what the library refuses, and what a user should know.

#' Conditions of gpcv
#'
#' What gpcv refuses is an error of one line that says what is wrong and what to do; what a user should know is a warning. All
#' have classes, so that [tryCatch()], [withCallingHandlers()] and [suppressWarnings()] can tell them apart.
#'
#' @details
#' Errors have the class `gpcv_error` and one of
#' * `gpcv_input_error`: the data, an argument or a file cannot be used;
#' * `gpcv_numerical_error`: a computation with acceptable input has failed;
#' * `gpcv_memory_error`: memory is lacking;
#' * `gpcv_device_error`: a GPU was lost, or has no memory left;
#' * `gpcv_internal_error`: anything else.
#'
#' Warnings have the class `gpcv_warning` and one of
#' * `gpcv_convergence_warning`: training ended before it converged, by a limit, an interrupt, or for lack of precision;
#' * `gpcv_data_warning`: the training data deserve attention, such as repeated columns, outliers, or rows in time order;
#' * `gpcv_result_warning`: the result deserves attention, such as predictions that are no better than the mean;
#' * `gpcv_extrapolation_warning`: rows to predict lie far outside the training rows.
#'
#' An interrupt (Ctrl-C) ends a training. Once a first model is there, the fit returns the best so far with a
#' `gpcv_convergence_warning`, as the command does, and a second interrupt ends it at once. Before that, and in other
#' computations, it is R's own condition `interrupt`.
#'
#' @name gpcv-conditions
#' @examples
#' tryCatch(gpcv(dist ~ speed + speeed, cars), gpcv_input_error = conditionMessage)
NULL

condition_of <- function(class, kind, message) {
  structure(class = c(class, paste0("gpcv_", kind), kind, "condition"), list(message = message, call = NULL))
}

refuse <- function(..., class = "gpcv_input_error") {
  stop(condition_of(class, "error", paste0(...)))
}

tell <- function(class, ...) {
  warning(condition_of(class, "warning", paste0(...)))
}

# Value of a function of the library; its failure is signalled.
checked <- function(value) {
  if (!inherits(value, "gpcv_failure")) return(value)
  if (value$class == "interrupt") raise_interrupt()
  if (value$class == "condition") stop(value$condition)
  refuse(value$message, class = value$class)
}

raise_interrupt <- function() {
  signalCondition(structure(class = c("interrupt", "condition"), list(message = "", call = NULL)))
  invokeRestart("abort") # no handler took it: back to the prompt, as by Ctrl-C anywhere else
}

# Text that refuses a name, with the most similar one that exists.
near_name <- function(names, wanted) {
  near <- checked(.Call(C_similar, as.character(names), wanted))
  if (nzchar(near)) paste0("; did you mean '", near, "'?") else ""
}

# The first names of a list in words.
in_words <- function(names, most = 8) {
  shown <- paste0("'", utils::head(names, most), "'", collapse = ", ")
  if (length(names) > most) paste0(shown, ", \u2026") else shown
}

# The choice that a text names; the beginning of its name is enough, as for match.arg().
choice <- function(value, choices, what) {
  if (identical(value, choices)) return(choices[1])
  if (is.character(value) && length(value) == 1) {
    found <- pmatch(value, choices)
    if (!is.na(found)) return(choices[found])
  }
  given <- if (length(value) == 1 && is.atomic(value)) paste0("'", value, "'") else "that"
  refuse(what, " cannot be ", given, ": expected ", paste0('"', choices, '"', collapse = ", "))
}

require_probability <- function(value, what) {
  if (is.numeric(value) && length(value) > 0 && all(is.finite(value) & value > 0 & value < 1)) return(invisible())
  refuse(what, " must lie between 0 and 1, not ", paste(format(value), collapse = ", "))
}

require_flag <- function(value, what) {
  if (!(is.logical(value) && length(value) == 1 && !is.na(value))) refuse(what, " must be TRUE or FALSE")
}
