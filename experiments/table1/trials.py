"""One trial of one method: draw the data, train, predict the test points."""
import pathlib
import tempfile

from common.problems import PROBLEMS
from common.runner import Task

from .methods import METHODS

KEY = ("noise", "kernel", "n", "trial", "method")
PARAMETERS = ("se.l", "lp.l", "lp.p")
VALUES = ("status", "exit_code", *PARAMETERS, "test_mse", "test_coverage95", "cv_rmse", "iterations",
          "seconds", "message")


def tasks(noises, sizes, trials, seed):
    """All fits, those of the first noise first and the small ones before the large."""
    return [task(noise, problem, n, trial, method, seed)
            for noise in noises for n in sizes for problem in PROBLEMS.values()
            for trial in range(1, trials + 1) for method in METHODS.values()
            if method.is_run(problem, n)]


def task(noise, problem, n, trial, method, seed):
    key = {"noise": float(noise), "kernel": problem.name, "n": n, "trial": trial, "method": method.name}
    settings = " ".join([f"draw {seed}:", *method.arguments(problem, n, noise, trial)])
    return Task(key, settings, cost=float(n) ** 2.3)


def run_trial(command, seed, task):
    """Estimates and test error as columns of the results."""
    key = task.key
    problem, method = PROBLEMS[key["kernel"]], METHODS[key["method"]]
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        train, test = method.draw(problem, key["n"], key["noise"], key["trial"], seed).write(folder)
        model = folder / "model.h5"
        arguments = method.arguments(problem, key["n"], key["noise"], key["trial"])
        fit = command.fit(train, *arguments, "--threads", 1, "-o", model)
        errors = command.evaluate(model, test)
    return {"status": fit["status"], "exit_code": fit["exit_code"],
            **{name: fit["parameters"][name] for name in problem.truth},
            "test_mse": errors["rmse"] ** 2, "test_coverage95": errors["coverage95"],
            "cv_rmse": fit["cv_rmse"], "iterations": fit["iterations"],
            "seconds": fit["seconds"]["train"], "message": fit["message"]}
