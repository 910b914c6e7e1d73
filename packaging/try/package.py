"""Uses an installed Python package as a newcomer would: fit, predict, save, load, and the report by the command."""
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

import gpcv

rng = np.random.default_rng(0)
X = rng.uniform(-2, 2, (200, 3))
y = np.exp(-X[:, 0] ** 2) + 0.5 * X[:, 1] + 0.1 * rng.normal(size=200)
model = gpcv.GPRegressor(assess="inner").fit(X, y)
mean, lower, upper = model.predict(X[:20], interval=0.9)
assert np.all((lower < mean) & (mean < upper))
assert 0.07 < model.noise_std_ < 0.14, model.noise_std_

with tempfile.TemporaryDirectory() as folder:
    file = pathlib.Path(folder) / "model.h5"
    model.save(file)
    np.testing.assert_array_equal(gpcv.load(file).predict(X[:20]), mean)
    if "--command" in sys.argv:
        page = pathlib.Path(folder) / "report.html"
        subprocess.run([sys.executable, "-m", "gpcv", "report", str(file), "-o", str(page)], check=True)
        assert "</html>" in page.read_text()
print(f"gpcv {gpcv.__version__} on Python {sys.version.split()[0]}: fit, predict, save, load"
      f"{' and report' if '--command' in sys.argv else ''} work")
