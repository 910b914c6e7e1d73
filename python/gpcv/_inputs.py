"""Features as the numbers that a model sees, checked by scikit-learn's conventions."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from . import _encoding, _frames, _targets
from ._checks import check_array, validate_data
from ._encoding import Encoding


def training_rows(estimator: Any, X: Any, y: Any, missing: str = "error") -> tuple[np.ndarray, np.ndarray, Encoding]:
    """Features and targets, (n, d) and (n, t), as numbers, and what the columns of X were; sets the attributes that
    describe X. Targets that are missing, where that is permitted, are NaN."""
    _refuse_lazy(X)
    _refuse_lazy(y)
    y = _targets.numbers_of(y)
    _targets.require_missing(missing)
    absent = None
    if missing == "drop":
        y, absent = _targets.filled(y)
    numbers = _frames.learn(X) if _frames.is_frame(X) else _frames.learn_dates(X)
    x, values = validate_data(estimator, X if numbers is None else numbers.values, y, dtype=np.float64, y_numeric=True,
                              multi_output=_targets.are_several(y), ensure_min_samples=3, ensure_all_finite=False)
    if numbers is None:
        encoding = Encoding([f"x{i}" for i in range(x.shape[1])], [None] * x.shape[1], [False] * x.shape[1],
                            [False] * x.shape[1])
    else:
        encoding = numbers.encoding
        estimator.n_features_in_ = len(encoding.names)
        if _frames.is_frame(X) and _are_names(X):
            estimator.feature_names_in_ = np.asarray(encoding.names, dtype=object)
        else:
            encoding.names = [f"x{i}" for i in range(len(encoding.names))]
    _encoding.require_finite(x, encoding.features)
    targets = np.array(values, dtype=np.float64).reshape(len(x), -1)
    if absent is not None:
        targets[absent.reshape(targets.shape)] = np.nan
    return x, targets, encoding


def new_rows(estimator: Any, encoding: Encoding, X: Any, average: bool = False) -> np.ndarray:
    """Features of rows to predict as numbers; with average, a level that the model does not know is no level."""
    _refuse_lazy(X)
    x = _of_frame(estimator, encoding, X, average) if _frames.is_frame(X) else _of_array(estimator, encoding, X)
    _encoding.require_finite(x, encoding.features)
    _encoding.require_years(x, encoding)
    return x


def _of_array(estimator: Any, encoding: Encoding, X: Any) -> np.ndarray:
    dated = _frames.learn_dates(X)
    if dated is not None:
        X = dated.values
        _encoding.require_kinds_of_training(encoding, dated.kinds)
    if not encoding.categorical:
        return validate_data(estimator, X, dtype=np.float64, reset=False, ensure_all_finite=False)
    x = check_array(X, dtype=np.float64, ensure_all_finite=False, estimator=estimator)
    if x.shape[1] != len(encoding.features):
        raise ValueError(f"the model has categorical columns: give a data frame with the columns "
                         f"{', '.join(encoding.names)}, or the {len(encoding.features)} features of model_")
    return x


def _of_frame(estimator: Any, encoding: Encoding, X: Any, average: bool) -> np.ndarray:
    names = _frames.column_names(X)
    if not _are_names(X):
        _require_width(estimator, encoding, X)
        x = _frames.convert(X, encoding, average)
        return x if encoding.categorical else _of_array(estimator, encoding, x)
    if encoding.categorical and names == encoding.features:
        encoding = Encoding(encoding.features, [None] * len(encoding.features))
    elif encoding.categorical:
        X = _frames.select(X, encoding.names)
    elif hasattr(estimator, "feature_names_in_"):
        _require_same_names(list(estimator.feature_names_in_), names)
    else:
        warnings.warn(f"X has feature names, but {type(estimator).__name__} was fitted without feature names", stacklevel=5)
        _require_width(estimator, encoding, X)
    return check_array(_frames.convert(X, encoding, average), dtype=np.float64, ensure_all_finite=False, estimator=estimator)


def _require_width(estimator: Any, encoding: Encoding, frame: Any) -> None:
    width = len(_frames.column_names(frame))
    if width != len(encoding.names):
        raise ValueError(f"X has {width} features, but {type(estimator).__name__} is expecting {len(encoding.names)} "
                         "features as input.")


def _are_names(frame: Any) -> bool:
    """Whether the columns of a frame have names; numbers, as pandas gives by default, are none."""
    texts = [isinstance(name, str) for name in _frames.column_names(frame)]
    if any(texts) and not all(texts):
        raise TypeError("Feature names are only supported if all input features have string names, but your input has "
                        "names of several types")
    return all(texts) and len(texts) > 0


def _require_same_names(expected: list[str], given: list[Any]) -> None:
    """Raise a ValueError, in the words of scikit-learn, unless the columns are those of the training."""
    if given == expected:
        return
    absent, strange = sorted(set(expected) - set(given)), sorted(set(given) - set(expected))
    text = "The feature names should match those that were passed during fit.\n"
    for title, names in (("Feature names unseen at fit time", strange),
                         ("Feature names seen at fit time, yet now missing", absent)):
        if names:
            text += title + ":\n" + "".join(f"- {name}\n" for name in names[:5]) + ("- ...\n" if len(names) > 5 else "")
    if not absent and not strange:
        text += "Feature names must be in the same order as they were in fit.\n"
    raise ValueError(text)


def _refuse_lazy(X: Any) -> None:
    if _frames.is_lazy(X):
        raise ValueError("X is a polars LazyFrame, which has no values yet: give X.collect()")
