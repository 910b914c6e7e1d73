"""Data frames of pandas, polars and pyarrow as numbers: categories become indicators, dates become decimal years.

None of the three libraries is imported here: an object is recognised by the module of its type.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Optional

import numpy as np

MOST_LEVELS = 200  # A column with more levels identifies rows, as in the command.
_FRAMES = {"pandas": ("DataFrame",), "polars": ("DataFrame",), "pyarrow": ("Table", "RecordBatch")}
_SERIES = {"pandas": ("Series", "Index", "DatetimeIndex"), "polars": ("Series",), "pyarrow": ("Array", "ChunkedArray")}


# ---------------------------------------------------------------- recognition


def library_of(value: Any, names: dict[str, tuple[str, ...]]) -> str | None:
    """Library whose type, or a subclass of it, the value has; None if there is none."""
    for base in type(value).__mro__:
        library = base.__module__.partition(".")[0]
        if base.__name__ in names.get(library, ()):
            return library
    return None


def is_frame(value: Any) -> bool:
    """Whether the value is a table with columns of their own types."""
    return library_of(value, _FRAMES) is not None


def is_lazy(value: Any) -> bool:
    """Whether the value is a query of polars that has not been collected."""
    return library_of(value, {"polars": ("LazyFrame",)}) is not None


def column_names(frame: Any) -> list[Any]:
    """Names of the columns of a frame."""
    return list(frame.column_names if library_of(frame, _FRAMES) == "pyarrow" else frame.columns)


# ---------------------------------------------------------------- single columns


@dataclass
class Column:
    """Column in one of four kinds: "number", "date", "category" or "text". Missing numbers are NaN, missing texts None."""

    kind: str
    values: np.ndarray
    levels: list[str] | None = None  # declared by the type of the column


def column_of(series: Any, name: str = "") -> Column:
    """Read a series of pandas, polars or pyarrow, or an array of one dimension."""
    library = library_of(series, _SERIES)
    if library == "pandas":
        return _from_pandas(series, name)
    if library == "polars":
        return _from_polars(series, name)
    if library == "pyarrow":
        return _from_arrow(series, name)
    return _from_array(np.asarray(series), name)


def _from_pandas(series: Any, name: str) -> Column:
    kind = type(series.dtype).__name__
    if kind == "CategoricalDtype":
        levels = [_text(level) for level in series.dtype.categories]
        return Column("category", _objects([*levels, None])[_codes(series)], levels)  # code -1 is a missing value
    if kind == "ArrowDtype":
        return _from_arrow(series.array.__arrow_array__(), name)
    if kind == "DatetimeTZDtype":
        moments = series.array if hasattr(series, "array") else series
        return _from_array(np.asarray(moments.tz_convert("UTC").tz_localize(None)), name)
    if kind == "PeriodDtype":
        return _from_array(np.asarray(series.array.to_timestamp()), name)
    if kind.endswith("Dtype") and getattr(series.dtype, "kind", "O") in "iufb":
        return Column("number", series.to_numpy(dtype=np.float64, na_value=np.nan))
    return _from_array(series.to_numpy(), name)


def _codes(series: Any) -> np.ndarray:
    return np.asarray(series.cat.codes if hasattr(series, "cat") else series.codes)


def _from_polars(series: Any, name: str) -> Column:
    kind = series.dtype.base_type().__name__
    if kind in ("Categorical", "Enum"):
        levels = [_text(level) for level in series.dtype.categories] if kind == "Enum" else None
        return Column("category", _texts(series.to_list()), levels)
    if kind in ("Date", "Datetime"):
        return _from_array(series.to_numpy(), name)  # moments with a time zone are converted to UTC
    if kind in ("Boolean", "Null") or series.dtype.is_numeric():
        import polars

        return Column("number", np.asarray(series.cast(polars.Float64).to_numpy(), dtype=np.float64))
    return _from_array(_objects(series.to_list()), name)


def _from_arrow(array: Any, name: str) -> Column:
    import pyarrow

    kinds = pyarrow.types
    if kinds.is_dictionary(array.type):
        return Column("category", _texts(array.to_pylist()))
    if kinds.is_timestamp(array.type) or kinds.is_date(array.type):
        return _from_array(_arrow_values(array), name)  # moments with a time zone are stored in UTC
    if kinds.is_boolean(array.type):
        array = array.cast(pyarrow.int8())
    number = (kinds.is_integer, kinds.is_floating, kinds.is_decimal, kinds.is_null)
    if any(is_kind(array.type) for is_kind in number):
        return Column("number", _arrow_values(array.cast(pyarrow.float64(), safe=False)))
    return _from_array(_objects(array.to_pylist()), name)


def _arrow_values(array: Any) -> np.ndarray:
    chunked = hasattr(array, "chunks")
    return np.asarray(array.to_numpy() if chunked else array.to_numpy(zero_copy_only=False))


def _from_array(values: np.ndarray, name: str) -> Column:
    if values.dtype.kind == "M":
        return Column("date", decimal_years(values))
    if values.dtype.kind == "m":
        _refuse_durations(name)
    if values.dtype.kind in "UST":
        return Column("text", _texts(values.tolist()))
    if values.dtype.kind == "O":
        return _from_objects(values, name)
    if values.dtype.kind == "c":
        raise ValueError(f"{_column(name)}: Complex data not supported")
    return Column("number", np.asarray(values, dtype=np.float64))


def _from_objects(values: np.ndarray, name: str) -> Column:
    missing = missing_rows(values)
    present = [value for value, absent in zip(values, missing) if not absent]
    if present and all(map(_is_date, present)):
        moments = np.full(len(values), np.datetime64("NaT", "us"))
        moments[~missing] = [_utc(value) for value in present]
        return Column("date", decimal_years(moments))
    if any(isinstance(value, (str, bytes)) for value in present):
        return Column("text", _texts(values))
    if any(hasattr(value, "total_seconds") for value in present):
        _refuse_durations(name)
    numbers = np.full(len(values), np.nan)
    for row in np.flatnonzero(~missing):
        try:
            numbers[row] = float(values[row])
        except (TypeError, ValueError):
            raise ValueError(f"{_column(name)} has a value of the type {type(values[row]).__name__} in row {row} (from 0), "
                             "which is not a number") from None
    return Column("number", numbers)


def _is_date(value: Any) -> bool:
    return hasattr(value, "year") and hasattr(value, "month") or isinstance(value, np.datetime64)


def _refuse_durations(name: str) -> None:
    raise ValueError(f"{_column(name)} has durations: divide them by a unit, for example one second")


def _utc(moment: Any) -> np.datetime64:
    if isinstance(moment, np.datetime64):
        return moment.astype("datetime64[us]")
    offset = moment.utcoffset() if hasattr(moment, "utcoffset") else None
    return np.datetime64(moment if offset is None else moment.replace(tzinfo=None) - offset, "us")


def _text(value: Any) -> str:
    """Text of a level. The command removes spaces around a cell, so that they would not be found again."""
    return (value.decode() if isinstance(value, bytes) else str(value)).strip()


def _texts(values: Iterable[Any]) -> np.ndarray:
    return _objects([None if _is_missing(value) else _text(value) for value in values])


def _objects(values: list[Any]) -> np.ndarray:
    """Array of one dimension with these objects, whatever they are."""
    out = np.empty(len(values), dtype=object)
    out[:] = values
    return out


def _column(name: str) -> str:
    return f"column '{name}'" if name else "the array"


def missing_rows(values: np.ndarray) -> np.ndarray:
    """Mask of the values that are NaN, NaT, None or NA."""
    if values.dtype.kind in "fc":
        return np.isnan(values)
    if values.dtype.kind in "mM":
        return np.isnat(values)
    if values.dtype.kind == "O":
        return np.array([_is_missing(value) for value in values.ravel()], bool).reshape(values.shape)
    return np.zeros(values.shape, bool)


def _is_missing(value: Any) -> bool:
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(value, (float, np.floating, np.datetime64, np.timedelta64)) and bool(value != value)


# ---------------------------------------------------------------- dates


def decimal_years(moments: np.ndarray) -> np.ndarray:
    """Moments as year + (days before + seconds / 86400) / (365 or 366), to the last bit as the command reads ISO dates.

    Missing moments are NaN.
    """
    missing = np.isnat(moments)
    known = np.where(missing, np.zeros((), moments.dtype), moments)
    day, year = known.astype("datetime64[D]"), known.astype("datetime64[Y]")
    number = year.astype(np.int64) + 1970
    first, following = year.astype("datetime64[D]"), (year + 1).astype("datetime64[D]")
    days, length = (day - first).astype(np.int64), (following - first).astype(np.int64)
    rest = np.zeros(known.shape, np.int64)
    if np.datetime_data(moments.dtype)[0] not in ("Y", "M", "W", "D"):
        rest = (known - day.astype(known.dtype)).astype("timedelta64[ns]").astype(np.int64)
    seconds = (rest // 10**9).astype(np.float64) + _fraction(rest % 10**9)
    years = number + (days + seconds / 86400) / length
    return np.where(missing, np.nan, years)


def _fraction(nanoseconds: np.ndarray) -> np.ndarray:
    """Fraction of a second, summed digit by digit as the command does, which decides the last bit."""
    value, unit = np.zeros(nanoseconds.shape), 1.0
    for place in range(8, -1, -1):
        unit /= 10
        value += unit * (nanoseconds // 10**place % 10)
    return value


# ---------------------------------------------------------------- tables


@dataclass
class Encoding:
    """Columns of a frame that a model was trained on, and the levels of those that are categories."""

    names: list[str]
    levels: list[list[str] | None]  # of each column; None for numbers
    dates: list[bool] | None = None  # None where a file does not tell

    @property
    def categorical(self) -> bool:
        return any(level is not None for level in self.levels)

    @property
    def features(self) -> list[str]:
        """Names of the numeric columns that the model sees."""
        return [name if level is None else f"{name}={level}" for name, level in self._parts()]

    @property
    def feature_levels(self) -> list[str]:
        return [level or "" for _, level in self._parts()] if self.categorical else []

    @property
    def positions(self) -> list[int]:
        """Position of the column that each feature comes from."""
        widths = [1 if levels is None else len(levels) for levels in self.levels]
        return [position for position, width in enumerate(widths) for _ in range(width)]

    @property
    def date_features(self) -> list[int]:
        dates = self.dates or []
        return [at for at, position in enumerate(self.positions) if dates and dates[position]]

    def _parts(self) -> list[tuple[str, Optional[str]]]:
        return [(name, level) for name, levels in zip(self.names, self.levels)
                for level in ([None] if levels is None else levels)]

    @staticmethod
    def of_features(features: Sequence[str], levels: Sequence[str], positions: Sequence[int]) -> Encoding:
        """Encoding from the features of a model; indicators of one column have one position."""
        out, last = Encoding([], []), None
        for at, feature in enumerate(features):
            level = levels[at] if levels else ""
            if level and positions[at] == last:
                own = out.levels[-1]
                assert own is not None
                own.append(level)
                continue
            out.names.append(feature[: -len(level) - 1] if level else feature)
            out.levels.append([level] if level else None)
            last = positions[at] if level else None
        return out


@dataclass
class Numbers:
    """Frame as numbers."""

    values: np.ndarray
    encoding: Encoding


def learn(frame: Any) -> Numbers:
    """Convert the frame of a training; its text columns are refused, its categories define the levels."""
    names = [str(name) for name in column_names(frame)]
    columns = [column_of(series, name) for name, series in zip(names, _series(frame))]
    encoding = Encoding(names, [], [column.kind == "date" for column in columns])
    for name, column in zip(names, columns):
        if column.kind == "text":
            _refuse_text(frame, name, column)
        encoding.levels.append(_levels(name, column) if column.kind == "category" else None)
    if encoding.categorical and len(set(encoding.features)) < len(encoding.features):
        raise ValueError("two columns or levels have the same name: rename one")
    return Numbers(_stacked(encoding, columns, _rows(frame)), encoding)


def learn_dates(X: Any) -> Numbers | None:
    """Convert an array or a list of rows that has dates; None if it has none."""
    if isinstance(X, (list, tuple)) and len(X) > 0 and isinstance(X[0], (list, tuple)) and any(map(_is_date, X[0])):
        X = np.array(X, dtype=object)
    if not isinstance(X, np.ndarray) or X.ndim != 2 or X.dtype.kind not in "MO" or len(X) == 0:
        return None
    if X.dtype.kind == "O" and not any(map(_is_date, X[0])):
        return None
    names = [f"x{at}" for at in range(X.shape[1])]
    columns = [_from_array(X[:, at], name) for at, name in enumerate(names)]
    encoding = Encoding(names, [None] * len(names), [column.kind == "date" for column in columns])
    if any(column.kind == "text" for column in columns):
        raise ValueError("X has dates and text: give a data frame in which the text is categorical")
    return Numbers(_stacked(encoding, columns, len(X)), encoding)


def convert(frame: Any, encoding: Encoding) -> np.ndarray:
    """Convert a frame as that of the training was; its columns are those of the encoding, in their order."""
    columns = [column_of(series, name) for name, series in zip(encoding.names, _series(frame))]
    for at, (name, levels, column) in enumerate(zip(encoding.names, encoding.levels, columns)):
        if levels is not None:
            columns[at] = _as_category(name, column, _series(frame)[at])
        elif column.kind in ("text", "category"):
            raise ValueError(f"column '{name}' was numeric in training and has {column.kind} values now")
    require_dates_of_training(encoding, [column.kind == "date" for column in columns])
    return _stacked(encoding, columns, _rows(frame))


def select(frame: Any, names: Sequence[str]) -> Any:
    """Columns of a frame by name."""
    given = [str(name) for name in column_names(frame)]
    absent = [name for name in names if name not in given]
    if absent:
        raise ValueError(f"X has no column {', '.join(repr(name) for name in absent)}, which the model was trained on")
    return frame.select(list(names)) if library_of(frame, _FRAMES) != "pandas" else frame[list(names)]


def _series(frame: Any) -> list[Any]:
    library = library_of(frame, _FRAMES)
    if library == "pandas":
        return [frame.iloc[:, at] for at in range(frame.shape[1])]
    return list(frame.get_columns()) if library == "polars" else list(frame.columns)


def _rows(frame: Any) -> int:
    return int(frame.shape[0])


def _levels(name: str, column: Column) -> list[str]:
    levels = sorted(set(column.levels or ()) | {text for text in column.values if text is not None})
    if "" in levels:
        raise ValueError(f"column '{name}' has an empty level: name it, or leave its rows out")
    if len(levels) > MOST_LEVELS:
        raise ValueError(f"column '{name}' has more than {MOST_LEVELS} levels: it is not a category; leave the column out")
    return levels


def _as_category(name: str, column: Column, series: Any) -> Column:
    if column.kind in ("text", "category"):
        return column
    plain = series.tolist() if hasattr(series, "tolist") else series.to_pylist()
    return Column("text", _texts(plain))


def _stacked(encoding: Encoding, columns: Sequence[Column], rows: int) -> np.ndarray:
    """Numbers of all columns in Fortran order, which the library reads in place."""
    out = np.empty((rows, len(encoding.features)), order="F")
    at = 0
    for name, levels, column in zip(encoding.names, encoding.levels, columns):
        if levels is None:
            out[:, at] = column.values
            at += 1
            continue
        _require_known(name, levels, column.values)
        for level in levels:
            out[:, at] = column.values == level
            at += 1
    return out


def _require_known(name: str, levels: Sequence[str], texts: np.ndarray) -> None:
    known = set(levels)
    for row, text in enumerate(texts):
        if text is None:
            raise ValueError(f"Input X contains NaN: column '{name}', row {row} (from 0); leave the row out")
        if text not in known:
            raise ValueError(f"column '{name}' holds '{text}', which the model does not know: "
                             f"it knows {', '.join(sorted(known))}")


def _refuse_text(frame: Any, name: str, column: Column) -> None:
    row = next((at for at, text in enumerate(column.values) if text is not None), 0)
    how = {"pandas": f"X.astype({{'{name}': 'category'}})", "polars": f"X.cast({{'{name}': polars.Categorical}})",
           "pyarrow": f"X.column('{name}').dictionary_encode()"}[library_of(frame, _FRAMES) or "pandas"]
    raise ValueError(f"column '{name}' has text ('{column.values[row]}' in row {row}, from 0): make it categorical, "
                     f"for example by {how}, or leave it out")


def one_column(values: Any, what: str) -> Any:
    """Series of any library as an array of numbers; other values are returned as they are."""
    if library_of(values, _SERIES) is None:
        return values
    column = column_of(values, what)
    if column.kind != "number":
        raise ValueError(f"{what} must have numbers, not values of the kind {column.kind}")
    return column.values


def require_dates_of_training(encoding: Encoding, dates: Sequence[bool]) -> None:
    """Raise a ValueError where dates are given for a column that was numeric in training."""
    for name, trained, given in zip(encoding.names, encoding.dates or dates, dates):
        if given and not trained:
            raise ValueError(f"column '{name}' has dates now, but was numeric in training")


def require_years(values: np.ndarray, encoding: Encoding) -> None:
    """Raise a ValueError where a column that was dates in training has numbers that cannot be decimal years."""
    for at in encoding.date_features:
        wrong = np.flatnonzero(~((values[:, at] > 0) & (values[:, at] < 10000)))
        if wrong.size > 0:
            raise ValueError(f"column '{encoding.features[at]}' was dates in training: give dates or decimal years, not "
                             f"{values[wrong[0], at]:.6g} (row {wrong[0]}, from 0)")


def require_finite(values: np.ndarray, names: Sequence[str] | None) -> None:
    """Raise a ValueError that names the first cell that is NaN or infinite."""
    with np.errstate(all="ignore"):  # the sum tells without an array of flags, unless it overflows
        if np.isfinite(values.sum()) or np.isfinite(values).all():
            return
    row, at = (int(index) for index in np.argwhere(~np.isfinite(values))[0])
    column = f"'{names[at]}'" if names else f"{at}"
    what = "NaN" if np.isnan(values[row, at]) else "infinity"
    raise ValueError(f"Input X contains {what}: column {column}, row {row} (from 0); leave the row out")
