# What a formula or a matrix says of a table: its columns, its targets, and what else each row has.

# Arguments of gpcv() that may name columns of the data. They are no inputs unless the formula names them.
row_arguments <- c("weights", "noise_sd", "groups", "folds")

# Table of a formula. `call` is the call of gpcv(), `env` the frame that called it; `data` may be NULL.
table_of_formula <- function(formula, data, call, env) {
  data <- plain_data(data)
  terms <- inputs_of_formula(formula, data, role_columns(call, data))
  wanted <- call[c(1L, match(c("subset", "weights", "noise_sd", "groups", "time"), names(call), 0L))]
  wanted[[1L]] <- quote(stats::model.frame)
  wanted$formula <- terms
  wanted$data <- data
  wanted$na.action <- quote(stats::na.pass)
  frame <- tryCatch(eval(wanted, env), error = function(e) refuse(conditionMessage(e)))
  extra <- function(name) if (is.null(call[[name]])) NULL else frame[[paste0("(", name, ")")]]
  terms <- attr(frame, "terms")
  labels <- attr(terms, "term.labels")
  inputs <- frame[match(labels, term_names(frame))]
  names(inputs) <- plain_names(labels)
  list(inputs = flat_columns(inputs), y = stats::model.response(frame), target = target_names(frame, formula),
       terms = terms, rows = nrow(frame), row_names = attr(frame, "row.names"), weights = extra("weights"),
       noise_sd = extra("noise_sd"), groups = extra("groups"), time = extra("time"), variables = if (is.null(data)) all.vars(terms) else names(data), named = TRUE)
}

# Data as a data frame in which moments are of the class that a model frame takes.
plain_data <- function(data) {
  if (is.null(data)) return(NULL)
  if (!is.data.frame(data)) data <- as.data.frame(data)
  moments <- vapply(data, inherits, NA, what = "POSIXlt")
  data[moments] <- lapply(data[moments], as.POSIXct)
  data
}

# Names of the columns of a model frame as terms write them: with backticks where they are needed.
term_names <- function(frame) {
  variables <- attr(attr(frame, "terms"), "variables")
  vapply(as.list(variables)[-1L], deparse1, "", backtick = TRUE, width.cutoff = 500L)
}

# Names without the backticks that a formula needs.
plain_names <- function(labels) {
  plain <- grepl("^`.*`$", labels) & !grepl("`", substr(labels, 2, nchar(labels) - 1))
  ifelse(plain, substr(labels, 2, nchar(labels) - 1), labels)
}

# Columns that an argument of the call names and that are no inputs therefore.
role_columns <- function(call, data) {
  named <- lapply(row_arguments, function(argument) if (is.symbol(call[[argument]])) as.character(call[[argument]]))
  intersect(unlist(named), names(data))
}

# Terms of a formula with the inputs alone: variables that it leaves out, as `- id`, are gone.
inputs_of_formula <- function(formula, data, roles) {
  require_columns(formula, data)
  formula <- without_dot(formula, setdiff(names(data), roles))
  terms <- tryCatch(stats::terms(formula), error = function(e) refuse(conditionMessage(e)))
  if (attr(terms, "response") == 0) refuse("the formula has no target: write it as y ~ x")
  if (!is.null(attr(terms, "offset"))) refuse("gpcv has no offset: subtract it from the target, or add it as an input")
  labels <- attr(terms, "term.labels")
  product <- labels[attr(terms, "order") > 1]
  if (length(product) > 0) {
    refuse("leave '", product[1], "' out of the formula: a Gaussian process of both inputs contains their interaction")
  }
  if (length(labels) == 0) refuse("the formula has no input: write it as y ~ x, or y ~ . for all columns")
  stats::terms(stats::reformulate(labels, response = terms[[2L]], env = environment(formula)))
}

# Formula in which `.` is the sum of these columns, without those of the target.
without_dot <- function(formula, columns) {
  if (length(formula) < 3 || is.null(columns)) return(formula)
  inputs <- lapply(setdiff(columns, all.vars(formula[[2L]])), as.name)
  if (length(inputs) == 0) return(formula)
  sum <- Reduce(function(a, b) call("+", a, b), inputs)
  formula[[3L]] <- do.call(substitute, list(formula[[3L]], list(. = sum)))
  formula
}

# Refuses names that are neither columns nor variables, with a name that is similar.
require_columns <- function(formula, data) {
  for (name in setdiff(all.vars(formula), c(".", names(data)))) {
    if (exists(name, envir = environment(formula) %||% parent.frame())) next
    refuse("there is no column '", name, "'", near_name(names(data), name))
  }
}

