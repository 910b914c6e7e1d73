"""Whether output is as a page prints it. check_guides.py says what is compared."""
from __future__ import annotations

import re

NUMBER = re.compile(r"[-−+]?(?<![\w.])\d+(?:\.\d+)?(?:e[-+]?\d+)?")
UNCOMPARED = re.compile(r"[\d.]+(?:e[-+]?\d+)? (?:ms|s|min|h|[KMG]iB)(?!\w)|[\d.e+]+ pairs/s")
TOLERANCE = 0.05


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
        if line.strip() in ("", "…"):
            continue
        while at < len(actual) and not agree(line, actual[at]):
            at += 1
        if at == len(actual):
            return line
        at += 1
    return None
