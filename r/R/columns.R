# Single columns of a data frame as numbers, dates, durations or categories.

# Column with more levels identify rows, as in the command.
most_levels <- 200L

# What a column holds: `kind` is number, date, duration or category, `values` are doubles or texts.
column_of <- function(values, name) {
  if (is.factor(values)) return(list(kind = "category", values = level_texts(as.character(values))))
  if (inherits(values, "Date")) return(list(kind = "date", values = years_of(unclass(values), 1)))
  if (inherits(values, "POSIXlt")) values <- as.POSIXct(values)
  if (inherits(values, "POSIXct")) return(list(kind = "date", values = years_of(unclass(values), 86400)))
  if (inherits(values, "difftime")) return(list(kind = "duration", values = as.numeric(values, units = "days")))
  if (is.character(values)) return(column_of_texts(values, name))
  if (is.logical(values) || is.numeric(values)) return(list(kind = "number", values = as.double(values)))
  refuse("column '", name, "' has values of the class ", class(values)[1], ", which are neither numbers, dates nor levels: convert it")
}

# Decimal years of numbers since 1970, of which a day has so many.
years_of <- function(numbers, per_day) checked(.Call(C_years, as.double(numbers), as.double(per_day)))

# Levels as texts. The command removes blanks around a cell, so that they would not be found again.
level_texts <- function(texts) enc2utf8(trimws(texts))

# Texts are dates if the first of them is an ISO date, as in the command, and otherwise levels.
column_of_texts <- function(texts, name) {
  texts <- level_texts(texts)
  first <- which(!is.na(texts))[1]
  if (is.na(first) || is.infinite(checked(.Call(C_iso_dates, texts[first])))) {
    return(list(kind = "category", values = texts))
  }
  years <- checked(.Call(C_iso_dates, texts))
  wrong <- which(is.infinite(years))[1]
  if (!is.na(wrong)) {
    refuse("column '", name, "' has '", texts[wrong], "' in row ", wrong, ", which is no ISO date (YYYY-MM-DD), but row ",
           first, " has a date: write the whole column one way")
  }
  wrong <- which(is.na(years) & !is.na(texts))[1]
  if (!is.na(wrong)) {
    refuse("column '", name, "' has '", texts[wrong], "' in row ", wrong, ", which is not in the calendar: correct the date")
  }
  list(kind = "date", values = years)
}

# Levels of the categories that rows have, in the order of their bytes, as the command orders them.
levels_of <- function(texts, name) {
  levels <- sort(unique(texts[!is.na(texts)]), method = "radix")
  if ("" %in% levels) refuse("column '", name, "' has an empty level: name it, or replace it by NA")
  if (length(levels) > most_levels) {
    refuse("column '", name, "' has more than ", most_levels, " levels: it is not a category; leave the column out, as in y ~ . - ",
           name)
  }
  levels
}

# Warns of a text column that was probably meant to be a column of numbers.
tell_of_numbers <- function(levels, name) {
  numeric <- !is.na(suppressWarnings(as.numeric(levels)))
  if (length(levels) < 10 || mean(numeric) < 0.5) return(invisible())
  tell("gpcv_data_warning", "column '", name, "' is text, although most of its levels are numbers: '", levels[!numeric][1],
       "' is not; if it was meant to be a column of numbers, convert it by as.numeric()")
}
