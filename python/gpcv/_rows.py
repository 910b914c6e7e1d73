"""Values of rows besides features and target: weights and noise."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _columns, _core


def per_row(values: Any, what: str) -> np.ndarray | None:
    """Values as numbers; the core checks their number and sign."""
    if values is None:
        return None
    out = np.asarray(_columns.one_column(values, what), dtype=np.float64)
    if out.ndim != 1:
        raise ValueError(f"{what} must have one value per row, but its shape is {out.shape}")
    return out


def sample_weights(values: Any, rows: int) -> np.ndarray:
    """Weights by scikit-learn's convention: none are negative, and one number stands for all rows."""
    weights = np.asarray(_columns.one_column(values, "sample_weight"), dtype=np.float64)
    if weights.ndim == 0:
        weights = np.full(rows, weights)
    if weights.ndim != 1:
        raise ValueError(f"Sample weights must be 1D array or scalar, but the shape is {weights.shape}")
    if len(weights) != rows:
        raise ValueError(f"sample_weight must have one value per row: {rows} rows, {len(weights)} values")
    wrong = np.flatnonzero(~((weights >= 0) & np.isfinite(weights)))
    if wrong.size > 0:
        raise ValueError(f"sample_weight must be finite and not negative, but row {wrong[0]} (from 0) has "
                         f"{weights[wrong[0]]:g}")
    if not (weights > 0).any():
        raise ValueError("sample_weight is zero in every row")
    return weights


def some(values: Any, kept: np.ndarray, what: str) -> np.ndarray | None:
    """Values of the rows that are kept."""
    if values is None:
        return None
    out = np.asarray(values)
    if out.shape != kept.shape:
        raise ValueError(f"{what} must have one value per row: {len(kept)} rows, shape {out.shape}")
    return out[kept]


def prediction_noise(model: _core.Model, noise_std: Any, weights: Any) -> np.ndarray | None:
    """Noise of new rows in the units of the model's own, from noise_std or weights, whichever it was trained with."""
    if noise_std is None and weights is None:
        return None
    if noise_std is not None and weights is not None:
        raise ValueError("noise_std and weights exclude each other")
    given, other = ("noise_std", "weights") if weights is None else ("weights", "noise_std")
    if model.noise_model.get("learned"):
        raise ValueError(f"this model has learned its noise, so {given} has no meaning here: leave {given} out")
    if not model.own_noise:
        raise ValueError(f"this model has the same noise in every row, so {given} has no meaning here: train it with "
                         f"fit(X, y, {given}=…), or leave {given} out")
    if model.noise_is_weight != (weights is not None):
        raise ValueError(f"this model was trained with {other}: give {other} here, not {given}")
    if weights is None:
        return per_row(noise_std, "noise_std")
    values = per_row(weights, "weights")
    assert values is not None
    wrong = np.flatnonzero(~((values > 0) & np.isfinite(values)))
    if wrong.size > 0:
        raise ValueError(f"weights must be positive and finite, but row {wrong[0]} (from 0) has {values[wrong[0]]:g}")
    return 1 / np.sqrt(values)
