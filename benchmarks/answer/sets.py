"""Runs on real tables are by the defaults, squared error with se(ard), the likelihood, and the chosen kernel alone."""
import functools
import gzip

import numpy as np

import draws
from plan import Tables, make_run

ROWS = 4000  # Training and testing use so many rows at the most.
SMALL = 1000  # Tables with fewer rows are used with every split.
SPLITS = (0, 1, 2)
METHODS = {
    "auto": ("--assess", "inner"),
    "old": ("--kernel", "se(ard)", "--criterion", "squared", "--start", "subset", "--assess", "inner"),
    "likelihood": ("--trainer", "likelihood", "--kernel", "se(ard)"),
}


@functools.cache
def read(folder, name):
    """Rows have the target last; the second array has a column per split, which marks test rows."""
    def values(file):
        with gzip.open(folder / name / file) as stream:
            return np.loadtxt(stream, delimiter=",", ndmin=2)

    return values("data.csv.gz"), values("test_mask.csv.gz")


def at_most(rows, split):
    """Rows beyond the limit are left out at random, the same ones each time."""
    if len(rows) <= ROWS:
        return rows
    return np.sort(np.random.default_rng(split).choice(rows, ROWS, replace=False))


def split_tables(folder, name, split):
    values, mask = read(folder, name)
    test = mask[:, split] > 0
    return Tables(*(draws.columns(values[rows, :-1], values[rows, -1])
                    for rows in (at_most(np.flatnonzero(~test), split), at_most(np.flatnonzero(test), split))))


def names(settings):
    """Names are those of the sets that are there."""
    if settings.data is None or not (settings.data / "uci").is_dir():
        return []
    return sorted(path.parent.name for path in (settings.data / "uci").glob("*/data.csv.gz"))


def splits(settings, name):
    rows, mask = read(settings.data / "uci", name)
    return range(mask.shape[1]) if len(rows) < SMALL else SPLITS


def run_of(settings, name, split, method, fit=None):
    """The run is of a method on a split; `fit` replaces the method's options."""
    cost = min(len(read(settings.data / "uci", name)[0]), ROWS) ** 2 / 1e5 * (3 if method == "auto" else 1)
    return make_run(f"sets.{name}", f"split {split} {method}", METHODS[method] if fit is None else fit,
                    functools.partial(split_tables, settings.data / "uci", name, split), cost=cost)


def runs(settings, find):
    return [run_of(settings, name, split, method)
            for name in names(settings) for split in splits(settings, name) for method in METHODS]


def winner(result):
    """The winner is the kernel that the defaults chose."""
    return next(entry["kernel"] for entry in result["fit"]["kernels"] if entry["chosen"])


def alone(settings, name, result):
    """The run trains the chosen kernel alone, on the first split."""
    return run_of(settings, name, 0, "alone", ("--kernel", winner(result), "--assess", "inner"))


def runs_of_winners(settings, find):
    """These runs need the kernel that was chosen on the first split."""
    chosen = ((name, find(run_of(settings, name, 0, "auto"))) for name in names(settings))
    return [alone(settings, name, result) for name, result in chosen if result is not None and "fit" in result]
