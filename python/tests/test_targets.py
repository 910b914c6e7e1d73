"""Several targets: shapes by scikit-learn's conventions, and each target as by itself."""
import pickle
import warnings

import numpy as np
import pytest
from sklearn.metrics import r2_score
from sklearn.multioutput import MultiOutputRegressor

import gpcv
from gpcv import _targets
from conftest import pinned


@pytest.fixture(scope="module")
def pair():
    """Two targets in different units, of one function each."""
    rng = np.random.default_rng(3)
    x = rng.uniform(-2, 2, (90, 2))
    y = np.column_stack([np.sin(2 * x[:, 0]) + x[:, 1], 50 + 10 * np.cos(2 * x[:, 0])])
    return x, y + np.array([0.1, 1.0]) * rng.normal(size=y.shape)


@pytest.fixture(scope="module")
def fitted(pair):
    return pinned(restarts=1).fit(*pair)


def test_each_target_is_trained_as_by_itself(pair, fitted):
    x, y = pair
    for at in range(2):
        alone = pinned(restarts=1).fit(x, y[:, at])
        np.testing.assert_array_equal(fitted.predict(x)[:, at], alone.predict(x))
        assert str(fitted.kernel_[at]) == str(alone.kernel_)
        assert fitted.cv_results_[at]["rmse"] == alone.cv_results_["rmse"]


def test_predictions_have_an_axis_for_the_targets(pair, fitted):
    x, y = pair
    some = x[:7]
    mean, std = fitted.predict(some, return_std=True)
    assert mean.shape == std.shape == (7, 2) and (std > 0).all()
    mean, cov = fitted.predict(some, return_cov=True)
    assert cov.shape == (7, 7, 2)
    alone = fitted.estimators_[1].predict(some, return_cov=True)[1]
    np.testing.assert_array_equal(cov[:, :, 1], alone)
    mean, lower, upper = fitted.predict(some, interval=0.9)
    assert lower.shape == upper.shape == (7, 2) and (lower < mean).all() and (mean < upper).all()
    mean, quantiles = fitted.predict(some, quantiles=[0.1, 0.5, 0.9])
    assert quantiles.shape == (7, 2, 3) and (np.diff(quantiles, axis=2) > 0).all()
    samples = fitted.sample_y(some, 4)
    assert samples.shape == (7, 2, 4)
    # Targets are drawn independently of each other.
    many = fitted.sample_y(some[:1], 2000, latent=True)[0]
    assert abs(np.corrcoef(many)[0, 1]) < 0.1
    assert len(fitted.components(some)) == 2
    assert fitted.score(x, y) == pytest.approx(r2_score(y, fitted.predict(x)))


def test_attributes_are_lists_with_one_entry_per_target(pair, fitted):
    assert fitted.target_names_ == ["y0", "y1"]
    for name in ("kernel_", "noise_", "noise_std_", "status_", "n_iter_", "cv_results_", "importance_", "seconds_",
                 "work_", "model_", "findings_", "standard_errors_"):
        assert len(getattr(fitted, name)) == 2, name
    # A fit to one target afterwards leaves nothing of them.
    again = pinned(restarts=1).fit(*pair)
    again.fit(pair[0], pair[1][:, 0])
    assert not hasattr(again, "estimators_") and again.predict(pair[0]).shape == (90,)


def test_a_shared_kernel_has_one_shape(pair):
    x, y = pair
    model = pinned(share_kernel=True).fit(x, y)
    lengths = [{name: value for name, value in kernel.parameters.items() if "s2" not in name} for kernel in model.kernel_]
    assert lengths[0] == lengths[1]
    assert model.score(x, y) > 0.9
    assert model.work_[0]["kernel_passes"] == model.work_[1]["kernel_passes"]
    with pytest.raises(ValueError, match="share a kernel; leave out share_kernel="):
        pinned(share_kernel=True, robust=True).fit(x, y)
    # One target has nothing to share.
    np.testing.assert_array_equal(pinned(share_kernel=True).fit(x, y[:, 0]).predict(x), pinned().fit(x, y[:, 0]).predict(x))


def test_one_column_is_one_target(pair):
    x, y = pair
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = pinned(restarts=1).fit(x, y[:, :1])
    assert model.predict(x).shape == (90,)


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_columns_of_a_frame_name_the_targets(pair, library):
    frames = pytest.importorskip(library)
    x, y = pair
    columns = {"height": y[:, 0], "weight": y[:, 1]}
    frame = frames.table(columns) if library == "pyarrow" else frames.DataFrame(columns)
    model = pinned(restarts=1).fit(x, frame)
    assert model.target_names_ == ["height", "weight"]
    assert [one.target for one in model.model_] == ["height", "weight"]
    assert model.score(x, frame) > 0.9
    one = pinned(restarts=1).fit(x, frame.select(["weight"]) if library != "pandas" else frame[["weight"]])
    assert one.model_.target == "weight" and one.predict(x).shape == (90,)


def test_frames_of_predictions_have_the_names_of_the_targets(pair, fitted):
    pandas = pytest.importorskip("pandas")
    out = fitted.predict_frame(pandas.DataFrame(pair[0]).iloc[:5])
    assert list(out.columns) == [(t, c) for t in ("y0", "y1") for c in ("mean", "std", "lower", "upper")]
    np.testing.assert_array_equal(out["y1"]["mean"], fitted.predict(pair[0][:5])[:, 1])


