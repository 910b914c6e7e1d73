"""Training time, passes, memory and errors by number of rows, beside the likelihood and scikit-learn.

    python3 benchmarks/training/training.py [--sizes 1000,2000,…,64000] [--inputs 1] [--command gpcv]

A smooth function of one or several inputs with noise of standard deviation 0.3; 1000 test rows. Everything runs one
after the other with the same threads, so that ratios mean something; the machine should be idle. scikit-learn is
left out where it is not installed (Debian: python3-sklearn).
"""
import argparse
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
NOISE = 0.3
TEST_ROWS = 1000

SKLEARN = """
import sys, time, json, numpy as np
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel
train, test = (np.loadtxt(path, delimiter=",", skiprows=1) for path in sys.argv[1:])
began = time.perf_counter()
model = GaussianProcessRegressor(RBF() * ConstantKernel() + WhiteKernel()).fit(train[:, :-1], train[:, -1])
seconds = time.perf_counter() - began
error = np.mean((model.predict(test[:, :-1]) - test[:, -1]) ** 2)
import resource
print(json.dumps({"seconds": seconds, "mse": error, "mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}))
"""


def draw(n, inputs, random):
    """Ten periods and more in one dimension; a smooth surface in several."""
    x = random.uniform(0, 20, (n, 1)) if inputs == 1 else random.standard_normal((n, inputs))
    wave = np.sin(2 * x[:, 0]) + 0.5 * np.sin(5.3 * x[:, 0] + 1) if inputs == 1 else (
        np.sin(2 * x[:, 0]) + np.cos(x[:, 1] * x[:, -1]) + 0.5 * x[:, inputs // 2])
    return np.column_stack([x, wave + NOISE * random.standard_normal(n)])


def write(path, values):
    names = [f"x{i}" for i in range(values.shape[1] - 1)] + ["y"]
    np.savetxt(path, values, delimiter=",", header=",".join(names), comments="", fmt="%.10g")


def gpcv(command, train, test, folder, arguments):
    model = folder / "model.h5"
    began = time.perf_counter()
    done = subprocess.run([command, "fit", train, "--target", "y", "--json", "-o", model, *arguments],
                          capture_output=True, text=True)
    seconds = time.perf_counter() - began
    if done.returncode > 1:
        sys.exit(f"training: {done.stderr.strip()}")
    fit = json.loads(done.stdout)
    errors = json.loads(subprocess.run([command, "evaluate", model, test, "--json"], capture_output=True, text=True,
                                       check=True).stdout)
    return {"seconds": seconds, "train": fit["seconds"]["train"], "mse": errors["rmse"] ** 2,
            "mib": fit["peak_rss_bytes"] / 2**20, "passes": fit["column_passes"], "cv": fit["cv_rmse"],
            "status": fit["status"], "covered": errors["coverage95"]}


def slope(results, what, smallest):
    points = [(math.log(n), math.log(r[what])) for n, r in results.items() if n >= smallest]
    return np.polyfit(*zip(*points), 1)[0] if len(points) > 1 else float("nan")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", default="1000,2000,4000,8000,16000,32000,64000")
    parser.add_argument("--likelihood-most", type=int, default=4000, help="rows (default: %(default)s)")
    parser.add_argument("--sklearn-most", type=int, default=4000, help="rows (default: %(default)s)")
    parser.add_argument("--inputs", type=int, default=1)
    parser.add_argument("--arguments", default="--memory 2G --rank 300", help="of gpcv fit (default: %(default)s)")
    parser.add_argument("--command", type=pathlib.Path, default=ROOT / "build/release/bin/gpcv")
    o = parser.parse_args()
    has_sklearn = subprocess.run([sys.executable, "-c", "import sklearn"], capture_output=True).returncode == 0
    print(f"{os.cpu_count()} cores, {o.inputs} input(s), gpcv fit {o.arguments}; "
          f"scikit-learn {'beside it' if has_sklearn else 'is not installed'}\n")
    print("| n | seconds | passes | MiB | cv RMSE | test RMSE | 95 % covered | likelihood: seconds, test MSE ratio | "
          "scikit-learn: times slower, test MSE ratio |\n" + "| --- " * 9 + "|")
    ours = {}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for n in map(int, o.sizes.split(",")):
            random = np.random.default_rng(n)
            train, test = folder / "train.csv", folder / "test.csv"
            write(train, draw(n, o.inputs, random))
            write(test, draw(TEST_ROWS, o.inputs, random))
            kernel = ["--kernel", "se" if o.inputs == 1 else "se(ard)", "--assess", "inner"]
            r = ours[n] = gpcv(o.command, train, test, folder, kernel + o.arguments.split())
            line = (f"| {n} | {r['seconds']:.2f} | {r['passes']:.1f} | {r['mib']:.0f} | {r['cv']:.4f} | "
                    f"{math.sqrt(r['mse']):.4f} | {r['covered']:.3f} |")
            if n <= o.likelihood_most:
                l = gpcv(o.command, train, test, folder, kernel + ["--trainer", "likelihood"])
                line += f" {l['seconds']:.1f}, {r['mse'] / l['mse']:.3f} |"
            else:
                line += " |"
            if has_sklearn and n <= o.sklearn_most and o.inputs == 1:
                done = subprocess.run([sys.executable, "-W", "ignore", "-c", SKLEARN, train, test], capture_output=True,
                                      text=True, check=True)
                s = json.loads(done.stdout)
                line += f" {s['seconds'] / r['seconds']:.1f}, {r['mse'] / s['mse']:.3f} |"
            else:
                line += " |"
            print(line, flush=True)
    print(f"\nfrom 8000 rows on: time grows with the power {slope(ours, 'seconds', 8000):.2f} of n, peak memory with "
          f"{slope(ours, 'mib', 8000):.2f}")


if __name__ == "__main__":
    main()
