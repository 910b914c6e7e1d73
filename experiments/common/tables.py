"""Markdown tables and the numbers in them."""
import math
import re
import textwrap


def paragraph(text):
    """Text in lines of a page's width."""
    return textwrap.fill(" ".join(text.split()), width=118, break_on_hyphens=False) + "\n"


def markdown(header, rows, left=1):
    """A table; the first `left` columns are text, the others aligned to the right."""
    rule = ["---"] * left + ["---:"] * (len(header) - left)
    lines = [header, rule, *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines) + "\n"


def number(value, digits=3):
    """With so many significant digits, a dash for what is missing, and no exponent where it can be helped."""
    if value is None or not math.isfinite(value):
        return "–"
    if value == 0:
        return "0"
    size = math.floor(math.log10(abs(value)))
    if size < -3 or size > 5:
        return f"{value:.{digits - 1}e}"
    return f"{value:.{max(0, digits - 1 - size)}f}"


def listed(values):
    """'[0.51, 1.02]', or the value alone."""
    values = list(values)
    return values[0] if len(values) == 1 else "[" + ", ".join(values) + "]"


def mean_and_deviation(mean, deviation):
    """'0.51 (0.030)' as in the paper, fewer digits for large numbers."""
    if not math.isfinite(mean):
        return "–"
    return f"{mean:.2f} ({deviation:.3f})" if mean < 100 else f"{number(mean)} ({number(deviation)})"


def short(kernel):
    """A kernel as gpcv prints it, with three digits."""
    return re.sub(r"(?<==)[0-9.]+(e[+-]?[0-9]+)?", lambda match: f"{float(match[0]):.3g}", kernel)


def yes(condition):
    return "yes" if condition else "**no**"
