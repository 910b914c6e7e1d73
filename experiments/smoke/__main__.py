"""python3 -m smoke: runs every experiment in small and checks its results."""
import argparse
import pathlib
import sys
import tempfile
import time

from co2.__main__ import main as run_co2
from common.arguments import HERE
from common.command import Command, CommandFailed
from figure1.__main__ import main as run_figure1
from figure2.__main__ import main as run_figure2
from figure3.__main__ import main as run_figure3
from figure4.__main__ import main as run_figure4
from table1.__main__ import main as run_table1

from . import checks

SEED = 7


def table1(folder, command):
    """Also: a second run finds everything finished, and half a line at the end of the file is made good."""
    given = ["--output", str(folder), "--sizes", "80,160", "--trials", "2", "--noise", "0.1", "--seed",
             str(SEED)]
    run_table1(["--command", command, *given])
    checks.table1(folder, [80, 160], 2, 0.1, SEED)
    run_table1(["--command", "no-such-command", *given])
    results = folder / "trials.csv"
    results.write_bytes(results.read_bytes()[:-40])
    run_table1(["--command", command, *given])
    checks.table1(folder, [80, 160], 2, 0.1, SEED)


def figure1(folder, command):
    run_figure1(["--command", command, "--output", str(folder), "--size", "200"])
    checks.figure1(folder, 200)


def figure2(folder, command):
    run_figure2(["--command", command, "--output", str(folder), "--sizes", "50,100,200",
                 "--likelihood-sizes", "50,100", "--trials", "2"])
    checks.figure2(folder, [50, 100, 200], [50, 100], 2)


def figure3(folder, command):
    run_figure3(["--command", command, "--output", str(folder), "--size", "160", "--max-iterations", "30"])
    checks.figure3(folder, 30)


def co2(folder, command):
    checks.published_ratio(Command(command))
    run_co2(["--command", command, "--output", str(folder), "--trials", "1", "--every", "4",
             "--max-iterations", "15"])
    checks.co2(folder, 1)


def figure4(folder, command):
    run_figure4(["--command", command, "--output", str(folder), "--every", "4", "--max-iterations", "15"])
    checks.figure4(folder)


def main():
    parser = argparse.ArgumentParser(prog="python3 -m smoke", description=__doc__)
    parser.add_argument("--command", default=str(HERE.parent / "build/release/bin/gpcv"),
                        help="the gpcv command (default: %(default)s)")
    parser.add_argument("--output", type=pathlib.Path, help="keep the results in this folder")
    o = parser.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory() as temporary:
        for experiment in (figure1, figure2, figure3, table1, co2, figure4):
            began = time.monotonic()
            try:
                experiment((o.output or pathlib.Path(temporary)) / experiment.__name__, o.command)
                outcome = "as expected"
            except (AssertionError, CommandFailed) as wrong:
                outcome, failed = f"WRONG: {wrong}", failed + 1
            print(f"{experiment.__name__}: {outcome} ({time.monotonic() - began:.1f} s)", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
