# Training of a table, and the objects that come of it.

fit_table <- function(table, call, na_action, options) {
  y <- targets_of(table)
  columns <- lapply(stats::setNames(seq_along(table$inputs), names(table$inputs)),
                    function(k) column_of(table$inputs[[k]], names(table$inputs)[k]))
  require_rows(columns, table, y)
  require_possible(columns, y, table)
  complete <- complete_rows(columns, y, table)
  omitted <- omitted_rows(complete, columns, y, na_action, table$row_names)
  if (!is.null(omitted)) {
    columns <- lapply(columns, function(column) list(kind = column$kind, values = column$values[complete]))
    y <- y[complete, , drop = FALSE]
    for (name in row_values) table[[name]] <- table[[name]][complete]
    options$folds <- folds_of_kept(options$folds, complete)
  }
  encoding <- learn_encoding(columns, table$named)
  x <- encode(columns, encoding)
  folds <- resolve_folds(options$folds, nrow(x), table$groups, table$time, name_in(call, "groups"), name_in(call, "time"))
  rows <- rows_for_library(table, call, folds, dropped_rows(table$row_names, complete))
  if (isTRUE(attr(options$control, "only_check"))) {
    return(check_table(x, y, columns_for_library(encoding, y), rows, folds$how, options, omitted))
  }
  trained <- train(x, y, encoding, rows, folds$how, options)
  keep <- list(call = call, terms = table$terms, encoding = encoding, na.action = omitted, variables = table$variables,
               compute = compute_settings(options), row_names = table$row_names[complete])
  collected(trained, keep, colnames(y))
}

# What rows may have beside inputs and targets.
row_values <- c("weights", "noise_sd", "groups", "time")

# The name of the variable that an argument is, as the file of the model shows it; otherwise that of the argument.
name_in <- function(call, argument) if (is.symbol(call[[argument]])) as.character(call[[argument]]) else argument

require_rows <- function(columns, table, y) {
  for (name in names(columns)) {
    rows <- length(columns[[name]]$values)
    if (rows != nrow(y)) refuse("column '", name, "' has ", rows, " rows and the target has ", nrow(y))
  }
  for (name in row_values) {
    if (is.null(table[[name]]) || length(table[[name]]) == nrow(y)) next
    refuse(name, " must have one value per row: ", nrow(y), " rows, ", length(table[[name]]), " values")
  }
  if (nrow(y) == 0) refuse("there is no row")
}

# Refuses infinite numbers, which na.omit() does not leave out, and weights that are none.
require_possible <- function(columns, y, table) {
  row <- function(at) if (is.integer(table$row_names)) table$row_names[at] else at
  for (name in names(columns)) {
    if (columns[[name]]$kind != "category") require_finite(columns[[name]]$values, paste0("column '", name, "'"), row)
  }
  for (k in seq_len(ncol(y))) require_finite(y[, k], paste0("the target '", colnames(y)[k], "'"), row)
  if (!is.null(table$weights) && !is.null(table$noise_sd)) refuse("weights and noise_sd exclude each other")
  for (name in c("weights", "noise_sd")) if (!is.null(table[[name]])) require_positive(table[[name]], name, row)
}

require_finite <- function(values, what, row = identity) {
  if (is.finite(sum(values)) || !any(is.infinite(values))) return(invisible())
  at <- which(is.infinite(values))[1]
  refuse(what, " has ", format(values[at]), " in row ", row(at), ": correct it, or replace it by NA")
}

require_positive <- function(values, what, row = identity) {
  if (!is.numeric(values)) refuse(what, " must be numbers")
  wrong <- which(!is.na(values) & !(values > 0 & is.finite(values)))[1]
  if (!is.na(wrong)) refuse(what, " must be positive and finite, but row ", row(wrong), " has ", format(values[wrong]))
}

# Rows of the user's data that are not among those of a training, so that the library counts rows as the data do.
dropped_rows <- function(row_names, complete) {
  kept <- if (is.integer(row_names)) row_names[complete] else which(complete)
  if (length(kept) == 0 || is.unsorted(kept, strictly = TRUE) || kept[1] < 1) return(integer())
  setdiff(seq_len(kept[length(kept)]), kept)
}

# Values of rows for the library.
rows_for_library <- function(table, call, folds, dropped) {
  own <- if (is.null(table$weights)) "noise_sd" else "weights"
  list(noise = as_double(table$noise_sd), weights = as_double(table$weights), noise_name = name_in(call, own),
       labels = folds$labels, time = folds$time, dropped = dropped)
}

