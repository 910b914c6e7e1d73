"""A table that explains nothing is called so, and one that explains a fifth of the variance never is."""
import dataclasses
import functools
import json
from collections.abc import Callable

import draws
from plan import Topic, make_run
from verdicts import counted

PHRASE = "no better than the mean"


@dataclasses.dataclass(frozen=True)
class Table:
    """A table is drawn from a seed; `said` tells whether the phrase must appear, for at least `share` of the seeds."""

    name: str
    draw: Callable
    said: bool
    share: float


# The weak signal has deviation 1 and explains 20 % of the variance: the noise has the variance 4.
CASES = [
    Table("noise.pure", functools.partial(draws.pure_noise, 200, 5), True, 0.95),
    Table("noise.weak", functools.partial(draws.uniform_table, draws.slow_sine, 3, 500, 2.0, 0), False, 1.0),
]


def runs_of(case, settings):
    return [make_run(case.name, f"seed {seed}", (), functools.partial(case.draw, seed), cost=10)
            for seed in settings.seed_range()]


def runs(settings, find):
    return [run for case in CASES for run in runs_of(case, settings)]


def says(result):
    """The phrase counts wherever the report of fit contains it."""
    return PHRASE in json.dumps(result["fit"])


def figures(settings, find):
    out = []
    for case in CASES:
        results = [find(run) for run in runs_of(case, settings)]
        out.append(counted(case.name, lambda result, said=case.said: says(result) == said, results,
                           f"'{PHRASE}' is {'said' if case.said else 'not said'}", case.share))
    return out


TOPIC = Topic("noise", (runs,), figures)
