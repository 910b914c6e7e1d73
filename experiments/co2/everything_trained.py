"""Everything trained, variances and noise included, on times in years; folds like the task, or not."""
import dataclasses
import pathlib
import re
import tempfile

from common import record
from common.runner import Task

FORWARD = "Date:5:7"  # five blocks of seven years, each predicted from all before it, as the test will be
RANDOM = "5"
SE_LP = "se(l=50, s2=4) + se(l=100, s2=0.1)*periodic(l=1.3, p=1:fixed)"
KERNELS = {
    "SE + SE·periodic": SE_LP,
    "four parts (R&W)": SE_LP + " + rq(l=1, alpha=1, s2=0.01) + se(l=0.15, s2=0.001)",
}
TRAINERS = {
    "likelihood": ("--trainer", "likelihood"),
    "consensus, 5 random folds": ("--trainer", "consensus", "--folds", RANDOM),
    "consensus, forward-chaining": ("--trainer", "consensus", "--time", FORWARD),
}
COMMON = ("--target", "CO2", "--features", "Date", "--seed", "1")

KEY = ("kernel", "trainer")
VALUES = ("status", "cv_random", "cv_forward", "smse", "rmse", "coverage95", "nlpd", "noise_std",
          "iterations", "seconds", "trained_kernel", "message")


def arguments(kernel, trainer, most):
    limit = ("--max-iterations", str(most)) if most else ()
    return ["--kernel", KERNELS[kernel], *COMMON, *TRAINERS[trainer], *limit]


def tasks(every, most=None):
    """Task and its arguments."""
    for kernel in KERNELS:
        for trainer in TRAINERS:
            given = arguments(kernel, trainer, most)
            yield Task({"kernel": kernel, "trainer": trainer}, f"every {every}: " + " ".join(given)), given


def held(kernel):
    """A trained kernel as gpcv prints it, with every value held."""
    return re.sub(r"=([0-9.eE+-]+)(?=[,)])", r"=\1:fixed", kernel)


@dataclasses.dataclass(frozen=True)
class Trained:
    """The report of a fit, and where its model lies."""

    report: dict
    model: pathlib.Path


def train(command, folder, table, fit_arguments, threads=1):
    model = folder / "model.h5"
    return Trained(command.fit(table, *fit_arguments, "--threads", threads, "-o", model), model)


def cross_validated(command, table, report, folds):
    """The error of the trained values over other folds: nothing is trained again."""
    noise = f"{report['noise']!r}:fixed"
    given = ["--kernel", held(report["kernel"]), "--noise", noise, *COMMON, *folds, "--threads", 1]
    return command.fit(table, *given)["cv_rmse"]


def fit(command, every, fit_arguments):
    """Columns of the results from one fit; errors in parts per million, smse over the test variance."""
    train_part, test_part = record.read(every)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        table, test = train_part.write(folder / "train.csv"), test_part.write(folder / "test.csv")
        trained = train(command, folder, table, fit_arguments)
        errors = command.evaluate(trained.model, test)
        report = trained.report
        cv_random = cross_validated(command, table, report, ("--folds", RANDOM))
        cv_forward = cross_validated(command, table, report, ("--time", FORWARD))
    return {"status": report["status"], "cv_random": cv_random, "cv_forward": cv_forward,
            **{name: errors[name] for name in ("smse", "rmse", "coverage95", "nlpd")},
            "noise_std": report["noise_std"], "iterations": report["iterations"],
            "seconds": report["seconds"]["train"], "trained_kernel": report["kernel"],
            "message": report["message"]}
