"""Pictures: drawn from the model's numbers, labelled."""
import numpy as np
import pytest

import gpcv.plot
from conftest import pinned


@pytest.fixture(scope="module")
def line(wave):
    return pinned("se").fit(*wave)


def test_fit_shows_band_and_points(line, wave):
    ax = gpcv.plot.fit(line)
    labels = [text.get_text() for text in ax.get_legend().get_texts()]
    assert labels == ["200 training rows", "95 % interval", "mean"]
    points = ax.lines[0].get_xydata()
    np.testing.assert_allclose(points, np.column_stack([wave[0][:, 0], wave[1]]), rtol=1e-9)
    curve = ax.lines[1].get_xydata()
    np.testing.assert_allclose(curve[:, 1], line.predict(curve[:, :1]))
    assert curve[0, 0] < wave[0].min() and ax.get_xlabel() == "x0" and ax.get_ylabel() == "y"


def test_effect_by_name(hill):
    pandas = pytest.importorskip("pandas")
    model = pinned().fit(pandas.DataFrame(hill[0], columns=["a", "b", "c"]), hill[1])
    ax = gpcv.plot.effect(model, "b")
    assert ax.get_xlabel() == "b"
    slope = np.polyfit(*ax.lines[0].get_xydata().T, 1)[0]
    assert slope == pytest.approx(0.5, abs=0.1)
    with pytest.raises(ValueError, match="3 features"):
        gpcv.plot.fit(model)
    with pytest.raises(ValueError, match="^the model has no feature 3: it has 3 features$"):
        gpcv.plot.effect(model, 3)


@pytest.fixture(scope="module")
def coloured():
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(5)
    colours = np.array(["blue", "green", "red"])[rng.integers(0, 3, 90)]
    frame = pandas.DataFrame({"x": rng.uniform(size=90), "colour": pandas.Categorical(colours)})
    shift = {"blue": 0.0, "green": 1.0, "red": 3.0}
    y = frame.x + [shift[colour] for colour in colours] + 0.01 * rng.normal(size=90)
    return frame, pinned().fit(frame, y)


def test_effect_of_a_category_is_drawn_by_level(coloured):
    frame, model = coloured
    ax = gpcv.plot.effect(model, "colour", points=True)
    assert ax.get_xlim() == (-0.5, 2.5)
    assert ax.get_xlabel() == "colour" and [text.get_text() for text in ax.get_xticklabels()] == ["blue", "green", "red"]
    places, mean = ax.lines[1].get_xydata().T
    expected = model.predict(frame.iloc[:3].assign(x=frame.x.median(), colour=["blue", "green", "red"]))
    np.testing.assert_allclose(mean, expected, rtol=1e-9)
    np.testing.assert_array_equal(ax.lines[0].get_xdata(), frame.colour.cat.codes)
    few = gpcv.plot.effect(model, 1, x=["red"])
    np.testing.assert_allclose(few.lines[0].get_ydata(), expected[2:], rtol=1e-9)
    commonest = frame.colour.mode()[0]
    along = gpcv.plot.effect(model, "x", x=[0.25, 0.5])
    np.testing.assert_allclose(along.lines[0].get_ydata(),
                               model.predict(frame.iloc[:2].assign(x=[0.25, 0.5], colour=commonest)), rtol=1e-9)


def test_features_are_counted_and_named_as_the_user_does(coloured):
    _, model = coloured
    with pytest.raises(ValueError, match="^the model has 2 features: use"):
        gpcv.plot.fit(model)
    for wrong in ("color", "colour=red"):
        with pytest.raises(ValueError, match=f"^the model has no feature '{wrong}'"):
            gpcv.plot.effect(model, wrong)
    with pytest.raises(ValueError, match="did you mean 'colour'?"):
        gpcv.plot.effect(model, "color")
    with pytest.raises(ValueError, match="^the model does not know the level 'pink': it knows blue, green, red$"):
        gpcv.plot.effect(model, "colour", x=["pink"])


def test_convergence_calibration_and_held_out(line):
    ax = gpcv.plot.convergence(line)
    objective = line.cv_results_["trace"]["objective"]
    assert ax.lines and ax.get_yscale() == ("log" if objective.max() > 3 * objective.min() else "linear")
    assert ax.get_xlabel() == "seconds"
    ax = gpcv.plot.calibration(line)
    np.testing.assert_array_equal(ax.lines[1].get_xdata(), line.cv_results_["promised"])
    ax = gpcv.plot.held_out(line)
    np.testing.assert_array_equal(ax.lines[1].get_xdata(), line.cv_results_["mean"])


def test_convergence_of_a_model_from_a_file_is_by_step(line, tmp_path):
    line.save(tmp_path / "model.h5")
    ax = gpcv.plot.convergence(gpcv.load(tmp_path / "model.h5"))
    assert ax.lines and ax.get_xlabel() == "step"


def test_likelihood_has_another_axis(wave):
    ax = gpcv.plot.convergence(pinned("se", "likelihood").fit(*wave))
    assert "likelihood" in ax.get_ylabel()
