"""The command ``gpcv`` as ``python -m gpcv``, which also reads Parquet and Feather tables.

The arguments are those of the command, which replaces this program. Tables that it cannot read are first written as CSV
to files without a name, which are gone with the process however it ends; the command reads these and keeps the names that
the user gave.
"""

from __future__ import annotations

import os
import pathlib
import shutil
import signal
import sys
import tempfile
from collections.abc import Sequence
from typing import IO

from ._tables import FORMATS, write_csv

# Options whose value is a file to write, or no file at all; every other argument may be a table.
_OUTPUTS = {"-o", "--output", "--trace", "--report", "--checkpoint", "--covariance"}
_STOPPED, _BAD_INPUT = 1, 2


def find_command() -> str | None:
    """Path of the compiled command: GPCV_COMMAND, beside the package, or on PATH; None if there is none."""
    package = pathlib.Path(__file__).parent
    beside = [folder / "bin" / "gpcv" for folder in (package, package.parent, package.parent.parent, pathlib.Path(sys.prefix))]
    for path in [pathlib.Path(os.environ.get("GPCV_COMMAND", "")), *beside]:
        if path.is_file() and os.access(path, os.X_OK):
            return str(path)
    return shutil.which("gpcv")


def tables_in(arguments: Sequence[str]) -> list[int]:
    """Positions of the arguments that are tables to be converted."""
    return [at for at, argument in enumerate(arguments)
            if at > 0 and arguments[at - 1] not in _OUTPUTS and pathlib.Path(argument).suffix.lower() in FORMATS
            and pathlib.Path(argument).is_file()]


def converted(sources: Sequence[str]) -> list[IO[bytes]]:
    """CSV files without a name, one per table. Raises ValueError where a table cannot be converted."""
    copies: list[IO[bytes]] = []
    for source in sources:
        copy = tempfile.TemporaryFile(prefix="gpcv-")
        write_csv(pathlib.Path(source), _path_of(copy))
        os.set_inheritable(copy.fileno(), True)
        copies.append(copy)
    return copies


def _path_of(file: IO[bytes]) -> pathlib.Path:
    return pathlib.Path(f"/proc/self/fd/{file.fileno()}")


def main(arguments: Sequence[str]) -> int:
    """Become the command; return an exit code where that is not possible."""
    command = find_command()
    if command is None:
        print("gpcv: the compiled command was not found: build it in a clone with 'make install', or name it by the "
              "environment variable GPCV_COMMAND", file=sys.stderr)
        return _BAD_INPUT
    sources = [arguments[at] for at in tables_in(arguments)]
    try:
        copies = converted(sources)
    except KeyboardInterrupt:
        print("gpcv: stopped", file=sys.stderr)
        return _STOPPED
    except ValueError as error:
        print(f"gpcv: {error}", file=sys.stderr)
        return _BAD_INPUT
    environment = {name: value for name, value in os.environ.items() if name != "GPCV_CONVERTED"}
    if copies:
        environment["GPCV_CONVERTED"] = "\n".join(f"{_path_of(copy)}:{source}" for copy, source in zip(copies, sources))
    for ignored_by_python in (signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(ignored_by_python, signal.SIG_DFL)
    sys.stdout.flush()
    os.execve(command, [command, *arguments], environment)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
