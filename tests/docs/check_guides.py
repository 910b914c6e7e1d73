"""Runs the code of the guides and compares what it prints with what the guides say it prints.

    check_guides.py COMMAND SOURCE_FOLDER [--long] [--packages] [--pictures FOLDER] [--mend] [PAGE…]

A page's blocks run in order in a scratch folder of its own, where `gpcv` is COMMAND and `data` is the repository's.
Run are the lines of indented blocks that begin with `$ `, where what follows such a line up to the next is its output, and
fenced blocks of python, r and cpp, which a fenced block `output` may follow. Blocks of Python share one interpreter, as do
those of R. A block of C++ is a program; where it has no main, it is the includes and the inside of main.

The output may leave lines out, and `…` stands for any text. Numbers agree within 5 %, or within half a unit of the last
digit printed; times and sizes in memory are not compared. A picture that a page shows and whose name is in its code has to be
there when the code has run; --pictures copies it to a folder. --mend writes what blocks of Python, R and C++ printed into
the page, where that differs.

A comment before a block says when it is not run: `<!-- not run: needs a GPU -->`, `<!-- long: one minute -->` (run with
--long only). `<!-- output -->` says that an indented block goes on with the output of the block
before it. `<!-- fails -->` says that a block of Python or R has to fail. `<!-- before: python`, lines of code and `-->`
are a block that readers do not see. `<!-- files: groups.md -->` makes the files of the first block of Python of another page
in the same folder. `<!-- table: COMMAND …; LABEL -->` before a table of options and numbers runs the command with the options
of each row in place of `…` and compares the number of the row with that after the label in the output.

Without PAGE, those pages run that need the command alone; with --packages, those that need the packages for Python and R
or the library, which have to be found by the Python of --python, by R and by pkg-config.
"""
from __future__ import annotations

import argparse
import os
import resource
import shutil
import sys
import tempfile
import time
from pathlib import Path

from agreement import first_difference
from pages import Block, Step, blocks, images, needs_packages, steps
from sessions import Sessions

MORE = ("README.md", "docs/index.md", "docs/scaling.md", "docs/gallery.md")


def pages_to_run(source: Path) -> list[str]:
    """All pages whose code is run."""
    found = [*(source / "docs/tutorial").glob("*.md"), *(source / "docs/guide").glob("*.md")]
    return [page for page in MORE if (source / page).exists()] + sorted(str(page.relative_to(source)) for page in found)


def failure(step: Step, status: int, output: list[str]) -> str | None:
    missing = first_difference(step.expected, output)
    printed = "\n    ".join(output[-40:])
    if step.block is not None and step.expected and all(line.strip() in ("", "…") for line in step.expected):
        return f"the page shows nothing of\n    {printed}"
    if missing is not None:
        return f"expected\n    {missing}\nbut it printed\n    {printed}"
    if step.fails and not status:
        return f"it should fail, but printed\n    {printed}"
    # Refusals and trainings cut short are shown with their message; everything else must succeed.
    if status and not step.fails and not any(line.lstrip().startswith(("gpcv: ", "status ")) and "converged" not in line
                                             for line in step.expected):
        return f"exit code {status}\n    {printed}"
    return None


def mended(text: str, printed: list[tuple[Block, list[str]]]) -> str:
    """The page with what its blocks printed in place of the output below them."""
    lines = text.splitlines()
    for block, output in reversed(printed):
        if block.output_line is not None:
            lines[block.output_line:block.output_line + len(block.output)] = output
    return "\n".join(lines) + "\n"


def missing_pictures(page: str, source: Path, folder: Path, keep: Path | None) -> list[str]:
    """Pictures that a page shows and names in its code, which did not make them; the others are copied to `keep`."""
    text, wrong = (source / page).read_text(), []
    code = "\n".join(line for block in blocks(page, text) if block.runs() for line in block.text)
    for name in (Path(shown).name for shown in images(text)):
        made = folder / name
        if name in code and (not made.is_file() or made.stat().st_size < 1000):
            wrong.append(f"{page}: its code does not make the picture {name}\n")
        elif name in code and keep is not None:
            shutil.copyfile(made, keep / name)
    return wrong


def processor_seconds() -> float:
    """Processor time of all programs that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def check_page(page: str, source: Path, options: argparse.Namespace) -> tuple[int, list[str]]:
    failures, count, printed = [], 0, []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "data").symlink_to(source / "data")
        sessions = Sessions(folder, options.command.resolve(), os.path.abspath(options.python))
        for block in blocks(page, (source / page).read_text()):
            for step in steps(block, (source / page).parent) if block.runs(options.long) else []:
                count += 1
                status, output = sessions.run(step.language, step.command)
                if reason := failure(step, status, output):
                    if step.block is not None:
                        printed.append((step.block, output))
                    failures.append(f"{page}:{step.line}: {step.command}\n{reason}\n")
        sessions.close()
        failures += missing_pictures(page, source, folder, options.pictures)
    if options.mend:
        (source / page).write_text(mended((source / page).read_text(), printed))
    return count, failures


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("command", type=Path)
    parser.add_argument("source", type=Path)
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--packages", action="store_true")
    parser.add_argument("--pictures", type=Path)
    parser.add_argument("--mend", action="store_true")
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("pages", nargs="*")
    arguments = parser.parse_intermixed_args()
    source, wrong = arguments.source.resolve(), 0
    pages = arguments.pages or [page for page in pages_to_run(source) if arguments.packages == needs_packages(
        blocks(page, (source / page).read_text()))]
    for page in pages:
        started, used = time.monotonic(), processor_seconds()
        count, failures = check_page(page, source, arguments)
        print(f"{page}: {count} blocks, {len(failures)} wrong, {time.monotonic() - started:.0f} s, "
              f"{processor_seconds() - used:.0f} s of processors", flush=True)
        print("\n".join(failures), end="")
        wrong += len(failures)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
