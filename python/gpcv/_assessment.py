"""What a fitted estimator is worth: its summary, its held-out rows, its scores on a test table and its report."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted

from . import _core, _rows, _targets
from ._prediction import Predictions
from ._settings import averages_unseen, compute_of


@dataclass(frozen=True)
class Summary:
    """What a model is worth, in words; ``print`` shows it.

    Attributes
    ----------
    headline : str
        Answer to the question whether the model can be used, and for what; ``level`` is "good", "note" or "warning".
    level : str
        Level of the headline.
    limits : list of str
        Limits of the answer, the most important first.
    sentences : list of (str, str)
        Level and text of each sentence of the verdict.
    parameters : list of dict
        Hyper-parameters in the units of the table: ``name``, ``label``, ``value``, ``unit``, ``relative_error``, ``remark``,
        ``meaning``.
    """

    headline: str
    level: str
    limits: list[str]
    sentences: list[tuple[str, str]]
    parameters: list[dict[str, Any]]

    def __str__(self) -> str:
        lines = [self.headline, *(f"- {text}" for text in self.limits), *(f"- {text}" for _, text in self.sentences), ""]
        width = max((len(row["label"]) for row in self.parameters), default=0)
        for row in self.parameters:
            percent = 100 * row["relative_error"]
            error = "" if np.isnan(percent) else f"± {percent:.0f} %" if percent >= 10 else f"± {percent:.2g} %"
            words = (f"{row['value']:.5g}", row["unit"], error, row["remark"])
            lines.append(f"{row['label']:<{width}}  " + "  ".join(word for word in words if word))
        return "\n".join(lines)


class Assessments(Predictions):
    """Methods of a fitted estimator that say what its predictions are worth."""

    missing: str

    def summary(self) -> Any:
        """Say whether the model can be used, and for what, as ``gpcv info MODEL`` and the report do.

        Returns
        -------
        gpcv.Summary, or a list of one per target
        """
        check_is_fitted(self, "model_")
        found = [Summary(**_core.verdict(one.model_, compute_of(one))) for one in _targets.each(self)]
        return found if hasattr(self, "estimators_") else found[0]

    def evaluate(self, X: ArrayLike, y: ArrayLike, *, noise_std: ArrayLike | None = None,
                 weights: ArrayLike | None = None, unseen: str | None = None) -> Any:
        """Compare predictions with known targets, as ``gpcv evaluate`` does.

        Parameters
        ----------
        X : array-like of shape (m, d)
            Features.
        y : array-like of shape (m,) or (m, t)
            Target, or targets. With ``missing="drop"`` rows that lack a target are left out for it.
        noise_std, weights, unseen
            The same as in :meth:`predict`.

        Returns
        -------
        dict, or a list of one per target
            ``rmse`` and ``crps`` in the target's units; ``smse``, the mean squared error over the variance of y; ``nlpd``, the
            mean negative log predictive density; ``coverage50``, ``coverage80`` and ``coverage95`` of the central intervals; and
            the number ``n`` of rows.
        """
        found = []
        for one, x, values, noise in self._tested(X, y, noise_std, weights, unseen):
            average = averages_unseen(self.unseen if unseen is None else unseen)
            found.append(one._posterior.evaluate(x, values, one.variance, noise, average))
        return found if hasattr(self, "estimators_") else found[0]

    def _tested(self, X: Any, y: Any, noise_std: Any, weights: Any, unseen: str | None) -> list[tuple[Any, ...]]:
        """Estimator, features, targets and noise of each target, for rows that have it."""
        check_is_fitted(self, "model_")
        _targets.require_order(self, y)
        x = self._checked(X, averages_unseen(self.unseen if unseen is None else unseen))
        values = np.asarray(_targets.numbers_of(y), dtype=np.float64)
        ones = _targets.each(self)
        values = values.reshape(-1, 1) if values.ndim == 1 else values
        if values.shape != (len(x), len(ones)):
            raise ValueError(f"y has the shape {values.shape}, but X has {len(x)} rows and the model {len(ones)} target"
                             + ("s" if len(ones) > 1 else ""))
        wrong = np.argwhere(~np.isfinite(values))
        if len(wrong) > 0 and (self.missing != "drop" or np.isinf(values).any()):
            at = wrong[0] if self.missing != "drop" else np.argwhere(np.isinf(values))[0]
            raise ValueError(f"y has {values[tuple(at)]} in row {at[0]} (from 0)"
                             + (": missing='drop' leaves the row out" if np.isnan(values[tuple(at)]) else ""))
        parts = []
        for at, one in enumerate(ones):
            noise = _rows.prediction_noise(one.model_, noise_std, weights)
            kept = np.isfinite(values[:, at])
            if not kept.any():
                raise ValueError("no row has a target")
            parts.append((one, x[kept], np.ascontiguousarray(values[kept, at]), None if noise is None else noise[kept]))
        return parts

    def held_out_frame(self, interval: float = 0.95) -> Any:
        """Prediction of each training row by the fold that held it out, as ``gpcv cv`` writes it, as a pandas data frame.

        Parameters
        ----------
        interval : float
            Probability of the interval from lower to upper.

        Returns
        -------
        pandas.DataFrame, or a list of one per target
            Data frame with the columns fold, target, mean, std, lower, upper and a row per training row: NaN where no fold
            held the row out. Of more than some thousands of rows a sample has std, lower and upper.
        """
        import pandas

        check_is_fitted(self, "model_")
        frames = []
        for one in _targets.each(self):
            factor = one._factor(interval, False)
            model, results = one.model_, one.cv_results_
            unknown = np.full(len(model.targets), np.nan)
            fold = np.asarray(results["fold"]) if "fold" in results else unknown
            known = len(results["mean"]) > 0
            frames.append(pandas.DataFrame({
                "fold": fold, "target": model.targets, "mean": results["mean"] if known else unknown,
                "std": results["std"] if known else unknown, "lower": model.held_out_at(-factor) if known else unknown,
                "upper": model.held_out_at(factor) if known else unknown}))
        return frames if hasattr(self, "estimators_") else frames[0]

    def report(self, path: str | os.PathLike[str], X: ArrayLike | None = None, y: ArrayLike | None = None) -> None:
        """Write an HTML report with verdict and charts, as ``gpcv report`` does.

        Parameters
        ----------
        path : path
            File to write; several targets have one each, whose file has the name of the target before the extension.
        X, y : array-like, optional
            Rows with known targets, whose predictions are assessed in the report as well.
        """
        check_is_fitted(self, "model_")
        if (X is None) != (y is None):
            raise ValueError("rows to assess need both X and y")
        ones = _targets.each(self)
        tests = [(one, None, None, None) for one in ones] if X is None else self._tested(X, y, None, None, None)
        names = self.__dict__.get("target_names_")
        for at, (one, x, values, noise) in enumerate(tests):
            own = os.fspath(path) if names is None else _core.path_of_target(os.fspath(path), names, at)
            one.model_.report(own, compute_of(one), x, values, noise)
