"""Values of rows besides features and target: weights, noise, groups and times."""
import pickle

import numpy as np
import pandas
import polars
import pytest

import gpcv
from conftest import pinned


@pytest.fixture(scope="module")
def uneven():
    """Wave whose right half is noisy."""
    rng = np.random.default_rng(5)
    x = rng.uniform(0, 10, (200, 1))
    deviation = np.where(x[:, 0] < 5, 0.05, 0.8)
    return x, np.sin(x[:, 0]) + deviation * rng.normal(size=200), deviation


def test_sample_weight_is_weights(uneven):
    x, y, deviation = uneven
    by_name = pinned("se", restarts=1).fit(x, y, weights=1 / deviation**2)
    for weight in (1 / deviation**2, list(1 / deviation**2), pandas.Series(1 / deviation**2), polars.Series(1 / deviation**2)):
        model = pinned("se", restarts=1).fit(x, y, sample_weight=weight)
        assert str(model.kernel_) == str(by_name.kernel_) and model.noise_ == by_name.noise_
    plain = pinned("se", restarts=1).fit(x, y)
    for equal in (2.0, np.full(len(x), 0.3)):
        assert str(pinned("se", restarts=1).fit(x, y, equal).kernel_) == str(plain.kernel_)


@pytest.mark.parametrize("folds", [4, "4:interleaved", "labels", "pairs", "groups"])
def test_rows_without_weight_are_left_out(uneven, folds):
    x, y, deviation = uneven
    kept = np.arange(len(x)) % 3 > 0
    labels = np.arange(len(x)) % 4
    groups = labels if folds == "groups" else None
    of = {"labels": labels, "pairs": [(np.flatnonzero(labels != k), np.flatnonzero(labels == k)) for k in range(4)],
          "groups": 4}.get(folds, folds)
    some = {"labels": labels[kept], "pairs": [(np.flatnonzero(labels[kept] != k), np.flatnonzero(labels[kept] == k))
                                              for k in range(4)], "groups": 4}.get(folds, folds)
    weighted = pinned("se", folds=of, restarts=1).fit(x, y, np.where(kept, 1 / deviation, 0), groups=groups)
    part = pinned("se", folds=some, restarts=1).fit(x[kept], y[kept], weights=1 / deviation[kept],
                                                    groups=None if groups is None else groups[kept])
    assert str(weighted.kernel_) == str(part.kernel_)
    assert len(weighted.cv_results_["mean"]) == kept.sum()


@pytest.mark.parametrize("weight, message", [
    (-np.ones(200), r"finite and not negative, but row 0 \(from 0\) has -1"),
    (np.r_[np.ones(199), np.nan], r"row 199 \(from 0\) has nan"),
    (np.ones(3), "one value per row: 200 rows, 3 values"),
    (np.zeros(200), "zero in every row"),
    (np.ones((200, 2)), "must be 1D"),
])
def test_weights_that_cannot_be_used(uneven, weight, message):
    x, y, _ = uneven
    with pytest.raises(ValueError, match=message):
        pinned("se").fit(x, y, sample_weight=weight)
    with pytest.raises(ValueError, match=message):
        pinned("linear").fit(x, y).score(x, y, sample_weight=weight)


def test_two_names_of_the_same_are_refused(uneven):
    x, y, deviation = uneven
    with pytest.raises(ValueError, match="two names of the same"):
        pinned().fit(x, y, deviation, weights=deviation)


def test_score_weighs_rows(uneven):
    from sklearn.metrics import r2_score

    x, y, deviation = uneven
    model = pinned("se", restarts=1).fit(x, y)
    assert model.score(x, y) == r2_score(y, model.predict(x))
    weight = np.where(deviation < 0.1, 1, 0)
    assert model.score(x, y, weight) == r2_score(y, model.predict(x), sample_weight=weight) > model.score(x, y)


def test_noise_of_new_rows_belongs_to_models_with_noise_of_rows(uneven):
    x, y, deviation = uneven
    plain = pinned("se", restarts=1).fit(x, y)
    known = pinned("se", restarts=1).fit(x, y, noise_std=deviation)
    weighted = pinned("se", restarts=1).fit(x, y, weights=1 / deviation**2)
    for call in (lambda m, **how: m.predict(x[:2], return_std=True, **how), lambda m, **how: m.sample_y(x[:2], **how),
                 lambda m, **how: m.predict(x[:2], **how), lambda m, **how: m.predict(x[:2], return_cov=True, **how)):
        with pytest.raises(ValueError, match=r"^this model has the same noise in every row, so noise_std has no meaning"):
            call(plain, noise_std=[1.0, 2.0])
        with pytest.raises(ValueError, match="so weights has no meaning"):
            call(plain, weights=[1.0, 2.0])
        with pytest.raises(ValueError, match="trained with noise_std: give noise_std here, not weights"):
            call(known, weights=[1.0, 2.0])
        with pytest.raises(ValueError, match="trained with weights: give weights here, not noise_std"):
            call(weighted, noise_std=[1.0, 2.0])
        with pytest.raises(ValueError, match="exclude each other"):
            call(known, weights=[1.0, 2.0], noise_std=[1.0, 2.0])
    _, std = weighted.predict(x[:2], return_std=True, weights=[1 / 0.05**2, 1 / 0.8**2])
    assert std[1] > 3 * std[0]
    with pytest.raises(ValueError, match=r"weights must be positive and finite, but row 1 \(from 0\) has 0"):
        weighted.predict(x[:2], return_std=True, weights=[1.0, 0.0])


