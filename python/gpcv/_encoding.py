"""What the columns of a table were in training, and checks that new rows agree with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Optional

import numpy as np


@dataclass
class Encoding:
    """Columns of a frame that a model was trained on, and the levels of those that are categories."""

    names: list[str]
    levels: list[list[str] | None]  # of each column; None for numbers
    dates: list[bool] | None = None  # None where a file does not tell
    durations: list[bool] | None = None  # None where a file does not tell

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

    def kind(self, column: int) -> str:
        """Kind of a column in words."""
        if self.levels[column] is not None:
            return "a category"
        if self.dates is not None and self.dates[column]:
            return "dates"
        return "durations" if self.durations is not None and self.durations[column] else "numeric"

    @property
    def positions(self) -> list[int]:
        """Position of the column that each feature comes from."""
        widths = [1 if levels is None else len(levels) for levels in self.levels]
        return [position for position, width in enumerate(widths) for _ in range(width)]

    @property
    def findings(self) -> list[dict[str, Any]]:
        """What a user should know about how the columns were read."""
        names = [name for name, are_durations in zip(self.names, self.durations or []) if are_durations]
        return [{"about": "data", "severity": "warning", "code": "durations", "text": text, "message": text}
                for text in (f"column '{name}' has durations, which count as days" for name in names)]

    @property
    def date_features(self) -> list[int]:
        dates = self.dates or []
        return [at for at, position in enumerate(self.positions) if dates and dates[position]]

    def observed(self, values: np.ndarray) -> tuple[np.ndarray, Encoding]:
        """Numbers of some rows of the training, and the encoding, without the levels that none of these rows has."""
        parts = list(self._parts())
        kept = [level is None or bool(values[:, at].any()) for at, (_, level) in enumerate(parts)]
        if all(kept):
            return values, self
        present = {part for part, is_kept in zip(parts, kept) if is_kept}
        levels = [own if own is None else [level for level in own if (name, level) in present]
                  for name, own in zip(self.names, self.levels)]
        return np.asfortranarray(values[:, kept]), Encoding(self.names, levels, self.dates, self.durations)

    def _parts(self) -> list[tuple[str, Optional[str]]]:
        return [(name, level) for name, levels in zip(self.names, self.levels)
                for level in ([None] if levels is None else levels)]

    @staticmethod
    def of_model(model: Any) -> Encoding:
        """Encoding of a model's features; indicators of one column have one position."""
        features, levels, positions = model.features, model.levels, model.positions
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
        if model.dates is not None:
            out.dates = [False] * len(out.names)
            for feature in model.dates:
                out.dates[out.positions[feature]] = True
        return out


def require_kinds_of_training(encoding: Encoding, kinds: Sequence[str]) -> None:
    """Raise a ValueError where dates or durations are given for a column that was something else in training."""
    for what, trained in (("date", encoding.dates), ("duration", encoding.durations)):
        for at, kind in enumerate(kinds):
            if kind == what and trained is not None and not trained[at]:
                raise ValueError(f"column '{encoding.names[at]}' has {what}s now, but was {encoding.kind(at)} in training")


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
