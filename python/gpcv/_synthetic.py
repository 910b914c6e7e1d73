"""Tables that are drawn from a Gaussian process."""

from __future__ import annotations

import numpy as np

from . import _core
from ._settings import seed_of


def generate(kernel: str | _core.Kernel, n: int = 500, *, noise: float = 0.1, low: float = 0.0, high: float = 10.0,
             dims: int = 1, inputs: str = "auto", random_state: int | np.random.RandomState | None = 1,
             threads: int | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Draw features and a target from a Gaussian process, as ``gpcv generate`` does.

    Parameters
    ----------
    kernel : str or gpcv.Kernel
        Covariance function with its values, such as ``"se(l=0.5)"``.
    n : int
        Number of rows. The time grows with its cube, the memory with its square.
    noise : float
        Variance of the Gaussian noise.
    low, high : float
        Range of the features.
    dims : int
        Number of features.
    inputs : {"auto", "even", "random"}
        Whether the features are evenly spaced, which needs one feature, or random; "auto" means even for one feature.
    random_state : int, RandomState instance or None
        Seed of the draw, that of the command.
    threads : int, optional
        Number of threads (default: as for GPRegressor).

    Returns
    -------
    X : ndarray of shape (n, dims)
    y : ndarray of shape (n,)
    """
    if inputs not in ("auto", "even", "random"):
        raise ValueError(f"inputs cannot be {inputs!r}: expected 'auto', 'even' or 'random'")
    for name, value in (("n", n), ("dims", dims), ("threads", 1 if threads is None else threads)):
        if value < 1:
            raise ValueError(f"{name} cannot be {value}: expected a whole number, at least 1")
    even = inputs == "even" or (inputs == "auto" and dims == 1)
    x, y = _core.draw(str(kernel), int(n), int(dims), float(low), float(high), float(noise), even, seed_of(random_state),
                      _core.default_threads() if threads is None else int(threads))
    return np.ascontiguousarray(x), y
