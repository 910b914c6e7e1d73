"""Training: the same as the command's, in all the ways folds are said, and stoppable."""
import contextlib
import csv
import json
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from sklearn.model_selection import GroupKFold, KFold, PredefinedSplit, ShuffleSplit, TimeSeriesSplit

import gpcv
from conftest import pinned


def write(path, x, y):
    with open(path, "w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow([f"x{i}" for i in range(x.shape[1])] + ["y"])
        rows.writerows([[repr(float(v)) for v in row] + [repr(float(t))] for row, t in zip(x, y)])


@pytest.mark.filterwarnings("ignore:X does not have valid feature names")
@pytest.mark.parametrize("options, arguments", [
    ({}, []),
    ({"kernel": "matern52(ard) + linear", "folds": "4:interleaved", "random_state": 3},
     ["--kernel", "matern52(ard) + linear", "--folds", "4:interleaved", "--seed", "3"]),
    ({"trainer": "likelihood", "mean": "linear"}, ["--trainer", "likelihood", "--mean", "linear"]),
    ({"trainer": "consensus", "folds": 3, "kernel": "se"}, ["--trainer", "consensus", "--folds", "3", "--kernel", "se"]),
    ({"trainer": "admm", "kernel": "se", "trainer_options": {"preset": "paper"}},
     ["--trainer", "admm", "--kernel", "se", "--preset", "paper"]),
    ({"trainer": "naive", "kernel": "se", "folds": 2, "max_iterations": 3, "trainer_options": {
        "preset": "authors", "hold": "variances", "armijo_start": [0.1, 0.05], "theta_tolerance": 0.01, "stop": "change",
        "balance_rho": True, "z_iterations": 40, "precondition": True, "choose": "training"}},
     ["--trainer", "naive", "--kernel", "se", "--folds", "2", "--max-iterations", "3", "--preset", "authors", "--hold",
      "variances", "--armijo-start", "0.1,0.05", "--theta-tolerance", "0.01", "--stop", "change", "--balance-rho", "yes",
      "--z-iterations", "40", "--precondition", "yes", "--choose", "training"]),
    ({"trainer": "consensus", "kernel": "se", "folds": 2, "trainer_options": {"preset": "paper", "rho_consensus": 30.0}},
     ["--trainer", "consensus", "--kernel", "se", "--folds", "2", "--preset", "paper", "--rho-consensus", "30"]),
    ({"solver": "cg", "precision": "double", "kernel": "se"},
     ["--solver", "cg", "--precision", "double", "--kernel", "se"]),
    ({"folds": 0.3, "noise": gpcv.fixed(0.01)}, ["--holdout", "0.3", "--noise", "0.01:fixed"]),
    ({"folds": "regions:4"}, ["--blocks", "4:kmeans"]),
    ({"folds": "blocks:4"}, ["--blocks", "4"]),
])
def test_parameters_are_those_of_the_command(hill, command, tmp_path, options, arguments):
    x, y = hill
    write(tmp_path / "data.csv", x, y)
    done = subprocess.run([command, "fit", str(tmp_path / "data.csv"), "--target", "y", "--json", "--quiet", "-o",
                           str(tmp_path / "model.h5"), *arguments], capture_output=True, text=True)
    assert done.returncode in (0, 1), done.stderr
    theirs = gpcv.load(tmp_path / "model.h5")
    with pytest.warns(gpcv.ConvergenceWarning) if done.returncode == 1 else contextlib.nullcontext():
        ours = gpcv.GPRegressor(**options).fit(x, y)
    assert str(ours.kernel_) == str(theirs.kernel_)
    assert ours.noise_ == theirs.noise_
    assert ours.cv_results_["rmse"] == json.loads(done.stdout)["cv_rmse"]
    ours.save(tmp_path / "ours.h5")
    for a, b in zip(gpcv.load(tmp_path / "ours.h5").predict(x, return_std=True), theirs.predict(x, return_std=True)):
        np.testing.assert_array_equal(a, b)


def test_folds_of_every_kind(hill):
    x, y = hill
    groups = np.repeat(np.arange(30), 5)
    model = pinned(folds=3, restarts=1).fit(x, y, groups=groups)
    fold = model.cv_results_["fold"]
    assert all(len(set(fold[groups == g])) == 1 for g in range(30)) and set(fold) == {0, 1, 2}

    split = KFold(4, shuffle=True, random_state=0)
    by_splitter = pinned(folds=split, restarts=1).fit(x, y)
    pairs = list(split.split(x))
    by_pairs = pinned(folds=pairs, restarts=1).fit(x, y)
    labels = np.empty(len(x), int)
    for k, (_, validation) in enumerate(pairs):
        labels[validation] = k
    by_labels = pinned(folds=labels, restarts=1).fit(x, y)
    by_predefined = pinned(folds=PredefinedSplit(labels), restarts=1).fit(x, y)
    assert "4 folds of KFold" in by_splitter.model_.folds
    for other in (by_pairs, by_predefined):
        assert str(other.kernel_) == str(by_splitter.kernel_)
    np.testing.assert_allclose(by_labels.cv_results_["rmse"], by_splitter.cv_results_["rmse"], rtol=1e-6)
    np.testing.assert_allclose(list(by_labels.kernel_.parameters["se.l[0]"].values())[0],
                               by_splitter.kernel_.parameters["se.l[0]"]["value"], rtol=1e-4)
    grouped = pinned(folds=GroupKFold(3), restarts=1).fit(x, y, groups=groups)
    assert grouped.cv_results_["rmse"] < 0.2


def test_folds_that_overlap_or_leave_rows_out(hill):
    x, y = hill
    some = pinned(folds=ShuffleSplit(3, test_size=0.2, random_state=0), restarts=1).fit(x, y)
    assert np.isnan(some.cv_results_["mean"]).any() and some.cv_results_["rmse"] < 0.2
    chained = pinned(folds=TimeSeriesSplit(3), restarts=1).fit(x, y)
    assert (chained.cv_results_["fold"][: len(x) // 4] == -1).all()
    labels = np.arange(len(x)) % 4 - 1
    labelled = pinned(folds=labels, restarts=1).fit(x, y)
    assert (labelled.cv_results_["fold"][labels == -1] == -1).all()


def test_held_out_means_are_those_of_models_without_the_rows(hill):
    """The mean of a fold's row, from a model of the other rows with the same parameters."""
    x, y = hill
    train, validation = next(KFold(5).split(x))
    held = {name: p["value"] for name, p in pinned(standardize=False).fit(x, y).kernel_.parameters.items()}
    lengths = [gpcv.fixed(held[f"se.l[{i}]"]) for i in range(3)]
    kernel = gpcv.se(l=lengths, s2=gpcv.fixed(held["se.s2"]))
    whole = pinned(kernel, folds=KFold(5), noise=gpcv.fixed(0.01), standardize=False).fit(x, y)
    part = pinned(kernel, noise=gpcv.fixed(0.01), standardize=False).fit(x[train], y[train])
    np.testing.assert_allclose(whole.cv_results_["mean"][validation], part.predict(x[validation]), rtol=1e-6)


def test_time_folds(wave):
    pandas = pytest.importorskip("pandas")
    x, y = wave
    model = pinned("se", folds="time:4").fit(x, y)
    fold = model.cv_results_["fold"]
    assert (np.diff(fold) >= 0).all() and set(fold) == {-1, 0, 1, 2, 3}
    dates = pandas.date_range("2000-01-01", periods=len(x), freq="D")
    dated = pinned("se", folds="time:4").fit(x, y, times=dates)
    np.testing.assert_array_equal(dated.cv_results_["fold"], fold)


@pytest.mark.parametrize("options, fit_options, message", [
    ({"folds": 1}, {}, "at least 2"),
    ({"folds": 1.5}, {}, "between 0 and 1"),
    ({"folds": "five"}, {}, "expected 5"),
    ({"folds": "time:x"}, {}, "expected 5"),
    ({"folds": "time:3"}, {}, "times"),
    ({"folds": "groups:3"}, {}, "groups"),
    ({"folds": [0, 1]}, {}, "one value per row"),
    ({"folds": object()}, {}, "folds cannot be"),
    ({"folds": [([0, 1, 2], [2, 3])]}, {}, "row 2 twice"),
    ({"folds": [([0, 1, 2], [999])]}, {}, "contains row 999"),
    ({"kernel": "sex"}, {}, "expected a kernel"),
    ({"trainer": "adam"}, {}, "adam"),
    ({"start": "here"}, {}, "'here' is none of auto, subset, local, values, median"),
    ({"mean": "cubic"}, {}, "'cubic' is none of zero, constant, linear"),
    ({"solver": "qr"}, {}, "'qr' is none of auto, cg, cholesky"),
    ({"backend": "abacus"}, {}, "not part of this build"),
    ({"memory": "lots"}, {}, "lots"),
    ({"memory": "1K"}, {}, "memory|budget"),
    ({"threads": 0}, {}, "threads cannot be 0"),
    ({"restarts": 0}, {}, "0 starts"),
    ({"restarts": "many"}, {}, "restarts cannot be 'many'"),
    ({"calibration": 1.0}, {}, "between 0 and 1"),
    ({"resume": True}, {}, "resuming needs the file of a checkpoint; name it with checkpoint=$"),
    ({"trainer_options": {"rho": 1.0}}, {}, "rho is an option of the trainer admm, naive or consensus, not of gauss-newton; leave out 'rho' of "
     "trainer_options$"),
    ({"trainer": "likelihood", "epsilon": 0.1}, {}, "leave out epsilon=$"),
    ({"trainer": "likelihood", "checkpoint": "a.ck"}, {}, "leave out checkpoint=$"),
    ({"trainer": "admm", "folds": 3}, {}, "choose a fraction for folds=, or trainer='naive' or 'consensus'"),
    ({"trainer": "likelihood", "memory": "100K"}, {}, "raise memory= or use fewer rows$"),
    ({"trainer_options": {"tau": 1.0}}, {}, "unknown trainer option 'tau'"),
    ({}, {"weights": np.zeros(150)}, "positive and finite"),
    ({}, {"weights": np.ones(3)}, "one value per row"),
    ({}, {"weights": np.ones(150), "noise_std": np.ones(150)}, "exclude each other"),
    ({"noise": 0.1}, {"noise_std": np.ones(150)}, "leave out noise"),
    ({}, {"groups": np.zeros(7)}, "one value per row"),
])
def test_mistakes_are_value_errors(hill, options, fit_options, message):
    with pytest.raises(ValueError, match=message):
        pinned(**options).fit(*hill, **fit_options)


def test_a_target_that_does_not_vary():
    with pytest.raises(ValueError, match="vary|constant"):
        pinned().fit(np.arange(10.0)[:, None], np.ones(10))


def test_time_limit_warns_and_keeps_the_best(hill):
    with pytest.warns(gpcv.ConvergenceWarning):
        model = pinned(max_iterations=1, restarts=1, start="values").fit(*hill)
    assert model.status_ != "converged" and np.isfinite(model.predict(hill[0])).all()


def test_callbacks_see_steps_and_stop_them(hill):
    x, y = hill
    seen = []
    pinned(progress=seen.append, start="values").fit(x, y)
    assert len(seen) > 2 and seen[0]["objective"] > seen[-1]["objective"] > 0
    assert set(seen[0]["theta"]) >= {"se.l[0]", "se.l[1]", "se.l[2]"}
    count = []

    def twice(record):
        count.append(record)
        return len(count) < 2

    with pytest.warns(gpcv.ConvergenceWarning):
        model = pinned(progress=twice, start="values", restarts=1).fit(x, y)
    assert model.status_ == "stopped" and len(count) == 2


def test_what_a_callback_raises_comes_out(hill):
    def broken(record):
        raise LookupError("mine")

    model = pinned("linear").fit(*hill)
    model.set_params(progress=broken, kernel="se(ard)")
    with pytest.raises(LookupError, match="mine"):
        model.fit(*hill)
    assert "linear" in str(model.kernel_)  # what was there before still is


def test_progress_with_a_bar(hill, capfd):
    pinned(progress=True, restarts=1).fit(*hill)
    assert "gpcv" in capfd.readouterr().err


def test_interrupt_stops_training():
    """Ctrl-C in the middle of a training that would take long; the interpreter lives on."""
    program = """
import numpy as np, gpcv
rng = np.random.default_rng(0)
x = rng.uniform(size=(30000, 8))
y = np.sin(5 * x[:, 0]) + x[:, 1] + 0.1 * rng.normal(size=30000)
print("ready", flush=True)
try:
    gpcv.GPRegressor().fit(x, y)
except KeyboardInterrupt:
    print("stopped", gpcv.GPRegressor("linear", folds=2).fit(x[:50], y[:50]).status_, flush=True)
"""
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, env=os.environ)
    assert process.stdout.readline().strip() == "ready"
    time.sleep(2)
    started = time.monotonic()
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=120)
    assert out.strip() == "stopped converged"
    assert time.monotonic() - started < 60


def test_other_threads_run_while_training(hill):
    ticks, over = [], threading.Event()

    def tick():
        while not over.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.002)

    thread = threading.Thread(target=tick)
    thread.start()
    started = time.monotonic()
    pinned(restarts=3).fit(np.tile(hill[0], (8, 1)) + np.random.default_rng(0).normal(size=(1200, 3)),
                                     np.tile(hill[1], 8))
    seconds = time.monotonic() - started
    over.set()
    thread.join()
    assert len(ticks) > 10 * min(1.0, seconds)


