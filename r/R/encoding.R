# What the columns of a table were in training, and new rows as the numbers that a model sees.
#
# An encoding is a list: `names` of the columns; `levels`, a list with the levels of each category and NULL for numbers;
# `dates` and `durations`, TRUE for columns that were, NA where a model file does not tell; `named`, whether the names are
# the user's.

# Columns of a data frame as a plain list; the columns of a matrix in it are columns of their own.
flat_columns <- function(frame) {
  out <- list()
  for (at in seq_along(frame)) {
    column <- frame[[at]]
    name <- names(frame)[at]
    if (is.matrix(column)) {
      own <- if (is.null(colnames(column))) seq_len(ncol(column)) else colnames(column)
      for (k in seq_len(ncol(column))) out[[paste0(name, own[k])]] <- column[, k]
    } else if (is.data.frame(column)) {
      for (k in names(column)) out[[paste0(name, k)]] <- column[[k]]
    } else {
      out[[name]] <- column
    }
  }
  out
}

# Encoding of the columns of a training.
learn_encoding <- function(columns, named = TRUE) {
  kinds <- vapply(columns, `[[`, "", "kind")
  names <- names(columns)
  levels <- vector("list", length(columns))
  for (at in which(kinds == "category")) {
    levels[[at]] <- levels_of(columns[[at]]$values, names[at])
    tell_of_numbers(levels[[at]], names[at])
  }
  encoding <- list(names = names, levels = levels, dates = unname(kinds == "date"), durations = unname(kinds == "duration"),
                   named = named)
  features <- features_of(encoding)$names
  twice <- features[duplicated(features)]
  if (length(twice) > 0) refuse("two columns or levels have the name '", twice[1], "': rename one")
  encoding
}

# Numeric inputs of a model: their names, the level of each indicator, and the column that each comes from.
features_of <- function(encoding) {
  width <- vapply(encoding$levels, function(levels) max(1L, length(levels)), 1L)
  position <- rep(seq_along(encoding$names), width)
  level <- unlist(lapply(encoding$levels, function(levels) if (is.null(levels)) "" else levels))
  names <- ifelse(level == "", encoding$names[position], paste0(encoding$names[position], "=", level))
  list(names = as.character(names), levels = as.character(level), positions = as.integer(position))
}

# Encoding of a model from a file, whose columns are described as for the library.
encoding_of_model <- function(columns) {
  levels <- if (length(columns$levels) > 0) columns$levels else rep("", length(columns$features))
  names <- ifelse(levels == "", columns$features,
                  substr(columns$features, 1, nchar(columns$features) - nchar(levels) - 1))
  group <- ifelse(levels == "", paste0("column ", seq_along(levels)), paste0("category ", columns$positions))
  first <- which(!duplicated(group))
  own <- lapply(group[first], function(g) if (startsWith(g, "category")) levels[group == g])
  dates <- if (columns$dates_known) first %in% columns$dates else rep(NA, length(first))
  list(names = names[first], levels = own, dates = dates, durations = rep(NA, length(first)), named = columns$named)
}

# Columns as one matrix of numbers. With `average` a row of an unknown level has none.
encode <- function(columns, encoding, average = FALSE) {
  rows <- length(columns[[1]]$values)
  width <- sum(vapply(encoding$levels, function(levels) max(1L, length(levels)), 1L))
  x <- matrix(0, rows, width)
  at <- 0L
  for (k in seq_along(columns)) {
    values <- columns[[k]]$values
    levels <- encoding$levels[[k]]
    if (is.null(levels)) {
      x[, at <- at + 1L] <- values
      next
    }
    code <- match(values, levels)
    unknown <- which(is.na(code) & !is.na(values))
    if (length(unknown) > 0 && !average) refuse_level(encoding$names[k], values[unknown[1]], unknown[1], levels)
    code[is.na(code)] <- 0L
    for (level in seq_along(levels)) x[, at + level] <- code == level
    x[is.na(values), at + seq_along(levels)] <- NA
    at <- at + length(levels)
  }
  x
}

refuse_level <- function(name, level, row, levels) {
  refuse("column '", name, "' has the level '", level, "' in row ", row, ", which training has not seen: it knows ",
         in_words(levels), "; unseen = \"average\" averages over these")
}

# New rows, a list of columns in the order of the encoding, as columns of the kinds of the training.
columns_like <- function(raw, encoding) {
  lapply(stats::setNames(seq_along(raw), encoding$names), function(k) {
    if (!is.null(encoding$levels[[k]])) {
      return(list(kind = "category", values = level_texts(as.character(raw[[k]]))))
    }
    column_like(column_of(raw[[k]], encoding$names[k]), encoding, k)
  })
}

# Column of new rows, which was no category in training.
column_like <- function(column, encoding, k) {
  name <- encoding$names[k]
  trained <- kind_in_words(encoding, k)
  if (column$kind == "category") {
    first <- which(!is.na(column$values))[1]
    if (!is.na(first)) {
      refuse("column '", name, "' had ", trained, " in training and has text now ('", column$values[first], "' in row ", first, ")")
    }
    return(list(kind = "number", values = as.double(column$values)))
  }
  for (other in c("date", "duration")) {
    if (column$kind == other && isFALSE(encoding[[paste0(other, "s")]][k])) {
      refuse("column '", name, "' has ", other, "s now, but had ", trained, " in training")
    }
  }
  if (column$kind != "date" && isTRUE(encoding$dates[k])) require_years(column$values, name)
  column
}

kind_in_words <- function(encoding, k) {
  if (!is.null(encoding$levels[[k]])) return("levels")
  if (isTRUE(encoding$dates[k])) "dates" else if (isTRUE(encoding$durations[k])) "durations" else "numbers"
}

require_years <- function(values, name) {
  wrong <- which(!is.na(values) & !(values > 0 & values < 10000))[1]
  if (is.na(wrong)) return(invisible())
  refuse("column '", name, "' had dates in training: give dates or decimal years, not ", format(values[wrong]), " (row ",
         wrong, ")")
}
