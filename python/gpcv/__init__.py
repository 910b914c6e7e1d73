"""Gaussian-process regression trained by cross-validation, matrix-free.

>>> import gpcv
>>> model = gpcv.GPRegressor().fit(X, y)                        # doctest: +SKIP
>>> mean, lower, upper = model.predict(X_new, interval=0.9)     # doctest: +SKIP
"""

from ._processor import told_to_blas

with told_to_blas():
    from ._core import candidate_names, trainers, version
from ._assessment import Summary
from ._comparison import compare
from ._info import info
from ._kernels import (Kernel, Parameter, bounded, const, fixed, linear, lp, matern12, matern32, matern52, periodic, rq,
                       se, tied)
from ._regressor import ConvergenceWarning, DataWarning, ExtrapolationWarning, GPRegressor, ResultWarning, load
from ._synthetic import generate

__version__ = version()

__all__ = [
    "ConvergenceWarning", "DataWarning", "ExtrapolationWarning", "GPRegressor", "Kernel", "Parameter", "ResultWarning",
    "Summary", "bounded", "candidate_names", "compare", "const", "fixed", "generate", "info", "linear", "load", "lp", "matern12",
    "matern32", "matern52", "periodic", "rq", "se", "tied", "trainers",
]
