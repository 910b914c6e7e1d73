"""Outliers: a robust fit of a disturbed table beside the plain fit of the same table with clean targets."""
import functools
import math

import numpy as np
from plan import Tables, make_run
from surface import surface
from verdicts import absent, done, Figure, ratio_figure

ROWS, NEW_ROWS, SHOWN = 500, 2000, 500
NOISE, SHARE, SIZE = 0.2, 0.05, 20
CLOSE, UNHARMED = 1.1, 1.01


@functools.cache
def drawn(seed):
    """Inputs, function, clean and disturbed targets; 5 % of the training targets are moved by 20 deviations."""
    random = np.random.default_rng(seed)
    x = random.uniform(-1, 1, size=(ROWS + NEW_ROWS, 2))
    f = surface(x)
    clean = f + NOISE * random.normal(size=f.size)
    disturbed = clean.copy()
    rows = random.choice(ROWS, round(SHARE * ROWS), replace=False)
    disturbed[rows] += SIZE * NOISE * random.choice([-1, 1], rows.size)
    return x, f, clean, disturbed, rows


def table_of(seed, targets):
    """The errors of `test` are those of the function, without noise; `new` rows tell how often intervals hold."""
    x, f, clean, disturbed, outliers = drawn(seed)
    y = disturbed if targets == "disturbed" else clean
    rows = np.setdiff1d(np.arange(ROWS), outliers if targets == "removed" else [])
    new = slice(ROWS, ROWS + SHOWN)
    columns = {"a": x[:, 0], "b": x[:, 1]}
    return Tables({**{n: list(map(float, c[rows])) for n, c in columns.items()}, "y": list(map(float, y[rows]))},
                  {**{n: list(map(float, c[ROWS:])) for n, c in columns.items()}, "y": list(map(float, f[ROWS:]))},
                  {n: list(map(float, c[new])) for n, c in columns.items()})


FITS = {"plain, clean": ("clean", ()), "robust, disturbed": ("disturbed", ("--robust",)),
        "robust, clean": ("clean", ("--robust",)), "plain, disturbed": ("disturbed", ()),
        "plain, removed": ("removed", ())}


def run_of(name, seed):
    targets, options = FITS[name]
    return make_run("targets.outliers", f"{name}, seed {seed}", ("--assess", "inner", *options),
                    functools.partial(table_of, seed, targets), cost=10)


def runs_of(seeds):
    return [run_of(name, seed) for seed in seeds for name in FITS]


def error_of_new(seed, result):
    """Root mean square error on new clean rows, their noise included."""
    return math.sqrt(np.mean((drawn(seed)[2][ROWS:ROWS + SHOWN] - np.asarray(result["new"]["mean"], float)) ** 2))


def covered(seed, result):
    """Share of new clean rows inside of the 95 % interval."""
    clean, new = drawn(seed)[2][ROWS:ROWS + SHOWN], result["new"]
    return np.mean((clean >= np.asarray(new["lower"], float)) & (clean <= np.asarray(new["upper"], float)))


def named(seed, result):
    """Outliers that are named, and ordinary rows that are."""
    rows = {row["row"] - 1 for row in result["fit"]["robust"]["distrusted"]}
    outliers = {int(row) for row in drawn(seed)[4]}
    return len(rows & outliers), len(rows - outliers)


def figures_of(seeds, find):
    found = {name: [find(run_of(name, seed)) for seed in seeds] for name in FITS}
    everything = [result for results in found.values() for result in results]
    whole = [(seed, {name: found[name][i] for name in FITS}) for i, seed in enumerate(seeds)
             if all(done([found[name][i]]) for name in FITS)]
    if not whole:
        return [Figure("outliers", "", "", absent(everything))]

    def ratios(name, of=lambda r: r["test"]["rmse"]):
        return [of(row[name]) / of(row["plain, clean"]) for _, row in whole]

    def pooled(name, of=lambda seed, r: r["test"]["rmse"]):
        return math.sqrt(sum(of(seed, row[name]) ** 2 for seed, row in whole) /
                         sum(of(seed, row["plain, clean"]) ** 2 for seed, row in whole))

    def information(name, text):
        return Figure(f"outliers: {name}", "", text, "")

    def middle(values):
        return f"median {np.median(values):.2f}, worst {max(values):.2f}"

    counts = np.array([named(seed, row["robust, disturbed"]) for seed, row in whole])
    coverage = {name: 100 * np.mean([covered(seed, row[name]) for seed, row in whole]) for name in FITS}
    of_all, known = pooled("robust, disturbed"), pooled("plain, removed")
    return [Figure("outliers: RMSE of robust / plain with clean targets, all seeds together", f"≤ {CLOSE}",
                   f"{of_all:.4f}", absent(everything) or ("met" if of_all <= CLOSE else "missed")),
            ratio_figure("outliers: the same on new clean rows, with their noise",
                         [error_of_new(seed, row["robust, disturbed"]) / error_of_new(seed, row["plain, clean"])
                          for seed, row in whole], CLOSE, everything),
            ratio_figure("outliers: RMSE of plain without the outliers / plain with clean targets",
                         ratios("plain, removed"), CLOSE, everything),
            information("the same, all seeds together", f"{known:.4f}"),
            ratio_figure("outliers: RMSE of robust / plain with clean targets", ratios("robust, disturbed"), CLOSE,
                         everything),
            ratio_figure("outliers: RMSE of robust / plain, both with clean targets", ratios("robust, clean"), UNHARMED,
                         everything),
            information("RMSE of plain with outliers / with clean targets", middle(ratios("plain, disturbed"))),
            information("outliers named; other rows named", f"{counts[:, 0].sum()} of {len(whole) * round(SHARE * ROWS)}; "
                                                            f"{counts[:, 1].sum()}"),
            information("95 % intervals hold of new clean rows",
                        ", ".join(f"{name} {value:.1f} %" for name, value in coverage.items())),
            information("seconds of robust / plain with clean targets",
                        middle(ratios("robust, disturbed", lambda r: r["seconds"]))),
            information("seconds of robust / plain, both with clean targets",
                        middle(ratios("robust, clean", lambda r: r["seconds"])))]