as_double <- function(values) if (!is.null(values)) as.double(values)

train <- function(x, y, encoding, rows, folds, options) {
  require_flag(options$share_kernel, "share_kernel")
  shown <- display_of(options$progress)
  how <- list(warm = warm_models(options$warm, colnames(y)), share_kernel = options$share_kernel, display = shown$display,
              callback = shown$callback)
  checked(.Call(C_fit, x, y, columns_for_library(encoding, y), rows, fit_settings(options), folds, how))
}

# Description of the columns for the library.
columns_for_library <- function(encoding, y) {
  features <- features_of(encoding)
  list(features = features$names, positions = features$positions, levels = if (any(features$levels != "")) features$levels,
       dates = which(encoding$dates[features$positions]), named = isTRUE(encoding$named), targets = colnames(y))
}

# Models from which the targets start, in their order.
warm_models <- function(warm, targets) {
  if (is.null(warm)) return(NULL)
  if (inherits(warm, "gpcv")) return(list(warm$model))
  if (!inherits(warm, "gpcv_targets")) refuse("warm must be a fitted model of gpcv")
  absent <- setdiff(targets, names(warm))
  if (length(absent) > 0) refuse("the model in 'warm' has no target '", absent[1], "'", near_name(names(warm), absent[1]))
  lapply(unclass(warm)[targets], `[[`, "model")
}

# Object of one target, or of several; warnings say what a user should know.
collected <- function(trained, keep, targets) {
  fits <- lapply(trained$models, function(one) {
    described <- checked(.Call(C_describe, one$model))
    new_gpcv(one$model, described, c(keep, list(seconds = one$seconds, work = one$work, left_out = one$left_out)),
             as_frame(one$findings))
  })
  names(fits) <- vapply(fits, `[[`, "", "target")
  tell_of_failures(trained$failures, setdiff(targets, names(fits)))
  tell_of_fits(fits)
  if (length(targets) == 1) return(fits[[1]])
  structure(fits, class = "gpcv_targets", call = keep$call)
}

tell_of_failures <- function(failures, missing) {
  for (name in names(failures)) tell("gpcv_convergence_warning", "target '", name, "': ", failures[[name]], "; it has no model")
  stopped <- setdiff(missing, names(failures))
  if (length(stopped) > 0) tell("gpcv_convergence_warning", "stopped: there is no model of ", in_words(stopped))
}

# Issues what is known of each fit as warnings; what all targets share is said once.
tell_of_fits <- function(fits) {
  said <- lapply(fits, function(fit) {
    unconverged <- if (fit$status != "converged") data.frame(class = "gpcv_convergence_warning", message = fit$message)
    of <- ifelse(fit$findings$about == "data", "gpcv_data_warning", "gpcv_result_warning")
    rbind(unconverged, data.frame(class = of, message = fit$findings$message))
  })
  common <- Reduce(intersect, lapply(said, `[[`, "message"))
  for (at in seq_along(said)) {
    for (row in seq_len(nrow(said[[at]]))) {
      message <- said[[at]]$message[row]
      shared <- message %in% common
      if (shared && at > 1) next
      tell(said[[at]]$class[row], if (!shared) paste0("target '", names(fits)[at], "': "), message)
    }
  }
}

as_frame <- function(columns) {
  structure(columns, class = "data.frame", row.names = .set_row_names(length(columns[[1]])))
}

# Object of the class gpcv: what a user looks at, and the model.
new_gpcv <- function(model, described, keep, findings) {
  trace <- described$trace
  colnames(trace$values) <- trace$names
  structure(
    c(list(model = model, target = described$columns$target, n = described$rows, kernel = described$kernel,
           kernel_rounded = described$kernel_rounded, values = described$values, noise_sd = described$noise_sd,
           noise_model = described$noise_model, mean = described$mean, transform = described$transform, df = described$df,
           trainer = described$trainer, status = described$status, message = described$message,
           objective = described$objective, iterations = described$iterations, seed = described$seed, cv = described$cv,
           kernels = as_frame(described$kernels), transforms = as_frame(described$transforms),
           importance = as_frame(described$importance), findings = findings, standard_errors = described$standard_errors,
           optima = as_frame(described$optima), trace = as.data.frame(trace$values),
           traits = described[c("own_noise", "robust", "calibration_rows", "uses_folds", "free", "target_scale", "settings",
                                "command", "version")]),
      list(own_noise = described$columns$noise, noise_is_weight = described$columns$noise_is_weight), keep),
    class = "gpcv")
}
