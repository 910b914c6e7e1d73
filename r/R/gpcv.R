#' Gaussian-process regression trained by cross-validation
#'
#' `gpcv()` predicts a numeric column of a table from the other columns, with an uncertainty for every prediction. Nothing has to
#' be tuned: cross-validation chooses a kernel and trains it, and the fit reports the error of held-out rows.
#'
#' @param x A formula such as `price ~ .`, or a numeric matrix, vector or data frame of inputs.
#' @param y The target, with one value per row: numbers, or dates, which become decimal years. A matrix or data frame with
#'   several columns, or `cbind(a, b)` in a formula, stands for several targets, each of which gets a model ([gpcv_targets]).
#' @param formula,data A formula and the data frame that holds its variables. The terms of the formula are inputs; `.` stands
#'   for all columns but the target and those that `weights`, `noise_sd`, `groups` and `folds` name. A Gaussian process of several
#'   inputs contains their interactions, so the formula has none.
#' @param subset,na.action As for [lm()]: rows to train on, and what to do about missing cells. By default
#'   rows with missing cells are left out, as [na.omit()] does.
#' @param weights Weight of each row: its noise variance is the trained one divided by the weight.
#' @param noise_sd Known standard deviation of each row's noise, in units of the target.
#' @param groups Group of each row, such as a patient or a site. All rows of a group are in one fold.
#' @param time Numbers or dates that order the rows. Blocks of rows are then predicted from all rows before them.
#' @param kernel The covariance function: `"auto"` chooses it by cross-validation; otherwise a text such as
#'   `"matern52(ard) + linear"`. See Details.
#' @param trainer `"gauss-newton"` minimises the loss of all held-out rows; `"likelihood"` maximises the likelihood;
#'   `"admm"`, `"naive"` and `"consensus"` are the published trainers.
#' @param folds Folds of cross-validation: a number (5), a fraction to hold out (0.2), `"5:interleaved"`, `"blocks:5"` in the order
#'   of the rows or of `time`, `"regions:5"` of the inputs by k-means, `"time:5"` or `"time:5:WIDTH"`, one label per row (those
#'   with `NA` only train), or a list with the validation rows of each fold, or with pairs of training and validation rows. By
#'   default 5 random folds, or those that `groups` or `time` ask for. Keep related rows in one fold; otherwise the error
#'   estimate is optimistic.
#' @param criterion Loss of the held-out rows that gauss-newton minimises: `"crps"` (the default), `"squared"` or `"log"`.
#' @param noise Start of the noise variance, in units of the standardised target; `"0.1:fixed"` holds it. `"learned"` learns a
#'   variance that depends on the inputs, and `"auto"` does so where held-out rows are then predicted better.
#' @param mean Mean function: `"zero"`, `"constant"` or `"linear"`, estimated in each fold.
#' @param transform Transform of the target, on which the model is trained: `"log"`, `"log:OFFSET"`, `"logit"`,
#'   `"logit:LOWER:UPPER"`, `"sqrt"`, `"yeo-johnson"`, or `"auto"`, which chooses one by held-out rows. Predictions are in the
#'   units of the target.
#' @param robust Whether rows that contradict the model get little weight.
#' @param calibration Fraction of the rows to reserve for the conformal intervals of [predict.gpcv()].
#' @param assess Error, coverage and calibration that are reported: `"nested"` repeats the whole training in outer folds,
#'   `"inner"` uses the folds that chose the parameters and is optimistic for small tables; `"auto"` is nested where that is quick.
#' @param candidates Names of the kernels among which `kernel = "auto"` chooses; see [gpcv_info()].
#' @param share_kernel Whether several targets have one kernel, trained on the sum of their losses.
#' @param restarts Number of starts (3).
#' @param seed Seed of all random numbers. It does not depend on [set.seed()], so that a fit can be repeated.
#' @param threads Number of threads: by default `getOption("gpcv.threads")`, or all cores that R may use.
#' @param memory Memory budget, such as `"4G"`: by default 80 % of what is free.
#' @param backend What computes products with the kernel matrix: `"auto"`, `"simd"`, `"cuda"` (a GPU), `"grid"`
#'   or `"reference"`.
#' @param time_limit Seconds after which the whole fit ends with the best so far.
#' @param warm A fitted model from whose values training starts; rows may have been added since.
#' @param checkpoint,resume A file to which each step is saved, and whether to go on from it where it exists.
#' @param control Further options of trainers and solvers, made by [gpcv_control()].
#' @param progress What is shown of a fit that takes longer than two seconds: `TRUE` or `FALSE`, or a function that is called with a
#'   list for each step and may return `FALSE` to stop and keep the best so far. By default `getOption("gpcv.progress")`,
#'   otherwise a line at the console or terminal, and nothing elsewhere.
#' @param ... For the generic function: the arguments of its methods. Methods have no others.
#'
#' @details
#' **Columns.** Factors and texts become one indicator per level that a row has, texts of ISO dates and columns of the classes `Date` and
#' `POSIXct` decimal years in UTC, durations (`difftime`) days, logical columns 0 and 1. Inputs and target are then
#' standardised (a single input is only shifted). The command `gpcv` and the Python package treat columns in the same way, so
#' that a model file means the same to all three ([gpcv_save()]).
#'
#' **Kernels** are sums and products of `se`, `matern12`, `matern32`, `matern52`, `rq`, `periodic`, `lp`
#' (locally periodic), `linear` and `const`. `se(ard)` has one length scale per input, `se(l=3, s2=1:fixed)` has start values and
#' holds one, `matern52(on=[age, dose])` uses two inputs. Values are in standardised units.
#'
#' **Uncertainty.** The distribution of errors is estimated from held-out rows. See [predict.gpcv()].
#'
#' **Interrupts.** Ctrl-C ends a fit with the best so far, once there is one ([gpcv-conditions]).
#'
#' @return An object of the class `gpcv`, a list with
#'   \item{kernel}{the trained kernel as text, which `gpcv(kernel = )` takes;}
#'   \item{noise_sd}{the standard deviation of the noise, in units of the (transformed) target;}
#'   \item{cv}{errors and scores of held-out rows: `rmse`, `smse` (1 is no better than the mean of the target), `assessment`
#'     (`"nested"` or `"inner"`), `inner_rmse`, `optimism`, `folds`, `rows`, `nlpd`, `crps`, `coverage50`, `coverage80`, `coverage95`;}
#'   \item{kernels, transforms}{data frames of the choice of kernel and transform, best first;}
#'   \item{importance}{a data frame: by how much the held-out error increases without each input;}
#'   \item{findings}{a data frame of what to know about data and result, which were also given as warnings;}
#'   \item{status, message}{the outcome of training, as a word and in words;}
#'   \item{seconds, work}{the time of each phase, and the cost; not for a model from a file;}
#'   \item{model}{the model itself, which [saveRDS()] keeps, too;}
#'
#'   and `call`, `terms`, `encoding`, `na.action`, `n`, `target`, `transform`, `noise_model`, `optima`, `trace` and others. Use [summary()],
#'   [plot()][plot.gpcv], [predict()][predict.gpcv], [residuals()][residuals.gpcv], [coef()][coef.gpcv],
#'   [simulate()][simulate.gpcv] and [update()] on it.
#'
#' @seealso The vignettes `vignette("table", package = "gpcv")` and `vignette("co2", package = "gpcv")`.
#' @examples
#' options(gpcv.threads = 2)
#' fit <- gpcv(dist ~ speed, cars)
#' fit
#' predict(fit, data.frame(speed = c(10, 20)), interval = "prediction")
#'
#' # A formula for a data frame with a factor; no chick is in two folds.
#' some <- subset(ChickWeight, as.integer(as.character(Chick)) %% 4 == 0)
#' chicks <- gpcv(weight ~ Time + Diet, some, groups = Chick, kernel = "matern52(ard)")
#' chicks$cv$rmse
#' @export
gpcv <- function(x, ...) UseMethod("gpcv")

