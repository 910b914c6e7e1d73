"""Rows far outside the training rows, of which a user is warned."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from ._warnings import ExtrapolationWarning

_FAR = 0.5  # part of the range of a training input beyond which a row is far outside, as for the command


Range = tuple[np.ndarray, np.ndarray]  # least and largest value of each feature


def range_of_training(model: Any) -> Range:
    """Range of the training rows of one target."""
    x = model.inputs
    return x.min(axis=0), x.max(axis=0)


def common_range(ranges: Sequence[Range]) -> Range:
    """Range of the training rows of all targets."""
    least, most = zip(*ranges)
    return np.min(least, axis=0), np.max(most, axis=0)


def warn_of_far_rows(x: np.ndarray, training: Range, names: Sequence[str], stacklevel: int) -> None:
    """Warn of rows with a feature outside of [least − width/2, most + width/2], where width = most − least > 0."""
    least, most = training
    far = np.zeros(len(x), bool)
    margin = _FAR * (most - least)
    first: tuple[int, str] | None = None
    for at, (low, high) in enumerate(zip(least - margin, most + margin)):
        column = x[:, at]
        if len(x) == 0 or margin[at] == 0 or (low <= column.min() and column.max() <= high):
            continue
        outside = (column < low) | (column > high)
        row = int(np.argmax(outside))
        first = (row, names[at]) if first is None or row < first[0] else first
        far |= outside
    if first is None:
        return
    count = int(far.sum())
    lie, rest = ("row lies", "its prediction rests") if count == 1 else ("rows lie", "their predictions rest")
    warnings.warn(f"{count} {lie} far outside the training rows, the first one in '{first[1]}' (row {first[0]}, from 0): "
                  f"{rest} on the kernel alone", ExtrapolationWarning, stacklevel=stacklevel + 1)
