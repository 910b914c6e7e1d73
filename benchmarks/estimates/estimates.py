"""Estimated and actual times of fits.

    python3 benchmarks/estimates/estimates.py [--command gpcv] [--tables small-1d,medium-8d,…] [--runs auto,given]

Tables of 100 to 20 000 rows, 1 to 30 inputs and noise variances of 1e-4 to 1 are drawn; those of --data (folders of
NAME/data.csv.gz without a header, the target last) are added where they exist. Each is trained with the defaults and
with a given kernel, one after the other. A row has the estimate of `check`, the seconds that `fit` took, and their
ratio; the last line has the largest ratio either way. The machine should do nothing else.
"""
import argparse
import gzip
import json
import math
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent

#: name: rows, inputs, variance of the noise, given kernel
TABLES = {
    "100x1": (100, 1, 1e-2, "se"),
    "300x30": (300, 30, 1.0, "se(ard)"),
    "600x5": (600, 5, 1e-4, "matern52(ard)"),
    "1000x2": (1000, 2, 0.1, "se(ard)+matern32(ard)"),
    "1500x8": (1500, 8, 1e-2, "matern32(ard)"),
    "3000x3": (3000, 3, 0.3, "rq(ard)"),
    "5000x10": (5000, 10, 1e-2, "se(ard)"),
    "8000x2": (8000, 2, 1e-4, "matern52(ard)"),
    "12000x5": (12000, 5, 0.1, "matern52(ard)"),
    "20000x8": (20000, 8, 1.0, "se(ard)"),
}


def rows_of(name):
    n, d, variance, _ = TABLES[name]
    draw = random.Random(name)
    deviation = math.sqrt(variance)
    for _ in range(n):
        x = [draw.gauss(0, 1) for _ in range(d)]
        y = math.sin(2 * x[0]) + math.cos(x[1 % d] * x[-1]) + 0.5 * x[d // 2]
        yield x + [y + deviation * draw.gauss(0, 1)]


def write(name, path):
    with open(path, "w") as file:
        d = TABLES[name][1]
        print(",".join([f"x{i}" for i in range(d)] + ["y"]), file=file)
        for row in rows_of(name):
            print(",".join(f"{value:.7g}" for value in row), file=file)


def copy_real(folder, name, path):
    with gzip.open(folder / name / "data.csv.gz", "rt") as source, open(path, "w") as file:
        for i, line in enumerate(source):
            if i == 0:
                print(",".join([f"x{k}" for k in range(line.count(","))] + ["y"]), file=file)
            file.write(line)


def estimated(command, arguments):
    """Seconds that check estimates, to the digits that it prints."""
    done = subprocess.run([command, "check", *arguments], capture_output=True, text=True)
    found = re.search(r"an estimated ([0-9.]+) (s|min|h)", done.stdout)
    if not found:
        sys.exit(f"check: {done.stderr.strip() or done.stdout.strip()}")
    return float(found[1]) * {"s": 1, "min": 60, "h": 3600}[found[2]]


def measured(command, arguments, limit):
    """Seconds of a fit, and whether it ended before the limit."""
    began = time.perf_counter()
    try:
        done = subprocess.run([command, "fit", *arguments, "--json"], capture_output=True, text=True, timeout=limit)
    except subprocess.TimeoutExpired:
        return time.perf_counter() - began, False, {}
    seconds = time.perf_counter() - began
    if done.returncode > 1:
        sys.exit(f"fit: {done.stderr.strip()}")
    return seconds, True, json.loads(done.stdout).get("seconds", {})


def compare(name, kind, command, path, kernel, options):
    arguments = [str(path), "--target", "y", "--threads", str(options.threads)]
    arguments += ["--kernel", kernel] if kind == "given" else []
    estimate = estimated(command, arguments)
    seconds, ended, phases = measured(command, arguments, options.limit)
    ratio = estimate / seconds
    print(f"{name:>10} {kind:>6} {estimate:10.2f} {'' if ended else '>':>1}{seconds:9.2f} {ratio:7.2f}", flush=True)
    if options.phases:
        print("           " + ", ".join(f"{k} {v:.2f}" for k, v in phases.items()), flush=True)
    return ratio if ended or ratio > 1 else None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--command", type=pathlib.Path, default=ROOT / "build/release/bin/gpcv")
    parser.add_argument("--tables", default=",".join(TABLES))
    parser.add_argument("--runs", default="auto,given")
    parser.add_argument("--data", type=pathlib.Path, default=ROOT.parent / "shared/data/uci")
    parser.add_argument("--real", default="yacht,concrete,airfoil")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--limit", type=float, default=900, help="seconds for one fit")
    parser.add_argument("--phases", action="store_true", help="print the seconds of each phase")
    options = parser.parse_args()
    print(f"{'table':>10} {'kernel':>6} {'estimate':>10} {'actual':>10} {'ratio':>7}")
    ratios = []
    with tempfile.TemporaryDirectory() as folder:
        real = [r for r in options.real.split(",") if r and (options.data / r / "data.csv.gz").exists()]
        for name in [t for t in options.tables.split(",") if t] + real:
            path = pathlib.Path(folder) / f"{name}.csv"
            if name in TABLES:
                write(name, path)
            else:
                copy_real(options.data, name, path)
            kernel = TABLES[name][3] if name in TABLES else "matern52(ard)"
            for kind in options.runs.split(","):
                ratio = compare(name, kind, options.command, path, kernel, options)
                ratios += [ratio] if ratio is not None else []
    print(f"largest: {max(max(r, 1 / r) for r in ratios):.2f}")


if __name__ == "__main__":
    main()
