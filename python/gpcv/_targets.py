"""Several targets: how they are given, and what their models say side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from . import _columns, _dates, _far, _frames

# Attributes of a fitted estimator, of which there is one per target.
_ATTRIBUTES = ("model_", "kernel_", "noise_", "noise_std_", "degrees_", "noise_model_", "status_", "message_", "n_iter_",
               "standard_errors_", "kernels_", "importance_", "transform_", "transforms_", "row_weights_", "cv_results_",
               "findings_", "_seconds", "_work")


def names_of(y: Any) -> list[str] | None:
    """Names that the targets have: those of a frame's columns, or that of a series; None if they have none."""
    if _frames.is_frame(y):
        names = [str(name) for name in _frames.column_names(y)]
        twice = next((name for at, name in enumerate(names) if name in names[:at]), None)
        if twice is not None:
            raise ValueError(f"two columns of y have the name '{twice}': rename one")
        return names
    name = getattr(y, "name", None)
    return [str(name)] if name else None


def numbers_of(y: Any) -> Any:
    """Targets as numbers: a frame with several columns as (n, t), one column as (n,). Dates are decimal years, as the
    command reads them; other values that are neither frame nor series are returned as they are."""
    if not _frames.is_frame(y):
        return _moments(y) if _are_moments(y) else _numbers(y, "y") if _columns.is_series(y) else y
    columns = [_numbers(series, f"column '{name}' of y")
               for name, series in zip(_frames.column_names(y), _frames.columns_of(y))]
    if not columns:
        raise ValueError("y has no column")
    return columns[0] if len(columns) == 1 else np.column_stack(columns)


def _numbers(values: Any, what: str) -> np.ndarray:
    """One column as numbers."""
    column = _columns.column_of(values, what)
    years = _dates.years_of_texts(column.values, what) if column.kind == "text" else None
    if years is not None:
        return years
    if column.kind == "duration":
        raise ValueError(f"{what} has durations: divide them by a unit, for example numpy.timedelta64(1, 'D')")
    if column.kind not in ("number", "date"):
        raise ValueError(f"{what} must have numbers, not values of the kind {column.kind}")
    return column.values


def _are_moments(y: Any) -> bool:
    """Whether an array or a list holds dates or durations."""
    if isinstance(y, np.ndarray):
        return y.dtype.kind in "mM"
    first = y[0] if isinstance(y, (list, tuple)) and len(y) > 0 else None
    return _columns.is_date(first) or _columns.is_duration(first)


def _moments(y: Any) -> np.ndarray:
    values = np.asarray(y) if isinstance(y, np.ndarray) else np.array(y, dtype=object)
    return _numbers(values.ravel(), "y").reshape(values.shape)


def are_several(y: Any) -> bool:
    """Whether an array or a list has several targets in each row."""
    shape = getattr(y, "shape", None)
    if shape is None and isinstance(y, (list, tuple)) and len(y) > 0 and isinstance(y[0], (list, tuple, np.ndarray)):
        shape = (len(y), len(y[0]))
    return shape is not None and len(shape) == 2 and shape[1] > 1


def require_missing(missing: Any) -> None:
    """Raise a ValueError unless this is a treatment of missing targets."""
    if missing not in ("error", "drop"):
        raise ValueError(f"missing cannot be {missing!r}: expected 'error' or 'drop'")


def filled(y: Any) -> tuple[Any, np.ndarray | None]:
    """Targets with a number in place of those that are missing, and a mask of these; None if none is."""
    values = np.asarray(y)
    if values.ndim not in (1, 2) or values.dtype.kind not in "fO":
        return y, None
    absent = _columns.missing_rows(values)
    if not absent.any():
        return y, None
    numbers = np.where(absent, 0.0, values)
    return numbers.astype(np.float64) if values.dtype.kind == "O" else numbers, absent


# ---------------------------------------------------------------- a fitted estimator


def in_order(estimator: Any, names: Sequence[str]) -> Sequence[Any]:
    """Estimators of the targets, those of the names where the estimator knows all of them."""
    known = estimator.__dict__.get("target_names_")
    if known is None or not set(names) <= set(known):
        return each(estimator)
    return [estimator.estimators_[known.index(name)] for name in names]


def adopt(estimator: Any, estimators: Sequence[Any], names: Sequence[str]) -> None:
    """Set the attributes of an estimator to lists of those of its targets."""
    estimator.estimators_ = list(estimators)
    estimator.target_names_ = list(names)
    for name in _ATTRIBUTES:
        values = [one.__dict__[name] for one in estimators if name in one.__dict__]
        if len(values) == len(estimators):
            setattr(estimator, name, values)
    estimator._encoding = estimators[0]._encoding
    estimator._range = _far.common_range([one._range for one in estimators])
    estimator.__dict__.pop("_conditioned", None)


def forget(estimator: Any) -> None:
    """Remove what an earlier fit to several targets has set."""
    for name in ("estimators_", "target_names_"):
        estimator.__dict__.pop(name, None)


def each(estimator: Any) -> list[Any]:
    """One estimator per target."""
    return list(estimator.__dict__.get("estimators_", [estimator]))


def warnings_of(estimator: Any) -> Iterator[tuple[Any, str]]:
    """Warnings of all targets; what all of them say is said once, the rest with the name of the target."""
    ones = each(estimator)
    if len(ones) == 1:
        yield from ones[0]._warnings()
        return
    said = [list(one._warnings()) for one in ones]
    common = [warning for warning in said[0] if all(warning in other for other in said)]
    yield from common
    for name, warnings in zip(estimator.target_names_, said):
        yield from ((kind, f"target '{name}': {text}") for kind, text in warnings if (kind, text) not in common)


def require_order(estimator: Any, y: Any) -> None:
    """Raise a ValueError where a frame has other targets than the estimator, or in another order."""
    expected = estimator.__dict__.get("target_names_")
    if expected is None or not _frames.is_frame(y):
        return
    names = names_of(y)
    if names != expected:
        raise ValueError(f"y has the columns {', '.join(names or [])}, but the model has the targets {', '.join(expected)}")


def side_by_side(parts: Sequence[Any]) -> Any:
    """Predictions of the targets as (m, t), or (m, t, q) where each has q numbers per row; of tuples member by member."""
    if isinstance(parts[0], tuple):
        return tuple(side_by_side(members) for members in zip(*parts))
    return np.stack(parts, axis=1)
