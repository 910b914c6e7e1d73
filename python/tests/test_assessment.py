"""What models are worth: scores, summaries, held-out rows, comparisons, and checks before training."""
import json
import subprocess

import numpy as np
import pandas
import pytest

import gpcv
from conftest import pinned


@pytest.fixture(scope="module")
def fitted(hill):
    return pinned(random_state=2).fit(*hill)


@pytest.fixture(scope="module")
def houses():
    """Frame with a name with a blank and a category, and its target."""
    rng = np.random.default_rng(3)
    frame = pandas.DataFrame({"floor area": rng.uniform(30, 200, 90), "town": pandas.Categorical(rng.choice(["A", "B"], 90))})
    price = 2 * frame["floor area"] + 50 * (frame["town"] == "A") + rng.normal(size=90)
    return frame, price.rename("price")


def scores_of_command(command, path, frame, folder):
    frame.to_csv(folder / "test.csv", index=False, float_format="%.17g")
    out = subprocess.run([command, "evaluate", path, str(folder / "test.csv"), "--json"], capture_output=True, text=True, check=True)
    return json.loads(out.stdout)


def test_evaluate_gives_the_scores_of_the_command(houses, command, tmp_path):
    frame, price = houses
    model = pinned().fit(frame, price)
    found = model.evaluate(frame[:40], price[:40])
    mean = model.predict(frame[:40])
    assert found["rmse"] == pytest.approx(np.sqrt(np.mean((mean - price[:40]) ** 2)))
    assert found["n"] == 40 and 0 <= found["coverage50"] <= found["coverage95"] <= 1
    model.save(tmp_path / "model.h5")
    theirs = scores_of_command(command, str(tmp_path / "model.h5"), frame[:40].assign(price=price[:40]), tmp_path)
    for name in ("rmse", "smse", "nlpd", "crps", "coverage80"):
        assert found[name] == pytest.approx(theirs[name], rel=1e-9), name


def test_evaluate_of_several_targets_and_of_missing_ones(hill):
    x, y = hill
    both = np.c_[y, -y]
    model = pinned(missing="drop").fit(x, both)
    both[3, 1] = np.nan
    first, second = model.evaluate(x, both)
    assert (first["n"], second["n"]) == (150, 149)
    with pytest.raises(ValueError, match="in row 3 .*missing='drop'"):
        model.set_params(missing="error").evaluate(x, both)


def test_evaluate_refuses_what_does_not_fit(fitted, hill):
    x, y = hill
    with pytest.raises(ValueError, match="y has the shape"):
        fitted.evaluate(x, y[:5])
    with pytest.raises(ValueError, match="y has inf in row 0"):
        fitted.evaluate(x[:2], [np.inf, 1])
    with pytest.raises(ValueError, match="same noise in every row"):
        fitted.evaluate(x, y, weights=np.ones(len(y)))


def test_summary_says_whether_the_model_can_be_used(houses):
    model = pinned().fit(*houses)
    seen = model.summary()
    assert seen.level in ("good", "note", "warning")
    assert seen.headline.split()[0].strip(",:") in ("Yes", "Roughly", "No")
    labels = [row["label"] for row in seen.parameters]
    assert "length scale of floor area" in labels and "noise" in labels
    assert str(seen).startswith(seen.headline) and "length scale of floor area" in str(seen)
    assert [level for level, _ in seen.sentences if level not in ("good", "note", "warning")] == []


def test_held_out_frame_is_the_table_of_cv(hill):
    x, y = hill
    model = pinned(transform="yeo-johnson").fit(x, y)
    frame = model.held_out_frame(0.8)
    assert list(frame.columns) == ["fold", "target", "mean", "std", "lower", "upper"] and len(frame) == len(y)
    np.testing.assert_allclose(np.sqrt(np.mean((frame["mean"] - y) ** 2)), model.cv_results_["rmse"], rtol=1e-6)
    inside = np.mean((frame["lower"] < y) & (y < frame["upper"]))
    assert inside == pytest.approx(model.cv_results_["coverage80"], abs=1e-9)


def test_compare_ranks_by_the_loss_of_held_out_rows(hill):
    x, y = hill
    models = {"smooth": pinned("se(ard)").fit(x, y), "straight": pinned("linear").fit(x, y)}
    first, second = gpcv.compare(models)
    assert (first["name"], second["name"]) == ("smooth", "straight")
    assert first["behind"] == 0 and second["behind"] > 2 * second["behind_error"]
    assert first["rmse"] == pytest.approx(models["smooth"].cv_results_["rmse"])
    curved = pinned("se(ard)", transform="yeo-johnson").fit(x, y)
    assert {row["name"] for row in gpcv.compare([models["smooth"], curved])} == {"se(ard)", "se(ard) (2)"}
    assert gpcv.compare(list(models.values()), criterion="squared")[0]["loss"] == pytest.approx(first["rmse"] ** 2)


