"""Plots of a fitted model with matplotlib. Each function draws into `ax` (new axes if it is None) and returns it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted

from . import _core
from ._regressor import GPRegressor

__all__ = ["calibration", "convergence", "effect", "fit", "held_out"]

_LINE, _BAND, _POINTS, _REFERENCE = "#1f5fa8", "#1f5fa833", "#444444", "#999999"


def _axes(ax: Any) -> Any:
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError("gpcv.plot needs matplotlib: pip install matplotlib") from error
    return plt.subplots(figsize=(7, 4.2), layout="constrained")[1] if ax is None else ax


def _require_one_target(model: GPRegressor) -> None:
    check_is_fitted(model)
    if hasattr(model, "estimators_"):
        raise ValueError(f"the model has {len(model.estimators_)} targets: give one of its estimators_")


def _column(model: GPRegressor, feature: int | str) -> int:
    """Position of a column of X, which a category has in common for all its indicators."""
    names = model._encoding.names
    if not isinstance(feature, str):
        if not -len(names) <= feature < len(names):
            raise ValueError(f"the model has no feature {feature}: it has {len(names)} features")
        return int(feature) % len(names)
    if feature in names:
        return names.index(feature)
    near = _core.similar_name(names, feature)
    raise ValueError(f"the model has no feature '{feature}': "
                     + (f"did you mean '{near}'?" if near else f"its features are {', '.join(names)}"))


def _middle(model: GPRegressor) -> np.ndarray:
    """Median of each number and most frequent level of each category."""
    inputs, encoding = model.model_.inputs, model._encoding
    middle = np.median(inputs, axis=0)
    for at, levels in enumerate(encoding.levels):
        if levels is not None:
            own = np.flatnonzero(np.asarray(encoding.positions) == at)
            middle[own] = 0
            middle[own[np.argmax(inputs[:, own].sum(axis=0))]] = 1
    return np.asarray(middle)


def _percent(probability: float) -> str:
    return f"{100 * probability:g} %"


def fit(model: GPRegressor, *, x: ArrayLike | None = None, interval: float = 0.95, points: bool = True,
        ax: Any = None) -> Any:
    """Plot the prediction with its band over the training rows, for a model of one feature.

    Parameters
    ----------
    model : GPRegressor
    x : array-like, optional
        Points of the prediction; by default the range of the training rows and a tenth beyond.
    interval : float
        Probability of the band, with noise.
    points : bool
        Whether to show the training rows.
    ax : matplotlib Axes, optional
    """
    _require_one_target(model)
    features = len(model._encoding.names)
    if features != 1:
        raise ValueError(f"the model has {features} features: use gpcv.plot.effect(model, feature)")
    return effect(model, 0, x=x, interval=interval, points=points, margin=0.1, latent=False, ax=ax)


def effect(model: GPRegressor, feature: int | str = 0, *, x: ArrayLike | None = None, interval: float = 0.95,
           points: bool = False, margin: float = 0.0, latent: bool = True, ax: Any = None) -> Any:
    """Plot the prediction along one feature, with the others at their medians and at their most frequent levels.

    Parameters
    ----------
    feature : int or str
        Position or name of the feature. A category is drawn level by level.
    x : array-like, optional
        Points of the prediction, or levels of a category; by default the range of the training rows, or all levels.
    latent : bool
        Whether the band is that of the function; otherwise it is that of new observations.
    margin : float
        Distance beyond the training rows, relative to their range.
    """
    _require_one_target(model)
    at = _column(model, feature)
    own = np.flatnonzero(np.asarray(model._encoding.positions) == at)
    levels = model._encoding.levels[at]
    inputs = model.model_.inputs[:, own]
    along = _along_numbers(inputs[:, 0], x, margin) if levels is None else _along_levels(inputs, levels, x)
    grid = np.tile(_middle(model), (len(along.places), 1))
    grid[:, own] = along.values
    mean, lower, upper = model.predict(_like_training(model, grid), interval=interval, latent=latent)
    ax = _axes(ax)
    if points:
        targets = model.model_.targets
        ax.plot(along.rows, targets, ".", color=_POINTS, markersize=4, alpha=min(1.0, 20 / len(targets) ** 0.5),
                label=f"{len(targets)} training rows")
    band = f"{_percent(interval)} interval"
    if along.levels is None:
        ax.fill_between(along.places, lower, upper, color=_BAND, linewidth=0, label=band)
        ax.plot(along.places, mean, color=_LINE, linewidth=1.8, label="mean")
    else:
        ax.vlines(along.places, lower, upper, color=_BAND, linewidth=8, label=band)
        ax.plot(along.places, mean, "o", color=_LINE, label="mean")
        ax.set_xticks(along.places, along.levels)
        ax.set_xlim(-0.5, len(along.places) - 0.5)
    ax.set_xlabel(model._encoding.names[at])
    ax.set_ylabel(model.model_.target)
    ax.legend(frameon=False)
    return ax


@dataclass
class _Along:
    """Points along a feature, and where the training rows are."""

    places: np.ndarray
    values: np.ndarray  # of the model's features that belong to it, one row per place
    rows: np.ndarray
    levels: list[str] | None = None


def _along_numbers(inputs: np.ndarray, x: ArrayLike | None, margin: float) -> _Along:
    low, high = inputs.min(), inputs.max()
    places = np.linspace(low - margin * (high - low), high + margin * (high - low), 400)
    if x is not None:
        places = np.asarray(x, dtype=np.float64).reshape(-1)
    return _Along(places, places[:, None], inputs)


def _along_levels(inputs: np.ndarray, levels: list[str], x: ArrayLike | None) -> _Along:
    shown = levels if x is None else [str(level) for level in np.ravel(np.asarray(x, dtype=object))]
    for level in shown:
        if level not in levels:
            raise ValueError(f"the model does not know the level '{level}': it knows {', '.join(levels)}")
    values = np.array([[float(level == own) for own in levels] for level in shown])
    place_of = {level: float(place) for place, level in enumerate(shown)}
    rows = np.array([place_of.get(levels[own], np.nan) for own in np.argmax(inputs, axis=1)])
    return _Along(np.arange(len(shown), dtype=float), values, rows, shown)


def _like_training(model: GPRegressor, grid: np.ndarray) -> Any:
    """Give the grid the column names of the training data."""
    if not hasattr(model, "feature_names_in_"):
        return grid
    import pandas

    return pandas.DataFrame(grid, columns=model.model_.features)


def convergence(model: GPRegressor, *, ax: Any = None) -> Any:
    """Plot the objective of training, one line per start, over time, or over steps for a model read from a file."""
    _require_one_target(model)
    trace = model.cv_results_["trace"]
    along, label = ("seconds", "seconds") if "seconds" in trace else ("iteration", "step")
    ax = _axes(ax)
    for start in np.unique(trace["restart"]):
        for fold in np.unique(trace["fold"]):
            of = (trace["restart"] == start) & (trace["fold"] == fold)
            if of.any():
                ax.plot(trace[along][of], trace["objective"][of], ".-", linewidth=1.2,
                        label=f"start {int(start) + 1}" if fold == trace["fold"].min() else None)
    likelihood = not _core.uses_folds(model.model_.trainer)
    lowest, highest = np.nanmin(trace["objective"]), np.nanmax(trace["objective"])
    if not likelihood and 0 < lowest < highest / 3:
        ax.set_yscale("log")
    if along == "iteration":
        ax.xaxis.get_major_locator().set_params(integer=True)
    ax.set_xlabel(label)
    ax.set_ylabel("negative log likelihood" if likelihood else "mean squared hold-out error (standardised)")
    ax.legend(frameon=False)
    return ax


def calibration(model: GPRegressor, *, ax: Any = None) -> Any:
    """Plot the calibration curve of the intervals on held-out rows."""
    _require_one_target(model)
    if "promised" not in model.cv_results_:
        raise ValueError("no held-out row has a variance, so the intervals cannot be assessed")
    ax = _axes(ax)
    ax.plot([0, 1], [0, 1], "--", color=_REFERENCE, linewidth=1, label="perfect")
    ax.plot(model.cv_results_["promised"], model.cv_results_["covered"], ".-", color=_LINE, label="held-out rows")
    ax.set_xlabel("nominal probability")
    ax.set_ylabel("fraction of targets inside")
    ax.set_xlim(0, 1)
    ax.set_ylim(0, 1)
    ax.set_aspect("equal")
    ax.legend(frameon=False)
    return ax


def held_out(model: GPRegressor, *, ax: Any = None) -> Any:
    """Plot the targets against their held-out predictions."""
    _require_one_target(model)
    mean, targets = model.cv_results_["mean"], model.model_.targets
    if not np.isfinite(mean).any():
        raise ValueError("no row was held out")
    ax = _axes(ax)
    low, high = np.nanmin(targets), np.nanmax(targets)
    ax.plot([low, high], [low, high], "--", color=_REFERENCE, linewidth=1)
    ax.plot(mean, targets, ".", color=_LINE, markersize=4, alpha=min(1.0, 20 / len(targets) ** 0.5))
    ax.set_xlabel("held-out prediction")
    ax.set_ylabel(model.model_.target)
    ax.set_title(f"cross-validation RMSE {model.cv_results_['rmse']:.4g}", fontsize="medium")
    return ax
