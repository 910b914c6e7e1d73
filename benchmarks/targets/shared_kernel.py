"""One kernel of several targets beside one target: the time of the fits, and the errors of shared and separate kernels.

    build/venv/bin/python benchmarks/targets/shared_kernel.py [--gpcv PATH] [--rows 4000] [--targets 5] [--inputs 4] [--repeats 3]

The fits of one repetition run one after the other: one target, all targets with one kernel, and, unless --quick, each
target with a kernel of its own.
"""
import argparse
import csv
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
NOISE, NEW_ROWS = 0.2, 1000


def write_tables(folder, rows, inputs, targets):
    """Targets are smooth functions of one kind with normal noise; their phases differ. New rows have no noise."""
    random = np.random.default_rng(1)
    x = random.uniform(-1, 1, (rows + NEW_ROWS, inputs))
    a, b = random.uniform(0, 2 * np.pi, (2, targets))
    y = np.sin(3 * x[:, :1] + a) + np.cos(2 * x[:, 1:2] + b) * x[:, -1:]
    y[:rows] += NOISE * random.normal(size=(rows, targets))
    for name, part in (("table.csv", slice(rows)), ("new.csv", slice(rows, None))):
        with (folder / name).open("w", newline="") as file:
            out = csv.writer(file)
            out.writerow([f"x{i}" for i in range(inputs)] + [f"y{j}" for j in range(targets)])
            out.writerows(np.hstack([x[part], y[part]]).tolist())


def run(command):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"shared_kernel: {done.stderr.strip()}")
    return json.loads(done.stdout)


def fit(o, folder, *options):
    """Seconds of a fit, and the error of each target on new rows."""
    command = [o.gpcv, "fit", folder / "table.csv", "--features", ",".join(f"x{i}" for i in range(o.inputs)),
               "--kernel", "se(ard)", "--assess", "inner", "-o", folder / "model.h5", "--json", *options]
    if o.threads:
        command += ["--threads", str(o.threads)]
    begin = time.perf_counter()
    run(command)
    seconds = time.perf_counter() - begin
    found = run([o.gpcv, "evaluate", folder / "model.h5", folder / "new.csv", "--json"])
    return seconds, [target["rmse"] for target in found.get("targets", [found])]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--gpcv", type=pathlib.Path, default=ROOT / "build/release/bin/gpcv",
                        help="the gpcv command (default: %(default)s)")
    parser.add_argument("--rows", type=int, default=4000)
    parser.add_argument("--targets", type=int, default=5)
    parser.add_argument("--inputs", type=int, default=4)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--threads", type=int, default=0, help="threads of a fit (default: those of gpcv)")
    parser.add_argument("--quick", action="store_true", help="leave out the fits with separate kernels")
    return parser.parse_args()


def main():
    o = arguments()
    ratios, errors = [], []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        write_tables(folder, o.rows, o.inputs, o.targets)
        for _ in range(o.repeats):
            one, _ = fit(o, folder, "--target", "y0")
            shared, together = fit(o, folder, "--target", "y*", "--share-kernel")
            ratios.append(shared / one)
            line = f"one target {one:.2f} s, {o.targets} with one kernel {shared:.2f} s ({ratios[-1]:.2f})"
            if not o.quick:
                each, alone = fit(o, folder, "--target", "y*")
                errors = [a / b for a, b in zip(together, alone)]
                line += f", with a kernel each {each:.2f} s ({each / one:.2f})"
            print(line, flush=True)
    print(f"{o.rows} rows, {o.inputs} inputs: time of {o.targets} targets with one kernel / one target, median of "
          f"{o.repeats}: {statistics.median(ratios):.2f}")
    if errors:
        print(f"error on new rows with one kernel / a kernel each: median {statistics.median(errors):.4f}, "
              f"worst {max(errors):.4f}")


if __name__ == "__main__":
    main()
