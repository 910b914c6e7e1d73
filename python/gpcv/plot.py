"""Plots of a fitted model with matplotlib. Each function draws into `ax` (new axes if it is None) and returns it."""

from __future__ import annotations

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


def _name(model: GPRegressor, feature: int) -> str:
    return str(model.model_.features[feature])


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
    features = len(model.model_.features)
    if features != 1:
        raise ValueError(f"the model has {features} features: use gpcv.plot.effect(model, feature)")
    return effect(model, 0, x=x, interval=interval, points=points, margin=0.1, latent=False, ax=ax)


def effect(model: GPRegressor, feature: int | str = 0, *, x: ArrayLike | None = None, interval: float = 0.95,
           points: bool = False, margin: float = 0.0, latent: bool = True, ax: Any = None) -> Any:
    """Plot the prediction along one feature, with the others at their medians.

    Parameters
    ----------
    feature : int or str
        Position or name of the feature.
    latent : bool
        Whether the band is that of the function; otherwise it is that of new observations.
    margin : float
        Distance beyond the training rows, relative to their range.
    """
    _require_one_target(model)
    at = list(model.model_.features).index(feature) if isinstance(feature, str) else int(feature)
    inputs, targets = model.model_.inputs, model.model_.targets
    if x is None:
        low, high = inputs[:, at].min(), inputs[:, at].max()
        x = np.linspace(low - margin * (high - low), high + margin * (high - low), 400)
    x = np.asarray(x, dtype=np.float64).reshape(-1)
    grid = np.tile(np.median(inputs, axis=0), (len(x), 1))
    grid[:, at] = x
    mean, lower, upper = model.predict(_like_training(model, grid), interval=interval, latent=latent)
    ax = _axes(ax)
    if points:
        ax.plot(inputs[:, at], targets, ".", color=_POINTS, markersize=4, alpha=min(1.0, 20 / len(targets) ** 0.5),
                label=f"{len(targets)} training rows")
    ax.fill_between(x, lower, upper, color=_BAND, linewidth=0, label=f"{_percent(interval)} interval")
    ax.plot(x, mean, color=_LINE, linewidth=1.8, label="mean")
    ax.set_xlabel(_name(model, at))
    ax.set_ylabel(model.model_.target)
    ax.legend(frameon=False)
    return ax


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
    if not likelihood and np.nanmin(trace["objective"]) > 0:
        ax.set_yscale("log")
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
