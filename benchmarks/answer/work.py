"""A run writes its tables and calls gpcv, whose answers become the result."""
import dataclasses
import json
import pathlib
import subprocess
import tempfile
import time

import numpy as np
from common import INHERITED
from common.command import CommandFailed, read_columns, write_columns


@dataclasses.dataclass(frozen=True)
class Program:
    """The program is called with a limit of seconds, and with so many threads (None leaves the choice to it)."""

    path: pathlib.Path
    time_limit: float
    threads: int | None = None

    def call(self, *arguments):
        """The call gives the finished process and its seconds; exit code 1 may mean that training did not converge."""
        threads = [] if self.threads is None else ["--threads", str(self.threads)]
        began = time.perf_counter()
        try:
            done = subprocess.run([str(self.path), *map(str, arguments), *threads], capture_output=True, text=True,
                                  timeout=self.time_limit, env=INHERITED)
        except subprocess.TimeoutExpired:
            raise CommandFailed(f"gpcv {arguments[0]} took longer than {self.time_limit:g} s") from None
        except OSError as error:
            raise CommandFailed(f"gpcv {arguments[0]} could not be started: {error}") from None
        if done.returncode not in (0, 1):
            raise CommandFailed(f"gpcv {arguments[0]}, exit code {done.returncode}: {last_words(done.stderr)}")
        return done, time.perf_counter() - began

    def call_json(self, *arguments):
        """The call gives the JSON object that it prints, and its seconds."""
        done, seconds = self.call(*arguments, "--json")
        try:
            return json.loads(done.stdout), seconds
        except json.JSONDecodeError:
            raise CommandFailed(f"gpcv {arguments[0]}, exit code {done.returncode}, printed no JSON: "
                                f"{last_words(done.stderr)}") from None


def last_words(text):
    """The last line of a message says what is wrong; the name of the program is left out."""
    lines = text.strip().splitlines()
    return lines[-1].removeprefix("gpcv: ") if lines else "no message"


def perform(program, run):
    """The result has the reports of fit and evaluate, the predictions, and the seconds of fit on the clock."""
    tables = run.tables()
    with tempfile.TemporaryDirectory() as folder:
        path = {name: pathlib.Path(folder) / name
                for name in ("train.csv", "test.csv", "new.csv", "model.h5", "out.csv")}
        write_columns(path["train.csv"], tables.train)
        fit, seconds = program.call_json("fit", path["train.csv"], "--target", run.target, *run.fit,
                                         "-o", path["model.h5"])
        result = {"status": "done", "ended": time.strftime("%F %T"), "seconds": seconds,
                  "rows": len(tables.train[run.target]),
                  "target_deviation": float(np.std(np.asarray(tables.train[run.target], float))), "fit": fit}
        if tables.test is not None:
            write_columns(path["test.csv"], tables.test)
            result["test"] = program.call_json("evaluate", path["model.h5"], path["test.csv"])[0]
        if tables.new is not None:
            write_columns(path["new.csv"], tables.new)
            told, _ = program.call("predict", path["model.h5"], path["new.csv"], "-o", path["out.csv"],
                                   "--interval", "0.95")
            if told.returncode != 0:
                raise CommandFailed(f"gpcv predict, exit code {told.returncode}: {last_words(told.stderr)}")
            result["new"] = read_columns(path["out.csv"])
    return result
