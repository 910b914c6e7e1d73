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


def test_convergence_calibration_and_held_out(line):
    ax = gpcv.plot.convergence(line)
    assert ax.lines and ax.get_yscale() == "log"
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
