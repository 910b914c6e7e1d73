"""scikit-learn's checks of arrays, under the names that they have had since its version 1.6; Debian 12 has 1.2."""

from __future__ import annotations

from typing import Any

from sklearn import utils

try:
    from sklearn.utils.validation import validate_data

    check_array = utils.check_array
except ImportError:

    def check_array(array: Any, *, ensure_all_finite: bool = True, **options: Any) -> Any:
        """Check one array."""
        return utils.check_array(array, force_all_finite=ensure_all_finite, **options)

    def validate_data(estimator: Any, X: Any, y: Any = "no_validation", *, ensure_all_finite: bool = True,
                      **options: Any) -> Any:
        """Check features, and targets where there are any, and set or compare what the estimator knows of them."""
        return estimator._validate_data(X, y, force_all_finite=ensure_all_finite, **options)


__all__ = ["check_array", "validate_data"]
