"""The command ``gpcv`` as ``python -m gpcv``, which also reads Parquet and Feather tables.

The arguments are those of the command. Tables that it cannot read are first written to a temporary CSV file.
"""

from __future__ import annotations

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence

from ._tables import FORMATS, write_csv

# Options whose value is a file to write, or no file at all; every other argument may be a table.
_OUTPUTS = {"-o", "--output", "--trace", "--report", "--checkpoint", "--covariance"}
_BAD_INPUT = 2


def find_command() -> str | None:
    """Path of the compiled command: GPCV_COMMAND, beside the package, or on PATH; None if there is none."""
    package = pathlib.Path(__file__).parent
    beside = [package / "bin" / "gpcv", package.parent.parent / "bin" / "gpcv", pathlib.Path(sys.prefix) / "bin" / "gpcv"]
    for path in [pathlib.Path(os.environ.get("GPCV_COMMAND", "")), *beside]:
        if path.is_file() and os.access(path, os.X_OK):
            return str(path)
    return shutil.which("gpcv")


def tables_in(arguments: Sequence[str]) -> list[int]:
    """Positions of the arguments that are tables to be converted."""
    return [at for at, argument in enumerate(arguments)
            if at > 0 and arguments[at - 1] not in _OUTPUTS and pathlib.Path(argument).suffix.lower() in FORMATS
            and pathlib.Path(argument).is_file()]


def main(arguments: Sequence[str]) -> int:
    """Run the command and return its exit code."""
    command = find_command()
    if command is None:
        print("gpcv: the compiled command was not found: build it in a clone with 'make install', or name it by the "
              "environment variable GPCV_COMMAND", file=sys.stderr)
        return _BAD_INPUT
    tables, arguments = tables_in(arguments), list(arguments)
    if not tables:
        return _run([command, *arguments])
    with tempfile.TemporaryDirectory(prefix="gpcv-") as folder:
        for at in tables:
            source = pathlib.Path(arguments[at])
            target = pathlib.Path(folder) / f"{at}" / f"{source.stem}.csv"
            target.parent.mkdir()
            try:
                write_csv(source, target)
            except ValueError as error:
                print(f"gpcv: {error}", file=sys.stderr)
                return _BAD_INPUT
            arguments[at] = str(target)
        return _run([command, *arguments])


def _run(arguments: list[str]) -> int:
    """Run a program, which receives Ctrl-C itself and ends in its own way."""
    process = subprocess.Popen(arguments)
    while True:
        try:
            code = process.wait()
            return code if code >= 0 else 128 - code
        except KeyboardInterrupt:
            continue


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