def test_defaults_choose_a_kernel_and_nest_the_error(hill):
    x, y = hill
    model = gpcv.GPRegressor(candidates=["se", "matern32", "se+linear"]).fit(x, y)
    assert [k["chosen"] for k in model.kernels_].count(True) == 1 and len(model.kernels_) == 3
    assert {"name", "kernel", "loss", "behind", "behind_error", "parameters", "rounds"} <= set(model.kernels_[0])
    assert model.cv_results_["assessment"] == "nested" and model.cv_results_["smse"] < 0.05
    assert model.cv_results_["rmse"] >= 0.9 * model.cv_results_["inner_rmse"] > 0
    assert model.findings_ == []
    with pytest.raises(ValueError, match="no candidate 'sea'; there are: se, matern52"):
        gpcv.GPRegressor(candidates=["sea"]).fit(x, y)
    with pytest.raises(ValueError, match='use them with the kernel "auto"'):
        pinned(candidates=["se"]).fit(x, y)
    again = gpcv.GPRegressor(warm=model).fit(x, y)
    assert again.kernels_ == [] and str(again.kernel_).split("(")[0] == str(model.kernel_).split("(")[0]


def test_importance_orders_features_and_survives_files(hill, tmp_path):
    x, y = hill
    model = pinned(restarts=1).fit(x, y)
    second, first, last = model.importance_[1], model.importance_[0], model.importance_[2]
    assert {first["name"], second["name"]} == {"x0", "x1"} and last["name"] == "x2"
    assert first["increase"] > second["increase"] > 5 * second["standard_error"] > 0
    assert abs(last["increase"]) < max(2 * last["standard_error"], 0.01)
    assert first["relative"] == pytest.approx(first["increase"] / model.cv_results_["rmse"])
    model.save(tmp_path / "m.h5")
    assert gpcv.load(tmp_path / "m.h5").importance_ == model.importance_


