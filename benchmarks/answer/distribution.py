"""Predicted deviations mean something away from the data: far away, just outside, and in time."""
import csv
import dataclasses
import functools
import math
from collections.abc import Callable

import numpy as np

import draws
from plan import Tables, Topic, make_run
from verdicts import Figure, absent, counted, done, number, verdict, within

FAR = 1000  # Distance counts in ranges of the inputs.
FAR_KERNELS = ("se(ard)", "matern32(ard)")
CUTOFFS = {1985: 2, 1990: 3, 1995: 3, 2000: 3, 2005: 3, 2009: 3}  # Values are the folds that fit into the years before.
YEARS = 7  # A forecast has this width, and so has a fold.
RECORD = "co2/mauna_loa_monthly.csv"


@dataclasses.dataclass(frozen=True)
class Small:
    """A small table has rows, inputs, noise and a function, which draws.uniform_table scales."""

    name: str
    n: int
    inputs: int
    noise: float
    function: Callable

    def tables(self):
        """The table to train on comes with a new row at 1000 ranges in either direction."""
        train = draws.uniform_table(self.function, self.inputs, self.n, self.noise, 0, 1).train
        return Tables(train, new={f"x{i}": [-2.0 * FAR, 2.0 * FAR] for i in range(self.inputs)})


SMALL = [Small("sine", 60, 1, 0.1, draws.slow_sine), Small("sine2", 100, 2, 0.3, draws.slow_sine),
         Small("additive", 150, 3, 0.1, draws.additive)]


def far_runs():
    return [make_run("distribution.far", f"{table.name} {kernel}", ("--kernel", kernel), table.tables)
            for table in SMALL for kernel in FAR_KERNELS]


def noise_free():
    """The table holds 100 points of sin(6x) on [0, 1]; the new point lies just outside."""
    x = np.linspace(0, 1, 100)
    return Tables({"x": x, "y": np.sin(6 * x)}, new={"x": [1.1]})


def exact_runs():
    return [make_run("distribution.exact", name, fit, noise_free)
            for name, fit in (("defaults", ()), ("se", ("--kernel", "se(ard)")))]


def record_before(path, cutoff):
    """The record before the cut-off is trained on, and the years after it are the test."""
    with open(path, newline="", encoding="utf-8") as file:
        rows = [(row["Date"], row["CO2"]) for row in csv.DictReader(file) if row["CO2"]]

    def between(first, last):
        chosen = [row for row in rows if first <= int(row[0][:4]) < last]
        return {"Date": [date for date, _ in chosen], "CO2": [value for _, value in chosen]}

    return Tables(between(0, cutoff), test=between(cutoff, cutoff + YEARS))


def record_runs(settings):
    if settings.data is None or not (settings.data / RECORD).is_file():
        return []
    return [make_run("distribution.co2", str(cutoff), ("--features", "Date", "--time", f"Date:{folds}:{YEARS}"),
                     functools.partial(record_before, settings.data / RECORD, cutoff), target="CO2", cost=30)
            for cutoff, folds in CUTOFFS.items()]


def wave_runs(settings):
    draw = functools.partial(draws.random_wave, 1, 20, 1, 300, 0.1, FAR)
    return [make_run("distribution.wave", f"seed {seed}", ("--features", "t", "--time", "t:5:1"),
                     functools.partial(draw, seed), cost=10) for seed in settings.seed_range()]


def runs(settings, find):
    return far_runs() + exact_runs() + record_runs(settings) + wave_runs(settings)


def far_figure(run, result):
    """The deviation far away is divided by that of the trained prior; the target's is beside it."""
    name, bar = f"{run.key['case']}, {run.key['run']}: deviation / prior's", "0.5 to 2"
    if not done([result]):
        return Figure(name, bar, "", absent([result]))
    fit, target = result["fit"], result["target_deviation"]
    prior = fit["y_scale"] * math.sqrt(number(fit["signal_variance"]) + number(fit["noise"]))
    worst = max(result["new"]["std"], key=lambda std: abs(math.log(max(std, 1e-300) / prior)))
    return Figure(name, bar, f"{worst / prior:.3g}: {worst:.3g} of {prior:.3g}; the target has {target:.3g}",
                  verdict(0.5 <= worst / prior <= 2, [result]))


def deviations_off(found):
    """The error at x = 1.1 is counted in predicted deviations."""
    new = found[0]["new"]
    return abs(new["mean"][0] - math.sin(6 * 1.1)) / max(new["std"][0], 1e-300)


def keeps_shape(result):
    """The shape is kept when the deviation far away is at least twice that between the rows."""
    far, *inside = result["new"]["std"]
    return far >= 2 * np.median(inside)


def mean_coverage(found):
    return np.mean([result["test"]["coverage80"] for result in found])


def figures(settings, find):
    out = [far_figure(run, find(run)) for run in far_runs()]
    for run in exact_runs():
        out.append(within(f"distribution.exact, {run.key['run']}: deviations off at x = 1.1", deviations_off,
                          [find(run)], most=3))
    record = [find(run) for run in record_runs(settings)]
    each = ", ".join(f"{result['test']['coverage80']:.2f}" for result in done(record))
    out.append(within("distribution.co2: 80 % intervals hold", mean_coverage, record, 0.65, 0.92, each and f"({each})"))
    waves = [find(run) for run in wave_runs(settings)]
    out.append(within("distribution.wave: 80 % intervals hold", mean_coverage, waves, 0.65, 0.92))
    out.append(counted("distribution.wave", keeps_shape, waves, "deviation far away ≥ 2 × inside"))
    return out


TOPIC = Topic("distribution", (runs,), figures)
