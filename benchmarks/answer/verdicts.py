"""Figures stand beside their bars, in a table."""
import dataclasses
import math
import statistics

NOT_RUN = "not run"


@dataclasses.dataclass(frozen=True)
class Figure:
    """A figure is a line of the table; one without a verdict is there for information."""

    name: str
    bar: str
    reached: str
    verdict: str


def done(results):
    """Results are done when their runs did not fail."""
    return [result for result in results if result is not None and result["status"] != "failed"]


def absent(results):
    """The text says what keeps a figure from being complete; it is empty when nothing does."""
    failed = sum(result is not None and result["status"] == "failed" for result in results)
    missing = sum(result is None for result in results)
    if not results or missing == len(results):
        return NOT_RUN
    if failed:
        return f"failed: {failed} of {len(results)} runs"
    return f"incomplete: {missing} of {len(results)} runs are missing" if missing else ""


def verdict(holds, results):
    """The verdict is 'met' or 'missed', or says why that is not known."""
    return absent(results) or ("met" if holds else "missed")


def ratio_figure(name, ratios, bar, results):
    """The bar must hold for 19 of 20 ratios; the figure also has median and worst."""
    needed = math.ceil(0.95 * len(ratios) - 1e-9)
    count = sum(r <= bar for r in ratios)
    reached = f"{count} of {len(ratios)}; median {statistics.median(ratios):.4f}, worst {max(ratios):.4f}"
    return Figure(name, f"≤ {bar:g} for {needed} of {len(ratios)}", reached, verdict(count >= needed, results))


def within(name, value, results, least=None, most=None, note=""):
    """The figure must lie between bounds; `value` computes it from the results of finished runs."""
    bar = " to ".join(f"{bound:g}" for bound in (least, most) if bound is not None)
    bar = bar if least is not None and most is not None else ("≥ " if most is None else "≤ ") + bar
    finished = done(results)
    reached = value(finished) if finished else math.nan
    holds = (least is None or reached >= least) and (most is None or reached <= most)
    text = "" if math.isnan(reached) else f"{reached:.4g}"
    return Figure(name, bar, " ".join(part for part in (text, note) if part), verdict(holds, results))


def counted(name, holds, results, bar, share=0.95, describe=None):
    """The bar must be reached by at least so large a share of the runs; a failed run does not reach it."""
    needed = math.ceil(share * len(results) - 1e-9)
    finished = done(results)
    missing = sum(result is None for result in results)
    failed = len(results) - missing - len(finished)
    count = sum(bool(holds(result)) for result in finished)
    parts = [f"{count} of {len(results) - missing}"]
    parts += [f"{failed} failed"] if failed else []
    parts += [describe(finished)] if describe is not None and finished else []
    judged = absent(results) if missing or not finished else ("met" if count >= needed else "missed")
    return Figure(name, f"{bar} for {needed} of {len(results)}", "; ".join(parts) if failed or finished else "", judged)


def number(value):
    """An error that is missing is worse than any number."""
    return math.inf if value is None else value


def spread(values):
    """The spread of errors is described by their median and the worst."""
    values = list(values)
    return f"median {statistics.median(values):.4g}, worst {max(values):.4g}"


def print_table(figures):
    """The table is aligned, and ends with the number of bars that are met."""
    rows = [("figure", "bar", "reached", "verdict"), *((f.name, f.bar, f.reached, f.verdict) for f in figures)]
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    rows.insert(1, tuple("-" * width for width in widths))
    for row in rows:
        print("| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths)) + " |")
    judged = [figure for figure in figures if figure.verdict]
    print(f"\n{sum(figure.verdict == 'met' for figure in judged)} of {len(judged)} bars are met.")


def print_failures(results):
    """Failures are listed by case and reason, with the number of runs and the name of one."""
    reasons = {}
    for result in results:
        if result is not None and result["status"] == "failed":
            reasons.setdefault((result["case"], result["message"]), []).append(result["run"])
    if reasons:
        print("\nRuns that failed:")
    for (case, message), runs in reasons.items():
        print(f"  {case}, {len(runs)} run{'s' if len(runs) > 1 else ''} ({runs[0]}): {message}")


def print_ages(results):
    """Times of the oldest and the newest result show whether they are of one build."""
    ended = sorted(result["ended"] for result in done(results))
    if ended:
        print(f"\nResults are from {ended[0]} to {ended[-1]}.")
