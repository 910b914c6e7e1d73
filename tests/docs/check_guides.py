"""Runs the commands of the guides and compares what they print with what the guides say they print.

    check_guides.py COMMAND SOURCE_FOLDER [--long] [PAGE…]

A page's blocks run in order in a scratch folder of its own, where `gpcv` is COMMAND and `data` is the repository's.
Run are fenced blocks of Python and the lines of indented blocks that begin with `$ `; what follows such a line up to the
next is its output. The output may leave lines out, and `…` stands for any text. Numbers agree within 5 %, or within half
a unit of the last digit printed; times and sizes in memory are not compared.

A comment before a block says when it is not run: `<!-- not run: needs a GPU -->`, `<!-- long: one minute -->` (run with
--long only). `<!-- files: groups.md -->` makes the files of the first block of Python of another page in the same folder.
`<!-- table: COMMAND …; LABEL -->` before a table of options and numbers runs the command with the options of each row in
place of `…` and compares the number of the row with that after the label in the output.
"""
from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

PAGES = ["README.md", "docs/index.md", "docs/scaling.md", *(f"docs/guide/{name}.md" for name in (
    "co2", "folds", "gpu", "groups", "large", "noise", "python", "robust", "several", "table", "targets", "uncertainty"))]
MARK = re.compile(r"<!-- (not run|long|files|table): (.*) -->")
ROW = re.compile(r"\| `(--[^`]*)`[^|]* \| ([\d.]+) \|")
NUMBER = re.compile(r"[-−+]?(?<![\w.])\d+(?:\.\d+)?(?:e[-+]?\d+)?")
UNCOMPARED = re.compile(r"[\d.]+(?:e[-+]?\d+)? (?:ms|s|min|h|[KMG]iB)(?!\w)|[\d.e+]+ pairs/s")
TOLERANCE = 0.05


@dataclass
class Block:
    page: str
    line: int
    language: str  # "sh", "python", "files" or "table"
    text: list[str] = field(default_factory=list)
    mark: tuple[str, str] | None = None


@dataclass
class Step:
    """A command and the output that a page prints for it."""
    line: int
    command: str
    expected: list[str] = field(default_factory=list)


def blocks(page: str, text: str) -> list[Block]:
    found: list[Block] = []
    mark, block, fence = None, None, None
    for number, line in enumerate(text.splitlines(), 1):
        if fence is not None:
            if line.strip() == "```":
                fence = None
            elif block is not None:
                block.text.append(line)
            continue
        if line.startswith("```"):
            fence = line[3:].strip()
            block = Block(page, number, "python", mark=mark) if fence == "python" else None
            found += [block] if block else []
            mark = None
        elif (match := MARK.fullmatch(line.strip())) and match[1] in ("files", "table"):
            block = Block(page, number, match[1], [match[2]])
            found.append(block)
        elif match:
            mark, block = (match[1], match[2]), None
        elif block is not None and block.language == "table" and (not line.strip() or line.startswith("|")):
            block.text.append(line)
        elif line.startswith("    ") and line.strip():
            if block is None or block.language == "python":
                block = Block(page, number, "sh", mark=mark)
                found.append(block)
                mark = None
            block.text += [""] * (number - block.line - len(block.text)) + [line[4:]]
        elif line.strip():
            block = None
    return found


def steps(block: Block) -> list[Step]:
    found: list[Step] = []
    for offset, line in enumerate(block.text):
        line = line.strip() if line.lstrip().startswith("$ ") else line.rstrip()
        if line.startswith("$ "):
            found.append(Step(block.line + offset, line[2:]))
        elif found and line.strip():
            found[-1].expected.append(line.strip())
    return found


def table_steps(block: Block) -> list[Step]:
    """One command for each row of a table."""
    command, label = block.text[0].rsplit("; ", 1)
    rows = [(block.line + offset, ROW.match(line)) for offset, line in enumerate(block.text)]
    found = [Step(line, command.replace("…", row[1]), [f"{label} {row[2]}…"]) for line, row in rows if row]
    return found or [Step(block.line, "false # the table has no rows of options and numbers")]


def first_python(path: Path) -> list[str]:
    """Lines of the first block of Python of a page."""
    return next(block.text for block in blocks(path.name, path.read_text()) if block.language == "python")