def test_a_frame_in_another_order_is_refused(pair):
    pandas = pytest.importorskip("pandas")
    x, y = pair
    frame = pandas.DataFrame(y, columns=["a", "b"])
    model = pinned(restarts=1).fit(x, frame)
    with pytest.raises(ValueError, match="targets a, b"):
        model.score(x, frame[["b", "a"]])
    with pytest.raises(ValueError, match="two columns of y have the name 'a'"):
        pinned().fit(x, pandas.DataFrame(y, columns=["a", "a"]))
    with pytest.raises(ValueError, match="column 'b'"):
        pinned().fit(x, frame.assign(b="text"))


def test_files_and_pickles_keep_all_targets(pair, fitted, tmp_path):
    x, _ = pair
    fitted.save(tmp_path / "both.h5")
    for copy in (gpcv.load(tmp_path / "both.h5"), pickle.loads(pickle.dumps(fitted))):
        assert copy.target_names_ == ["y0", "y1"]
        for a, b in zip(fitted.predict(x, return_std=True), copy.predict(x, return_std=True)):
            np.testing.assert_array_equal(a, b)
        assert [str(k) for k in copy.kernel_] == [str(k) for k in fitted.kernel_]
    fitted.estimators_[1].save(tmp_path / "one.h5")
    assert gpcv.load(tmp_path / "one.h5").predict(x).shape == (90,)
    fitted.report(tmp_path / "page.html")
    assert sorted(path.name for path in tmp_path.glob("*.html")) == ["page.y0.html", "page.y1.html"]


def test_a_model_of_several_targets_is_a_start(pair, fitted):
    x, y = pair
    assert _targets.in_order(fitted, ["y1", "y0"]) == fitted.estimators_[1::-1]
    model = pinned(warm=fitted).fit(x, y)
    assert all(n <= m + 2 for n, m in zip(model.n_iter_, fitted.n_iter_))
    with pytest.raises(ValueError, match="2 earlier models for 3 targets"):
        pinned(warm=fitted).fit(x, np.column_stack([y, y[:, 0]]))


def test_missing_targets(pair):
    x, y = pair
    y = y.copy()
    y[::9, 0] = np.nan
    y[4, :] = np.nan
    with pytest.raises(ValueError, match="NaN"):
        pinned().fit(x, y)
    with pytest.raises(ValueError, match="expected 'error' or 'drop'"):
        pinned(missing="keep").fit(x, y)
    model = pinned(restarts=1, missing="drop").fit(x, y)
    assert [one.rows for one in model.model_] == [79, 89]
    shared = pinned(missing="drop", share_kernel=True).fit(x, y)
    assert [one.rows for one in shared.model_] == [79, 89]
    # Rows that both have are in the same fold.
    has = [np.flatnonzero(~np.isnan(y[:, at])) for at in range(2)]
    fold = [dict(zip(rows, results["fold"])) for rows, results in zip(has, model.cv_results_)]
    assert all(fold[0][row] == fold[1][row] for row in has[0])
    alone = pinned(restarts=1, missing="drop").fit(x, y[:, 0], sample_weight=np.ones(90))
    assert alone.model_.rows == 79


def test_progress_names_the_target(pair):
    seen = []
    pinned(restarts=1, progress=lambda record: seen.append(record["target"])).fit(*pair)
    assert list(dict.fromkeys(seen)) == ["y0", "y1"]


def test_a_training_that_is_stopped_says_which_targets_have_no_model(pair):
    with pytest.warns(gpcv.ConvergenceWarning, match="no model of y1"):
        model = pinned(restarts=1, progress=lambda record: False).fit(*pair)
    assert model.target_names_ == ["y0"]
    assert model.predict(pair[0]).shape == (90, 1)


def test_a_target_that_fails_leaves_the_others(pair, monkeypatch):
    train = gpcv._regressor._core.fit

    def failing(*arguments):
        trained, failures = train(*arguments)
        assert not failures
        return trained[:1], {"y1": "target 'y1': the matrix could not be factorised"}

    monkeypatch.setattr(gpcv._regressor._core, "fit", failing)
    with pytest.warns(gpcv.ConvergenceWarning, match="target 'y1': the matrix could not be factorised; it has no model") as said:
        model = pinned(restarts=1).fit(*pair)
    assert model.target_names_ == ["y0"] and len(said) == 1


def test_warnings_name_their_target(pair):
    x, y = pair
    y = np.column_stack([y[:, 0], np.random.default_rng(1).normal(size=len(x))])
    with pytest.warns(gpcv.ResultWarning, match="target 'y1': .*no better than the mean"):
        pinned(restarts=1).fit(x, y)


def test_plots_ask_for_one_target(fitted):
    pytest.importorskip("matplotlib")
    from gpcv import plot

    with pytest.raises(ValueError, match="2 targets: give one of its estimators_"):
        plot.effect(fitted)
    assert plot.effect(fitted.estimators_[0]) is not None


def test_it_agrees_with_one_estimator_per_target(pair, fitted):
    x, y = pair
    each = MultiOutputRegressor(pinned(restarts=1)).fit(x, y)
    np.testing.assert_array_equal(each.predict(x), fitted.predict(x))