def test_compare_refuses_models_of_other_rows_and_folds(fitted, hill):
    x, y = hill
    with pytest.raises(ValueError, match="two models or more"):
        gpcv.compare([fitted])
    with pytest.raises(ValueError, match="other rows"):
        gpcv.compare([fitted, pinned().fit(x[:100], y[:100])])
    with pytest.raises(ValueError, match="same random_state"):
        gpcv.compare([fitted, pinned(random_state=3).fit(x, y)])
    with pytest.raises(ValueError, match="assess='inner'"):
        gpcv.compare([fitted, pinned(assess="nested", random_state=2).fit(x, y)])


def test_check_says_what_training_would_meet_and_leaves_the_estimator(hill):
    x, y = hill
    model = gpcv.GPRegressor(time_limit=60)
    found = model.check(np.c_[x, x[:, :1]], y)
    codes = [f["code"] for f in found]
    assert codes[-2:] == ["memory", "time"] and len(codes) > 2  # a column is there twice
    assert all(set(f) == {"about", "severity", "code", "text", "message"} for f in found)
    assert not hasattr(model, "n_features_in_")
    assert any(f["severity"] == "error" for f in gpcv.GPRegressor(memory="1M").check(np.tile(x, (40, 1)), np.tile(y, 40)))
    assert len(gpcv.GPRegressor().check(x, np.c_[y, y])) == 2


def test_report_assesses_test_rows(houses, tmp_path):
    frame, price = houses
    model = pinned().fit(frame[:60], price[:60])
    model.report(tmp_path / "plain.html")
    model.report(tmp_path / "tested.html", frame[60:], price[60:])
    assert (tmp_path / "tested.html").stat().st_size > (tmp_path / "plain.html").stat().st_size
    with pytest.raises(ValueError, match="both X and y"):
        model.report(tmp_path / "plain.html", frame)


def test_options_of_the_computation_take_effect_after_fit_and_load(fitted, hill, tmp_path):
    x, _ = hill
    fitted.save(tmp_path / "model.h5")
    model = gpcv.load(tmp_path / "model.h5", threads=1, backend="reference")
    assert model.get_params()["backend"] == "reference"
    np.testing.assert_allclose(model.predict(x), fitted.predict(x), rtol=1e-7)
    with pytest.raises(ValueError, match="backend"):
        model.set_params(backend="abacus").predict(x)
    with pytest.raises(ValueError, match="backend"):
        gpcv.load(tmp_path / "model.h5", backend="abacus")


def test_info_says_what_the_installation_is():
    found = gpcv.info()
    assert found["version"] == gpcv.__version__ and "simd" in found["backends"] and "se" in found["candidates"]
    assert "theta_step" in found["trainer_options"] and found["version"] in found["info"]


def test_generate_draws_the_table_of_the_command(command, tmp_path):
    x, y = gpcv.generate("se(l=0.5)", 40, noise=0.2, low=-1, high=3, random_state=5)
    assert x.shape == (40, 1) and y.shape == (40,)
    file = tmp_path / "draw.csv"
    subprocess.run([command, "generate", "--kernel", "se(l=0.5)", "--n", "40", "--noise", "0.2", "--range=-1:3", "--seed", "5",
                    "-o", str(file)], check=True)
    theirs = pandas.read_csv(file)
    np.testing.assert_allclose(np.c_[x, y], theirs.to_numpy(), rtol=1e-9, atol=1e-12)
    x, y = gpcv.generate(gpcv.se(l=2, ard=True), 30, dims=2)
    assert x.shape == (30, 2) and not np.allclose(np.diff(x[:, 0]), np.diff(x[:, 0])[0])
    with pytest.raises(ValueError, match="n cannot be 0"):
        gpcv.generate("se", 0)
    with pytest.raises(ValueError, match="expected a kernel"):
        gpcv.generate("sea")


def test_every_held_out_row_has_a_variance_where_that_is_asked_for():
    x, y = gpcv.generate("se(l=1)", 2300, noise=0.1, inputs="random")
    options = dict(kernel="se", criterion="squared", restarts=1, max_iterations=2, start="values")
    with pytest.warns(gpcv.ConvergenceWarning):
        some = pinned(**options).fit(x, y)
        all_rows = pinned(every_held_out_variance=True, **options).fit(x, y)
    assert 0 < np.isfinite(some.cv_results_["std"]).sum() < 2300
    assert np.isfinite(all_rows.held_out_frame()["upper"]).all()
    assert all_rows.degrees_ > 2