def test_noise_is_said_to_be_no_better_than_the_mean():
    rng = np.random.default_rng(3)
    x, y = rng.uniform(size=(120, 3)), rng.normal(size=120)
    with pytest.warns(gpcv.ResultWarning, match="no better than the mean"):
        model = gpcv.GPRegressor(candidates=["se", "matern32"]).fit(x, y)
    assert model.findings_[0]["code"] == "no_signal"


def test_checkpoint_and_resume(hill, tmp_path):
    x, y = hill
    path = tmp_path / "training.ckpt"
    count = []

    def stop(record):
        count.append(record)
        return len(count) < 3

    with pytest.warns(gpcv.ConvergenceWarning):
        pinned(checkpoint=path, progress=stop, restarts=1).fit(x, y)
    resumed = pinned(checkpoint=path, resume=True, restarts=1).fit(x, y)
    whole = pinned(restarts=1).fit(x, y)
    for name, p in whole.kernel_.parameters.items():
        assert resumed.kernel_.parameters[name]["value"] == pytest.approx(p["value"], rel=1e-3)


def test_warm_start(hill):
    x, y = hill
    first = pinned().fit(x[:120], y[:120])
    second = pinned(warm=first).fit(x, y)
    cold = pinned().fit(x, y)
    assert second.cv_results_["rmse"] == pytest.approx(cold.cv_results_["rmse"], rel=0.05)
    assert len(second.cv_results_["optima"]) == 1


