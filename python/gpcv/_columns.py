"""Single columns of pandas, polars and pyarrow, and arrays of one dimension, as numbers, dates, categories or texts.

None of the three libraries is imported here: an object is recognised by the module of its type.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ._dates import decimal_years

_SERIES = {"pandas": ("Series", "Index", "DatetimeIndex"), "polars": ("Series",), "pyarrow": ("Array", "ChunkedArray")}


def library_of(value: Any, names: dict[str, tuple[str, ...]]) -> str | None:
    """Library whose type, or a subclass of it, the value has; None if there is none."""
    for base in type(value).__mro__:
        library = base.__module__.partition(".")[0]
        if base.__name__ in names.get(library, ()):
            return library
    return None


@dataclass
class Column:
    """Column of one kind: "number", "date" (decimal years), "duration" (days), "category" or "text". Missing numbers are
    NaN, missing texts None."""

    kind: str
    values: np.ndarray


def is_series(value: Any) -> bool:
    """Whether the value is a column of one of the libraries."""
    return library_of(value, _SERIES) is not None


def column_of(series: Any, name: str = "") -> Column:
    """Read a series of pandas, polars or pyarrow, or an array of one dimension."""
    library = library_of(series, _SERIES)
    if library == "pandas":
        return _from_pandas(series, name)
    if library == "polars":
        return _from_polars(series, name)
    if library == "pyarrow":
        return _from_arrow(series, name)
    return from_array(np.asarray(series), name)


def _from_pandas(series: Any, name: str) -> Column:
    kind = type(series.dtype).__name__
    if kind == "CategoricalDtype":
        levels = [_text(level) for level in series.dtype.categories]
        return Column("category", _objects([*levels, None])[_codes(series)])  # code -1 is a missing value
    if kind == "ArrowDtype":
        return _from_arrow(series.array.__arrow_array__(), name)
    if kind == "DatetimeTZDtype":
        moments = series.array if hasattr(series, "array") else series
        return from_array(np.asarray(moments.tz_convert("UTC").tz_localize(None)), name)
    if kind == "PeriodDtype":
        return from_array(np.asarray(series.array.to_timestamp()), name)
    if kind.endswith("Dtype") and getattr(series.dtype, "kind", "O") in "iufb":
        return Column("number", series.to_numpy(dtype=np.float64, na_value=np.nan))
    return from_array(series.to_numpy(), name)


def _codes(series: Any) -> np.ndarray:
    return np.asarray(series.cat.codes if hasattr(series, "cat") else series.codes)


def _from_polars(series: Any, name: str) -> Column:
    kind = series.dtype.base_type().__name__
    if kind in ("Categorical", "Enum"):
        return Column("category", texts_of(series.to_list()))
    if kind in ("Date", "Datetime", "Duration"):
        return from_array(series.to_numpy(), name)  # moments with a time zone are converted to UTC
    if kind in ("Boolean", "Null") or series.dtype.is_numeric():
        import polars

        return Column("number", np.asarray(series.cast(polars.Float64).to_numpy(), dtype=np.float64))
    return from_array(_objects(series.to_list()), name)


def _from_arrow(array: Any, name: str) -> Column:
    import pyarrow

    kinds = pyarrow.types
    if kinds.is_dictionary(array.type):
        return Column("category", texts_of(array.to_pylist()))
    if kinds.is_timestamp(array.type) or kinds.is_date(array.type) or kinds.is_duration(array.type):
        return from_array(_arrow_values(array), name)  # moments with a time zone are stored in UTC
    if kinds.is_boolean(array.type):
        array = array.cast(pyarrow.int8())
    number = (kinds.is_integer, kinds.is_floating, kinds.is_decimal, kinds.is_null)
    if any(is_kind(array.type) for is_kind in number):
        return Column("number", _arrow_values(array.cast(pyarrow.float64(), safe=False)))
    return from_array(_objects(array.to_pylist()), name)


def _arrow_values(array: Any) -> np.ndarray:
    chunked = hasattr(array, "chunks")
    return np.asarray(array.to_numpy() if chunked else array.to_numpy(zero_copy_only=False))


def from_array(values: np.ndarray, name: str) -> Column:
    """Read an array of one dimension."""
    if values.dtype.kind == "M":
        return Column("date", decimal_years(values))
    if values.dtype.kind == "m":
        return Column("duration", _days(values, name))
    if values.dtype.kind in "UST":
        return Column("text", texts_of(values.tolist()))
    if values.dtype.kind == "O":
        return _from_objects(values, name)
    if values.dtype.kind == "c":
        raise ValueError(f"{_column(name)}: Complex data not supported")
    return Column("number", np.asarray(values, dtype=np.float64))


def _from_objects(values: np.ndarray, name: str) -> Column:
    missing = missing_rows(values)
    present = [value for value, absent in zip(values, missing) if not absent]
    if present and all(map(is_date, present)):
        moments = np.full(len(values), np.datetime64("NaT", "us"))
        moments[~missing] = [_utc(value) for value in present]
        return Column("date", decimal_years(moments))
    if any(isinstance(value, (str, bytes)) for value in present):
        return Column("text", texts_of(values))
    if present and all(map(is_duration, present)):
        durations = np.full(len(values), np.timedelta64("NaT", "us"))
        durations[~missing] = [np.timedelta64(value, "us") for value in present]
        return Column("duration", _days(durations, name))
    numbers = np.full(len(values), np.nan)
    for row in np.flatnonzero(~missing):
        try:
            numbers[row] = float(values[row])
        except (TypeError, ValueError):
            raise ValueError(f"{_column(name)} has a value of the type {type(values[row]).__name__} in row {row} (from 0), "
                             "which is not a number") from None
    return Column("number", numbers)


def is_date(value: Any) -> bool:
    """Whether the value is a date or a moment of any library."""
    return hasattr(value, "year") and hasattr(value, "month") or isinstance(value, np.datetime64)


def is_duration(value: Any) -> bool:
    """Whether the value is a duration of any library."""
    return hasattr(value, "total_seconds") or isinstance(value, np.timedelta64)


def _days(durations: np.ndarray, name: str) -> np.ndarray:
    if np.datetime_data(durations.dtype)[0] in ("Y", "M", "generic"):
        raise ValueError(f"{_column(name)} has durations in {durations.dtype}, which are no number of days: convert them")
    return durations / np.timedelta64(1, "D")


def _utc(moment: Any) -> np.datetime64:
    if isinstance(moment, np.datetime64):
        return moment.astype("datetime64[us]")
    offset = moment.utcoffset() if hasattr(moment, "utcoffset") else None
    return np.datetime64(moment if offset is None else moment.replace(tzinfo=None) - offset, "us")


def _text(value: Any) -> str:
    """Text of a level. The command removes spaces around a cell, so that they would not be found again."""
    return (value.decode() if isinstance(value, bytes) else str(value)).strip()


def texts_of(values: Iterable[Any]) -> np.ndarray:
    """Levels as texts; a missing value is None."""
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


def one_column(values: Any, what: str) -> Any:
    """Series of any library as an array of numbers; other values are returned as they are."""
    if not is_series(values):
        return values
    column = column_of(values, what)
    if column.kind != "number":
        raise ValueError(f"{what} must have numbers, not values of the kind {column.kind}")
    return column.values
