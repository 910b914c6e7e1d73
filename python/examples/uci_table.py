"""A table of numbers whose last column is to be predicted: train, judge, explain; scikit-learn for comparison.

    python uci_table.py [concrete.csv.gz] [--picture concrete.png] [--without-scikit-learn]
"""

# %% The table; a tenth is kept for the test
import argparse
import pathlib
import time
import warnings

import numpy as np
import pandas as pd
from sklearn.exceptions import ConvergenceWarning
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import gpcv

beside = pathlib.Path(__file__).resolve().parents[3] / "shared" / "data" / "uci" / "concrete" / "data.csv.gz"
parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("table", nargs="?", default=beside if beside.exists() else None, help="CSV, the target last")
parser.add_argument("--picture", help="write calibration and effects to this file")
parser.add_argument("--without-scikit-learn", action="store_true")
arguments = parser.parse_args()
if arguments.table is None:
    parser.error("name a table, as concrete.csv")

table = pd.read_csv(arguments.table, header=None if str(arguments.table).endswith("data.csv.gz") else "infer")
table.columns = [str(c) for c in table.columns]
X, y = table.iloc[:, :-1], table.iloc[:, -1].rename("target")
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.1, random_state=0)
print(f"{len(X_train)} rows to train on, {len(X_test)} to test, {X.shape[1]} features")


def judge(name, seconds, mean, lower, upper):
    true = y_test.to_numpy()
    error, held = true - mean, (lower < true) & (true < upper)
    print(f"{name:13} {seconds:7.1f} s, RMSE {np.sqrt(np.mean(error**2)) / y_test.std():.4f} of the standard deviation, "
          f"95 % intervals hold {100 * np.mean(held):.0f} %")


# %% gpcv: the kernel and its parameters by 5-fold cross-validation
started = time.perf_counter()
model = gpcv.GPRegressor().fit(X_train, y_train)
judge("gpcv", time.perf_counter() - started, *model.predict(X_test, interval=0.95))

# %% scikit-learn: the same kernel by maximum likelihood
if not arguments.without_scikit_learn:
    kernel = ConstantKernel() * RBF(np.ones(X.shape[1])) + WhiteKernel(0.1)
    other = make_pipeline(StandardScaler(), GaussianProcessRegressor(kernel, normalize_y=True))
    started = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        other.fit(X_train, y_train)
    mean, std = other.predict(X_test, return_std=True)
    judge("scikit-learn", time.perf_counter() - started, mean, mean - 1.96 * std, mean + 1.96 * std)

# %% What cross-validation promised before the test rows were seen
cv = model.cv_results_
print(f"\npromised: RMSE {cv['rmse'] / y_train.std():.4f}, 95 % intervals hold {100 * cv['coverage95']:.0f} %")

# %% Which features matter: short length scales, in standard deviations of the feature
lengths = {name: p["value"] for name, p in model.kernel_.parameters.items() if p["role"] == "length scale"}
for name, length in sorted(lengths.items(), key=lambda item: item[1]):
    print(f"{name:10} {length:8.3g}")

# %% Pictures
if arguments.picture:
    import matplotlib.pyplot as plt

    import gpcv.plot

    figure, axes = plt.subplots(2, 2, figsize=(11, 8), layout="constrained")
    gpcv.plot.held_out(model, ax=axes[0, 0])
    gpcv.plot.calibration(model, ax=axes[0, 1])
    gpcv.plot.convergence(model, ax=axes[1, 0])
    most = int(np.argmin(list(lengths.values()))) if len(lengths) == X.shape[1] else 0
    gpcv.plot.effect(model, most, ax=axes[1, 1])
    figure.savefig(arguments.picture, dpi=110)
