"""Learned noise."""
import pickle

import numpy as np
import pytest
from sklearn.base import clone

import gpcv
from conftest import pinned


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(5)
    x = rng.uniform(-1, 1, (250, 2))
    return x, np.sin(3 * x[:, 0]) + x[:, 1] + 0.1 * 10 ** ((x[:, 0] + 1) / 2) * rng.normal(size=250)


@pytest.fixture(scope="module")
def learned(rows):
    return pinned(noise="learned").fit(*rows)


def test_intervals_follow_the_noise(learned, rows):
    found = learned.noise_model_
    assert found["asked"] == "learned" and found["learned"] and found["rounds"] >= 1
    assert found["inputs"][0] == "x0" and found["gain"] > 0.1 and found["high"] > 3 * found["low"]
    _, std = learned.predict(np.array([[-0.8, 0.0], [0.8, 0.0]]), return_std=True)
    assert std[1] > 3 * std[0]
    _, latent = learned.predict(np.array([[-0.8, 0.0], [0.8, 0.0]]), return_std=True, latent=True)
    assert (latent < std).all()
    _, lower, upper = learned.predict(rows[0], interval=0.95)
    assert np.mean((rows[1] >= lower) & (rows[1] <= upper)) == pytest.approx(0.95, abs=0.04)


def test_files_and_pickles_keep_it(learned, rows, tmp_path):
    learned.save(tmp_path / "model.h5")
    for other in (gpcv.load(tmp_path / "model.h5"), pickle.loads(pickle.dumps(learned))):
        np.testing.assert_array_equal(other.predict(rows[0][:9], return_std=True), learned.predict(rows[0][:9], return_std=True))
        assert other.noise_model_ == learned.noise_model_
    assert gpcv.load(tmp_path / "model.h5").noise == "learned"
    assert clone(learned).get_params()["noise"] == "learned"


def test_constant_noise_has_nothing_to_tell(rows):
    assert pinned().fit(*rows).noise_model_ == {}


def test_contradictions_are_refused(learned, rows):
    x, y = rows
    with pytest.raises(ValueError, match="states the noise"):
        pinned(noise="auto").fit(x, y, noise_std=np.full(len(y), 0.1))
    with pytest.raises(ValueError, match="states the noise"):
        pinned(noise="learned").fit(x, y, weights=np.ones(len(y)))
    with pytest.raises(ValueError, match="cannot learn the noise"):
        pinned(noise="learned", trainer="likelihood").fit(x, y)
    with pytest.raises(ValueError, match="has learned its noise"):
        learned.predict(x, return_std=True, noise_std=np.ones(len(y)))
