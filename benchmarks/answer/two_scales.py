"""A large table with two scales is trained with few passes over its rows, and nothing is lost by that."""
import functools
import math

import draws
from plan import Topic, make_run
from verdicts import done, number, within

NAME = "two_scales"
KERNEL = "se + matern32"
DRAW = functools.partial(draws.two_scales, 20000, 0.2, 5e-4, 0.3, 0.05, 1)
PASSES, LOSS = 60, 1.01


def pair():
    """The first run is as a user starts it; the second has a much smaller tolerance."""
    return [make_run(NAME, "default", ("--kernel", KERNEL), DRAW, cost=300),
            make_run(NAME, "tight", ("--kernel", KERNEL, "--epsilon", "1e-6"), DRAW, cost=600)]


def runs(settings, find):
    return pair()


def passes(found):
    return found[0]["fit"]["column_passes"]


def loss(found):
    """The loss is the error of the default run over that of the tight one."""
    if len(found) < 2:
        return math.nan
    return number(found[0]["fit"]["cv_rmse"]) / number(found[1]["fit"]["cv_rmse"])


def figures(settings, find):
    results = [find(run) for run in pair()]
    note = "".join(f"({result['fit']['solver']}, {result['seconds']:.0f} s)" for result in done(results[:1]))
    return [within(f"{NAME}: passes over columns in all", passes, results[:1], most=PASSES, note=note),
            within(f"{NAME}: CV RMSE over that with --epsilon 1e-6", loss, results, most=LOSS)]


TOPIC = Topic(NAME, (runs,), figures)
