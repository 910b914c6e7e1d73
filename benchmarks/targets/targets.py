"""Targets of all kinds: transforms and learned noise beside the density that generated the table, outliers beside clean targets.

    python3 benchmarks/targets/targets.py [--gpcv PATH] [--only gamma,outliers] [--seeds 20] [--output results.jsonl]

Each finished run is a line of the output and is not repeated. README.md says what is measured and how long it takes.
"""
import argparse
import dataclasses
import functools
import math
import os
import pathlib
import sys
from collections.abc import Callable

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "experiments"), str(ROOT / "benchmarks/answer")]

import outliers  # noqa: E402
from common.runner import run as run_all  # noqa: E402
import noise_kinds as noise  # noqa: E402
from plan import Tables, make_run  # noqa: E402
from store import Store  # noqa: E402
from surface import surface  # noqa: E402
from verdicts import absent, counted, done, Figure, print_ages, print_failures, print_table, ratio_figure  # noqa: E402
from work import Program, perform  # noqa: E402

ROWS, NEW_ROWS = 500, 2000
CLOSE = 1.02

erf = np.vectorize(math.erf)


def below(z):
    return 0.5 * (1 + erf(np.asarray(z) / math.sqrt(2)))


def crps_of(distribution, y, grid):
    """The score is the integral of (F(t) - 1{t ≥ y})² over a grid that holds nearly all of the distribution."""
    middle, width = 0.5 * (grid[1:] + grid[:-1]), np.diff(grid)
    f = distribution(middle)
    return float(np.sum(np.where(middle < y, f, 1 - f) ** 2 * width))


@dataclasses.dataclass(frozen=True)
class Kind:
    """A kind of target is drawn at a value of the function; its distribution there is known."""

    name: str
    draw: Callable
    distribution: Callable
    grid: Callable
    fixed: tuple
    chosen: tuple  # Transforms that auto should choose; empty where any may be best.


LOG_NOISE, SHARE_NOISE, NOISE, SHAPE = 0.5, 0.8, 0.5, 2


def gamma_distribution(f):
    """Gamma of shape 2 with the mean e^f: F(t) = 1 - (1 + t/s) e^{-t/s}, s = e^f/2."""
    s = np.exp(f) / SHAPE
    return lambda t: 1 - (1 + t / s) * np.exp(-t / s)


KINDS = [
    Kind("log-normal", lambda f, r: np.exp(f + LOG_NOISE * r.normal(size=f.size)),
         lambda f: lambda t: below((np.log(t) - f) / LOG_NOISE),
         lambda f: np.exp(f + LOG_NOISE * np.linspace(-8, 8, 801)), ("none", "log", "sqrt", "yeo-johnson"), ("log",)),
    Kind("logit-normal", lambda f, r: 1 / (1 + np.exp(-f - SHARE_NOISE * r.normal(size=f.size))),
         lambda f: lambda t: below((np.log(t / (1 - t)) - f) / SHARE_NOISE),
         lambda f: 1 / (1 + np.exp(-f - SHARE_NOISE * np.linspace(-8, 8, 801))),
         ("none", "log", "logit", "sqrt", "yeo-johnson"), ("logit",)),
    Kind("gamma", lambda f, r: r.gamma(SHAPE, np.exp(f) / SHAPE), gamma_distribution,
         lambda f: np.exp(f) * np.linspace(0, 5, 501) ** 2, ("none", "log", "sqrt", "yeo-johnson"), ()),
    Kind("gaussian", lambda f, r: f + NOISE * r.normal(size=f.size), lambda f: lambda t: below((t - f) / NOISE),
         lambda f: f + NOISE * np.linspace(-8, 8, 801), ("none", "yeo-johnson"), ("none",)),
]


def table_of(kind, seed):
    random = np.random.default_rng(seed)
    x = random.uniform(-1, 1, size=(ROWS + NEW_ROWS, 2))
    f = surface(x)
    y = kind.draw(f, random)
    columns = {"a": x[:, 0], "b": x[:, 1], "y": y}
    tables = Tables(*({name: list(map(float, c[part])) for name, c in columns.items()}
                      for part in (slice(ROWS), slice(ROWS, None))))
    return tables, f[ROWS:], y[ROWS:]


def kind_named(name):
    return next(kind for kind in KINDS if kind.name == name)


def draw(name, seed):
    return table_of(kind_named(name), seed)[0]


@functools.cache
def truth(name, seed):
    """The score of the generating density on the new rows."""
    kind = kind_named(name)
    _, f, y = table_of(kind, seed)
    scores = []
    for value, target in zip(f, y):
        grid = kind.grid(np.array(value))
        outside = max(0.0, target - grid[-1]) + max(0.0, grid[0] - target)
        scores.append(crps_of(kind.distribution(value), target, grid) + outside)
    return float(np.mean(scores))


def run_of(kind, transform, seed):
    return make_run(f"targets.{kind.name}", f"{transform}, seed {seed}",
                    ("--transform", transform, "--assess", "inner"), functools.partial(draw, kind.name, seed), cost=10)


