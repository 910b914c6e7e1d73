"""Parameters of the estimator as settings of the library."""

from __future__ import annotations

import os
import sys
from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from . import _core
from ._kernels import Parameter

_TRAINER_OPTIONS = (*_core.admm_settings(), "period_scan")

# Parameters that predictions ask, which a fitted estimator may change.
OF_PREDICTIONS = ("threads", "backend", "precision", "solver", "rank", "memory", "variance", "unseen", "missing")


class TransformParameter:
    """The parameter `transform`, which is no attribute: scikit-learn takes what has one of this name for a transformer."""

    def __get__(self, regressor: Any, owner: Any = None) -> Any:
        raise AttributeError("'transform' is a parameter: get_params() has its value, and transform_ the trained transform")

    def __set__(self, regressor: Any, value: Any) -> None:
        regressor.__dict__["transform"] = value


def params_of(estimator: Any, names: list[str], deep: bool) -> dict[str, Any]:
    """Values of parameters by name; with deep, those of parameters that have some as well."""
    params: dict[str, Any] = {}
    for name in names:
        value = params[name] = estimator.__dict__[name]
        if deep and hasattr(value, "get_params") and not isinstance(value, type):
            params.update((f"{name}__{key}", inner) for key, inner in value.get_params().items())
    return params


def folds_of(estimator: Any) -> Any:
    """Folds that the estimator asks for; None for those that the trainer takes by default."""
    # The published hold-out trainer takes one fold, so the default of five does not apply to it.
    default = isinstance(estimator.folds, int) and estimator.folds == 5
    return None if default and _core.takes_one_fold(estimator.trainer) else estimator.folds


def compute_of(estimator: Any) -> dict[str, Any]:
    """Settings of the computation that are not left to the library."""
    settings = {"threads": estimator.threads, "backend": estimator.backend, "precision": estimator.precision,
                "solver": estimator.solver, "rank": estimator.rank, "memory": estimator.memory}
    return {name: value for name, value in settings.items() if value is not None}


def _is_sklearn_kernel(kernel: object) -> bool:
    # Whoever has such a kernel has imported them; otherwise importing them would take a third of the time of importing gpcv.
    kernels = sys.modules.get("sklearn.gaussian_process.kernels")
    return kernels is not None and isinstance(kernel, kernels.Kernel)


def settings_of(estimator: Any, n_features: int) -> dict[str, Any]:
    """Settings of a training that are not left to the library."""
    kernel, noise, standardize = estimator.kernel, estimator.noise, estimator.standardize
    if _is_sklearn_kernel(kernel):
        from ._sklearn_kernels import translate

        kernel, white = translate(kernel, n_features)
        noise = white if noise is None else noise
        standardize = False if standardize == "auto" else standardize
    _require_of_predictions(estimator)
    settings = compute_of(estimator)
    settings.update(
        kernel=str(kernel), noise=_noise_text(noise), mean=estimator.mean, transform=estimator.__dict__["transform"],
        standardize=None if standardize == "auto" else standardize, trainer=estimator.trainer, restarts=estimator.restarts,
        max_iterations=estimator.max_iterations, prior=estimator.prior, start=estimator.start, epsilon=estimator.epsilon,
        derivatives=estimator.derivatives, criterion=estimator.criterion, assess=estimator.assess,
        candidates=None if estimator.candidates is None else list(estimator.candidates), time_limit=estimator.time_limit,
        every_held_out_variance=bool(estimator.every_held_out_variance),
        robust=bool(estimator.robust), calibration=estimator.calibration,
        checkpoint=None if estimator.checkpoint is None else os.fspath(estimator.checkpoint), resume=estimator.resume,
        seed=seed_of(estimator.random_state))
    for name, value in (estimator.trainer_options or {}).items():
        if name not in _TRAINER_OPTIONS:
            raise ValueError(f"unknown trainer option '{name}': the options are {', '.join(_TRAINER_OPTIONS)}")
        settings[name] = value
    return {name: value for name, value in settings.items() if value is not None}


def _require_of_predictions(estimator: Any) -> None:
    """Raise a ValueError, before anything is trained, where a parameter of the predictions has no meaning."""
    if not isinstance(estimator.variance, str):
        raise ValueError(f"variance cannot be {estimator.variance!r}: expected 'auto', 'exact' or 'neighbours:256'")
    _core.require_variance_method(estimator.variance)
    averages_unseen(estimator.unseen)


def averages_unseen(unseen: Any) -> bool:
    """Whether rows with a level that training has not seen are predicted as the mixture of all levels."""
    if unseen not in ("error", "average"):
        raise ValueError(f"unseen cannot be {unseen!r}: expected 'error' or 'average'")
    return bool(unseen == "average")


def _noise_text(noise: Any) -> str | None:
    if noise is None or isinstance(noise, str):
        return noise
    return str(noise) if isinstance(noise, Parameter) else repr(float(noise))


def seed_of(random_state: Any) -> int:
    """Seed of a random state by scikit-learn's conventions."""
    if isinstance(random_state, (int, np.integer)):
        return int(random_state)
    return int(check_random_state(random_state).randint(np.iinfo(np.int32).max))
