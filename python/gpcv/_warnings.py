"""Warnings that fit and predict issue."""

import sklearn.exceptions


class ConvergenceWarning(sklearn.exceptions.ConvergenceWarning):
    """Training ended before it converged: by a limit, by a callback, or for lack of precision."""


class DataWarning(UserWarning):
    """The training data deserve attention: columns that repeat others, outliers, rows that look ordered in time, …"""


class ResultWarning(UserWarning):
    """The result deserves attention: its predictions are no better than the mean of the target."""


class ExtrapolationWarning(UserWarning):
    """Rows to predict lie far outside the training rows: their predictions rest on the kernel alone."""