NOTHING = [np.nan, None, float("nan"), np.datetime64("NaT"), pandas.NaT, pandas.NA]


@pytest.mark.parametrize("nothing", NOTHING, ids=repr)
@pytest.mark.parametrize("argument, folds", [("groups", 3), ("groups", "groups:3"), ("times", "time:3"), ("folds", None)])
def test_missing_labels_and_times_are_named(hill, nothing, argument, folds):
    x, y = hill
    values = [i % 7 for i in range(len(x))]
    values[12] = nothing
    values[40] = nothing
    array = np.empty(len(values), object)
    array[:] = values
    for given in (array, pandas.Series(array)):
        with pytest.raises(ValueError, match=rf"^{argument} .*row 12 \(from 0\).*leave the row out$"):
            pinned(folds=given if folds is None else folds).fit(x, y, **({} if folds is None else {argument: given}))


def test_missing_times_of_every_type(hill):
    x, y = hill
    days = np.datetime64("2020-01-01") + np.arange(len(x))
    days[3] = np.datetime64("NaT")
    for times in (days, pandas.Series(days), polars.Series(days), np.r_[np.arange(3.0), np.nan, np.arange(len(x) - 4.0)]):
        with pytest.raises(ValueError, match=r"^times .*row 3 \(from 0\) has none"):
            pinned(folds="time:3").fit(x, y, times=times)
        with pytest.raises(ValueError, match=r"^times .*row 3 \(from 0\) has none"):
            pinned().fit(x, y, times=times)  # also where they are not needed
    groups = pandas.Series(np.arange(len(x)) % 9, dtype="Int64")
    groups[5] = pandas.NA
    with pytest.raises(ValueError, match=r"^groups has no value in row 5 \(from 0\)"):
        pinned().fit(x, y, groups=groups)


def test_labels_as_objects_are_labels(hill):
    labels = np.arange(len(hill[0])) % 4 - 1
    a, b = (pinned("linear", folds=given).fit(*hill).cv_results_["fold"] for given in (labels, labels.astype(object)))
    np.testing.assert_array_equal(a, b)


def test_groups_of_text_and_numbers(hill):
    x, y = hill
    names = np.array([f"g{i % 10}" for i in range(len(x))])
    mixed = np.array([i % 10 if i % 10 < 5 else f"g{i % 10}" for i in range(len(x))], object)
    folds = [pinned("linear", folds=3).fit(x, y, groups=g).cv_results_["fold"]
             for g in (names, mixed, polars.Series(names), pandas.Categorical(names))]
    for other in folds[1:]:
        np.testing.assert_array_equal(folds[0], other)


def test_loaded_models_have_what_fitted_ones_have(hill, tmp_path):
    frame = pandas.DataFrame(hill[0], columns=["a", "b", "c"])
    model = gpcv.GPRegressor(candidates=["se", "matern32"], random_state=4).fit(frame, hill[1])
    model.save(tmp_path / "model.h5")
    loaded = gpcv.load(tmp_path / "model.h5")
    kept = {name for name in vars(model) if name.endswith("_")} | {"seconds_", "work_"}
    for name in kept - {"seconds_", "work_", "model_", "cv_results_"}:
        ours, theirs = getattr(model, name), getattr(loaded, name)
        assert np.array_equal(ours, theirs) if isinstance(ours, np.ndarray) else ours == theirs, name
    assert set(model.cv_results_) == set(loaded.cv_results_)
    for name in ("mean", "fold"):
        np.testing.assert_array_equal(model.cv_results_[name], loaded.cv_results_[name])
    assert loaded.cv_results_["fold"].dtype == np.int64 and set(loaded.cv_results_["fold"]) == set(range(5))
    for name in ("seconds_", "work_"):
        assert getattr(model, name)
        with pytest.raises(AttributeError, match=f"'{name}' is known after fit only: a model file does not keep it"):
            getattr(loaded, name)
        with pytest.raises(AttributeError, match=f"no attribute '{name}'"):
            getattr(gpcv.GPRegressor(), name)
    again = pickle.loads(pickle.dumps(loaded))
    np.testing.assert_array_equal(again.predict(frame), model.predict(frame))
    assert again.findings_ == model.findings_
