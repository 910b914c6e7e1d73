"""Training finds the function that the table holds, whatever the seed."""
import dataclasses
import functools
from collections.abc import Callable

import draws
from plan import Topic, make_run
from verdicts import counted, number, spread


@dataclasses.dataclass(frozen=True)
class Start:
    """A case draws a table from a seed, has fit options, and a CV RMSE that training from a good start stays below."""

    name: str
    draw: Callable
    fit: tuple
    most: float
    target: str = "y"
    slow: bool = False
    cost: float = 1


def product(kernel):
    return Start(f"starts.product32.{kernel}", functools.partial(draws.uniform_table, draws.product, 32, 7000, 0.2, 0),
                 ("--kernel", f"{kernel}(ard)"), 0.23, slow=True, cost=300)


def sine(inputs):
    return Start(f"starts.sine{inputs}", functools.partial(draws.uniform_table, draws.sine, inputs, 250, 0.1, 0),
                 ("--kernel", "se(ard)"), 1.15 * 0.1)


def patients(name, *folds):
    return Start(f"starts.patients.{name}", draws.patients, ("--features", "weight,dose", *folds), 1.15 * 0.54,
                 target="response", cost=5)


def periodic(name, period, span):
    return Start(f"starts.periodic.{name}", functools.partial(draws.periodic, period, span, 300, 0.2),
                 ("--kernel", "periodic"), 1.15 * 0.2)


CASES = [
    product("matern32"),
    product("matern52"),
    sine(10),
    sine(20),
    sine(30),
    patients("groups", "--groups", "patient"),
    patients("blocks", "--blocks", "5:weight"),
    periodic("long", 2.3, 30),
    periodic("short", 0.37, 5),
]


def runs_of(case, settings):
    return [make_run(case.name, f"seed {seed}", (*case.fit, "--assess", "inner"), functools.partial(case.draw, seed),
                     case.target, case.cost) for seed in settings.seed_range(case.slow)]


def runs(settings, find):
    return [run for case in CASES for run in runs_of(case, settings)]


def error(result):
    """The error is the CV RMSE that fit reports."""
    return number(result["fit"].get("cv_rmse"))


def figures(settings, find):
    out = []
    for case in CASES:
        results = [find(run) for run in runs_of(case, settings)]
        out.append(counted(case.name, lambda result, most=case.most: error(result) <= most, results,
                           f"CV RMSE ≤ {case.most:.4g}", describe=lambda found: spread(map(error, found))))
    return out


TOPIC = Topic("starts", (runs,), figures)
