"""Reads pages of Markdown: their blocks of code, and what is to be done with each. check_guides.py describes the marks."""
from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

LANGUAGES = ("python", "r", "cpp")  # of fenced blocks that are run; indented blocks are the shell's
MARK = re.compile(r"<!-- (not run|long|files|table|fails|output)(?:: (.*))? -->")
HIDDEN = re.compile(r"<!-- before: (\w+)")
IMAGE = re.compile(r"!\[[^\]]*\]\(([^)\s]+)\)")
ROW = re.compile(r"\| `(--[^`]*)`[^|]* \| ([\d.]+) \|")


@dataclass
class Block:
    page: str
    line: int
    language: str  # "sh", "python", "r", "cpp", "files", "table", or what else a fence names
    text: list[str] = field(default_factory=list)
    mark: tuple[str, str] | None = None
    output: list[str] = field(default_factory=list)  # of a block of Python, R or C++
    output_line: int | None = None  # of the fence before it

    def runs(self, long: bool = False) -> bool:
        return self.mark is None or self.mark[0] == "fails" or (long and self.mark[0] == "long")


@dataclass
class Step:
    """A command or a block of code, and the output that a page prints for it."""
    line: int
    command: str
    expected: list[str] = field(default_factory=list)
    language: str = "sh"
    fails: bool = False
    block: Block | None = None  # of Python, R or C++


class _Reader:
    """The lines of a page become blocks."""

    def __init__(self, page: str) -> None:
        self.page = page
        self.found: list[Block] = []
        self.mark: tuple[str, str] | None = None
        self.open: Block | None = None  # an indented block or a table, which the next line may continue
        self.fence: Block | None = None
        self.fence_end = "```"

    def read(self, text: str) -> list[Block]:
        for number, line in enumerate(text.splitlines(), 1):
            if self.fence is not None:
                self._inside_fence(line)
            else:
                self._outside(number, line)
        return self.found

    def _inside_fence(self, line: str) -> None:
        assert self.fence
        if line.strip() != self.fence_end:
            self.fence.text.append(line)
            return
        if self.fence.language == "output" and self.found and self.found[-1].language in LANGUAGES:
            self.found[-1].output = self.fence.text
            self.found[-1].output_line = self.fence.line
        else:
            self.found.append(self.fence)
        self.fence = None

    def _outside(self, number: int, line: str) -> None:
        stripped = line.strip()
        if line.startswith("```") or HIDDEN.match(stripped):
            self.fence_end = "```" if line.startswith("```") else "-->"
            language = line[3:].strip() if line.startswith("```") else HIDDEN.match(stripped)[1]
            self.fence = Block(self.page, number, language, mark=self.mark)
            self.mark, self.open = None, None
        elif (match := MARK.fullmatch(stripped)) and match[1] in ("files", "table"):
            self.open = Block(self.page, number, match[1], [match[2]])
            self.found.append(self.open)
        elif match and match[1] == "output":
            self.open = next(block for block in reversed(self.found) if block.language == "sh")
        elif match:
            self.mark, self.open = (match[1], match[2] or ""), None
        elif self.open is not None and self.open.language == "table" and (not stripped or line.startswith("|")):
            self.open.text.append(line)
        elif line.startswith("    ") and stripped:
            if self.open is None:
                self.open = Block(self.page, number, "sh", mark=self.mark)
                self.found.append(self.open)
                self.mark = None
            self.open.text += [""] * (number - self.open.line - len(self.open.text)) + [line[4:]]
        elif stripped:
            self.open = None


def blocks(page: str, text: str) -> list[Block]:
    return _Reader(page).read(text)


def images(text: str) -> list[str]:
    """Paths of the pictures that a page shows."""
    return IMAGE.findall(text)


def needs_packages(found: list[Block]) -> bool:
    """Whether the Python or R package or the library are needed, beside the command."""
    return any(block.language in ("r", "cpp") or (block.language == "python" and "gpcv" in "\n".join(block.text))
               for block in found if block.runs())


def _shell_steps(block: Block) -> list[Step]:
    found: list[Step] = []
    for offset, line in enumerate(block.text):
        line = line.strip() if line.lstrip().startswith("$ ") else line.rstrip()
        if line.startswith("$ "):
            found.append(Step(block.line + offset, line[2:]))
        elif found and line.strip():
            found[-1].expected.append(line.strip())
    return found


def _table_steps(block: Block) -> list[Step]:
    """One command for each row of a table."""
    command, label = block.text[0].rsplit("; ", 1)
    rows = [(block.line + offset, ROW.match(line)) for offset, line in enumerate(block.text)]
    found = [Step(line, command.replace("…", row[1]), [f"{label} {row[2]}…"]) for line, row in rows if row]
    return found or [Step(block.line, "false # the table has no rows of options and numbers")]


def _first_python(path: Path) -> list[str]:
    """Lines of the first block of Python of a page."""
    return next(block.text for block in blocks(path.name, path.read_text()) if block.language == "python")


def steps(block: Block, folder: Path) -> list[Step]:
    """What is to be run for a block of a page in a folder."""
    fails = block.mark is not None and block.mark[0] == "fails"
    if block.language == "sh":
        return _shell_steps(block)
    if block.language == "table":
        return _table_steps(block)
    if block.language == "files":
        return [Step(block.line, "\n".join(_first_python(folder / block.text[0])), [], "python")]
    if block.language in LANGUAGES:
        return [Step(block.line, "\n".join(block.text), block.output, block.language, fails, block)]
    return []
