# Folds of cross-validation, in all forms that gpcv() accepts, as the library expects them.

default_folds <- 5L

# Folds of `rows` rows. `given` is the argument `folds`; groups and time have one value per row, or are NULL. The names are
# those of the arguments as the user wrote them. The result has `how`, and `labels` or `time` of the rows.
resolve_folds <- function(given, rows, groups = NULL, time = NULL, group_name = "groups", time_name = "time") {
  if (!is.null(groups)) groups <- numbered(groups, rows, "groups")
  if (!is.null(time)) time <- order_of(time, rows)
  if (is.null(given)) return(folds_by_default(rows, groups, time, group_name, time_name))
  if (is.character(given) && length(given) == 1) {
    return(folds_of_text(given, rows, groups, time, group_name, time_name))
  }
  if (is.list(given)) return(folds_of_rows(given, rows))
  if (is.numeric(given) && length(given) == 1 && rows != 1) return(folds_of_number(given, rows, groups, group_name))
  if (is.atomic(given) || is.factor(given)) {
    labels <- numbered(given, rows, "folds", may_miss = TRUE)
    return(list(how = list(kind = "labels", column = "folds"), labels = labels))
  }
  refuse("folds cannot be an object of the class ", class(given)[1],
         ": expected a number, a fraction, a text, one label per row, or a list of rows")
}

folds_by_default <- function(rows, groups, time, group_name, time_name) {
  if (!is.null(groups)) {
    return(list(how = list(kind = "groups", count = default_folds, column = group_name), labels = groups))
  }
  if (!is.null(time)) return(list(how = list(kind = "time", blocks = default_folds, column = time_name), time = time))
  list(how = list(kind = "default"))
}

folds_of_number <- function(given, rows, groups, group_name) {
  if (!is.na(given) && given > 0 && given < 1) return(list(how = list(kind = "holdout", fraction = as.double(given))))
  if (is.na(given) || given != round(given) || given < 2) {
    refuse("folds cannot be ", given, ": expected a whole number of at least 2, a fraction to hold out, or a text such as ",
           "\"time:5\"")
  }
  if (!is.null(groups)) {
    return(list(how = list(kind = "groups", count = as.integer(given), column = group_name), labels = groups))
  }
  list(how = list(kind = "random", count = as.integer(given)))
}

folds_of_text <- function(given, rows, groups, time, group_name, time_name) {
  parts <- strsplit(given, ":", fixed = TRUE)[[1]]
  numbers <- suppressWarnings(as.numeric(parts[-1]))
  word <- parts[1]
  if (grepl("^[0-9]+$", word) && (length(parts) == 1 || identical(parts[-1], "interleaved"))) {
    return(list(how = list(kind = if (length(parts) == 1) "random" else "interleaved", count = as.integer(word))))
  }
  count <- if (length(numbers) > 0) numbers[1] else default_folds
  fits <- word %in% c("blocks", "regions", "groups", "time") && !anyNA(numbers) &&
    length(numbers) <= if (word == "time") 2 else 1
  if (!fits) {
    refuse("folds cannot be '", given, "': expected 5, \"5:interleaved\", \"blocks:5\", \"regions:5\", \"groups:5\", \"time:5\" or ",
           "\"time:5:WIDTH\"")
  }
  if (word == "groups") {
    if (is.null(groups)) refuse("folds = \"", given, "\" requires 'groups'")
    return(list(how = list(kind = "groups", count = count, column = group_name), labels = groups))
  }
  if (word == "regions") return(list(how = list(kind = "regions", count = count)))
  if (word == "blocks") {
    return(list(how = list(kind = "blocks", count = count, column = if (is.null(time)) "" else time_name), time = time))
  }
  if (is.null(time)) refuse("folds = \"", given, "\" requires 'time', the column that orders the rows")
  list(how = list(kind = "time", blocks = count, column = time_name, width = if (length(numbers) > 1) numbers[2]), time = time)
}

# Folds of a list: validation rows of each fold, or pairs of training and validation rows.
folds_of_rows <- function(given, rows) {
  if (length(given) == 0) refuse("folds is an empty list")
  pairs <- lapply(given, function(fold) {
    if (is.list(fold)) {
      if (length(fold) != 2) refuse("a fold must be a vector of rows to validate, or a list of training and validation rows")
      return(lapply(fold, rows_of_fold, rows = rows))
    }
    validation <- rows_of_fold(fold, rows)
    list(setdiff(seq_len(rows), validation), validation)
  })
  for (pair in pairs) {
    twice <- unlist(pair)[duplicated(unlist(pair))]
    if (length(twice) > 0) {
      refuse("a fold contains row ", twice[1], " twice, or for both training and validation")
    }
  }
  list(how = list(kind = "given", pairs = unname(pairs), description = paste(length(pairs), "folds given by the caller")))
}

rows_of_fold <- function(part, rows) {
  if (is.logical(part)) part <- which(part)
  if (!is.numeric(part) || anyNA(part) || any(part != round(part))) refuse("the rows of a fold must be whole numbers")
  wrong <- part[part < 1 | part > rows]
  if (length(wrong) > 0) refuse("a fold contains row ", wrong[1], ", but there are ", rows, " rows")
  as.integer(part)
}

# Numbers of labels 1, 2, ... in order of appearance; 0 for rows without one, which only train.
numbered <- function(labels, rows, what, may_miss = FALSE) {
  if (!is.atomic(labels) && !is.factor(labels)) refuse(what, " must be a vector with one value per row")
  if (length(labels) != rows) refuse(what, " must have one value per row: ", rows, " rows, ", length(labels), " values")
  missing <- which(is.na(labels))
  if (length(missing) > 0 && !may_miss) {
    refuse(what, " has no value in row ", missing[1], ": give it one, or leave the row out")
  }
  known <- unique(labels[!is.na(labels)])
  as.double(match(labels, known, nomatch = 0L))
}

# Times as numbers; dates are decimal years.
order_of <- function(time, rows) {
  column <- column_of(time, "time")
  if (column$kind == "category") refuse("time must be numbers or dates, not text")
  if (length(column$values) != rows) refuse("time must have one value per row: ", rows, " rows, ", length(column$values), " values")
  wrong <- which(!is.finite(column$values))[1]
  if (!is.na(wrong)) refuse("time has no finite value in row ", wrong, ": give it one, or leave the row out")
  column$values
}

# Folds of some of the rows, where they are given row by row.
folds_of_kept <- function(given, kept) {
  if (is.null(given) || all(kept)) return(given)
  if (is.list(given)) {
    number <- cumsum(kept)
    some <- function(part) {
      part <- rows_of_fold(part, length(kept))
      number[part[kept[part]]]
    }
    return(lapply(given, function(fold) if (is.list(fold)) lapply(fold, some) else some(fold)))
  }
  if (length(given) == length(kept)) given[kept] else given
}