`%||%` <- function(a, b) if (is.null(a)) b else a

target_names <- function(frame, formula) {
  y <- stats::model.response(frame)
  if (is.matrix(y)) return(colnames(y) %||% paste0("y", seq_len(ncol(y))))
  plain_names(deparse1(formula[[2L]], backtick = TRUE))
}

# Table of inputs and targets that are given directly.
table_of_matrix <- function(x, y, weights, noise_sd, groups, time) {
  if (is.vector(x) && is.atomic(x)) x <- matrix(x, ncol = 1L)
  named <- !is.null(colnames(x)) || is.data.frame(x)
  if (!is.matrix(x) && !is.data.frame(x)) refuse("x must be a matrix or a data frame, not ", class(x)[1])
  if (is.matrix(x) && !is.numeric(x) && !is.logical(x)) refuse("x must hold numbers: give a data frame for other columns")
  if (is.matrix(x)) {
    names <- colnames(x) %||% paste0("x", seq_len(ncol(x)))
    inputs <- stats::setNames(lapply(seq_len(ncol(x)), function(k) as.double(x[, k])), names)
  } else {
    inputs <- flat_columns(x)
  }
  if (length(inputs) == 0) refuse("x has no column")
  target <- "y"
  if (is.data.frame(y)) y <- if (ncol(y) == 1) { target <- names(y); y[[1]] } else as.matrix(y)
  if (is.matrix(y)) {
    target <- colnames(y) %||% if (ncol(y) == 1) "y" else paste0("y", seq_len(ncol(y)))
    if (ncol(y) == 1) y <- y[, 1]
  }
  list(inputs = inputs, y = y, target = target, terms = NULL, rows = NROW(x), row_names = if (is.data.frame(x)) attr(x, "row.names") else rownames(x), weights = weights,
       noise_sd = noise_sd, groups = groups, time = time, named = named)
}

# Targets as a matrix of numbers.
targets_of <- function(table) {
  y <- table$y
  if (is.factor(y) || is.character(y)) {
    if (is.factor(y) || column_of_texts(y, table$target[1])$kind == "category") {
      refuse("the target '", table$target[1], "' has levels, not numbers: gpcv predicts numbers")
    }
    y <- column_of_texts(y, table$target[1])$values
  } else if (inherits(y, c("Date", "POSIXt"))) {
    y <- column_of(y, table$target[1])$values
  } else if (inherits(y, "difftime")) {
    refuse("the target '", table$target[1], "' has durations: convert them, for example by as.numeric(y, units = \"days\")")
  } else if (!is.numeric(y) && !is.logical(y)) {
    refuse("the target '", table$target[1], "' must be numbers, not values of the class ", class(y)[1])
  }
  if (NROW(y) != table$rows) refuse("x has ", table$rows, " rows and y has ", NROW(y))
  matrix(as.double(y), nrow = table$rows, dimnames = list(NULL, table$target))
}

# Rows that take part in a training, by the convention of na.action: all that have every cell. With several targets a row
# that lacks some of them stays.
complete_rows <- function(columns, y, table) {
  complete <- rowSums(!is.na(y)) > 0
  for (column in columns) complete <- complete & !is.na(column$values)
  for (values in table[row_values]) {
    if (!is.null(values)) complete <- complete & !is.na(values)
  }
  complete
}

# What na.action makes of rows with missing cells: the rows that stay, and the attribute that stats::napredict() takes.
omitted_rows <- function(complete, columns, y, na_action, row_names) {
  if (all(complete)) return(NULL)
  action <- if (is.character(na_action)) match.fun(na_action) else na_action
  if (identical(action, stats::na.omit) || identical(action, stats::na.exclude)) {
    omitted <- which(!complete)
    names(omitted) <- row_names[omitted]
    return(structure(omitted, class = if (identical(action, stats::na.omit)) "omit" else "exclude"))
  }
  first <- which(!complete)[1]
  where <- names(columns)[vapply(columns, function(column) is.na(column$values[first]), NA)]
  what <- if (length(where) > 0) paste0("column '", where[1], "'") else if (anyNA(y[first, ])) "the target" else "an argument"
  refuse(what, " has no value in row ", if (is.integer(row_names)) row_names[first] else first, ", and ", sum(!complete), if (sum(!complete) == 1) " row has" else " rows have",
         " missing cells: na.action = na.omit leaves ", if (sum(!complete) == 1) "it" else "them", " out")
}
