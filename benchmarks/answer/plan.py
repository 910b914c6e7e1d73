"""Runs are what the cases ask for; settings are what every case knows of the invocation."""
import dataclasses
import pathlib
import shlex
from collections.abc import Callable

from common.runner import Task


@dataclasses.dataclass(frozen=True)
class Settings:
    """Settings of one invocation are the folder of real data, or None, and how many seeds a case has."""

    data: pathlib.Path | None
    seeds: int
    slow_seeds: int

    def seed_range(self, slow=False):
        return range(1, (self.slow_seeds if slow else self.seeds) + 1)


@dataclasses.dataclass(frozen=True)
class Tables:
    """Tables of one run map names to columns: `train` is fitted, `test` is evaluated, `new` is predicted."""

    train: dict
    test: dict | None = None
    new: dict | None = None


@dataclasses.dataclass(frozen=True)
class Run(Task):
    """A run fits one table with some options; its model evaluates and predicts the other tables."""

    fit: tuple = ()
    target: str = "y"
    tables: Callable[[], Tables] | None = None


def make_run(case, name, fit, tables, target="y", cost=1.0):
    """The run of a case has a name of its own; its command tells whether it has been done before."""
    command = shlex.join(["gpcv", "fit", "train.csv", "--target", target, *fit])
    return Run({"case": case, "run": name}, command, cost, tuple(fit), target, tables)


@dataclasses.dataclass(frozen=True)
class Topic:
    """A topic is a family of cases. Each stage gives runs, and may look up the results of the stages before it.

    Stages and figures are called with the settings and with `find`, which gives the result of a run or None.
    """

    name: str
    stages: tuple[Callable, ...]
    figures: Callable
