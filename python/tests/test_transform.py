"""Transforms of the target."""
import pickle

import numpy as np
import pytest
from sklearn.base import clone

import gpcv
from conftest import pinned


@pytest.fixture(scope="module")
def prices():
    rng = np.random.default_rng(5)
    x = rng.uniform(-1, 1, (150, 2))
    return x, np.exp(1 + np.sin(3 * x[:, 0]) + x[:, 1] + 0.4 * rng.normal(size=150))


def test_predictions_are_images_of_those_of_the_logarithm(prices):
    x, y = prices
    model, logs = pinned(transform="log").fit(x, y), pinned().fit(x, np.log(y))
    mean, std, lower, upper, quantiles = model.predict(x, return_std=True, interval=0.9, quantiles=[0.05, 0.5, 0.95])
    centre, lower_log, upper_log = logs.predict(x, interval=0.9)
    np.testing.assert_allclose(quantiles[:, 1], np.exp(centre), rtol=1e-9)
    np.testing.assert_allclose(lower, np.exp(lower_log), rtol=1e-9)
    np.testing.assert_allclose(upper, np.exp(upper_log), rtol=1e-9)
    np.testing.assert_allclose(quantiles[:, 2], upper, rtol=1e-9)
    assert (mean > quantiles[:, 1]).all() and (std > 0).all()
    np.testing.assert_array_equal(mean, model.predict(x))
    assert model.score(x, y) > 0.5
    assert (model.sample_y(x[:4], 20) > 0).all()
    with pytest.raises(ValueError, match="joint draws"):
        model.predict(x, return_cov=True)


def test_results_are_in_units_of_the_target(prices, tmp_path):
    x, y = prices
    model = pinned(transform="log", calibration=0.3).fit(x, y)
    assert model.transform_ == "log" and model.transforms_ == []
    assert model.cv_results_["rmse"] == pytest.approx(
        np.sqrt(np.mean((model.model_.targets - model.cv_results_["mean"]) ** 2)))
    lower, upper = model.predict(x, interval=0.8, conformal=True)[1:]
    assert (lower > 0).all() and (upper > lower).all()
    model.save(tmp_path / "model.h5")
    loaded = gpcv.load(tmp_path / "model.h5")
    assert loaded.get_params()["transform"] == loaded.transform_ == "log"
    np.testing.assert_array_equal(loaded.predict(x), model.predict(x))
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(model)).predict(x), model.predict(x))
    assert clone(model).get_params()["transform"] == "log"
    assert not hasattr(model, "transform"), "a regressor is no transformer"
    assert model.set_params(transform="sqrt").get_params()["transform"] == "sqrt"


def test_the_transform_is_chosen(prices):
    x, y = prices
    model = pinned(transform="auto", max_iterations=20).fit(x, y)
    assert model.transform_ == "log"
    assert [t["chosen"] for t in model.transforms_].count(True) == 1
    assert {t["transform"].split(":")[0] for t in model.transforms_} == {"none", "log", "sqrt", "yeo-johnson"}


def test_values_outside_of_the_domain_are_named(prices):
    x, y = prices
    with pytest.raises(ValueError, match=r"'y' has \d+ others in rows .* counted from 1; use transform='log:.*' or 'yeo-johnson'"):
        pinned(transform="log").fit(x, y - 2)
    with pytest.raises(ValueError, match="no 'cube'"):
        pinned(transform="cube").fit(x, y)
    with pytest.raises(ValueError, match="leave out transform="):
        pinned(transform="log").fit(x, y, noise_std=np.full(150, 0.1))
