"""Draws from a Gaussian process: n evenly spaced training inputs and random test inputs of one function."""
import dataclasses

import numpy as np

from .command import write_columns
from .problems import span

JITTER = 1e-9  # of a draw; four orders below the noise


@dataclasses.dataclass(frozen=True)
class Draw:
    """Training and test points of one function; all targets carry noise."""

    x: np.ndarray
    y: np.ndarray
    test_x: np.ndarray
    test_y: np.ndarray
    fold: np.ndarray | None = None  # fold of each training point, where the draw decides it

    def write(self, folder):
        """Writes train.csv and test.csv with the columns x and y, and fold where there is one; returns their paths."""
        train, test = folder / "train.csv", folder / "test.csv"
        folds = {} if self.fold is None else {"fold": self.fold}
        write_columns(train, {"x": self.x, "y": self.y, **folds})
        write_columns(test, {"x": self.test_x, "y": self.test_y})
        return train, test


def draw(problem, n, noise, trial, seed, tests=20):
    """The same problem, size, trial and seed give the same function and, up to its scale, the same noise."""
    random = np.random.default_rng([seed, problem.number, n, trial])
    x = np.linspace(0, span(n), n)
    test_x = random.uniform(0, span(n), tests)
    every = np.concatenate([x, test_x])
    covariance = problem.covariance(every[:, None] - every[None, :])
    covariance[np.diag_indices_from(covariance)] += JITTER
    function = np.linalg.cholesky(covariance) @ random.standard_normal(n + tests)
    y = function + np.sqrt(noise) * random.standard_normal(n + tests)
    return Draw(x, y[:n], test_x, y[n:])


def draw_as_authors(problem, n, noise, trial, seed, tests=20):
    """As the authors' programs draw: a grid of n training points and 20 test points, ten of them at even and ten at
    odd places, and noise from the uniform distribution on [0, noise], whose mean is not zero; four digits are kept."""
    random = np.random.default_rng([seed, problem.number, n, trial, 1])
    x = np.linspace(0, span(n), n + tests)
    covariance = problem.covariance(x[:, None] - x[None, :])
    covariance[np.diag_indices_from(covariance)] += JITTER
    function = np.linalg.cholesky(covariance) @ random.standard_normal(x.size)
    y = np.round(function + random.uniform(0, noise, x.size), 4)
    places = [random.choice(np.arange(first, x.size, 2), tests // 2, replace=False) for first in (0, 1)]
    test = np.sort(np.concatenate(places))
    train = np.setdiff1d(np.arange(x.size), test)
    return Draw(x[train], y[train], x[test], y[test], train % 2)


def prediction(problem, noise, drawn):
    """The mean at the test inputs with the true kernel, from the textbook formula."""
    covariance = problem.covariance(drawn.x[:, None] - drawn.x[None, :]) + noise * np.eye(drawn.x.size)
    return problem.covariance(drawn.test_x[:, None] - drawn.x[None, :]) @ np.linalg.solve(covariance, drawn.y)
