"""The page docs/reference/parity.md: which option and which operation exists in which front end.

    page.py [--write] ROOT PROGRAM

Rows, and the reasons of gaps, are in rows.toml; what exists is read from the command, the built Python package, the sources
of the R package and the public headers. Exits with 1 and says what is wrong when something is in no row, a gap has no reason, a
reason stands where there is no gap, or the page differs from what --write would write."""
import argparse
import fnmatch
import sys
import tomllib
from pathlib import Path

import command
import cpp_api
import python_api
import r_api

FRONT_ENDS = {"command": command, "python": python_api, "r": r_api, "cpp": cpp_api}
TITLES = {"command": "command", "python": "Python", "r": "R", "cpp": "C++"}


class Row:
    """What rows.toml says of a row, and the items of each front end that belong to it."""

    def __init__(self, name: str, entry: dict, gap: str) -> None:
        unknown = set(entry) - {"what", "names", *FRONT_ENDS}
        if unknown:
            raise SystemExit(f"rows.toml: row '{name}' has the unknown entry '{min(unknown)}'")
        self.name, self.what = name, entry.get("what", name)
        self.names = entry.get("names", [name])
        self.claims = {end: entry[end] for end in FRONT_ENDS if isinstance(entry.get(end), list)}
        self.reasons = {end: entry[end] for end in FRONT_ENDS if isinstance(entry.get(end), str)}
        self.gap = gap  # reason of all other gaps
        self.items: dict[str, list[str]] = {end: [] for end in FRONT_ENDS}


def read_rows(path: Path) -> tuple[list[tuple[dict, list[Row]]], dict[str, str]]:
    data = tomllib.loads(path.read_text())
    groups = []
    for group in data["group"]:
        groups.append((group, [Row(name, entry, group.get("gap", "")) for name, entry in group["rows"].items()]))
    return groups, data["reasons"]


def assign(rows: list[Row], found: dict[str, set[str]], optional: dict[str, set[str]]) -> list[str]:
    """Gives each item to its rows: those that name it, otherwise those with its name. Returns what is wrong."""
    wrong = []
    for end, items in found.items():
        taken = set()
        for row in rows:
            for pattern in row.claims.get(end, []):
                own = fnmatch.filter(sorted(items | optional[end]), pattern)
                if not own:
                    wrong.append(f"row '{row.name}': {TITLES[end]} has no '{pattern}'")
                row.items[end] += own
                taken.update(own)
        for item in sorted(items - taken):
            owners = [row for row in rows if FRONT_ENDS[end].bare(item) in row.names]
            for row in owners:
                row.items[end].append(item)
            if not owners:
                wrong.append(f"{TITLES[end]}: '{item}' is in no row")
    return wrong


def explain(rows: list[Row], reasons: dict[str, str]) -> list[str]:
    """Gives each gap its reason. Returns what is wrong."""
    wrong, used = [], set()
    for row in rows:
        for end in FRONT_ENDS:
            reason = row.reasons.get(end, "")
            if reason and row.items[end]:
                wrong.append(f"row '{row.name}': {TITLES[end]} has {row.items[end][0]}, but rows.toml gives a reason why not")
            if not row.items[end]:
                row.reasons[end] = reason or row.gap
                if not row.reasons[end]:
                    wrong.append(f"row '{row.name}': {TITLES[end]} has nothing, and rows.toml gives no reason")
                elif row.reasons[end] not in reasons:
                    wrong.append(f"row '{row.name}': rows.toml has no reason '{row.reasons[end]}'")
                used.add(row.reasons[end])
    return wrong + [f"rows.toml: the reason '{name}' is the reason of nothing" for name in reasons if name not in used]


def written(groups: list[tuple[dict, list[Row]]], reasons: dict[str, str]) -> str:
    """Text of the page."""
    numbers = {name: number for number, name in enumerate(reasons, 1)}
    out = [INTRODUCTION]
    for group, rows in groups:
        out += [f"## {group['title']}\n"]
        out += [group["text"].strip() + "\n"] if "text" in group else []
        ends = [end for end in FRONT_ENDS if any(row.items[end] for row in rows)]
        out += ["| | " + " | ".join(TITLES[end] for end in ends) + " |", "| --- " * (1 + len(ends)) + "|"]
        for row in rows:
            cells = []
            for end in ends:
                texts = FRONT_ENDS[end].shown(sorted(set(row.items[end]), key=row.items[end].index))
                cells.append(", ".join(texts) or f"– ({numbers[row.reasons[end]]})")
            out.append(f"| {row.what} | " + " | ".join(cells) + " |")
        out.append("")
    out += ["## Why something is missing\n"]
    out += [f"{number}. {reasons[name]}" for name, number in numbers.items()]
    return "\n".join(out) + "\n"


INTRODUCTION = """# Which front end has what

This page is made from the code, by `tests/house/parity/page.py`, and a test compares it with the code. It lists every option and
every operation of the command, the Python package, the R package and the C++ library, with the name that it has in each. A dash says
that something is missing, and the number behind it why ([reasons](#why-something-is-missing)).

- An option of the command without a command belongs to `fit`, `check`, `cv` and `compare`.
- A parameter of Python without a function is one of `GPRegressor`; functions without `gpcv.` are its methods.
- An argument of R without a function is one of `gpcv()`; `fit$…` is an entry of a fitted object.
"""


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--write", action="store_true")
    parser.add_argument("root", type=Path)
    parser.add_argument("program", type=Path)
    arguments = parser.parse_args()
    root = arguments.root
    groups, reasons = read_rows(Path(__file__).with_name("rows.toml"))
    rows = [row for _, own in groups for row in own]
    found = {"command": command.items(arguments.program), "python": python_api.items(),
             "r": r_api.items(root, cpp_api.admm_settings(root)), "cpp": cpp_api.items(root)}
    optional = {"command": command.results(root), "python": set(), "r": set(), "cpp": cpp_api.results(root)}
    wrong = assign(rows, found, optional) + explain(rows, reasons)
    page = root / "docs/reference/parity.md"
    if not wrong:
        text = written(groups, reasons)
        if arguments.write:
            page.write_text(text)
        elif not page.is_file() or page.read_text() != text:
            wrong = ["docs/reference/parity.md differs from the code: run scripts/parity"]
    print("\n".join(wrong) or f"{len(rows)} rows")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
