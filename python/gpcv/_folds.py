"""Folds of cross-validation, in all forms that the estimator accepts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from numbers import Integral, Real
from typing import Any

import numpy as np

from . import _columns, _dates

DEFAULT = 5


@dataclass
class Folds:
    """Folds as the core expects them."""

    kind: str
    how: dict[str, Any] = field(default_factory=dict)
    labels: np.ndarray | None = None
    time: np.ndarray | None = None


def resolve(folds: Any, X: np.ndarray, y: np.ndarray, groups: Any, times: Any) -> Folds:
    """Resolve the parameter ``folds`` of the estimator with the arguments of ``fit``."""
    rows = len(X)
    if groups is not None:
        groups = _labels(groups, rows, "groups")
    if times is not None:
        times = _order(times, rows)
    if isinstance(folds, str):
        return _from_text(folds, X, groups, times)
    if isinstance(folds, Integral) and not isinstance(folds, bool):
        count = min(int(folds), rows) if folds == DEFAULT else int(folds)
        if groups is not None:
            return Folds("groups", {"count": count, "column": "groups"}, _numbered(groups, rows, "groups"))
        if count < 2:
            raise ValueError(f"folds '{folds}': expected a number of at least 2, for example 5 or 5:interleaved")
        return Folds("random", {"count": count})
    if folds is None:
        return Folds("default")
    if isinstance(folds, Real) and not isinstance(folds, bool):
        fraction = float(folds)
        if not 0 < fraction < 1:
            raise ValueError(f"expected a number between 0 and 1, not '{folds}'")
        return Folds("holdout", {"fraction": fraction})
    if hasattr(folds, "split"):
        pairs = list(folds.split(X, y, groups))
        return _given(pairs, f"{len(pairs)} folds of {type(folds).__name__}")
    if _is_pairs(folds):
        pairs = list(folds)
        return _given(pairs, f"{len(pairs)} folds given by the caller")
    if isinstance(folds, Iterable):
        labels = _numbered(folds, rows, "folds", train_only=-1)
        return Folds("labels", {"column": "folds"}, labels)
    raise ValueError(f"folds cannot be {folds!r}: expected a number, a fraction, text, a splitter, one label per row "
                     "or pairs of training and validation rows")


def _from_text(text: str, X: np.ndarray, groups: Any, times: Any) -> Folds:
    rows = len(X)
    word, *numbers = text.split(":")
    try:
        if word.isdigit() and numbers in ([], ["interleaved"]):
            return Folds("interleaved" if numbers else "random", {"count": int(word)})
        if word in ("blocks", "regions", "groups") and len(numbers) < 2:
            count = int(numbers[0]) if numbers else DEFAULT
            if word == "groups":
                if groups is None:
                    raise ValueError("folds='groups' requires fit(X, y, groups=…)")
                return Folds("groups", {"count": count, "column": "groups"}, _numbered(groups, rows, "groups"))
            time = times if word == "blocks" else None
            return Folds(word, {"count": count, "column": "" if time is None else "times"}, time=time)
        if word == "time" and len(numbers) < 3:
            how: dict[str, Any] = {"column": "times", "blocks": int(numbers[0]) if numbers else DEFAULT}
            if len(numbers) == 2:
                how["width"] = float(numbers[1])
            if times is None and X.shape[1] == 1:
                times = X[:, 0]
            if times is None:
                raise ValueError("folds='time' requires fit(X, y, times=…) when there is more than one feature")
            return Folds("time", how, time=_order(times, rows))
    except ValueError as error:
        if "invalid literal" not in str(error) and "could not convert" not in str(error):
            raise
    raise ValueError(f"folds '{text}': expected 5, 5:interleaved, blocks:5, regions:5, groups:5, time:5 or "
                     "time:5:WIDTH")


def _numbered(labels: Any, rows: int, what: str, train_only: Any = None) -> np.ndarray:
    """Number the labels 0, 1, … in order of appearance; rows that only train get -1."""
    values = _labels(labels, rows, what)
    _, first, inverse = np.unique(values, return_index=True, return_inverse=True)
    trains = values == train_only if train_only is not None and values.dtype.kind in "iuf" else np.zeros(rows, bool)
    order = np.full(len(first), -1, np.int64)
    kept = [i for i in np.argsort(first) if not trains[first[i]]]
    order[kept] = np.arange(len(kept))
    return np.ascontiguousarray(order[inverse.reshape(-1)])


def _labels(labels: Any, rows: int, what: str) -> np.ndarray:
    """Labels as an array with one value per row, none of them missing."""
    values = np.asarray(labels)
    if values.shape != (rows,):
        raise ValueError(f"{what} must have one value per row: {rows} rows, shape {values.shape}")
    missing = np.flatnonzero(_columns.missing_rows(values))
    if missing.size > 0:
        raise ValueError(f"{what} has no value in row {missing[0]} (from 0): give it one, or leave the row out")
    if values.dtype.kind != "O":
        return values
    # Text and numbers in one array cannot be sorted; their texts can.
    return values.astype(float if all(isinstance(value, Real) for value in values) else str)


def _order(times: Any, rows: int) -> np.ndarray:
    """Times as numbers; datetimes and ISO dates become decimal years, durations days, as in the command."""
    column = _columns.column_of(times, "times")
    values: np.ndarray | None = column.values
    if column.kind in ("category", "text"):
        values = _dates.years_of_texts(column.values, "times")
    if values is None:
        raise ValueError("times must be numbers or datetimes, not text")
    if values.shape != (rows,):
        raise ValueError(f"times must have one finite value per row: {rows} rows, shape {values.shape}")
    wrong = np.flatnonzero(~np.isfinite(values))
    if wrong.size > 0:
        raise ValueError(f"times must have one finite value per row, but row {wrong[0]} (from 0) has none: give it one, "
                         "or leave the row out")
    return np.ascontiguousarray(values)


def of_rows(folds: Any, kept: np.ndarray) -> Any:
    """Folds of some of the rows, where they are given row by row; a mask tells which rows are kept."""
    if isinstance(folds, (str, Real)) or folds is None or hasattr(folds, "split"):
        return folds
    if _is_pairs(folds):
        number = np.cumsum(kept) - 1
        return [tuple(number[part[kept[part]]] for part in map(_row_numbers, pair)) for pair in folds]
    return np.asarray(folds)[kept] if isinstance(folds, Iterable) else folds


def _is_pairs(folds: Any) -> bool:
    if isinstance(folds, (np.ndarray, str)) or not isinstance(folds, Iterable):
        return False
    if not isinstance(folds, (list, tuple)):
        return hasattr(folds, "__next__")
    return len(folds) > 0 and all(
        isinstance(f, (list, tuple)) and len(f) == 2 and all(np.ndim(part) == 1 for part in f) for f in folds)


def _given(pairs: list[Any], description: str) -> Folds:
    return Folds("given", {"pairs": [(_row_numbers(a), _row_numbers(b)) for a, b in pairs], "description": description})


def _row_numbers(part: Any) -> np.ndarray:
    part = np.asarray(part)
    part = np.flatnonzero(part) if part.dtype.kind == "b" else part
    return np.ascontiguousarray(part, dtype=np.int64)