#' @rdname gpcv
#' @export
gpcv.formula <- function(formula, data, ..., subset, weights, noise_sd, groups, time, folds,
                         na.action = getOption("na.action", "na.omit")) {
  call <- match.call()
  if (missing(data)) data <- NULL
  table <- table_of_formula(formula, data, call, parent.frame())
  options <- options_with_defaults(list(...))
  options$folds <- eval(call$folds, data, parent.frame())
  call[[1L]] <- quote(gpcv)
  fit_table(table, call, na.action, options)
}

#' @rdname gpcv
#' @export
gpcv.default <- function(x, y, kernel = "auto", trainer = "gauss-newton", folds = NULL, criterion = NULL, noise = NULL,
                         mean = "zero", transform = "none", robust = FALSE, calibration = 0, assess = "auto",
                         candidates = NULL, share_kernel = FALSE, restarts = NULL, seed = 1,
                         threads = getOption("gpcv.threads"), memory = NULL, backend = "auto", time_limit = NULL, warm = NULL,
                         checkpoint = NULL, resume = FALSE, control = gpcv_control(), progress = getOption("gpcv.progress"),
                         weights = NULL, noise_sd = NULL, groups = NULL, time = NULL,
                         na.action = getOption("na.action", "na.omit"), ...) {
  call <- match.call()
  call[[1L]] <- quote(gpcv)
  if (missing(y)) refuse("give a formula and data, or x and y")
  refuse_unknown(names(list(...)), names(formals(gpcv.default)))
  options <- mget(training_options, envir = environment())
  fit_table(table_of_matrix(x, y, weights, noise_sd, groups, time), call, na.action, options)
}

# Arguments of gpcv.default() that are options of the training.
training_options <- c("kernel", "trainer", "folds", "criterion", "noise", "mean", "transform", "robust", "calibration",
                      "assess", "candidates", "share_kernel", "restarts", "seed", "threads", "memory", "backend",
                      "time_limit", "warm", "checkpoint", "resume", "control", "progress")

# All options: those that are given, and defaults.
options_with_defaults <- function(given) {
  refuse_unknown(names(given), c(training_options, "subset", "weights", "noise_sd", "groups", "time", "na.action"))
  options <- lapply(formals(gpcv.default)[training_options], eval)
  options[names(given)] <- given
  options
}

refuse_unknown <- function(given, known) {
  for (name in setdiff(given, c("", known))) refuse("there is no argument '", name, "'", near_name(known, name))
  if ("" %in% given) refuse("name every option, as in gpcv(y ~ x, data, kernel = \"se\")")
}