def close(expected: str, actual: str) -> bool:
    """Whether two numbers agree within the tolerance or within half a unit of the last digit that is printed."""
    a, b = (float(text.replace("−", "-")) for text in (expected, actual))
    decimals = len(expected.partition("e")[0].partition(".")[2])
    exponent = int(expected.partition("e")[2] or 0)
    return abs(a - b) <= max(TOLERANCE * abs(a), 0.51 * 10.0 ** (exponent - decimals))


def agree(expected: str, actual: str) -> bool:
    """Whether a line is as printed in the page; every `…` stands for any text."""
    def parts(line: str) -> tuple[str, list[str]]:
        line = " ".join(UNCOMPARED.sub("TIME", line).split())
        return NUMBER.sub("\0", line), NUMBER.findall(line)

    wanted, got = parts(expected), parts(actual)
    pattern = ".*".join(re.escape(piece) for piece in wanted[0].split("…"))
    if not re.fullmatch(pattern, got[0]):
        return False
    if "…" in wanted[0]:  # only the numbers before the first elision have known places
        count = wanted[0].partition("…")[0].count("\0")
        return all(close(a, b) for a, b in zip(wanted[1][:count], got[1][:count]))
    return len(wanted[1]) == len(got[1]) and all(close(a, b) for a, b in zip(wanted[1], got[1]))


def first_difference(expected: list[str], actual: list[str]) -> str | None:
    """The first line of the page that the output does not have after the lines before it; None when it has all."""
    at = 0
    for line in expected:
        if line == "…":
            continue
        while at < len(actual) and not agree(line, actual[at]):
            at += 1
        if at == len(actual):
            return line
        at += 1
    return None


class Shell:
    """One bash per page: variables of one command are known to the next."""

    def __init__(self, folder: Path, command: Path) -> None:
        tools = folder / ".tools"
        tools.mkdir()
        (tools / "gpcv").symlink_to(command)
        environment = dict(os.environ, PATH=f"{tools}:{os.environ['PATH']}", LC_ALL="C.UTF-8")
        self.process = subprocess.Popen(["bash"], cwd=folder, env=environment, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def run(self, command: str) -> tuple[int, list[str]]:
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write(f"{{ {command}\n}} </dev/null\nstatus=$?; echo; echo end-of-command $status\n")
        self.process.stdin.flush()
        lines: list[str] = []
        for line in self.process.stdout:
            if line.startswith("end-of-command "):
                return int(line.split()[1]), [text for text in lines if text]
            lines.append(line.strip())
        raise RuntimeError(f"the shell ended at: {command}")

    def close(self) -> None:
        assert self.process.stdin
        self.process.stdin.close()
        self.process.wait()


def failure(step: Step, status: int, output: list[str]) -> str | None:
    missing = first_difference(step.expected, output)
    if missing is not None:
        return f"expected\n    {missing}\nbut the command printed\n    " + "\n    ".join(output[-40:])
    # Refusals and trainings cut short are shown with their message; everything else must succeed.
    if status and not any(line.startswith(("gpcv: ", "status ")) and "converged" not in line for line in step.expected):
        return f"exit code {status}\n    " + "\n    ".join(output[-40:])
    return None


def check_page(page: str, source: Path, command: Path, long: bool) -> tuple[int, list[str]]:
    failures, count = [], 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "data").symlink_to(source / "data")
        shell = Shell(folder, command)
        for block in blocks(page, (source / page).read_text()):
            if block.mark and not (long and block.mark[0] == "long"):
                continue
            if block.language == "table":
                todo = table_steps(block)
            elif block.language in ("python", "files"):
                text = block.text if block.language == "python" else first_python((source / page).parent / block.text[0])
                (folder / ".block.py").write_text("\n".join(text))
                todo = [Step(block.line, f"{sys.executable} .block.py")]
            else:
                todo = steps(block)
            for step in todo:
                count += 1
                if reason := failure(step, *shell.run(step.command)):
                    failures.append(f"{page}:{step.line}: {step.command}\n{reason}\n")
        shell.close()
    return count, failures


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("command", type=Path)
    parser.add_argument("source", type=Path)
    parser.add_argument("--long", action="store_true")
    parser.add_argument("pages", nargs="*", default=PAGES)
    arguments = parser.parse_args()
    wrong = 0
    for page in arguments.pages:
        count, failures = check_page(page, arguments.source.resolve(), arguments.command.resolve(), arguments.long)
        print(f"{page}: {count} commands, {len(failures)} wrong", flush=True)
        print("\n".join(failures), end="")
        wrong += len(failures)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
