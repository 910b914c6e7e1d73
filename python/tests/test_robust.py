"""Robust training."""
import pickle
import warnings

import numpy as np
import pytest
from sklearn.base import clone

import gpcv
from conftest import pinned


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(5)
    x = rng.uniform(-1, 1, (150, 2))
    clean = np.sin(3 * x[:, 0]) + x[:, 1] + 0.1 * rng.normal(size=150)
    y = clean.copy()
    y[::30] += 3
    return x, y, clean


def test_outliers_have_little_weight_and_a_name(table, tmp_path):
    x, y, clean = table
    with pytest.warns(gpcv.ResultWarning, match="5 of 150 rows contradict the model"):
        model = pinned(robust=True).fit(x, y)
    assert (model.row_weights_[::30] < 0.05).all() and model.row_weights_.shape == (150,)
    assert np.delete(model.row_weights_, np.arange(0, 150, 30)).mean() > 0.95
    assert model.cv_results_["rmse"] < 0.15 and model.cv_results_["smse"] < 0.1
    assert len(model.cv_results_["mean"]) == 150 and np.isfinite(model.cv_results_["mean"]).all()
    assert [f["code"] for f in model.findings_ if f["about"] == "result"] == ["distrusted_rows"]
    reference = pinned().fit(x, clean)
    np.testing.assert_allclose(model.predict(x), reference.predict(x), atol=0.08)
    model.save(tmp_path / "m.h5")
    loaded = gpcv.load(tmp_path / "m.h5")
    assert loaded.robust
    np.testing.assert_array_equal(loaded.row_weights_, model.row_weights_)
    np.testing.assert_array_equal(loaded.predict(x), model.predict(x))
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(model)).predict(x), model.predict(x))
    with pytest.raises(ValueError, match="same noise in every row"):
        model.predict(x, weights=np.ones(150))


def test_without_outliers_nothing_changes(table):
    x, _, clean = table
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model, plain = clone(pinned(robust=True)).fit(x, clean), pinned().fit(x, clean)
    np.testing.assert_array_equal(model.predict(x), plain.predict(x))
    assert (model.row_weights_ == 1).all() and plain.row_weights_.size == 0
