"""scikit-learn's conventions."""
import pickle
import warnings

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

import gpcv
from conftest import pinned


# A weight divides the noise variance of its row. A row that is given twice instead may be in two folds, and counts twice
# in the standardisation, so that the parameters differ.
BY_DESIGN = {"check_sample_weight_equivalence_on_dense_data": "weights are precisions, not repetitions"}


@pytest.mark.parametrize("trainer", ["gauss-newton", "likelihood"])
def test_every_check_of_scikit_learn_passes_but_the_one_about_repetitions(trainer):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        results = check_estimator(pinned(trainer=trainer), on_fail=None, expected_failed_checks=BY_DESIGN)
    others = {r["check_name"]: r["exception"] for r in results if r["status"] not in ("passed", "skipped", "xfail")}
    skipped = {r["check_name"] for r in results if r["status"] == "skipped"}
    assert not others
    assert {r["check_name"] for r in results if r["status"] == "xfail"} == set(BY_DESIGN)
    assert skipped <= {"check_array_api_input"}  # scikit-learn's own, without SCIPY_ARRAY_API
    assert len(results) > 45
    assert "check_regressor_multioutput" in {r["check_name"] for r in results}


def test_grid_search_and_pipeline(hill):
    x, y = hill
    search = GridSearchCV(pinned(restarts=1), {"kernel": ["se(ard)", "linear"]}, cv=3).fit(x, y)
    assert search.best_params_ == {"kernel": "se(ard)"}
    scores = cross_val_score(make_pipeline(StandardScaler(), gpcv.GPRegressor()), x, y, cv=3)
    assert scores.min() > 0.9


def test_weights_reach_the_estimator_through_others(hill):
    from sklearn.ensemble import BaggingRegressor

    x, y = hill
    weight = np.linspace(0.1, 2, len(x))
    alone = make_pipeline(StandardScaler(), pinned(restarts=1)).fit(x, y, gpregressor__sample_weight=weight)
    assert alone[-1].model_.own_noise and alone.score(x, y) > 0.9
    assert BaggingRegressor(pinned(restarts=1), 3, random_state=0).fit(x, y).score(x, y) > 0.9


def test_parameters_are_set_and_got():
    model = gpcv.GPRegressor(folds=7)
    assert set(model.get_params()) >= {"kernel", "trainer", "folds", "noise", "threads", "random_state"}
    assert model.set_params(kernel="se", folds=3) is model
    assert (model.get_params()["kernel"], model.folds) == ("se", 3)
    with pytest.raises(ValueError, match="Invalid parameter"):
        model.set_params(kernels="se")


def test_clone_keeps_every_parameter():
    model = gpcv.GPRegressor(gpcv.se(l=2) + gpcv.linear(), "consensus", 3, noise=gpcv.fixed(0.1), random_state=7,
                             trainer_options={"rho": 2.0})
    copy = clone(model)
    assert copy.kernel == model.kernel and copy.folds == 3 and str(copy.noise) == "0.1:fixed"
    assert copy.trainer_options == {"rho": 2.0}


def test_pickle_predicts_the_same(hill):
    x, y = hill
    model = pinned().fit(x, y)
    copy = pickle.loads(pickle.dumps(model))
    for a, b in zip(model.predict(x, return_std=True), copy.predict(x, return_std=True)):
        np.testing.assert_array_equal(a, b)
    assert copy.kernel_ == model.kernel_
    pickle.loads(pickle.dumps(gpcv.GPRegressor()))


def test_data_frames_in_and_out(hill):
    pandas = pytest.importorskip("pandas")
    x, y = hill
    frame = pandas.DataFrame(x, columns=["a", "b", "c"], index=[f"row{i}" for i in range(len(x))])
    model = pinned().fit(frame, pandas.Series(y, name="height"))
    assert list(model.feature_names_in_) == ["a", "b", "c"]
    out = model.predict_frame(frame.iloc[:4], interval=0.8)
    assert list(out.columns) == ["mean", "std", "lower", "upper"] and list(out.index) == list(frame.index[:4])
    assert (out.lower < out["mean"]).all() and (out["mean"] < out.upper).all()
    assert model.model_.target == "height"
    with pytest.raises(ValueError, match="feature names"):
        model.predict(frame[["b", "a", "c"]])


def test_not_fitted():
    for call in ("predict", "components", "sample_y"):
        with pytest.raises(NotFittedError):
            getattr(gpcv.GPRegressor(), call)([[1.0]])
    with pytest.raises(NotFittedError):
        gpcv.GPRegressor().save("nowhere.h5")


def test_a_seed_is_a_seed(hill):
    x, y = hill
    a, b = (pinned(random_state=3).fit(x, y) for _ in range(2))
    assert str(a.kernel_) == str(b.kernel_) and a.noise_ == b.noise_
    c = pinned(random_state=np.random.RandomState(5)).fit(x, y)
    assert not np.array_equal(c.cv_results_["fold"], a.cv_results_["fold"])