def runs_of(kind, seeds):
    if isinstance(kind, noise.NoiseKind):
        return noise.runs_of(kind, seeds)
    return [run_of(kind, transform, seed) for seed in seeds for transform in ("auto", *kind.fixed)]


def crps(result):
    return result["test"]["crps"]


def figures_of(kind, seeds, find):
    if isinstance(kind, noise.NoiseKind):
        return noise.figures_of(kind, seeds, find)
    found = {t: [find(run_of(kind, t, seed)) for seed in seeds] for t in ("auto", *kind.fixed)}
    everything = [result for results in found.values() for result in results]
    whole = [(seed, {t: found[t][i] for t in found}) for i, seed in enumerate(seeds)
             if all(done([found[t][i]]) for t in found)]
    if not whole:
        return [Figure(kind.name, "", "", absent(everything))]
    best = {seed: min((crps(row[t]), t) for t in kind.fixed) for seed, row in whole}
    out = [ratio_figure(f"{kind.name}: CRPS of auto / generating density",
                        [crps(row["auto"]) / truth(kind.name, seed) for seed, row in whole], CLOSE, everything),
           ratio_figure(f"{kind.name}: CRPS of auto / best fixed transform",
                        [crps(row["auto"]) / best[seed][0] for seed, row in whole], CLOSE, everything)]
    for t in kind.fixed:
        ratios = [crps(row[t]) / truth(kind.name, seed) for seed, row in whole]
        out.append(Figure(f"{kind.name}: CRPS of {t} / generating density", "",
                          f"median {np.median(ratios):.4f}, worst {max(ratios):.4f}", ""))
    names = [row["auto"]["fit"].get("transform", "none").split(":")[0] for _, row in whole]
    counts = ", ".join(f"{name} {names.count(name)}" for name in sorted(set(names)))
    if kind.chosen:
        out.append(counted(f"{kind.name}: auto chooses {' or '.join(kind.chosen)}",
                           lambda r: r["fit"].get("transform", "none").split(":")[0] in kind.chosen, found["auto"],
                           "chosen", describe=lambda _: counts))
    else:
        out.append(Figure(f"{kind.name}: auto chooses", "", counts, ""))
    seconds = [row["auto"]["seconds"] / row["none"]["seconds"] for _, row in whole]
    out.append(Figure(f"{kind.name}: seconds of auto / none", "", f"median {np.median(seconds):.2f}, worst "
                      f"{max(seconds):.2f}", ""))
    covered = [row["auto"]["test"]["coverage95"] for _, row in whole]
    out.append(Figure(f"{kind.name}: 95 % intervals of auto hold", "", f"{100 * np.mean(covered):.1f} %", ""))
    return out


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--gpcv", type=pathlib.Path, default=ROOT / "build/release/bin/gpcv",
                        help="the gpcv command (default: %(default)s)")
    parser.add_argument("--only", default="", help="kinds of targets, separated by commas; noise means all kinds of noise")
    parser.add_argument("--seeds", type=int, default=20, help="seeds of each kind (default: %(default)s)")
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / "build/targets/results.jsonl",
                        help="file of the results (default: %(default)s)")
    parser.add_argument("--jobs", type=int, default=1,
                        help="runs side by side, which share the processors; seconds are comparable with 1 alone")
    parser.add_argument("--time-limit", type=float, default=600, help="seconds for one command (default: %(default)s)")
    parser.add_argument("--fresh", action="store_true", help="repeat finished runs")
    parser.add_argument("--show", action="store_true", help="run nothing and print the table of finished runs")
    return parser.parse_args()


def main():
    o = arguments()
    wanted = [name for name in o.only.split(",") if name]
    topics = {kind.name: (functools.partial(runs_of, kind), functools.partial(figures_of, kind)) for kind in KINDS + noise.KINDS}
    topics["outliers"] = (outliers.runs_of, outliers.figures_of)
    wanted = [each for name in wanted for each in ([k.name for k in noise.KINDS] if name == "noise" else [name])]
    for name in wanted:
        if name not in topics:
            sys.exit(f"targets: there is no target '{name}'; there are {', '.join(topics)}")
    if not o.show and not o.gpcv.is_file():
        sys.exit(f"targets: there is no command '{o.gpcv}'; build it, or name it with --gpcv")
    store, seeds = Store(o.output, o.fresh), range(1, o.seeds + 1)
    chosen = [topic for name, topic in topics.items() if not wanted or name in wanted]
    threads = None if o.jobs == 1 else max(1, (os.cpu_count() or 1) // o.jobs)
    runs = [run for make_runs, _ in chosen for run in make_runs(seeds)]
    if not o.show:
        run_all("targets", runs, functools.partial(perform, Program(o.gpcv.resolve(), o.time_limit, threads)), store,
                o.jobs)
    print_table([figure for _, make_figures in chosen for figure in make_figures(seeds, store.find)])
    results = [store.find(run) for run in runs]
    print_ages(results)
    print_failures(results)


if __name__ == "__main__":
    main()
