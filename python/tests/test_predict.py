"""Predictions, intervals, draws and files."""
import subprocess

import numpy as np
import pytest

import gpcv
from conftest import pinned


@pytest.fixture(scope="module")
def fitted(hill):
    return pinned(random_state=2).fit(*hill)


def test_intervals_follow_from_the_deviation(fitted, hill):
    x, _ = hill
    mean, std, lower, upper = fitted.predict(x, return_std=True, interval=0.9)
    np.testing.assert_allclose((upper - mean) / std, 1.6448536269514722, rtol=1e-9)
    np.testing.assert_allclose(mean - lower, upper - mean)
    _, latent = fitted.predict(x, return_std=True, latent=True)
    assert (latent < std).all()
    np.testing.assert_array_equal(mean, fitted.predict(x))


def test_quantiles_are_those_of_the_interval(hill):
    x, y = hill
    model = pinned(restarts=1).fit(x, y)
    mean, lower, upper, quantiles = model.predict(x, interval=0.9, quantiles=[0.05, 0.5, 0.95])
    np.testing.assert_allclose(quantiles, np.c_[lower, mean, upper], rtol=1e-9)
    with pytest.raises(ValueError, match="between 0 and 1"):
        model.predict(x, quantiles=[1.5])


def test_covariance_and_samples_agree(fitted, hill):
    x = hill[0][:5]
    mean, cov = fitted.predict(x, return_cov=True)
    _, std = fitted.predict(x, return_std=True)
    np.testing.assert_allclose(np.sqrt(np.diag(cov)), std, rtol=1e-6)
    draws = fitted.sample_y(x, 20000, random_state=1)
    assert draws.shape == (5, 20000)
    np.testing.assert_allclose(draws.mean(axis=1), mean, atol=5 * std.max() / 140)
    np.testing.assert_allclose(np.cov(draws), cov, atol=0.05 * cov.max())
    np.testing.assert_array_equal(fitted.sample_y(x, 3, random_state=4), fitted.sample_y(x, 3, random_state=4))


def test_components_add_up(hill):
    x, y = hill
    model = pinned("se(ard) + linear", mean="constant").fit(x, y)
    parts = model.components(x)
    total = parts.pop("offset") + sum(parts.values())
    np.testing.assert_allclose(total, model.predict(x), atol=1e-8)
    assert len(parts) == 3
    mean, std = model.components(x[:3], return_std=True)["linear"]
    assert mean.shape == std.shape == (3,)


def test_conformal_intervals(hill):
    x, y = hill
    model = pinned(calibration=0.3).fit(x, y)
    assert model.model_.calibration_rows == 45
    mean, lower, upper = model.predict(x, interval=0.9, conformal=True)
    assert ((lower < y) & (y < upper)).mean() > 0.85
    with pytest.raises(ValueError, match="no rows set aside for conformal intervals; train it with calibration=0.2$"):
        pinned(restarts=1).fit(x, y).predict(x, interval=0.9, conformal=True)
    with pytest.raises(ValueError):
        model.predict(x, interval=0.9999, conformal=True)
    with pytest.raises(ValueError, match="interval"):
        model.predict(x, conformal=True)


def test_conformal_with_given_folds(hill):
    from sklearn.model_selection import KFold

    model = pinned(calibration=0.3, folds=KFold(3), restarts=1).fit(*hill)
    assert model.model_.calibration_rows == 45 and len(model.cv_results_["mean"]) == 105


@pytest.mark.parametrize("options, message", [
    ({"interval": 1.5}, "between 0 and 1"),
    ({"interval": 0.9, "return_cov": True}, "return_cov"),
])
def test_bad_requests(fitted, hill, options, message):
    with pytest.raises(ValueError, match=message):
        fitted.predict(hill[0], **options)
    with pytest.raises(ValueError, match="3 features"):
        fitted.predict(hill[0][:, :2])
    with pytest.raises(ValueError, match="NaN"):
        fitted.predict([[1.0, np.nan, 2.0]])


def test_variance_methods(hill):
    x, y = hill
    exact = pinned(variance="exact", restarts=1).fit(x, y)
    near = pinned(variance="neighbours:20", restarts=1).fit(x, y)
    assert (near.predict(x, return_std=True)[1] > 0.5 * exact.predict(x, return_std=True)[1]).all()
    with pytest.raises(ValueError, match="variance"):
        pinned(variance="guess", restarts=1).fit(x, y).predict(x, return_std=True)


