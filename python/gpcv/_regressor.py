"""The estimator."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import check_is_fitted

from . import _core, _encoding, _far, _folds, _inputs, _rows, _targets
from ._assessment import Assessments
from ._core import Kernel
from ._kernels import Parameter
from ._progress import Callback, Progress
from ._settings import compute_of, folds_of, OF_PREDICTIONS, params_of, settings_of, TransformParameter
from ._warnings import ConvergenceWarning, DataWarning, ExtrapolationWarning, ResultWarning

if TYPE_CHECKING:
    from sklearn.gaussian_process import kernels as sk

__all__ = ["ConvergenceWarning", "DataWarning", "ExtrapolationWarning", "GPRegressor", "ResultWarning", "load"]


class _LoadedResults(dict[str, Any]):
    """Results of cross-validation of a model from a file; those of earlier versions lack some."""

    def __missing__(self, name: str) -> Any:
        if name == "fold":
            raise KeyError("this model file is of an earlier version, which did not keep the fold of each row: fit again")
        raise KeyError(name)


class GPRegressor(Assessments, RegressorMixin, BaseEstimator):
    """Gaussian-process regression whose hyper-parameters minimise the cross-validation error.

    Features and target are standardised first (a single feature is only shifted), so start values of length scales and
    variances are in standardised units. With a kernel of scikit-learn nothing is standardised.

    Parameters
    ----------
    kernel : str, gpcv.Kernel or sklearn.gaussian_process.kernels.Kernel, default="auto"
        Covariance function: ``"auto"`` chooses it by cross-validation (``"se(ard)"`` for other trainers than
        gauss-newton); otherwise text such as ``"se(ard) + linear"``, an object such as
        ``gpcv.se(ard=True) + gpcv.linear()``, or a kernel of scikit-learn, whose ``WhiteKernel`` becomes ``noise``.
    trainer : str, default="gauss-newton"
        Name of the trainer: ``"gauss-newton"``, ``"likelihood"``, or the published ``"admm"`` (one hold-out fold),
        ``"naive"`` and ``"consensus"``.
    folds : int, float, str, splitter, array or list of pairs, default=5
        Number of random folds (of group folds when ``fit`` gets ``groups``); a fraction to hold out;
        ``"5:interleaved"``, ``"blocks:5"``, ``"regions:5"``, ``"time:5"``; a splitter of scikit-learn; one label per
        row, -1 for rows that only train; or pairs of training and validation rows. Keep related rows in one fold;
        otherwise the error estimate is optimistic.
    noise : float, gpcv.Parameter or str, optional
        Start value of the noise variance; ``gpcv.fixed(0.1)`` fixes it. ``"learned"`` learns a variance that depends on the
        features, by a second Gaussian process; ``"auto"`` does so and keeps it if held-out rows are predicted better by
        more than a standard error.
    mean : {"zero", "constant", "linear"}, default="zero"
        Mean function; its coefficients are estimated in each fold.
    transform : str, default="none"
        Transform of the target, on which the model is trained: ``"log"`` or ``"log:OFFSET"``, ``"logit"`` or
        ``"logit:LOWER:UPPER"``, ``"sqrt"``, ``"yeo-johnson"``; ``"auto"`` chooses one by held-out rows, or none.
        Predictions are in units of the target: means are means, and the median is the quantile 0.5.
    standardize : bool or "auto", default="auto"
        Whether features and target are standardised; "auto" means True, but False for a kernel of scikit-learn.
    restarts : int, optional
        Number of starts (default: 3).
    max_iterations : int, optional
        Largest number of iterations per start (default: 200).
    prior : float, optional
        Weight of the weak prior around the start values, equivalent to this many held-out observations (default: 10).
    start : {"auto", "subset", "local", "values", "median"}, optional
        Start of training: the smallest held-out error of a subset of the rows after the inputs were screened, the best
        likelihood of a subset, the same refined by rows and their neighbours, the given values, or median distances.
    epsilon : float, optional
        Stopping tolerance: training ends when the predicted relative decrease of the error is smaller (default: 1e-4).
    derivatives : {"auto", "forward", "adjoint"}, optional
        Derivatives of gauss-newton: forward sensitivities, or the adjoint gradient.
    criterion : {"crps", "squared", "log"}, optional
        Loss of the held-out rows that gauss-newton minimises: the score of the whole prediction, the squared error, or
        the squared error in units of the predicted deviation (default: "crps").
    assess : {"auto", "nested", "inner"}, default="auto"
        Error, coverage and calibration: of the inner folds, which choose the parameters and are optimistic where there
        are few rows; of outer folds that repeat the whole training; or nested where that is quick.
    candidates : list of str, optional
        Names of the kernels among which ``kernel="auto"`` chooses; see ``gpcv.candidate_names()``.
    time_limit : float, optional
        Seconds after which the whole fit ends with a ConvergenceWarning and the model of the best point.
    robust : bool, default=False
        Whether rows that contradict the model get little weight. ``findings_`` names them, ``row_weights_`` has the weights,
        and errors and coverages are those of the other rows.
    calibration : float, default=0
        Fraction of the rows reserved as a calibration set for ``predict(conformal=True)``.
    checkpoint : path, optional
        File to which each step is saved.
    resume : bool, default=False
        Whether training continues from the checkpoint if it exists.
    warm : GPRegressor, optional
        Fitted model whose values are the start; rows may have been added.
    trainer_options : dict, optional
        Options of the published trainers ``"admm"``, ``"naive"`` and ``"consensus"``, named as the options of the command
        with underscores: preset ("paper" or "authors"), theta_step, step_rule, stop, rho and others; and period_scan, an
        option of all trainers.
    variance : str, default="auto"
        Method of predictive variances: "auto", "exact", "neighbours:256".
    solver : {"auto", "cg", "cholesky"}, default="auto"
        Solver of linear systems: conjugate gradients or Cholesky factorisation.
    backend : str, default="auto"
        Backend of kernel products: "auto", "cuda", "simd", "grid" (for one input at regular intervals) or
        "reference".
    precision : {"auto", "double", "mixed", "single"}, default="auto"
        Arithmetic of kernel products in iterative solves.
    rank : int, optional
        Rank of the preconditioner.
    share_kernel : bool, default=False
        Whether several targets have one kernel: common length scales and ratio of noise to signal, trained on the sum of
        their held-out losses in about the time of one target. Each target keeps its own scale and intervals.
    missing : {"error", "drop"}, default="error"
        Treatment of NaN in the targets: an error, or the row is left out for the targets that lack it.
    unseen : {"error", "average"}, default="error"
        Prediction of rows with a level that training has not seen: an error, or the mixture of the levels of the training,
        whose variance is the mean of their variances plus the variance of their means.
    every_held_out_variance : bool, default=False
        Whether every held-out row has a standard deviation in ``cv_results_`` and ``held_out_frame()``; above 2000 rows a sample
        has, which is enough for the scores and the calibration.
    memory : str, optional
        Memory budget, for example "2G" (default: 80 % of free memory).
    threads : int, optional
        Number of threads (default: all cores that this process may use, fewer where OMP_NUM_THREADS, threadpoolctl or
        joblib, for its worker processes, asks for fewer).
    random_state : int, RandomState instance or None, default=1
        Seed of folds and starts, that of the command.
    progress : bool or callable, default=False
        True shows a bar (tqdm) or lines. A callable receives a dict per step; when it returns False, training stops and
        keeps the best point.

    Attributes
    ----------
    With several targets (``y`` of shape (n, t)) those that describe a training are lists with one entry per target.

    estimators_ : list of GPRegressor
        One fitted estimator per target, with the attributes below; for several targets only.
    target_names_ : list of str
        Names of the targets: those of the columns of a data frame, otherwise "y0", "y1"; for several targets only.
    kernel_ : gpcv.Kernel
        Kernel with the trained values.
    noise_ : float
        Trained noise variance, in the units of the kernel's variances.
    noise_std_ : float
        Standard deviation of the noise, in units of the transformed target; that of a typical row if it was learned.
    degrees_ : float
        Degrees of freedom of Student's t distribution of the errors; infinite for a normal distribution.
    noise_model_ : dict
        What was learned about the noise: ``asked``, ``learned``, ``rounds``; ``gain`` in the mean log density of held-out
        rows over constant noise, with ``gain_error``; the ``inputs`` on which it depends; its standard deviations
        ``low`` and ``high``, quantiles 0.05 and 0.95 over the training rows. Empty unless it was asked for.
    transform_ : str
        Transform of the target, as text; ``"none"`` if there is none.
    transforms_ : list of dict
        Choice of the transform, best first: ``transform``, ``rounds``, ``loss`` (CRPS), ``behind`` with ``behind_error``,
        ``chosen``; empty if the transform was given.
    cv_results_ : dict
        Results of cross-validation: ``rmse``, ``smse`` (its square over the variance of the target), ``assessment``
        ("nested" or "inner"), ``inner_rmse``, ``optimism``, ``nlpd``, ``crps``, ``coverage50``, ``coverage80``, ``coverage95`` of
        held-out rows; ``fold``, ``mean``, ``std`` of each training row; ``promised`` and ``covered`` of the calibration
        curve; ``optima`` of all starts; ``trace``, a dict with one array per column.
    kernels_ : list of dict
        Choice of the kernel, best first: ``name``, ``kernel``, ``parameters``, ``rounds``, ``loss``, ``behind`` with
        ``behind_error``, ``chosen``; empty if the kernel was given.
    importance_ : list of dict
        Importance of the features by held-out error, most important first: ``name``, ``increase`` of the root mean square
        error, in the target's units, when the feature has the values of other rows, its ``standard_error``, and the
        increase ``relative`` to the error. The indicators of a category are one feature.
    row_weights_ : ndarray of shape (n,)
        Weight of each training row, between 0 and 1, if ``robust``; its noise variance is that of others divided by the
        weight. Otherwise empty.
    findings_ : list of dict
        What a user should know about the data and the result: ``about`` ("data" or "result"), ``severity``, ``code``,
        ``text``, and ``message``, the text with a remedy, which is also issued as a warning.
    standard_errors_ : dict
        Standard error of the logarithm of each parameter.
    status_, message_ : str
        Outcome of training, as a word and as a sentence.
    n_iter_ : int
        Number of iterations.
    seconds_ : dict
        Time of each phase.
    work_ : dict
        Cost of training: kernel passes, CG iterations, planned memory and the plan in words.
    model_ : gpcv._core.Model
        Trained model, as ``save`` writes it.
    n_features_in_ : int
        Number of columns of X.
    feature_names_in_ : ndarray of str
        Names of these columns, if ``fit`` was given a data frame.

    Notes
    -----
    A model of :func:`gpcv.load` has all attributes but those that a file does not keep: ``seconds_`` and ``work_``.

    Examples
    --------
    >>> import numpy as np, gpcv
    >>> x = np.linspace(0, 10, 200)[:, None]
    >>> y = np.sin(x[:, 0]) + 0.1 * np.random.default_rng(0).normal(size=200)
    >>> model = gpcv.GPRegressor("se").fit(x, y)
    >>> mean, std = model.predict([[2.0], [3.0]], return_std=True)
    >>> np.round(mean, 1)
    array([0.9, 0.1])
    """

    transform = TransformParameter()

    def __init__(self, kernel: str | Kernel | sk.Kernel = "auto", trainer: str = "gauss-newton", folds: Any = 5, *,
                 noise: float | Parameter | str | None = None, mean: str = "zero", transform: str = "none",
                 standardize: bool | str = "auto",
                 restarts: int | None = None, max_iterations: int | None = None, prior: float | None = None,
                 start: str | None = None, epsilon: float | None = None, derivatives: str | None = None,
                 criterion: str | None = None, assess: str = "auto", candidates: list[str] | None = None,
                 time_limit: float | None = None, robust: bool = False, calibration: float = 0.0,
                 checkpoint: str | os.PathLike[str] | None = None, resume: bool = False,
                 warm: GPRegressor | None = None, trainer_options: dict[str, Any] | None = None,
                 variance: str = "auto", solver: str = "auto", backend: str = "auto", precision: str = "auto",
                 rank: int | None = None, memory: str | None = None, threads: int | None = None,
                 share_kernel: bool = False, missing: str = "error", unseen: str = "error",
                 every_held_out_variance: bool = False,
                 random_state: int | np.random.RandomState | None = 1, progress: bool | Callback = False) -> None:
        self.kernel = kernel
        self.trainer = trainer
        self.folds = folds
        self.noise = noise
        self.mean = mean
        self.transform = transform
        self.standardize = standardize
        self.restarts = restarts
        self.max_iterations = max_iterations
        self.prior = prior
        self.start = start
        self.epsilon = epsilon
        self.derivatives = derivatives
        self.criterion = criterion
        self.assess = assess
        self.candidates = candidates
        self.time_limit = time_limit
        self.robust = robust
        self.calibration = calibration
        self.checkpoint = checkpoint
        self.resume = resume
        self.warm = warm
        self.trainer_options = trainer_options
        self.variance = variance
        self.solver = solver
        self.backend = backend
        self.precision = precision
        self.rank = rank
        self.memory = memory
        self.threads = threads
        self.share_kernel = share_kernel
        self.missing = missing
        self.unseen = unseen
        self.every_held_out_variance = every_held_out_variance
        self.random_state = random_state
        self.progress = progress

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Parameters by name; with deep, those of parameters that have some as well."""
        return params_of(self, self._get_param_names(), deep)

    def set_params(self, **params: Any) -> GPRegressor:
        """Set parameters by name. Those of predictions and of the computation take effect at the next prediction."""
        super().set_params(**params)
        for one in self.__dict__.get("estimators_", []):
            one.set_params(**{name: value for name, value in params.items() if name in OF_PREDICTIONS})
        return self

    # ---------------------------------------------------------------- training

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None, *,
            groups: ArrayLike | None = None, times: ArrayLike | None = None, noise_std: ArrayLike | None = None,
            weights: ArrayLike | None = None) -> GPRegressor:
        """Train the model.

        Parameters
        ----------
        X : array-like or data frame of shape (n, d)
            Features. The column names of a data frame (pandas, polars, pyarrow) are kept; its categorical columns become
            indicators, one per level of these rows, its dates and texts of ISO dates decimal years, and its durations days.
            Other columns of text are refused.
        y : array-like or data frame of shape (n,) or (n, t)
            Target, or t targets, whose names are those of a data frame's columns; dates are decimal years. Each is
            trained by itself with common folds, unless ``share_kernel``.
        sample_weight : array-like of shape (n,), optional
            The same as ``weights`` by scikit-learn's convention: rows with weight 0 are left out, equal weights change
            nothing.
        groups : array-like of shape (n,), optional
            Group of each row; all rows of a group are in one fold.
        times : array-like of shape (n,), optional
            Numbers or datetimes that order the rows, for ``folds="time:5"`` and ``"blocks:5"``; datetimes count in years.
        noise_std : array-like of shape (n,), optional
            Known standard deviation of each row's noise, in the target's units.
        weights : array-like of shape (n,), optional
            Weight of each row; its noise variance is the trained one divided by the weight.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            If data or settings cannot be used.
        RuntimeError
            If the computation fails numerically.
        KeyboardInterrupt
            After Ctrl-C; an earlier fit is kept.

        Warns
        -----
        gpcv.ConvergenceWarning
            If training ended before it converged, or one of several targets could not be trained.
        gpcv.DataWarning
            If the data deserve attention.
        gpcv.ResultWarning
            If the predictions are no better than the mean of the target, or their intervals too narrow.
        """
        rows, settings, found, encoding = self._prepared(X, y, sample_weight, groups, times, noise_std, weights)
        names = rows.targets
        trained, failures = self._train(rows, names, settings, found)
        _targets.forget(self)
        if len(names) == 1:
            model, more = trained[0]
            self._keep(model, more, encoding)
        else:
            ones = [self._of_target(encoding)._keep(model, more, encoding) for model, more in trained]
            _targets.adopt(self, ones, [one.model_.target for one in ones])
        self._warn(names, failures)
        return self

    def check(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None, *,
              groups: ArrayLike | None = None, times: ArrayLike | None = None, noise_std: ArrayLike | None = None,
              weights: ArrayLike | None = None) -> Any:
        """Examine the data before training, as ``gpcv check`` does: problems, memory and time. The estimator stays as it is.

        Parameters
        ----------
        X, y, sample_weight, groups, times, noise_std, weights
            The same as in :meth:`fit`.

        Returns
        -------
        list of dict, or a list of such lists with one per target
            Findings with ``about``, ``severity``, ``code``, ``text`` and ``message``. Notes inform, among them those of the codes
            "memory" and "time"; warnings deserve attention; ``fit`` refuses data with errors.
        """
        one = type(self)(**self.get_params(deep=False))
        rows, settings, found, encoding = one._prepared(X, y, sample_weight, groups, times, noise_std, weights)
        findings = [encoding.findings + list(of) for of in _core.check(rows, settings, found.kind, found.how)]
        return findings if len(findings) > 1 else findings[0]

    def _prepared(self, X: Any, y: Any, sample_weight: Any, groups: Any, times: Any, noise_std: Any,
                  weights: Any) -> tuple[_core.Rows, dict[str, Any], _folds.Folds, _encoding.Encoding]:
        """Rows, settings and folds of a training for the library."""
        names = _targets.names_of(y)
        x, values, encoding = _inputs.training_rows(self, X, y, self.missing)
        folds = folds_of(self)
        kept = ~np.isnan(values).all(axis=1)
        if sample_weight is not None:
            if weights is not None:
                raise ValueError("sample_weight and weights are two names of the same: give one of them")
            all_weights = _rows.sample_weights(sample_weight, len(values))
            kept &= all_weights > 0
            weights = None if (all_weights[kept] == all_weights[kept][:1]).all() else all_weights
        if not kept.all():
            x, values, folds = x[kept], values[kept], _folds.of_rows(folds, kept)
            groups, times = _rows.some(groups, kept, "groups"), _rows.some(times, kept, "times")
            noise_std, weights = _rows.some(noise_std, kept, "noise_std"), _rows.some(weights, kept, "weights")
            x, encoding = encoding.observed(x)
        if names is None or len(names) != values.shape[1]:
            names = ["y"] if values.shape[1] == 1 else [f"y{at}" for at in range(values.shape[1])]
        settings = settings_of(self, x.shape[1])
        found = _folds.resolve(folds, x, values[:, 0] if len(names) == 1 else values, groups, times)
        rows = _core.Rows(x, values, encoding.features, names, hasattr(self, "feature_names_in_"),
                          _rows.per_row(noise_std, "noise_std"), _rows.per_row(weights, "weights"), found.labels,
                          found.time, encoding.feature_levels, encoding.positions, encoding.date_features)
        return rows, settings, found, encoding

    def _train(self, rows: _core.Rows, names: list[str], settings: dict[str, Any], folds: _folds.Folds) -> Any:
        warm: list[_core.Model] = []
        if self.warm is not None:
            check_is_fitted(self.warm)
            warm = [one.model_ for one in _targets.in_order(self.warm, names)]
        progress = Progress(self.progress)
        try:
            return _core.fit(rows, settings, folds.kind, folds.how, warm, bool(self.share_kernel), progress.callback)
        finally:
            progress.close()

    def _of_target(self, encoding: _encoding.Encoding) -> GPRegressor:
        """Estimator of one of several targets, which is not fitted yet."""
        one = type(self)(**self.get_params(deep=False))
        one.n_features_in_ = len(encoding.names)
        if hasattr(self, "feature_names_in_"):
            one.feature_names_in_ = self.feature_names_in_
        return one

    def _keep(self, model: _core.Model, more: dict[str, Any], encoding: _encoding.Encoding) -> GPRegressor:
        """Set the attributes from a training."""
        self._adopt(model, encoding)
        self._seconds = more["seconds"]
        self._work = more["work"]
        self.findings_ = encoding.findings + more["findings"]
        return self

    def _warn(self, names: list[str], failures: dict[str, str]) -> None:
        """Issue what the user should know as warnings of the line that called fit."""
        for text in failures.values():
            warnings.warn(f"{text}; it has no model", ConvergenceWarning, stacklevel=3)
        left_out = [name for name in names if name not in self.__dict__.get("target_names_", names) and name not in failures]
        if left_out:
            warnings.warn(f"stopped: no model of {', '.join(left_out)}", ConvergenceWarning, stacklevel=3)
        for kind, text in _targets.warnings_of(self):
            warnings.warn(text, kind, stacklevel=3)

    def _warnings(self) -> Iterator[tuple[type[Warning], str]]:
        """Warnings about one target."""
        if self.status_ != "converged":
            yield ConvergenceWarning, self.message_
        for finding in self.findings_:
            yield DataWarning if finding["about"] == "data" else ResultWarning, finding["message"]

    @property
    def seconds_(self) -> dict[str, float]:
        """Time of each phase of the training."""
        return self._kept("_seconds", "seconds_")

    @property
    def work_(self) -> dict[str, Any]:
        """Cost of the training."""
        return self._kept("_work", "work_")

    def _kept(self, attribute: str, name: str) -> Any:
        if attribute in self.__dict__:
            return self.__dict__[attribute]
        fitted = "model_" in self.__dict__
        raise AttributeError(f"'{name}' is known after fit only: a model file does not keep it" if fitted else
                             f"'{type(self).__name__}' object has no attribute '{name}'")

    def _adopt(self, model: _core.Model, encoding: _encoding.Encoding) -> None:
        """Set the attributes from a model."""
        self.model_ = model
        self._encoding = encoding
        self._conditioned = (compute_of(self), _core.Posterior(model, compute_of(self)))
        self._range = _far.range_of_training(model)
        self.kernel_ = model.kernel
        self.noise_ = model.noise
        self.noise_std_ = model.noise_std
        self.degrees_ = model.degrees
        self.noise_model_ = model.noise_model
        self.status_ = model.status
        self.message_ = model.message
        self.n_iter_ = model.iterations
        self.standard_errors_ = model.standard_errors
        self.kernels_ = model.kernels
        self.importance_ = model.importance
        self.transform_ = model.transform
        self.transforms_ = model.transforms
        self.row_weights_ = model.row_weights
        trace = model.trace
        self.cv_results_ = {
            "rmse": model.cv_rmse, "smse": (model.cv_rmse / model.target_deviation) ** 2,
            "assessment": model.assessment, "inner_rmse": model.inner_rmse, "optimism": model.optimism,
            **model.held_out_scores, "mean": model.held_out_mean, "std": model.held_out_std,
            "optima": model.optima, "trace": {name: trace[:, i] for i, name in enumerate(model.trace_names)}}
        fold = np.asarray(model.fold_of_row, dtype=np.int64)
        self.cv_results_.update({"fold": fold} if fold.size > 0 else {})

    # ---------------------------------------------------------------- files

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model to a file, which the command ``gpcv`` can read as well."""
        check_is_fitted(self, "model_")
        _core.save_models([one.model_ for one in _targets.each(self)], os.fspath(path))

    def __getstate__(self) -> dict[str, Any]:
        state = super().__getstate__().copy()
        state.pop("_conditioned", None)
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        self.__dict__.setdefault("transform", "none")  # a pickle of an earlier version
        for name, value in (("robust", False), ("share_kernel", False), ("missing", "error"), ("unseen", "error"),
                            ("every_held_out_variance", False)):
            self.__dict__.setdefault(name, value)
        if "model_" in state and "estimators_" not in state:
            model = state["model_"]
            self.__dict__.setdefault("_encoding", _encoding.Encoding.of_model(model))
            self.__dict__.setdefault("_range", _far.range_of_training(model))

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "model_")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags


def load(path: str | os.PathLike[str], *, threads: int | None = None, memory: str | None = None,
         backend: str = "auto") -> GPRegressor:
    """Load a model that ``save`` or the command ``gpcv fit`` wrote.

    ``threads``, ``memory`` and ``backend`` are parameters of :class:`GPRegressor`, with which the model predicts. A file with the models of several targets becomes an estimator of all of them, as ``fit`` with their columns would.
    A model with categorical columns predicts from data frames that contain these columns. The findings about the data
    are made again from the training rows of the model.
    """
    compute = {"threads": threads, "memory": memory, "backend": backend}
    estimators = [_of_model(model, compute) for model in _core.load_models(os.fspath(path))]
    if len(estimators) == 1:
        return estimators[0]
    together = _of_model(estimators[0].model_, compute)
    _targets.adopt(together, estimators, [one.model_.target for one in estimators])
    return together


def _of_model(model: _core.Model, compute: dict[str, Any]) -> GPRegressor:
    """Estimator with a model of one target."""
    settings = model.settings
    noise = settings.get("noise", "trained")
    regressor = GPRegressor(kernel=settings.get("kernel", str(model.kernel)), trainer=model.trainer,
                            noise=None if noise == "trained" else noise, random_state=int(model.seed),
                            transform=settings.get("transform", "none"), robust=settings.get("robust") == "yes",
                            share_kernel="share_kernel" in settings, **compute)
    encoding = _encoding.Encoding.of_model(model)
    regressor.n_features_in_ = len(encoding.names)
    if model.named:
        regressor.feature_names_in_ = np.asarray(encoding.names, dtype=object)
    regressor._adopt(model, encoding)
    regressor.cv_results_ = _LoadedResults(regressor.cv_results_)
    regressor.findings_ = model.findings
    return regressor
