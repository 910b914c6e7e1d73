"""The error and the intervals that fit reports are those of new rows, also where inputs are many and rows are few."""
import dataclasses
import functools

import numpy as np

import draws
from plan import Topic, make_run
from verdicts import number, within

NEW_ROWS = 2000


@dataclasses.dataclass(frozen=True)
class Table:
    """A table has a size, and its noise has a deviation."""

    n: int
    inputs: int
    noise: float

    @property
    def name(self):
        return f"flattery.n{self.n}d{self.inputs}"


CASES = [Table(30, 60, 0.1), Table(100, 30, 0.2), Table(50, 20, 0.1)]
DISTANCE, COVERAGE = 0.25, 0.88


def runs_of(case, settings):
    draw = functools.partial(draws.uniform_table, draws.additive, case.inputs, case.n, case.noise, NEW_ROWS)
    return [make_run(case.name, f"seed {seed}", (), functools.partial(draw, seed), cost=10)
            for seed in settings.seed_range()]


def runs(settings, find):
    return [run for case in CASES for run in runs_of(case, settings)]


def ratios(found):
    """Ratios are of the reported error to the true one, seed by seed."""
    return np.array([number(result["fit"]["cv_rmse"]) / number(result["test"]["rmse"]) for result in found])


def distance(found):
    return np.abs(ratios(found) - 1).mean()


def coverage(found):
    return np.mean([result["test"]["coverage95"] for result in found])


def figures(settings, find):
    out = []
    for case in CASES:
        results = [find(run) for run in runs_of(case, settings)]
        out.append(within(f"{case.name}: mean |reported / true - 1|", distance, results, most=DISTANCE))
        out.append(within(f"{case.name}: 95 % intervals hold", coverage, results, least=COVERAGE))
    return out


TOPIC = Topic("flattery", (runs,), figures)
