"""Data frames of pandas, polars and pyarrow as numbers: categories become indicators, dates become decimal years."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import _dates
from ._columns import Column, column_of, from_array, is_date, is_duration, library_of, texts_of
from ._encoding import Encoding, require_kinds_of_training

MOST_LEVELS = 200  # A column with more levels identifies rows, as in the command.
_FRAMES = {"pandas": ("DataFrame",), "polars": ("DataFrame",), "pyarrow": ("Table", "RecordBatch")}


def is_frame(value: Any) -> bool:
    """Whether the value is a table with columns of their own types."""
    return library_of(value, _FRAMES) is not None


def is_lazy(value: Any) -> bool:
    """Whether the value is a query of polars that has not been collected."""
    return library_of(value, {"polars": ("LazyFrame",)}) is not None


def column_names(frame: Any) -> list[Any]:
    """Names of the columns of a frame."""
    return list(frame.column_names if library_of(frame, _FRAMES) == "pyarrow" else frame.columns)


@dataclass
class Numbers:
    """Frame as numbers."""

    values: np.ndarray
    encoding: Encoding

    @property
    def kinds(self) -> list[str]:
        """Kinds of the columns of numbers."""
        dates, durations = self.encoding.dates or [], self.encoding.durations or []
        return ["date" if date else "duration" if duration else "number" for date, duration in zip(dates, durations)]


def learn(frame: Any) -> Numbers:
    """Convert the frame of a training; its columns of text are ISO dates or refused, the categories of its rows define the
    levels."""
    names = [str(name) for name in column_names(frame)]
    columns = [column_of(series, name) for name, series in zip(names, columns_of(frame))]
    columns = [_as_dates(name, column) if column.kind == "text" else column for name, column in zip(names, columns)]
    encoding = Encoding(names, [], *_moments(columns))
    for name, column in zip(names, columns):
        if column.kind == "text":
            _refuse_text(frame, name, column)
        encoding.levels.append(_levels(name, column) if column.kind == "category" else None)
    if encoding.categorical and len(set(encoding.features)) < len(encoding.features):
        raise ValueError("two columns or levels have the same name: rename one")
    return Numbers(_stacked(encoding, columns, _rows(frame)), encoding)


def learn_dates(X: Any) -> Numbers | None:
    """Convert an array or a list of rows that has dates or durations; None if it has none."""
    if isinstance(X, (list, tuple)) and len(X) > 0 and isinstance(X[0], (list, tuple)) and any(map(_is_moment, X[0])):
        X = np.array(X, dtype=object)
    if not isinstance(X, np.ndarray) or X.ndim != 2 or X.dtype.kind not in "mMO" or len(X) == 0:
        return None
    if X.dtype.kind == "O" and not any(map(_is_moment, X[0])):
        return None
    names = [f"x{at}" for at in range(X.shape[1])]
    columns = [from_array(X[:, at], name) for at, name in enumerate(names)]
    encoding = Encoding(names, [None] * len(names), *_moments(columns))
    if any(column.kind == "text" for column in columns):
        raise ValueError("X has dates and text: give a data frame in which the text is categorical")
    return Numbers(_stacked(encoding, columns, len(X)), encoding)


def convert(frame: Any, encoding: Encoding, average: bool = False) -> np.ndarray:
    """Convert a frame as that of the training was; its columns are those of the encoding, in their order. With average,
    a row of an unknown level has none."""
    columns = [column_of(series, name) for name, series in zip(encoding.names, columns_of(frame))]
    for at, (name, levels, column) in enumerate(zip(encoding.names, encoding.levels, columns)):
        if levels is not None:
            columns[at] = _as_category(name, column, columns_of(frame)[at])
        elif column.kind in ("text", "category"):
            columns[at] = _as_dates(name, column)
            if columns[at] is column:
                raise ValueError(f"column '{name}' was {encoding.kind(at)} in training and has {column.kind} values now"
                                 + _first_text(column))
    require_kinds_of_training(encoding, [column.kind for column in columns])
    return _stacked(encoding, columns, _rows(frame), average)


def select(frame: Any, names: Sequence[str]) -> Any:
    """Columns of a frame by name."""
    given = [str(name) for name in column_names(frame)]
    absent = [name for name in names if name not in given]
    if absent:
        raise ValueError(f"X has no column {', '.join(repr(name) for name in absent)}, which the model was trained on")
    return frame.select(list(names)) if library_of(frame, _FRAMES) != "pandas" else frame[list(names)]


def columns_of(frame: Any) -> list[Any]:
    """Columns of a frame as series of its library."""
    library = library_of(frame, _FRAMES)
    if library == "pandas":
        return [frame.iloc[:, at] for at in range(frame.shape[1])]
    return list(frame.get_columns()) if library == "polars" else list(frame.columns)


def _moments(columns: Sequence[Column]) -> tuple[list[bool], list[bool]]:
    """Whether the columns are dates, and whether they are durations."""
    return [column.kind == "date" for column in columns], [column.kind == "duration" for column in columns]


def _is_moment(value: Any) -> bool:
    return is_date(value) or is_duration(value)


def _as_dates(name: str, column: Column) -> Column:
    """Column of texts as dates if the first text is an ISO date; otherwise the column itself."""
    years = _dates.years_of_texts(column.values, f"column '{name}'")
    return column if years is None else Column("date", years)


def _rows(frame: Any) -> int:
    return int(frame.shape[0])


def _levels(name: str, column: Column) -> list[str]:
    levels = sorted({text for text in column.values if text is not None})  # a level of no row is unknown to the model
    if "" in levels:
        raise ValueError(f"column '{name}' has an empty level: name it, or leave its rows out")
    if len(levels) > MOST_LEVELS:
        raise ValueError(f"column '{name}' has more than {MOST_LEVELS} levels: it is not a category; leave the column out")
    return levels


def _as_category(name: str, column: Column, series: Any) -> Column:
    if column.kind in ("text", "category"):
        return column
    plain = series.tolist() if hasattr(series, "tolist") else series.to_pylist()
    return Column("text", texts_of(plain))


def _stacked(encoding: Encoding, columns: Sequence[Column], rows: int, average: bool = False) -> np.ndarray:
    """Numbers of all columns in Fortran order, which the library reads in place."""
    out = np.empty((rows, len(encoding.features)), order="F")
    at = 0
    for name, levels, column in zip(encoding.names, encoding.levels, columns):
        if levels is None:
            out[:, at] = column.values
            at += 1
            continue
        _require_known(name, levels, column.values, average)
        for level in levels:
            out[:, at] = column.values == level
            at += 1
    return out


def _require_known(name: str, levels: Sequence[str], texts: np.ndarray, average: bool) -> None:
    known = set(levels)
    for row, text in enumerate(texts):
        if text is None:
            raise ValueError(f"Input X contains NaN: column '{name}', row {row} (from 0); leave the row out")
        if text not in known and not average:
            raise ValueError(f"column '{name}' holds '{text}', which the model does not know: "
                             f"it knows {', '.join(sorted(known))}; predict(X, unseen='average') averages over these")


def _refuse_text(frame: Any, name: str, column: Column) -> None:
    how = {"pandas": f"X.astype({{'{name}': 'category'}})", "polars": f"X.cast({{'{name}': polars.Categorical}})",
           "pyarrow": f"X.column('{name}').dictionary_encode()"}[library_of(frame, _FRAMES) or "pandas"]
    raise ValueError(f"column '{name}' has text{_first_text(column)}: make it categorical, for example by {how}, or leave "
                     "it out")


def _first_text(column: Column) -> str:
    row = next((at for at, text in enumerate(column.values) if text is not None), 0)
    return f" ('{column.values[row]}' in row {row}, from 0)"
