#' Model files
#'
#' `gpcv_save()` writes a model to a file that the command `gpcv predict` and the Python package (`gpcv.load()`) read;
#' `gpcv_load()` reads what any of the three has written. The same file predicts the same everywhere.
#'
#' @param object A fitted model, or models of several targets.
#' @param file Name of the file, usually with the extension `.h5`.
#' @param threads,memory,backend Options of the predictions, as for [gpcv()].
#' @param newdata,y Rows with known targets, as for [gpcv_evaluate()], whose predictions the report assesses as well.
#'
#' @details
#' A file contains the rows of the training: share it as you would share the table. It does not contain the formula. A model from a file finds its
#' columns by name in `newdata`, with categories as factors or texts and dates as dates or decimal years. A term such as `log(area)` is a
#' column of this name to it; the formula is not evaluated. For R alone, [saveRDS()] keeps a fitted object as a
#' whole, with its formula.
#'
#' `gpcv_report()` writes the report of the command: one HTML page with a verdict in words, charts and their data, which opens without
#' a network. Several targets have a page each, whose file has the name of the target before the extension.
#'
#' @return `gpcv_load()` returns an object of the class `gpcv`, or `gpcv_targets` for a file with several targets. It
#'   lacks `call`, `terms`, `seconds` and `work`. The others return the name of the file, or files, invisibly.
#' @examples
#' fit <- gpcv(dist ~ speed, cars, kernel = "se", threads = 2)
#' file <- tempfile(fileext = ".h5")
#' gpcv_save(fit, file)
#' again <- gpcv_load(file, threads = 2)
#' all.equal(predict(again, cars), predict(fit, cars))
#' gpcv_report(fit, tempfile(fileext = ".html"), newdata = cars[1:20, ])
#' @export
gpcv_save <- function(object, file) {
  handles <- if (inherits(object, "gpcv_targets")) lapply(unclass(object), `[[`, "model") else {
    require_model(object)
    list(object$model)
  }
  checked(.Call(C_save, unname(handles), file_name(file)))
  invisible(file)
}

#' @rdname gpcv_save
#' @export
gpcv_load <- function(file, threads = getOption("gpcv.threads"), memory = NULL, backend = "auto") {
  compute <- compute_settings(list(threads = threads, memory = memory, backend = backend))
  fits <- lapply(checked(.Call(C_load, file_name(file))), function(handle) {
    described <- checked(.Call(C_describe, handle))
    new_gpcv(handle, described, list(encoding = encoding_of_model(described$columns), compute = compute),
             as_frame(checked(.Call(C_findings, handle))))
  })
  if (length(fits) == 1) return(fits[[1]])
  names(fits) <- vapply(fits, `[[`, "", "target")
  structure(fits, class = "gpcv_targets")
}

#' @rdname gpcv_save
#' @export
gpcv_report <- function(object, file, newdata = NULL, y = NULL) {
  if (is.null(newdata) && !is.null(y)) refuse("rows to assess need newdata, too")
  fits <- fits_of(object)
  files <- file_name(file)
  if (length(fits) > 1) files <- checked(.Call(C_path_of_target, files, vapply(fits, `[[`, "", "target")))
  display <- display_of(getOption("gpcv.progress"))$display
  for (at in seq_along(fits)) {
    test <- if (!is.null(newdata)) rows_to_test(fits[[at]], newdata, y)
    checked(.Call(C_report, fits[[at]]$model, files[at], test, fits[[at]]$compute, display))
  }
  invisible(files)
}

file_name <- function(file) {
  if (!is.character(file) || length(file) != 1 || is.na(file) || !nzchar(file)) refuse("file must be the name of a file")
  enc2native(path.expand(file))
}
