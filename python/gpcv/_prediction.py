"""What a fitted estimator says of new rows."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted

from . import _core, _far, _inputs, _rows, _targets
from ._encoding import Encoding
from ._settings import averages_unseen, compute_of, seed_of


class Predictions:
    """Methods of a fitted estimator that predict."""

    model_: Any  # of _core, or a list with one per target
    variance: str
    unseen: str
    _conditioned: tuple[dict[str, Any], _core.Posterior]
    _encoding: Encoding
    _range: _far.Range
    estimators_: list[Any]
    target_names_: list[str]

    @property
    def _posterior(self) -> _core.Posterior:
        """Posterior of the model, made again when the parameters of the computation have changed."""
        compute = compute_of(self)
        if self.__dict__.get("_conditioned", (None,))[0] != compute:
            self._conditioned = (compute, _core.Posterior(self.model_, compute))
        return self._conditioned[1]

    def _checked(self, X: Any, average: bool = False) -> np.ndarray:
        check_is_fitted(self, "model_")
        return _inputs.new_rows(self, self._encoding, X, average)

    def predict(self, X: ArrayLike, return_std: bool = False, return_cov: bool = False, *,
                interval: float | None = None, quantiles: ArrayLike | None = None, conformal: bool = False,
                latent: bool = False, noise_std: ArrayLike | None = None, weights: ArrayLike | None = None,
                unseen: str | None = None) -> Any:
        """Predict the target, or the targets, of new rows.

        Parameters
        ----------
        X : array-like of shape (m, d)
            Features.
        return_std : bool
            Whether to return the standard deviation of a new observation.
        return_cov : bool
            Whether to return the joint covariance of all rows; models with a transform have none.
        interval : float, optional
            Probability of a central interval, whose lower and upper bounds are returned.
        quantiles : array-like of float, optional
            Probabilities of the quantiles to return.
        conformal : bool
            Whether the interval is conformal. Its coverage is guaranteed for rows exchangeable with the calibration set
            (``calibration=…``), whatever the errors of the model.
        latent : bool
            Whether the uncertainty is that of the function, without the noise.
        noise_std : array-like of shape (m,), optional
            Standard deviation of each row's noise, for models that were trained with noise_std.
        weights : array-like of shape (m,), optional
            Weight of each row, for models that were trained with weights.
        unseen : {"error", "average"}, optional
            Treatment of levels that training has not seen; by default that of the estimator.

        Returns
        -------
        mean : ndarray of shape (m,), or (m, t) for t targets
        std : ndarray of shape (m,) or (m, t), with return_std
        cov : ndarray of shape (m, m) or (m, m, t), with return_cov
        lower, upper : ndarray of shape (m,) or (m, t), with interval
        quantiles : ndarray of shape (m, number of quantiles) or (m, t, number of quantiles), with quantiles

        Warns
        -----
        gpcv.ExtrapolationWarning
            If rows lie far outside the training rows: beyond half the range of a feature.
        """
        if return_std and return_cov:
            raise RuntimeError("Not returning standard deviation of predictions when returning full covariance.")
        if return_cov and (interval is not None or quantiles is not None):
            raise ValueError("interval and quantiles can be combined with return_std, not with return_cov")
        if conformal and (interval is None or latent):
            raise ValueError("conformal intervals are for new observations: give interval=… and leave out latent")
        average = averages_unseen(self.unseen if unseen is None else unseen)
        if return_cov and unseen == "average":
            raise ValueError("a mixture of levels has no joint covariance: leave out return_cov or unseen")
        X = self._checked(X, average and not return_cov)
        _far.warn_of_far_rows(X, self._range, self._encoding.features, stacklevel=2)
        several = hasattr(self, "estimators_")
        if return_cov:
            pairs = [one._with_covariance(X, latent, noise_std, weights) for one in _targets.each(self)]
            if not several:
                return pairs[0]
            means, covariances = zip(*pairs)
            return np.stack(means, axis=1), np.stack(covariances, axis=-1)
        places = None if quantiles is None else [float(q) for q in np.ravel(quantiles)]
        parts = [one._predicted(X, return_std, interval, places, conformal, latent, noise_std, weights, average)
                 for one in _targets.each(self)]
        return _targets.side_by_side(parts) if several else parts[0]

    def _with_covariance(self, X: np.ndarray, latent: bool, noise_std: Any, weights: Any) -> tuple[np.ndarray, np.ndarray]:
        noise = _rows.prediction_noise(self.model_, noise_std, weights)
        return self._posterior.predict(X, False), self._posterior.covariance(X, latent, noise)

    def _predicted(self, X: np.ndarray, return_std: bool, interval: float | None, quantiles: list[float] | None,
                   conformal: bool, latent: bool, noise_std: Any, weights: Any, average: bool) -> Any:
        """Prediction of one target for rows that were checked."""
        noise = _rows.prediction_noise(self.model_, noise_std, weights)
        with_std = return_std or interval is not None or quantiles is not None
        # An invalid interval is refused before anything is computed.
        factor = None if interval is None else self._factor(interval, conformal)
        places = None if quantiles is None else [self._quantile(q) for q in quantiles]
        method = self._posterior.conformal_method if conformal else self.variance
        if self.model_.transform != "none" and (factor is not None or places is not None):
            return self._mapped(X, return_std, factor, places, latent, method, noise, average)
        found: Any = self._posterior.predict(X, with_std, latent, method, noise, [], average)
        if not with_std:
            return found
        mean, std = found
        found = [mean]
        if return_std:
            found.append(std)
        if factor is not None:
            found += [mean - factor * std, mean + factor * std]
        if places is not None:
            found.append(mean[:, None] + std[:, None] * np.asarray(places)[None, :])
        return tuple(found)

    def _mapped(self, X: np.ndarray, return_std: bool, factor: float | None, places: list[float] | None, latent: bool,
                method: str, noise: Any, average: bool) -> tuple[np.ndarray, ...]:
        """Prediction of a transformed target, whose bounds and quantiles are no multiples of std from the mean."""
        ends = [] if factor is None else [-factor, factor]
        prediction: Any = self._posterior.predict(X, True, latent, method, noise, ends + (places or []), average)
        mean, std, values = prediction
        found = [mean, std] if return_std else [mean]
        found += [np.ascontiguousarray(values[:, i]) for i in range(len(ends))]
        return tuple(found if places is None else [*found, np.ascontiguousarray(values[:, len(ends):])])

    def _factor(self, interval: float, conformal: bool) -> float:
        if not 0 < interval < 1:
            raise ValueError(f"expected a number between 0 and 1, not '{interval}'")
        return self._posterior.conformal_factor(interval) if conformal else self._posterior.interval_factor(interval)

    def _quantile(self, probability: float) -> float:
        if not 0 < probability < 1:
            raise ValueError(f"expected numbers between 0 and 1, not '{probability}'")
        return self._posterior.quantile_factor(probability)

    def predict_frame(self, X: ArrayLike, interval: float = 0.95, **options: Any) -> Any:
        """Predict the target, or the targets, of new rows as a pandas data frame.

        Parameters
        ----------
        X : array-like of shape (m, d)
            Features.
        interval : float
            Probability of the interval from lower to upper.
        **options
            Options of :meth:`predict`: conformal, latent, noise_std, weights, unseen.

        Returns
        -------
        pandas.DataFrame
            Data frame with the columns mean, std, lower, upper and the index of X; several targets have these columns
            each, under their name.
        """
        import pandas

        columns = self.predict(X, return_std=True, interval=interval, **options)
        found: dict[Any, np.ndarray] = dict(zip(("mean", "std", "lower", "upper"), columns))
        if hasattr(self, "estimators_"):
            found = {(target, name): values[:, at] for at, target in enumerate(self.target_names_)
                     for name, values in found.items()}
        return pandas.DataFrame(found, index=getattr(X, "index", None))

    def components(self, X: ArrayLike, return_std: bool = False) -> Any:
        """Contributions of the summands of the kernel.

        Returns
        -------
        dict, or a list of one per target
            Mean of each summand by name, or (mean, std) with return_std; "offset" is the mean of the target. The means
            and the offset add up to the prediction. With a transform they are in units of the transformed target.
        """
        X = self._checked(X)
        found = [one._posterior.components(X, return_std) for one in _targets.each(self)]
        return found if hasattr(self, "estimators_") else found[0]

    def sample_y(self, X: ArrayLike, n_samples: int = 1, random_state: int | np.random.RandomState | None = 0, *,
                 latent: bool = False, noise_std: ArrayLike | None = None,
                 weights: ArrayLike | None = None) -> np.ndarray:
        """Draw samples from the joint posterior.

        Parameters
        ----------
        X : array-like of shape (m, d)
            Features.
        n_samples : int
            Number of samples.
        random_state : int, RandomState instance or None
            Seed of the samples.
        latent, noise_std, weights
            The same as in :meth:`predict`.

        Returns
        -------
        ndarray of shape (m, n_samples), or (m, t, n_samples) for t targets
        """
        X = self._checked(X)
        seed = seed_of(random_state)
        samples = []
        for at, one in enumerate(_targets.each(self)):
            noise = _rows.prediction_noise(one.model_, noise_std, weights)
            samples.append(one._posterior.sample(X, n_samples, seed + at, latent, noise))
        return np.stack(samples, axis=1) if hasattr(self, "estimators_") else samples[0]

    def score(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> float:
        """Coefficient of determination R² of the predictions of rows with known targets; of several targets the mean.

        Parameters
        ----------
        X : array-like of shape (m, d)
            Features.
        y : array-like of shape (m,) or (m, t)
            Target, or targets.
        sample_weight : array-like of shape (m,), optional
            Weight of each row in the sums of squares.
        """
        from sklearn.metrics import r2_score  # importing gpcv does not wait for it

        _targets.require_order(self, y)
        predicted = self.predict(X)
        weights = None if sample_weight is None else _rows.sample_weights(sample_weight, len(predicted))
        return float(r2_score(_targets.numbers_of(y), predicted, sample_weight=weights))
