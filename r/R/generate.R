#' Draw of a table from a Gaussian process
#'
#' Draws inputs and a target from a Gaussian process with a known kernel, as the command `gpcv generate` does. [simulate.gpcv()] draws from
#' a fitted model.
#'
#' @param kernel Covariance function with its values, such as `"se(l=0.5)"`.
#' @param n Number of rows. The time grows with its cube, the memory with its square.
#' @param noise Variance of the Gaussian noise.
#' @param range Smallest and largest input.
#' @param dims Number of input columns.
#' @param inputs `"even"` inputs, which need one column, or `"random"` ones; `"auto"` means even for one column.
#' @param seed Seed of the draw, that of the command.
#' @param threads Number of threads, as for [gpcv()].
#' @return A data frame with the inputs `x`, or `x0`, `x1`, ..., and the target `y`.
#' @examples
#' head(gpcv_generate("se(l=0.5)", n = 50, threads = 2))
#' @export
gpcv_generate <- function(kernel, n = 500, noise = 0.1, range = c(0, 10), dims = 1, inputs = c("auto", "even", "random"), seed = 1,
                          threads = getOption("gpcv.threads")) {
  inputs <- choice(inputs, c("auto", "even", "random"), "inputs")
  for (name in c("n", "dims", "noise", "seed")) {
    value <- get(name)
    whole <- name != "noise"
    if (!is.numeric(value) || length(value) != 1 || !is.finite(value) || value < 0 || (whole && value != round(value)) ||
          (name %in% c("n", "dims") && value < 1)) {
      refuse(name, " must be ", if (whole) "a whole number" else "a number", ", at least ", if (name %in% c("n", "dims")) 1 else 0)
    }
  }
  if (!is.null(threads) && !(is.numeric(threads) && length(threads) == 1 && threads >= 1)) {
    refuse("threads must be a whole number, at least 1")
  }
  if (!is.numeric(range) || length(range) != 2 || !all(is.finite(range))) refuse("range must be two numbers")
  if (!is.character(kernel) || length(kernel) != 1 || is.na(kernel)) refuse("kernel must be a text such as \"se(l=0.5)\"")
  names <- if (dims == 1) "x" else paste0("x", seq_len(dims) - 1)
  how <- list(n = n, dims = dims, lower = range[1], upper = range[2], noise = noise,
              even = inputs == "even" || (inputs == "auto" && dims == 1), seed = seed, threads = threads)
  drawn <- checked(.Call(C_draw, kernel, names, how))
  stats::setNames(data.frame(drawn$x, drawn$y), c(names, "y"))
}