def test_files_go_both_ways(fitted, hill, command, tmp_path):
    x, y = hill
    path = tmp_path / "model.h5"
    fitted.save(path)
    again = gpcv.load(path)
    for a, b in zip(again.predict(x, return_std=True), fitted.predict(x, return_std=True)):
        np.testing.assert_array_equal(a, b)
    assert again.n_features_in_ == 3 and again.random_state == 2
    np.savetxt(tmp_path / "new.csv", x, delimiter=",", fmt="%.17g")
    done = subprocess.run([command, "predict", str(path), str(tmp_path / "new.csv")], capture_output=True, text=True,
                          check=True)
    table = np.array([[float(v) for v in line.split(",")] for line in done.stdout.split()[1:]])
    mean, std = fitted.predict(x, return_std=True)
    np.testing.assert_allclose(table[:, 0], mean, rtol=1e-12)
    np.testing.assert_allclose(table[:, 1], std, rtol=1e-12)
    fitted.report(tmp_path / "report.html")
    assert (tmp_path / "report.html").read_text().startswith("<!DOCTYPE html>")


def test_a_data_frames_names_reach_the_command(hill, command, tmp_path):
    pandas = pytest.importorskip("pandas")
    x, y = hill
    frame = pandas.DataFrame(x, columns=["a", "b", "c"])
    pinned(restarts=1).fit(frame, y).save(tmp_path / "m.h5")
    frame[["c", "a", "b"]].to_csv(tmp_path / "new.csv", index=False)
    done = subprocess.run([command, "predict", str(tmp_path / "m.h5"), str(tmp_path / "new.csv"), "--mean-only"],
                          capture_output=True, text=True, check=True)
    means = np.array([float(v) for v in done.stdout.split()[1:]])
    np.testing.assert_allclose(means, gpcv.load(tmp_path / "m.h5").predict(frame), rtol=1e-9)


def test_categorical_columns_of_the_command(command, tmp_path):
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(0)
    frame = pandas.DataFrame({"x": rng.uniform(size=120), "colour": rng.choice(["red", "green", "blue"], 120)})
    frame["y"] = np.sin(5 * frame.x) + (frame.colour == "red") + 0.05 * rng.normal(size=120)
    frame.to_csv(tmp_path / "data.csv", index=False)
    subprocess.run([command, "fit", str(tmp_path / "data.csv"), "--target", "y", "--categorical", "colour", "--quiet",
                    "-o", str(tmp_path / "m.h5")], check=True)
    model = gpcv.load(tmp_path / "m.h5")
    new = pandas.DataFrame({"colour": ["red", "blue"], "x": [0.3, 0.3]})
    red, blue = model.predict(new)
    assert red - blue == pytest.approx(1, abs=0.2)
    with pytest.raises(ValueError, match="'pink', which the model does not know"):
        model.predict(pandas.DataFrame({"colour": ["pink"], "x": [0.3]}))


def test_files_that_cannot_be_used(fitted, tmp_path):
    with pytest.raises(ValueError, match="nothing.h5"):
        gpcv.load(tmp_path / "nothing.h5")
    (tmp_path / "text.h5").write_text("not a model")
    with pytest.raises(ValueError, match="text.h5"):
        gpcv.load(tmp_path / "text.h5")
    with pytest.raises((ValueError, RuntimeError)):
        fitted.save(tmp_path / "no" / "such" / "folder" / "m.h5")


def test_many_rows_need_little_memory(fitted, hill):
    """Blocks: nothing of the size rows × training rows, in either order of the array."""
    resource = pytest.importorskip("resource")
    rng = np.random.default_rng(0)
    x = rng.uniform(-2, 2, (400_000, 3))
    fitted.predict(x[:10], return_std=True)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    mean, std = fitted.predict(x, return_std=True)
    grown = 1024 * (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
    assert grown < 1.3 * (x.nbytes + mean.nbytes + std.nbytes) + 200e6
    np.testing.assert_array_equal(fitted.predict(np.asfortranarray(x[:20000])), mean[:20000])
