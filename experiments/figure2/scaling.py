"""Medians over repeats, scaling factors and fitted slopes."""
import numpy as np


def medians(rows, kernel, method, column="seconds"):
    """By size, in ascending order; sizes without a result are left out."""
    by_size = {}
    for row in rows:
        if row["kernel"] == kernel and row["method"] == method and row[column]:
            by_size.setdefault(int(row["n"]), []).append(float(row[column]))
    return {n: float(np.median(by_size[n])) for n in sorted(by_size)}


def factors(seconds):
    """The paper's (CT_A/CT_B)/(n_A/n_B), B being the smallest size, by n_A/n_B."""
    base = min(seconds)
    return {n / base: (seconds[n] / seconds[base]) / (n / base) for n in seconds}


def slope(seconds, smallest=0):
    """Exponent of n in a least-squares fit of log seconds; NaN with fewer than two sizes."""
    sizes = [n for n in seconds if n >= smallest]
    if len(sizes) < 2:
        return float("nan")
    return float(np.polyfit(np.log(sizes), np.log([seconds[n] for n in sizes]), 1)[0])
