import pathlib

import matplotlib
import numpy as np
import pytest

import gpcv

matplotlib.use("Agg")


def pinned(kernel="se(ard)", *positional, assess="inner", **options):
    """Estimator with one kernel and the error of its folds, for tests that are not about the defaults."""
    return gpcv.GPRegressor(kernel, *positional, assess=assess, **options)


@pytest.fixture(scope="session")
def wave():
    """Noisy sine of one feature."""
    rng = np.random.default_rng(0)
    x = np.linspace(0, 10, 200)[:, None]
    return x, 3 + np.sin(x[:, 0]) + 0.1 * rng.normal(size=200)


@pytest.fixture(scope="session")
def hill():
    """Three features, the last of no use."""
    rng = np.random.default_rng(1)
    x = rng.uniform(-2, 2, (150, 3))
    return x, np.exp(-x[:, 0] ** 2) + 0.5 * x[:, 1] + 0.05 * rng.normal(size=150)


@pytest.fixture(scope="session")
def command():
    """The program of the same build, to compare with."""
    import os

    path = pathlib.Path(os.environ.get("GPCV_COMMAND", ""))
    if not path.is_file():
        pytest.skip("GPCV_COMMAND does not name the program")
    return str(path)
