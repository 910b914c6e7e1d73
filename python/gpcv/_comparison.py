"""Ranking of fitted estimators by the rows that the same folds held out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from . import _core


def compare(models: Sequence[Any] | Mapping[str, Any], *, criterion: str = "crps") -> list[dict[str, Any]]:
    """Rank fitted estimators by the loss of their held-out rows, as ``gpcv compare`` does.

    Parameters
    ----------
    models : list or dict of GPRegressor
        Estimators that were fitted to the same rows with the same folds, or a dict with their names; the names of a list are
        the kernels that they were given or have chosen.
    criterion : {"crps", "squared", "log"}
        Loss of the held-out rows.

    Returns
    -------
    list of dict
        Best first: ``name``; ``rmse`` with its standard error ``rmse_error``; the mean ``loss``; ``behind``, by how much it exceeds
        that of the best, relative to it unless the criterion is "log", with the standard error ``behind_error`` of the paired
        difference: below two of these it is a tie; and ``nlpd``.
    """
    named = models if isinstance(models, Mapping) else None
    fitted = list(models.values()) if isinstance(models, Mapping) else list(models)
    if len(fitted) < 2:
        raise ValueError("give two models or more")
    for one in fitted:
        check_is_fitted(one, "model_")
        if hasattr(one, "estimators_"):
            raise ValueError("a model has several targets: compare those of one, as in model.estimators_[0]")
    trained = [one.model_ for one in fitted]
    names = [str(name) for name in named] if named is not None else _names_of(fitted)
    for name, model in zip(names[1:], trained[1:]):
        _require_same_rows(names[0], trained[0], name, model)
    return list(_core.ranked(trained, names, criterion))


def _names_of(fitted: Sequence[Any]) -> list[str]:
    """Kernels that the estimators were given, or have chosen, with a number where one of them occurs again."""
    names: list[str] = []
    for one in fitted:
        chosen = [ranked["name"] for ranked in one.kernels_ if ranked["chosen"]]
        name = (chosen or [str(one.kernel)])[0]
        again = sum(other == name or other.startswith(f"{name} (") for other in names)
        names.append(f"{name} ({again + 1})" if again else name)
    return names


def _require_same_rows(first: str, a: _core.Model, second: str, b: _core.Model) -> None:
    """Raise a ValueError unless both models have predictions of the same rows by the same folds."""
    both = f"'{first}' and '{second}'"
    # A transform of the target and its inverse leave a rounding error.
    if a.targets.shape != b.targets.shape or not np.allclose(a.targets, b.targets, rtol=1e-9, atol=1e-9 * np.ptp(a.targets)):
        raise ValueError(f"{both} were fitted to other rows")
    if a.assessment != b.assessment:
        raise ValueError(f"the errors of {both} are '{a.assessment}' and '{b.assessment}': fit both with assess='inner', or both "
                         "with assess='nested'")
    if a.folds != b.folds or list(a.fold_of_row) != list(b.fold_of_row):
        raise ValueError(f"{both} were fitted with other folds: give both the same folds and the same random_state")
