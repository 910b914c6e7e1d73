"""Learned noise: scores and coverage beside the density that generated the table, whose noise depends on an input or not."""
import dataclasses
import functools
from collections.abc import Callable

import numpy as np

from plan import Tables, make_run
from surface import surface
from verdicts import absent, done, Figure

ROWS, NEW_ROWS = 500, 2000
LOW, HIGH, SAME = 0.1, 1.0, 0.5
CLOSE, LOSS, COVERED = 0.03, 0.01, (0.92, 0.98)


@dataclasses.dataclass(frozen=True)
class NoiseKind:
    """A kind of table has a standard deviation of the noise at each row, and an input along which it is looked at."""

    name: str
    deviation: Callable
    depends: bool


def exponential(x):
    """The deviation grows from 0.1 to 1 along the first input."""
    return LOW * (HIGH / LOW) ** ((x[:, 0] + 1) / 2)


def hill(x):
    """The deviation is 0.1 at the edges of the second input and 1 at its middle."""
    return LOW * (HIGH / LOW) ** np.cos(np.pi / 2 * x[:, 1])


KINDS = [NoiseKind("noise-exponential", exponential, True), NoiseKind("noise-hill", hill, True),
         NoiseKind("noise-constant", lambda x: np.full(len(x), SAME), False)]
CHOICES = {"constant": (), "auto": ("--noise", "auto"), "known ratios": ("--weight-column", "w")}


def table_of(kind, seed):
    random = np.random.default_rng(seed)
    x = random.uniform(-1, 1, size=(ROWS + NEW_ROWS, 2))
    f, s = surface(x), kind.deviation(x)
    return x, f, s, f + s * random.normal(size=f.size)


def kind_named(name):
    return next(kind for kind in KINDS if kind.name == name)


def draw(name, seed):
    x, _, s, y = table_of(kind_named(name), seed)
    columns = {"a": x[:, 0], "b": x[:, 1], "y": y, "w": s ** -2}
    parts = [{key: list(map(float, c[part])) for key, c in columns.items()} for part in (slice(ROWS), slice(ROWS, None))]
    return Tables(*parts, parts[1])


@functools.cache
def truth(name, seed):
    """The negative log density of the new rows under the generating distribution."""
    _, f, s, y = (v[ROWS:] for v in table_of(kind_named(name), seed))
    return float(np.mean(0.5 * np.log(2 * np.pi * s ** 2) + 0.5 * ((y - f) / s) ** 2))


def run_of(kind, choice, seed):
    options = ("--features", "a,b", *CHOICES[choice], "--assess", "inner")
    return make_run(f"targets.{kind.name}", f"{choice}, seed {seed}", options, functools.partial(draw, kind.name, seed), cost=15)


def runs_of(kind, seeds):
    return [run_of(kind, choice, seed) for seed in seeds for choice in CHOICES]


def coverage_of_thirds(kind, seed, result):
    """Share of new rows inside their 95 % intervals, in each third of the input on which the noise depends."""
    x, _, _, y = (v[ROWS:] for v in table_of(kind, seed))
    inside = (y >= np.asarray(result["new"]["lower"], float)) & (y <= np.asarray(result["new"]["upper"], float))
    third = np.digitize(x[:, 1 if kind.deviation is hill else 0], (-1 / 3, 1 / 3))
    return [float(inside[third == k].mean()) for k in range(3)]


def summary(values, bar=None):
    text = f"mean {np.mean(values):.4f}, median {np.median(values):.4f}, worst {max(values):.4f}"
    return text if bar is None else f"{text}; {sum(v <= bar for v in values)} of {len(values)} within {bar:g}"


def figures_of(kind, seeds, find):
    found = {c: [find(run_of(kind, c, seed)) for seed in seeds] for c in CHOICES}
    everything = [result for results in found.values() for result in results]
    whole = [(seed, {c: found[c][i] for c in found}) for i, seed in enumerate(seeds)
             if all(done([found[c][i]]) for c in found)]
    if not whole:
        return [Figure(kind.name, "", "", absent(everything))]
    excess = {c: [row[c]["test"]["nlpd"] - truth(kind.name, seed) for seed, row in whole] for c in CHOICES}
    out = []
    for c, values in excess.items():
        bar = CLOSE if c == "auto" and kind.depends else None
        state = "" if bar is None else absent(everything) or ("met" if np.mean(values) <= bar else "missed")
        out.append(Figure(f"{kind.name}: NLPD of {c} - generating density", f"mean ≤ {bar:g}" if bar else "",
                          summary(values, CLOSE), state))
    covered = np.array([coverage_of_thirds(kind, seed, row["auto"]) for seed, row in whole])
    mean = covered.mean(axis=0)
    inside = COVERED[0] <= min(mean) and max(mean) <= COVERED[1]
    single = ((covered >= COVERED[0]) & (covered <= COVERED[1])).sum()
    out.append(Figure(f"{kind.name}: 95 % intervals of auto hold, by thirds", f"{COVERED[0]:g} to {COVERED[1]:g} in each",
                      f"{', '.join(f'{v:.3f}' for v in mean)}; {single} of {covered.size} thirds of single tables",
                      absent(everything) or ("met" if inside else "missed")))
    plain = np.array([coverage_of_thirds(kind, seed, row["constant"]) for seed, row in whole]).mean(axis=0)
    out.append(Figure(f"{kind.name}: those of constant hold", "", ", ".join(f"{v:.3f}" for v in plain), ""))
    if not kind.depends:
        loss = [a - c for a, c in zip(excess["auto"], excess["constant"])]
        out.append(Figure(f"{kind.name}: NLPD of auto - constant", f"≤ {LOSS:g} in each", summary(loss, LOSS),
                          absent(everything) or ("met" if max(loss) <= LOSS else "missed")))
    learned = sum(row["auto"]["fit"]["noise_model"]["learned"] for _, row in whole)
    out.append(Figure(f"{kind.name}: auto learns the noise", "", f"{learned} of {len(whole)}", ""))
    seconds = [row["auto"]["seconds"] / row["constant"]["seconds"] for _, row in whole]
    out.append(Figure(f"{kind.name}: seconds of auto / constant", "",
                      f"median {np.median(seconds):.2f}, worst {max(seconds):.2f}", ""))
    return out
