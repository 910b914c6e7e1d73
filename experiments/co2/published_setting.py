"""The paper's setting: its scaling, kernel and held noise; three length scales are trained, or held.

Times and concentrations of the training part are mapped to [0, 10] and [0, 4], the concentrations then
centred, so that one year is 0.197. With d the scaled distance,

    k = a₁ exp(−d²/2l₁²) + a₂ exp(−d²/2l₂²) exp(−2 sin²(πd/0.197)/l₃²),  noise variance 0.25.
"""
import pathlib
import tempfile

import numpy as np

from common import record
from common.command import write_columns
from common.published import CO2_ADMM, CO2_RASMUSSEN_WILLIAMS
from common.runner import Task

YEAR = 0.197
TREND_VARIANCE = 66 * 0.01316 * 4
SEASON_VARIANCE = 2.4 * 0.01316 * 4
NOISE = 0.25
COMMON = ("--target", "y", "--noise", f"{NOISE}:fixed", "--no-standardize", "--restarts", "1",
          "--no-period-scan", "--folds", "2", "--seed", "1")

KEY = ("method", "start")
VALUES = ("status", "l1_years", "l2_years", "l3", "cv_rmse", "smse", "iterations", "seconds", "message")

HELD = {"published": CO2_ADMM, "Rasmussen & Williams": CO2_RASMUSSEN_WILLIAMS}
TRAINED = {
    "ADMM as published": ("--trainer", "naive", "--preset", "paper", "--hold", "both"),
    "ADMM, improved": ("--trainer", "naive"),
    "consensus": ("--trainer", "consensus"),
}
AUTHORS = "authors' program"
AUTHORS_TRAINER = ("--trainer", "naive", "--preset", "authors")
# l₁, l₂ and l₃ in the scaled units: the start of the authors' program, and Rasmussen & Williams' values as they rescale
# them, l₃ included.
AUTHORS_STARTS = {"authors'": (30.0, 10.0, 0.5), "R&W, rescaled": (13.2, 17.73, 0.2955)}
SPREAD = 0.5  # standard deviation of the logarithm of a random start around that of Rasmussen & Williams


def scaled(train, test):
    """(x, y) of both parts in the paper's units."""
    first, last = train.years.min(), train.years.max()
    low, high = train.co2.min(), train.co2.max()
    middle = (4 * (train.co2 - low) / (high - low)).mean()
    return [(10 * (part.years - first) / (last - first), 4 * (part.co2 - low) / (high - low) - middle)
            for part in (train, test)]


def write(folder, every):
    """train.csv and test.csv in the paper's units."""
    paths = [folder / "train.csv", folder / "test.csv"]
    for path, (x, y) in zip(paths, scaled(*record.read(every))):
        write_columns(path, {"x": x, "y": y})
    return paths


def kernel(theta, held):
    """Of l₁ and l₂ in years and l₃, trained from there or held."""
    l1, l2, l3 = theta
    hold = ":fixed" if held else ""
    return (f"se(l={l1 * YEAR:.10g}{hold}, s2={TREND_VARIANCE:.10g}:fixed) + "
            f"se(l={l2 * YEAR:.10g}{hold}, s2={SEASON_VARIANCE:.10g}:fixed) * periodic(l={l3:.10g}{hold}, "
            f"p={YEAR}:fixed)")


def starts(count, seed):
    """That of Rasmussen & Williams, then random ones around it, in one order for every method."""
    random = np.random.default_rng(seed)
    yield "R&W", CO2_RASMUSSEN_WILLIAMS
    for number in range(1, count + 1):
        factors = np.exp(SPREAD * random.standard_normal(3))
        yield f"random {number}", tuple(float(v) for v in np.multiply(CO2_RASMUSSEN_WILLIAMS, factors))


def arguments(method, theta, most):
    """Of `gpcv fit`, for one of HELD or TRAINED."""
    limit = ("--max-iterations", str(most)) if most else ()
    trainer = {**TRAINED, AUTHORS: AUTHORS_TRAINER}.get(method, ("--trainer", "likelihood"))
    return ["--kernel", kernel(theta, method in HELD), *COMMON, *trainer, *limit]


def tasks(random_starts, seed, every, most=None):
    """Task and its arguments, held values first."""
    wanted = [(method, "held", theta) for method, theta in HELD.items()]
    wanted += [(method, start, theta) for method in TRAINED for start, theta in starts(random_starts, seed)]
    wanted += [(AUTHORS, start, (l1 / YEAR, l2 / YEAR, l3)) for start, (l1, l2, l3) in AUTHORS_STARTS.items()]
    for method, start, theta in wanted:
        settings = f"every {every}: " + " ".join(arguments(method, theta, most))
        yield Task({"method": method, "start": start}, settings), arguments(method, theta, most)


def fit(command, every, fit_arguments):
    """Columns of the results from one fit."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        train, test = write(folder, every)
        model = folder / "model.h5"
        report = command.fit(train, *fit_arguments, "--threads", 1, "-o", model)
        errors = command.evaluate(model, test)
    found = report["parameters"]
    return {"status": report["status"], "l1_years": found["se1.l"] / YEAR, "l2_years": found["se2.l"] / YEAR,
            "l3": found["periodic.l"], "cv_rmse": report["cv_rmse"], "smse": errors["smse"],
            "iterations": report["iterations"], "seconds": report["seconds"]["train"],
            "message": report["message"]}
