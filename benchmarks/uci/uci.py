"""Cross-validation against the likelihood on UCI regression sets: errors, coverage and time on held-out rows.

    python3 benchmarks/uci/uci.py [--data ../shared/data/uci] [--rows 4000] [--splits 0,1,2,3,4] [--sets airfoil,…]

Each set is a folder with data.csv.gz (no header, last column the target) and test_mask.csv.gz (a column of 0 and 1 per
split). Both trainers get the same starts and restarts. A finished fit is a row of results.csv and is not repeated.
"""
import argparse
import functools
import gzip
import pathlib
import sys
import tempfile

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT / "experiments"))

from common.command import Command  # noqa: E402
from common.runner import Task, run  # noqa: E402
from common.store import Store  # noqa: E402

METHODS = {"gauss-newton": ("--trainer", "gauss-newton", "--assess", "inner"),
           "likelihood": ("--trainer", "likelihood", "--start", "subset")}
KEY = ("set", "split", "method")
VALUES = ("n", "status", "rmse", "nlpd", "crps", "coverage50", "coverage80", "coverage95", "cv_rmse", "seconds",
          "column_passes", "peak_mib", "message")
MOST_TEST_ROWS = 4000


@functools.cache
def table(folder, name):
    def read(file):
        with gzip.open(folder / name / file) as stream:
            return np.loadtxt(stream, delimiter=",")

    return read("data.csv.gz"), read("test_mask.csv.gz")


def split_rows(mask, split, most):
    """Training rows, at most so many of them at random, and test rows."""
    test = mask[:, split] > 0
    train = np.flatnonzero(~test)
    if len(train) > most:
        train = np.sort(np.random.default_rng(split).choice(train, most, replace=False))
    return train, np.flatnonzero(test)[:MOST_TEST_ROWS]


def one(command, folder, most, task):
    """Errors in units of the training target's standard deviation."""
    values, mask = table(folder, task.key["set"])
    train, test = split_rows(mask, task.key["split"], most)
    spread = values[train, -1].std()
    with tempfile.TemporaryDirectory() as temporary:
        paths = {name: pathlib.Path(temporary) / name for name in ("train.csv", "test.csv", "model.h5")}
        np.savetxt(paths["train.csv"], values[train], delimiter=",", fmt="%.17g")
        np.savetxt(paths["test.csv"], values[test], delimiter=",", fmt="%.17g")
        fit = command.fit(paths["train.csv"], "--target", "-1", "--kernel", "se(ard)", "-o", paths["model.h5"],
                          *METHODS[task.key["method"]])
        errors = command.evaluate(paths["model.h5"], paths["test.csv"])
    return {"n": len(train), "status": fit["status"], "rmse": errors["rmse"] / spread,
            "nlpd": errors["nlpd"] - np.log(spread), "crps": errors["crps"] / spread,
            **{f"coverage{p}": errors[f"coverage{p}"] for p in (50, 80, 95)},
            "cv_rmse": fit["cv_rmse"] / spread, "seconds": fit["seconds"]["train"],
            "column_passes": fit["column_passes"], "peak_mib": fit["peak_rss_bytes"] / 2**20,
            "message": fit["message"]}


def summary(rows, sets):
    """A line per set with means over the splits, and the figures over all sets."""
    print("| set | n | RMSE gauss-newton | likelihood | ratio | NLPD gauss-newton | likelihood | 95 % coverage | "
          "time gauss-newton / likelihood |")
    print("| --- " * 9 + "|")
    ratios, differences, by_set = [], [], []
    for name in sets:
        pairs = {}
        for row in rows:
            if row["set"] == name and row["rmse"]:
                pairs.setdefault(row["split"], {})[row["method"]] = row
        pairs = [p for p in pairs.values() if len(p) == 2]
        if not pairs:
            continue
        column = lambda method, what: np.array([float(p[method][what]) for p in pairs])  # noqa: E731
        ours, theirs = column("gauss-newton", "rmse"), column("likelihood", "rmse")
        nlpd, their_nlpd = column("gauss-newton", "nlpd"), column("likelihood", "nlpd")
        ratios += list(ours / theirs)
        differences.append((nlpd - their_nlpd).mean())
        by_set.append(np.exp(np.log(ours / theirs).mean()))
        covered = [column(method, "coverage95").mean() for method in METHODS]
        seconds = [column(method, "seconds").mean() for method in METHODS]
        print(f"| {name} | {pairs[0]['likelihood']['n']} | {ours.mean():.4f} | {theirs.mean():.4f} | {by_set[-1]:.3f} | "
              f"{nlpd.mean():.3f} | {their_nlpd.mean():.3f} | {covered[0]:.3f} / {covered[1]:.3f} | "
              f"{seconds[0] / seconds[1]:.3f} |")
    if ratios:
        print(f"\nRMSE ratio: geometric mean {np.exp(np.log(ratios).mean()):.4f}, median {np.median(ratios):.4f}, worst set "
              f"{max(by_set):.3f}. NLPD difference, mean over sets: {np.mean(differences):.3f}.")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=pathlib.Path, default=ROOT.parent / "shared/data/uci",
                        help="folder of the sets (default: %(default)s)")
    parser.add_argument("--command", type=pathlib.Path, default=ROOT / "build/release/bin/gpcv")
    parser.add_argument("--rows", type=int, default=4000, help="training rows at the most (default: %(default)s)")
    parser.add_argument("--splits", default="0,1,2,3,4")
    parser.add_argument("--sets", help="separated by commas (default: all there are)")
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / "build/uci.csv")
    parser.add_argument("--fresh", action="store_true", help="forget finished fits")
    o = parser.parse_args()
    if not o.data.is_dir():
        sys.exit(f"uci: there are no data in '{o.data}'; --data names their folder")
    sets = o.sets.split(",") if o.sets else sorted(path.name for path in o.data.iterdir() if path.is_dir())
    store = Store(o.output, KEY, VALUES, o.fresh)
    tasks = [Task({"set": name, "split": int(split), "method": method}, f"at most {o.rows} rows", float(len(name)))
             for split in o.splits.split(",") for name in sets for method in METHODS]
    run("uci", tasks, functools.partial(one, Command(o.command), o.data, o.rows), store, jobs=1)
    summary(store.select(tasks), sets)


if __name__ == "__main__":
    main()
