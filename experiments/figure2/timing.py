"""Times iterations of ADMM and evaluations of the likelihood on one table."""
import pathlib
import tempfile

import numpy as np

from common.command import read_columns, write_columns
from common.problems import PROBLEMS
from common.runner import Task

KEY = ("kernel", "n", "method", "repeat")
VALUES = ("status", "seconds", "cg_iterations", "products", "threads", "message")
NOISE = 0.1
SPAN = 20.0  # of the inputs, for every n: only the number of rows changes
METHODS = {
    # The solver is that of the final conditioning, which is not timed; ADMM never stores a matrix.
    "admm": ("--trainer", "admm", "--preset", "paper", "--holdout", "0.5", "--max-iterations", "3",
             "--stop", "none", "--solver", "cg"),
    "improved": ("--trainer", "admm", "--holdout", "0.5", "--restarts", "1", "--no-period-scan", "--max-iterations", "3",
                 "--epsilon", "1e-12", "--solver", "cg"),
    "likelihood": ("--trainer", "likelihood", "--restarts", "1", "--no-period-scan", "--max-iterations", "3"),
}
COST = {"admm": lambda n: (n / 1000) ** 2, "improved": lambda n: (n / 2000) ** 2, "likelihood": lambda n: (n / 2000) ** 3}


def tasks(sizes, likelihood_sizes, repeats, threads, seed):
    """Small sizes first, so that an interrupted run has whole sizes."""
    wanted = {"admm": sizes, "improved": sizes, "likelihood": likelihood_sizes}
    return [Task({"kernel": name, "n": n, "method": method, "repeat": repeat},
                 f"draw {seed}, {threads} threads: " + " ".join(METHODS[method]), COST[method](n))
            for n in sorted({*sizes, *likelihood_sizes}) for name in PROBLEMS for method in METHODS
            if n in wanted[method] for repeat in range(1, repeats + 1)]


def smooth_table(n, repeat, seed, path):
    """A smooth function with noise: a draw from a Gaussian process would cost more than what is timed."""
    random = np.random.default_rng([seed, n, repeat])
    x = np.linspace(0, SPAN, n)
    y = np.sin(2 * x) + 0.5 * np.sin(5.3 * x + 1) + np.sqrt(NOISE) * random.standard_normal(n)
    write_columns(path, {"x": x, "y": y})


def time_task(command, threads, seed, task):
    """Median seconds between one line of the trace and the next; the first also holds the preparation."""
    key = task.key
    problem = PROBLEMS[key["kernel"]]
    with tempfile.TemporaryDirectory() as folder:
        data, trace = pathlib.Path(folder) / "data.csv", pathlib.Path(folder) / "trace.csv"
        smooth_table(key["n"], key["repeat"], seed, data)
        fit = command.fit(data, "--target", "y", "--kernel", problem.kernel(problem.start), "--noise",
                          f"{NOISE}:fixed", "--no-standardize", *METHODS[key["method"]], "--threads", threads,
                          "--trace", trace)
        columns = read_columns(trace)
    steps = np.diff(columns["seconds"])
    counts = {name: float(np.median(columns[name][1:])) if name in columns else None
              for name in ("cg_iterations", "products")}
    return {"status": fit["status"], "seconds": float(np.median(steps)), "threads": threads, **counts,
            "message": fit["message"]}
