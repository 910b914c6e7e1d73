"""Means, spreads and errors over the trials of one kernel, size and method."""
import dataclasses

import numpy as np


@dataclasses.dataclass(frozen=True)
class Summary:
    """Over the trials that gave a result; vectors have one entry per hyper-parameter."""

    trials: int
    failed: int
    unconverged: int
    estimates: np.ndarray  # trials × parameters
    truth: np.ndarray
    test_mse: float
    over_truth: float  # mean test error relative to that of the true values, over the same trials
    over_likelihood: float
    seconds: float

    @property
    def mean(self):
        return self.estimates.mean(axis=0)

    @property
    def deviation(self):
        return self.estimates.std(axis=0, ddof=min(1, len(self.estimates) - 1))

    @property
    def median(self):
        return np.median(self.estimates, axis=0)

    @property
    def rmse(self):
        return np.sqrt(((self.estimates - self.truth) ** 2).mean(axis=0))


def errors(rows):
    """Test error by trial, of the trials that have one."""
    return {row["trial"]: float(row["test_mse"]) for row in rows if row["test_mse"]}


def ratio(ours, theirs):
    """Of the mean errors, over the trials that both have."""
    both = sorted(ours.keys() & theirs.keys())
    if not both:
        return float("nan")
    return sum(ours[trial] for trial in both) / sum(theirs[trial] for trial in both)


def summarise(problem, rows, truth_rows, likelihood_rows):
    """Of the rows of one noise, kernel, size and method, given those of truth and likelihood."""
    good = [row for row in rows if row["test_mse"]]
    if not good:
        return None
    own = errors(good)
    return Summary(
        trials=len(rows),
        failed=len(rows) - len(good),
        unconverged=sum(row["status"] != "converged" for row in good),
        estimates=np.array([[float(row[name]) for name in problem.truth] for row in good]),
        truth=np.array(list(problem.truth.values())),
        test_mse=float(np.mean(list(own.values()))),
        over_truth=ratio(own, errors(truth_rows)),
        over_likelihood=ratio(own, errors(likelihood_rows)),
        seconds=float(np.median([float(row["seconds"]) for row in good])))


def summaries(problem, rows, sizes, methods):
    """By (size, method) for one noise and kernel."""
    def of(n, method):
        return [row for row in rows if row["n"] == str(n) and row["method"] == method]

    return {(n, method): summarise(problem, of(n, method), of(n, "truth"), of(n, "likelihood"))
            for n in sizes for method in methods}
