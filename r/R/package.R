#' Gaussian-process regression for tables
#'
#' [gpcv()] fits, [predict()][predict.gpcv] predicts, [summary()][summary.gpcv] and [plot()][plot.gpcv] show whether
#' the result can be used. [gpcv_save()] shares models with the command `gpcv` and the Python package.
#'
#' @section Options of R:
#' * `gpcv.threads`: number of threads (by default all cores that R may use);
#' * `gpcv.progress`: the default of the argument `progress`.
#'
#' @useDynLib gpcv, .registration = TRUE, .fixes = "C_"
#' @importFrom stats predict residuals fitted coef formula
#' @importFrom graphics plot
#' @name gpcv-package
#' @keywords internal
NULL

.onAttach <- function(libname, pkgname) {
  # OpenBLAS takes a processor that it does not know for one without AVX, and can be told otherwise before it is loaded.
  if (build()$blas == "Prescott" && Sys.getenv("OPENBLAS_CORETYPE") == "") {
    packageStartupMessage("gpcv: OpenBLAS does not know this processor and is slow; where it has AVX2, start R with the environment ",
                          "variable OPENBLAS_CORETYPE=Haswell, with AVX-512 OPENBLAS_CORETYPE=SkylakeX")
  }
}
