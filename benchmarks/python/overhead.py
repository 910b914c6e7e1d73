"""What the Python package costs beside the command, and the memory of predicting many rows.

    build/venv/bin/python benchmarks/python/overhead.py [--command build/release/bin/gpcv] [--rows 4000]
                                                        [--predict 1000000]

Run with PYTHONPATH=build/release/python, or with the package installed.
"""
import argparse
import resource
import subprocess
import sys
import tempfile
import time

import numpy as np

import gpcv


def table(rows, features, seed=0):
    rng = np.random.default_rng(seed)
    x = rng.uniform(-2, 2, (rows, features))
    return x, np.sin(2 * x[:, 0]) + 0.5 * x[:, 1] * x[:, 2] + 0.1 * rng.normal(size=rows)


def resident():
    with open("/proc/self/statm") as file:
        return resource.getpagesize() * int(file.read().split()[1])


def peak():
    return 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def predict(path, rows, order):
    """In a process of its own, from the loaded model on: no earlier peak hides what predicting takes."""
    model = gpcv.load(path)
    before = resident()
    x = np.empty((rows, 8), order=order)
    rng = np.random.default_rng(1)
    for column in range(8):
        x[:, column] = rng.uniform(-2, 2, rows)
    started = time.perf_counter()
    mean, std = model.predict(x, return_std=True)
    seconds = time.perf_counter() - started
    arrays = x.nbytes + mean.nbytes + std.nbytes
    print(f"predict {rows} rows, {order} order: {seconds:.1f} s, {(peak() - before) / 1e6:.0f} MB at the most, arrays "
          f"{arrays / 1e6:.0f} MB; {(peak() - before - 1.3 * arrays) / 1e6:.0f} MB above 1.3 times the arrays")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--command", default="build/release/bin/gpcv")
    parser.add_argument("--rows", type=int, default=4000)
    parser.add_argument("--predict", type=int, default=1_000_000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--model", help=argparse.SUPPRESS)
    parser.add_argument("--order", help=argparse.SUPPRESS)
    o = parser.parse_args()
    if o.model:
        return predict(o.model, o.predict, o.order)

    x, y = table(o.rows, 8)
    python, command, inside = [], [], []
    with tempfile.TemporaryDirectory() as folder:
        np.savetxt(f"{folder}/data.csv", np.column_stack([x, y]), delimiter=",", fmt="%.17g")
        for _ in range(o.repeats):  # turn about: the machine may be busy
            started = time.perf_counter()
            subprocess.run([o.command, "fit", f"{folder}/data.csv", "--target", "8", "-o", f"{folder}/m.h5", "--quiet"],
                           check=True)
            command.append(time.perf_counter() - started)
            started = time.perf_counter()
            model = gpcv.GPRegressor().fit(x, y)
            python.append(time.perf_counter() - started)
            inside.append(sum(model.seconds_.values()))
        other = gpcv.load(f"{folder}/m.h5")
        same = str(other.kernel_) == str(model.kernel_) and other.noise_ == model.noise_
        print(f"fit of {o.rows} rows: Python {min(python):.2f} s, command {min(command):.2f} s, "
              f"ratio {min(python) / min(command):.3f}; outside the library "
              f"{100 * (min(python) / min(inside) - 1):.2f} %; parameters {'identical' if same else 'DIFFERENT'}",
              flush=True)
        for order in "C", "F":
            subprocess.run([sys.executable, __file__, "--model", f"{folder}/m.h5", "--order", order, "--predict",
                            str(o.predict)], check=True)


main()
