#' Options of trainers and solvers
#'
#' These options of [gpcv()] are seldom needed. Those that are not given keep the defaults of the library.
#'
#' @param standardize Whether inputs and target are standardised (`TRUE`, but `FALSE` with the preset `"paper"`).
#' @param max_iterations Largest number of iterations per start (200).
#' @param prior Weight of the weak prior around the start values, equivalent to this many held-out observations (10).
#' @param start Start of training: `"auto"`, `"subset"`, `"local"`, `"values"` or `"median"`.
#' @param epsilon Stopping tolerance (1e-4).
#' @param derivatives `"auto"`, `"forward"` or `"adjoint"`.
#' @param period_scan Whether periods are searched for before the start (`TRUE`).
#' @param every_held_out_variance Whether every held-out row has a standard deviation in [gpcv_cv()] (`FALSE`); above 2000 rows a
#'   sample has, which is enough for the scores and the calibration.
#' @param precision Arithmetic of kernel products in iterative solves: `"auto"`, `"double"`, `"mixed"` or `"single"`.
#' @param solver `"auto"`, `"cg"` (conjugate gradients) or `"cholesky"`.
#' @param rank Rank of the preconditioner.
#' @param ... Options of the trainers `"admm"`, `"naive"` and `"consensus"`, named as those of the command with underscores:
#'   `preset` (`"paper"` or `"authors"`), `theta_step`, `step_rule`, `rho` and others. `gpcv_info()$admm` has all names.
#' @return A list of the options that are given, for the argument `control` of [gpcv()].
#' @examples
#' # The published algorithm with its own constants.
#' fit <- gpcv(dist ~ speed, cars, kernel = "se", trainer = "naive", folds = "2:interleaved",
#'             control = gpcv_control(preset = "paper"), threads = 2)
#' fit$status
#' @export
gpcv_control <- function(standardize = NULL, max_iterations = NULL, prior = NULL, start = NULL, epsilon = NULL,
                         derivatives = NULL, period_scan = NULL, precision = NULL, solver = NULL, rank = NULL,
                         every_held_out_variance = NULL, ...) {
  more <- list(...)
  own <- list(standardize = standardize, max_iterations = max_iterations, prior = prior, start = start, epsilon = epsilon,
              derivatives = derivatives, period_scan = period_scan, precision = precision, solver = solver, rank = rank,
              every_held_out_variance = every_held_out_variance)
  if (length(more) > 0) refuse_unknown(names(more) %||% "", build()$admm)
  options <- c(own, more)
  options[!vapply(options, is.null, NA)]
}

#' What this installation of gpcv is
#'
#' @return A list with `version`; `info`, a text about the library, its backends, devices and the libraries that it was built
#'   with; `threads`, the number of threads that a fit uses by default; `backends`; `trainers`; `candidates`, the kernels
#'   among which `kernel = "auto"` chooses; `admm`, the names of the options of the published trainers; and `blas`, the processor
#'   that OpenBLAS assumes.
#' @examples
#' gpcv_info()$candidates
#' @export
gpcv_info <- function() {
  found <- build()
  found$settings <- NULL
  structure(found, class = "gpcv_info")
}

#' @export
print.gpcv_info <- function(x, ...) {
  cat(x$info, sep = "\n")
  invisible(x)
}

build <- function() checked(.Call(C_build))

# Options of the computation, which predictions take over from the fit.
compute_settings <- function(options) {
  names <- c("threads", "memory", "backend", "precision", "solver", "rank")
  found <- c(options[intersect(names, names(options))], options$control[intersect(names, names(options$control))])
  found <- found[!vapply(found, is.null, NA)]
  if (is.numeric(found$memory)) found$memory <- format(found$memory, scientific = FALSE, digits = 15)
  found
}

# All settings of a training for the library.
fit_settings <- function(options) {
  if (!is.list(options$control)) refuse("control must be a list, as gpcv_control() makes it")
  direct <- c("kernel", "trainer", "criterion", "mean", "transform", "robust", "calibration", "assess", "candidates", "restarts",
              "seed", "time_limit", "checkpoint", "resume")
  settings <- c(options[direct], compute_settings(options))
  settings$noise <- noise_text(options$noise)
  if (is.character(settings$checkpoint)) settings$checkpoint <- path.expand(settings$checkpoint)
  more <- options$control[setdiff(names(options$control), names(settings))]
  settings <- c(settings, more)
  settings[!vapply(settings, is.null, NA)]
}

noise_text <- function(noise) {
  if (is.numeric(noise) && length(noise) == 1 && !is.na(noise)) return(format(noise, digits = 17))
  noise
}

# How the progress of a computation is shown, and the function that is called for each step.
display_of <- function(progress) {
  if (is.function(progress)) {
    # An interrupt during the call waits for its end, so that it leaves the best so far, too.
    return(list(display = "none", callback = function(step) suspendInterrupts(progress(step))))
  }
  if (is.null(progress)) {
    shown <- interactive() || isatty(stderr())
    return(list(display = if (shown) "live" else "none", callback = NULL))
  }
  require_flag(progress, "progress")
  list(display = if (!progress) "none" else if (interactive() || isatty(stderr())) "live" else "lines", callback = NULL)
}
