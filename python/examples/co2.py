"""The CO2 record of Mauna Loa: scikit-learn's regressor and gpcv's on the same kernel, side by side.

    python co2.py [mauna_loa_monthly.csv] [--picture co2.png]

Trains on 1958-2001 and predicts what followed.
"""

# %% The record
import argparse
import pathlib
import time
import warnings

import numpy as np
import pandas as pd
from sklearn.exceptions import ConvergenceWarning
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ExpSineSquared, RationalQuadratic, WhiteKernel

import gpcv

here = pathlib.Path(__file__).resolve()
parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("record", nargs="?", default=here.parents[2] / "data" / "mauna_loa_monthly.csv")
parser.add_argument("--picture", help="write a picture of the forecast to this file")
arguments = parser.parse_args()

record = pd.read_csv(arguments.record, parse_dates=["Date"])
year = record["Date"].dt.year + (record["Date"].dt.month - 1) / 12
known = (year < 2002).to_numpy()
X, y = year.to_numpy()[:, None], record["CO2"].to_numpy()
X_train, y_train, X_test, y_test = X[known], y[known], X[~known], y[~known]
y_mean = y_train.mean()

# %% A slow rise, a yearly cycle that changes slowly, irregularities of a year or so, noise
rise = 50.0**2 * RBF(length_scale=50.0)
cycle = 2.0**2 * RBF(length_scale=100.0) * ExpSineSquared(length_scale=1.0, periodicity=1.0, periodicity_bounds="fixed")
irregular = 0.5**2 * RationalQuadratic(length_scale=1.0, alpha=1.0)
noise = 0.1**2 * RBF(length_scale=0.1) + WhiteKernel(noise_level=0.1**2)
kernel = rise + cycle + irregular + noise

# %% The same kernel, three regressors
regressors = {
    "scikit-learn": GaussianProcessRegressor(kernel=kernel),
    "gpcv": gpcv.GPRegressor(kernel=kernel),
    "gpcv, folds in time": gpcv.GPRegressor(kernel=kernel, folds="time:5"),
}
print(f"{'':20}  seconds  RMSE in ppm: 2002-2008  2002-2020  95 % intervals hold")
for name, regressor in regressors.items():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        started = time.perf_counter()
        regressor.fit(X_train, y_train - y_mean)
        seconds = time.perf_counter() - started
    if isinstance(regressor, gpcv.GPRegressor):
        mean, lower, upper = regressor.predict(X_test, interval=0.95)
    else:
        mean, std = regressor.predict(X_test, return_std=True)
        lower, upper = mean - 1.96 * std, mean + 1.96 * std
    held = (lower < y_test - y_mean) & (y_test - y_mean < upper)
    error = y_test - y_mean - mean
    near = X_test[:, 0] < 2009
    print(f"{name:20} {seconds:8.1f} {np.sqrt(np.mean(error[near] ** 2)):23.2f} {np.sqrt(np.mean(error**2)):10.2f} "
          f"{100 * np.mean(held):17.0f} %")

# %% What was learned, in the record's units
model = regressors["gpcv, folds in time"]
print(f"\n{model.kernel_.to_string(3)}\nnoise {model.noise_std_:.2f} ppm")

# %% A picture
if arguments.picture:
    import gpcv.plot

    ax = gpcv.plot.fit(model, x=np.linspace(1990, 2020, 800), points=False)
    ax.plot(X[known, 0], y[known] - y_mean, ".", color="#444444", markersize=3, label="trained on")
    ax.plot(X_test[:, 0], y_test - y_mean, ".", color="#c0392b", markersize=3, label="what followed")
    ax.set_xlim(1990, 2020)
    ax.set_ylim(5, 80)
    ax.set_xlabel("year")
    ax.set_ylabel("CO2 above the mean, ppm")
    ax.legend(frameon=False, loc="upper left")
    ax.figure.savefig(arguments.picture, dpi=130)
