#' Check of a table before training
#'
#' Examines what [gpcv()] would train on, as the command `gpcv check` does: problems of the data, and the memory and the time that
#' training would take.
#'
#' @param ... The arguments of [gpcv()].
#' @return A data frame of the class `gpcv_check` with a row for each finding: `about`, `severity`, `code`, `text` and `message`, the
#'   text with a remedy; with several targets also `target`. Notes inform, warnings deserve attention, and `gpcv()` refuses tables
#'   with errors.
#' @examples
#' gpcv_check(dist ~ speed, cars, threads = 2)
#' @export
gpcv_check <- function(...) {
  call <- sys.call()
  call[[1L]] <- gpcv
  control <- call$control
  call$control <- as.call(list(only_checked, if (is.null(control)) quote(list()) else control))
  eval(call, parent.frame())
}

# Options with which gpcv() examines the table instead of training.
only_checked <- function(control) structure(control, only_check = TRUE)

# Findings about a table and the training that is asked for.
check_table <- function(x, y, columns, rows, folds, options, omitted) {
  found <- checked(.Call(C_check, x, y, columns, rows, fit_settings(options), folds))
  frames <- lapply(found, function(columns) rbind(as_frame(columns), finding_of_omitted(omitted)))
  if (length(frames) > 1) frames <- Map(cbind, target = colnames(y), frames)
  structure(do.call(rbind, unname(frames)), class = c("gpcv_check", "data.frame"))
}

# Finding about rows that na.action leaves out.
finding_of_omitted <- function(omitted) {
  count <- length(omitted)
  if (count == 0) return(NULL)
  text <- paste(count, if (count == 1) "row has a missing cell and is" else "rows have missing cells and are", "left out")
  data.frame(about = "data", severity = "note", code = "missing", text = text, message = text)
}

#' @rdname gpcv_check
#' @param x Findings to print.
#' @export
print.gpcv_check <- function(x, ...) {
  if (!all(c("severity", "message") %in% names(x))) return(NextMethod())
  for (at in seq_len(nrow(x))) {
    of <- if (is.null(x$target)) "" else paste0(x$target[at], ": ")
    cat(strwrap(paste0(of, x$severity[at], ": ", x$message[at]), exdent = 2), sep = "\n")
  }
  invisible(x)
}