def test_rows_with_their_own_noise():
    rng = np.random.default_rng(5)
    x = rng.uniform(0, 10, (300, 1))
    deviation = np.where(x[:, 0] < 5, 0.05, 0.8)
    y = np.sin(x[:, 0]) + deviation * rng.normal(size=300)
    known = pinned("se").fit(x, y, noise_std=deviation)
    weighted = pinned("se").fit(x, y, weights=1 / deviation**2)
    plain = pinned("se").fit(x, y)
    new = np.linspace(0.5, 4.5, 50)[:, None]
    error = [np.sqrt(np.mean((m.predict(new) - np.sin(new[:, 0])) ** 2)) for m in (known, weighted, plain)]
    assert error[0] < error[2] and error[1] < error[2]
    _, std = known.predict(new[:2], return_std=True, noise_std=[0.05, 0.8])
    assert std[1] > 0.7 > 0.2 > std[0]
    _, cov = known.predict(new[:2], return_cov=True, noise_std=[0.05, 0.8])
    np.testing.assert_allclose(np.sqrt(np.diag(cov)), std, rtol=1e-6)
    draws = known.sample_y(new[:2], 4000, noise_std=[0.05, 0.8])
    np.testing.assert_allclose(draws.std(axis=1), std, rtol=0.1)
    with pytest.raises(ValueError, match="one value per row"):
        known.predict(new, return_std=True, noise_std=[1.0])


def test_fortran_order_and_integers_and_read_only(hill):
    x, y = hill
    model = pinned(restarts=1).fit(np.asfortranarray(x), y)
    same = pinned(restarts=1).fit(np.ascontiguousarray(x), y)
    assert str(model.kernel_) == str(same.kernel_)
    fixed = x.copy()
    fixed.setflags(write=False)
    for version in (np.asfortranarray(x), fixed, np.hstack([x, x])[:, :3], x[::-1][::-1], x.astype(np.float32)):
        np.testing.assert_allclose(model.predict(version), model.predict(x), rtol=1e-4)
    np.testing.assert_array_equal(model.predict(np.asfortranarray(x)), model.predict(x))
    pinned(restarts=1).fit((10 * x).astype(int), y)
