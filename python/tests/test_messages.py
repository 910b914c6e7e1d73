"""Findings and messages: what reaches a user of Python names parameters, never flags of the command."""
import re
import warnings

import numpy as np
import pytest

import gpcv
from conftest import pinned

FLAG = re.compile(r"(?<![\w-])--[a-z]")


def mixed(rows=120):
    """Table with one fault of many kinds."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(rows, 5))
    x[:, 1] = 3.0                   # constant
    x[:, 2] = 2 * x[:, 0]           # the same information twice
    x[5, 3] = 1e5                   # outlier
    x[:, 4] = np.arange(rows)       # never falls
    y = np.sin(x[:, 4] / 9) + 0.05 * rng.normal(size=rows)
    x[7], y[7] = x[8], y[8]         # same row twice
    return x, y


@pytest.fixture(scope="module")
def findings():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model = pinned(restarts=1).fit(*mixed())
    return model, caught


def test_findings_about_the_data_are_warnings_and_attributes(findings):
    model, caught = findings
    about_data = [f for f in model.findings_ if f["about"] == "data"]
    assert {"constant", "same-columns", "outliers", "same-rows", "time-order"} <= {f["code"] for f in about_data}
    assert all(set(f) == {"about", "severity", "code", "text", "message"} for f in model.findings_)
    assert {f["severity"] for f in about_data} == {"warning"}
    issued = [str(w.message) for w in caught if w.category is gpcv.DataWarning]
    assert issued == [f["message"] for f in about_data]
    assert all(w.filename == __file__ for w in caught if w.category is gpcv.DataWarning)
    messages = {f["code"]: f["message"] for f in about_data}
    assert messages["constant"].endswith("leave it out of X")
    assert "folds='time:5'" in messages["time-order"] and "(rows are counted from 1)" in messages["outliers"]


def test_findings_of_a_model_from_a_file_are_the_same(findings, tmp_path):
    model, _ = findings
    model.save(tmp_path / "model.h5")
    assert gpcv.load(tmp_path / "model.h5").findings_ == model.findings_


def test_ordered_folds_need_no_warning_about_order():
    model = pinned(restarts=1, folds="blocks:4").fit(*mixed())
    assert "time-order" not in {f["code"] for f in model.findings_}


def test_data_without_faults_have_no_findings(hill):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert pinned(restarts=1).fit(*hill).findings_ == []


def attempts(x, y):
    """Calls that raise or warn, of all kinds."""
    groups = np.repeat(np.arange(30.0), 5)
    options = [
        {"memory": "1K"}, {"memory": "100K", "trainer": "likelihood"}, {"memory": "100K", "solver": "cholesky"},
        {"trainer": "admm", "folds": 3}, {"trainer": "likelihood", "epsilon": 1.0}, {"resume": True}, {"backend": "cuda"},
        {"trainer": "likelihood", "checkpoint": "a"}, {"trainer": "likelihood", "derivatives": "adjoint"},
        {"trainer_options": {"rho": 2.0}}, {"trainer": "naive", "prior": 3.0}, {"kernel": "se(l=1:fixed, s2=1:fixed)"},
        {"kernel": "se(ard", "folds": 3}, {"kernel": "periodic(q=1)"}, {"noise": "much"}, {"variance": "most"}, {"rank": -1},
        {"precision": "half"}, {"derivatives": "none"}, {"criterion": "mae"}, {"assess": "outer"}, {"restarts": 0},
        {"max_iterations": 0}, {"time_limit": -1.0}, {"prior": -1.0}, {"epsilon": -1.0}, {"candidates": ["x"]},
        {"folds": "time:0"}, {"folds": "blocks:1"}, {"folds": 10**6}, {"folds": 0.0001}, {"calibration": 0.999},
        {"max_iterations": 1, "start": "values"}, {"trainer": "consensus", "max_iterations": 1, "restarts": 1},
        {"time_limit": 1e-9}, {"trainer_options": {"preset": "paper"}}, {"threads": 0}, {"start": "here"},
        {"trainer": "admm", "trainer_options": {"preset": "none"}}, {"kernel": "se(on=[9])"}, {"resume": True, "checkpoint": "/x/y"},
        {"kernel": "se(l=1:fixed, s2=1:fixed)", "noise": "0.1:fixed"}, {"checkpoint": "/no/such/folder/c.ck"},
    ]
    for option in options:
        yield f"{option}", lambda option=option: pinned(**option).fit(x, y).predict(x[:2], return_std=True)
    for what in ({"groups": groups[:3]}, {"times": groups[:3]}, {"weights": -groups}, {"noise_std": groups}):
        yield f"{what}", lambda what=what: pinned("linear").fit(x, y, **what)
    model = pinned("linear").fit(x, y)
    for how in ({"interval": 2}, {"conformal": True, "interval": 0.9}, {"noise_std": np.ones(len(x)), "return_std": True}):
        yield f"{how}", lambda how=how: model.predict(x, **how)
    yield "two rows", lambda: pinned().fit(x[:2], y[:2])
    yield "constant target", lambda: pinned().fit(x, 0 * y)
    yield "faults", lambda: pinned("linear").fit(*mixed())
    yield "noise", lambda: pinned("linear").fit(x, np.random.default_rng(1).normal(size=len(x)))
    yield "nothing", lambda: gpcv.load("nothing.h5")


def test_no_message_names_a_flag(hill):
    said = []
    for name, attempt in attempts(*hill):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                attempt()
            except (ValueError, RuntimeError) as error:
                said.append((name, str(error)))
        said += [(name, str(w.message)) for w in caught]
    assert len(said) > 45
    assert [(name, text) for name, text in said if FLAG.search(text)] == []


@pytest.mark.parametrize("options, message", [
    ({"variance": "x"}, "'x'"),
    ({"variance": 3}, "^variance cannot be 3: expected 'auto', 'exact' or 'neighbours:256'$"),
    ({"rank": -1}, "^rank cannot be -1: expected a whole number, at least 0$"),
    ({"time_limit": 0}, "^time_limit cannot be 0: expected a positive number of seconds$"),
    ({"time_limit": float("nan")}, "^time_limit cannot be nan"),
])
def test_settings_without_meaning_are_refused_before_training(options, message, hill):
    model = pinned(**options, progress=lambda step: pytest.fail("the training has begun"))
    with pytest.raises(ValueError, match=message) as refused:
        model.fit(*hill)
    assert "\n" not in str(refused.value)


def test_rows_far_outside_the_training_rows_are_named(hill, tmp_path):
    x, y = hill
    model = pinned("linear").fit(x, y)
    low, high = x.min(axis=0), x.max(axis=0)
    rows = np.tile(x[:1], (6, 1))
    rows[2, 1], rows[4] = high[1] + 0.51 * (high - low)[1], low - 0.6 * (high - low)
    rows[1, 0] = high[0] + 0.49 * (high - low)[0]
    model.save(tmp_path / "m.h5")
    for fitted in (model, gpcv.load(tmp_path / "m.h5")):
        text = (r"^2 rows lie far outside the training rows, the first one in 'x1' \(row 2, from 0\): their predictions rest "
                "on the kernel alone$")
        with pytest.warns(gpcv.ExtrapolationWarning, match=text) as caught:
            fitted.predict(rows)
        assert caught[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.predict(rows[:2])
        model.predict(x)
    with pytest.warns(gpcv.ExtrapolationWarning, match=r"^1 row lies .* in 'x0' .*its prediction rests"):
        model.predict(rows[4:])
    with pytest.warns(gpcv.ExtrapolationWarning):
        pinned("linear").fit(x, np.column_stack([y, -y])).predict(rows)
    model.fit(10 * x, y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.predict(rows)
