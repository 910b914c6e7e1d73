"""Calls the gpcv command and reads what it prints."""
import csv
import dataclasses
import json
import pathlib
import subprocess

from . import INHERITED


class CommandFailed(Exception):
    """gpcv gave no result: bad input, an internal error, or out of time."""


@dataclasses.dataclass(frozen=True)
class Command:
    """The gpcv command, with the seconds that one call may take."""

    path: pathlib.Path
    time_limit: float = 3600

    def run(self, *arguments):
        """What gpcv prints and its exit code: 0, or 1 when it stopped before it converged."""
        line = [str(pathlib.Path(self.path).resolve()), *map(str, arguments)]
        try:
            done = subprocess.run(line, capture_output=True, text=True, timeout=self.time_limit,
                                  env=INHERITED)
        except subprocess.TimeoutExpired:
            raise CommandFailed(f"longer than {self.time_limit:g} s") from None
        if done.returncode not in (0, 1):
            message = done.stderr.strip().splitlines()[-1:] or ["no message"]
            raise CommandFailed(f"exit code {done.returncode}: {message[0]}")
        return done.stdout, done.returncode

    def fit(self, data, *arguments):
        """The report of `gpcv fit` with its exit code added."""
        text, code = self.run("fit", data, "--json", *arguments)
        return {**json.loads(text), "exit_code": code}

    def evaluate(self, model, data):
        """Errors of a model on a table with known targets."""
        errors = json.loads(self.run("evaluate", model, data, "--json", "--threads", 1)[0])
        if errors["rmse"] is None:
            raise CommandFailed("the predictions are not finite")
        return errors

    def predict(self, model, data, output):
        """Columns mean, std, lower and upper as lists of numbers."""
        self.run("predict", model, data, "-o", output)
        return read_columns(output)

    def generate(self, kernel, noise, n, span, seed, output):
        """Writes a draw from a Gaussian process at evenly spaced inputs, columns x and y."""
        self.run("generate", "--kernel", kernel, "--noise", noise, "--n", n, "--range", f"0:{span:g}",
                 "--inputs", "even", "--seed", seed, "-o", output)


def read_columns(path):
    """The columns of a CSV file of numbers, by name."""
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return {name: [float(row[name]) for row in rows] for name in rows[0]}


def write_columns(path, columns):
    """Writes columns (name to values) as CSV, numbers with every digit."""
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        for row in zip(*columns.values()):
            writer.writerow([repr(float(cell)) if not isinstance(cell, str) else cell for cell in row])
