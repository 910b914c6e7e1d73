"""Seconds that users wait on a machine with a GPU: first and second trainings, low noise, small tables, predictions.

    python3 benchmarks/gpu/waiting.py [--command "gpu_bundle/run gpcv"] [--data ../shared/data/uci] [--only cold,low-noise,small,sets]

Every line of the output is one JSON object: the case, its seconds from start to end of the command, and what the
command says of its result. It needs Python with NumPy. The commands train by squared errors with the error of the
inner folds, unless a case says otherwise.
"""
import argparse
import gzip
import json
import multiprocessing
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
USUAL = ["--criterion", "squared", "--assess", "inner"]


def write(path, values):
    np.savetxt(path, values, delimiter=",", fmt="%.12g")
    return path


def split_of(data, name, folder):
    """The first split of a UCI set, with a target of unit standard deviation."""
    read = lambda part: np.loadtxt(gzip.open(data / name / part, "rt"), delimiter=",")
    table, test = read("data.csv.gz"), read("test_mask.csv.gz")[:, 0] > 0.5
    table[:, -1] /= table[~test, -1].std()
    return write(folder / f"{name}_train.csv", table[~test]), write(folder / f"{name}_test.csv", table[test])


def low_noise(rows, random, inputs=17):
    """A rough function of two of many inputs, almost without noise, like a count that two columns sum up to."""
    x = random.standard_normal((rows, inputs))
    y = (x[:, 3] + x[:, 8] + 0.3 * np.abs(np.sin(2 * x[:, 3]))) / np.sqrt(2)
    return np.column_stack([x, y + 1e-5 * random.standard_normal(rows)])


def smooth(rows, random, inputs=8, noise=0.2):
    x = random.standard_normal((rows, inputs))
    y = np.sin(x[:, 0] * 2) + np.cos(x[:, 1] * x[:, -1]) + 0.5 * x[:, inputs // 2]
    return np.column_stack([x, y + noise * random.standard_normal(rows)])


def write_part(arguments):
    path, rows, seed = arguments
    return write(path, np.round(smooth(rows, np.random.default_rng(seed)), 5))


def write_many(folder, rows, parts=16):
    """A smooth table in several files, which are written side by side: one process takes a minute."""
    work = [(folder / f"million{i}.csv", rows // parts, 100 + i) for i in range(parts)]
    with multiprocessing.Pool() as pool:
        return pool.map(write_part, work)


class Runner:
    def __init__(self, command, folder):
        self.command, self.folder = command.split(), folder
        self.cache = folder / "cache"

    def run(self, case, arguments, cold=False, show=False):
        if cold:
            shutil.rmtree(self.cache, ignore_errors=True)
        began = time.perf_counter()
        pipe = None if show else subprocess.PIPE
        done = subprocess.run([*self.command, *map(str, arguments)], stdout=pipe, stderr=pipe, text=True,
                              env={**os.environ, "XDG_CACHE_HOME": str(self.cache)})
        line = {"case": case, "wall": round(time.perf_counter() - began, 2), "exit": done.returncode}
        try:
            result = {} if show else json.loads(done.stdout)
            for key in ("status", "cv_rmse", "column_passes", "cg_iterations", "noise", "rmse", "nlpd", "coverage95",
                        "seconds", "preconditioner_seconds", "product_seconds", "training_plan", "message"):
                if key in result:
                    line[key] = result[key]
        except json.JSONDecodeError:
            line["output"] = (done.stdout + done.stderr)[-400:]
        print(json.dumps(line), flush=True)
        return line

    def fit(self, case, table, model, *more, cold=False, show=False):
        tables = table if isinstance(table, list) else [table]
        form = ["--verbose"] if show else ["--json"]
        return self.run(case, ["fit", *tables, "--target", "-1", *USUAL, *form, *more, "-o", model], cold, show)

    def evaluate(self, case, model, table, *more):
        return self.run(case, ["evaluate", model, table, "--json", *more])

    def predict(self, case, model, table, *more):
        return self.run(case, ["predict", model, table, "-o", self.folder / "out.csv", *more])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--command", default=str(ROOT / "build/gpu_bundle/run") + " gpcv")
    parser.add_argument("--data", type=pathlib.Path, default=ROOT.parent / "shared/data/uci")
    parser.add_argument("--only", default="sets,low-noise,small")
    parser.add_argument("--sizes", default="500,2000,5000,10000")
    parser.add_argument("--low-noise-rows", type=int, default=15600)
    parser.add_argument("--million-rows", type=float, default=3)
    wanted = (args := parser.parse_args()).only.split(",")
    random = np.random.default_rng(7)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        runner = Runner(args.command, folder)
        cuda = ("--backend", "cuda")
        se = ("--kernel", "se(ard)")
        if "sets" in wanted:
            for data in ("kin40k", "protein"):
                train, test = split_of(args.data, data, folder)
                model = folder / f"{data}.h5"
                runner.fit(f"{data} first", train, model, *se, *cuda, cold=True)
                runner.fit(f"{data} second", train, model, *se, *cuda)
                runner.predict(f"{data} predict", model, test, *cuda)
                runner.evaluate(f"{data} evaluate", model, test, *cuda)
        if "auto" in wanted:
            for data in ("kin40k", "protein"):
                train, test = split_of(args.data, data, folder)
                model = folder / f"{data}.h5"
                runner.run(f"{data} default", ["fit", train, "--target", "-1", "--json", *cuda, "-o", model])
                runner.evaluate(f"{data} evaluate", model, test, *cuda)
        if "low-noise" in wanted:
            train = write(folder / "low.csv", low_noise(args.low_noise_rows, random))
            test = write(folder / "low_test.csv", low_noise(1700, random))
            model = folder / "low.h5"
            runner.fit("low noise", train, model, "--kernel", "matern32(ard)", *cuda)
            runner.fit("low noise again", train, model, "--kernel", "matern32(ard)", *cuda)
            runner.predict("low noise predict", model, test, *cuda)
            runner.evaluate("low noise evaluate", model, test, *cuda)
        if "small" in wanted:
            for rows in map(int, args.sizes.split(",")):
                train = write(folder / "small.csv", smooth(rows, random))
                for backend in ("cuda", "auto", "simd"):
                    runner.fit(f"{rows} rows {backend} first", train, folder / "small.h5", *se, "--backend", backend)
                    runner.fit(f"{rows} rows {backend}", train, folder / "small.h5", *se, "--backend", backend)
        if "million" in wanted:
            began = time.perf_counter()
            tables = write_many(folder, int(1e6 * args.million_rows))
            print(f"tables written in {time.perf_counter() - began:.1f} s", file=sys.stderr, flush=True)
            test = write(folder / "test.csv", smooth(1000, random))
            model = folder / "million.h5"
            runner.fit(f"{args.million_rows} million rows", tables, model, *se, *cuda, show=True)
            runner.evaluate("evaluate", model, test, *cuda)


if __name__ == "__main__":
    sys.exit(main())
