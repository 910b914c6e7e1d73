"""Figures of the runs on real tables are given set by set and over all sets."""
import dataclasses
import math

import numpy as np

import sets
from plan import Topic
from verdicts import Figure, absent, done, number, verdict

KNOWN = ("airfoil", "bike", "concrete", "energy", "kin40k", "protein", "yacht")
APART = "bike"  # This table is almost exact; its ratio is far below the others and has a bar of its own.
NO_SET_ABOVE = 1.03
TIMES, SECONDS = 4, 15


@dataclasses.dataclass(frozen=True)
class Compared:
    """A set's figures are over the splits of which every method has a result.

    RMSE and CRPS are geometric means of auto over old, NLPD is the mean of auto minus likelihood, and coverage is
    the mean share of rows that the 95 % intervals of auto hold.
    """

    rmse: float
    crps: float
    nlpd: float
    coverage: float


def results_of(settings, name, find):
    """The results of a set are a dictionary by method for each split."""
    return [{method: find(sets.run_of(settings, name, split, method)) for method in sets.METHODS}
            for split in sets.splits(settings, name)]


def compared(results):
    """The figures of one set are None where no split has every result."""
    whole = [split for split in results if len(done(split.values())) == len(sets.METHODS)]
    if not whole:
        return None

    def column(method, what):
        return np.array([number(split[method]["test"][what]) for split in whole], float)

    def ratio(what):
        return math.exp(np.mean(np.log(column("auto", what) / column("old", what))))

    return Compared(ratio("rmse"), ratio("crps"), np.mean(column("auto", "nlpd") - column("likelihood", "nlpd")),
                    np.mean(column("auto", "coverage95")))


def geometric(values):
    return math.exp(np.mean(np.log(values)))


def time_figure(settings, name, find):
    """The seconds of the defaults on the first split stand against those of the kernel that they chose."""
    auto = find(sets.run_of(settings, name, 0, "auto"))
    only = find(sets.alone(settings, name, auto)) if done([auto]) else None
    title = f"sets.{name}: seconds of the defaults"
    rule = f"≤ {TIMES} × the chosen kernel alone + {SECONDS}"
    pair = [auto, only]
    if len(done(pair)) < 2:
        return Figure(title, rule, "", absent(pair))
    most = TIMES * only["seconds"] + SECONDS
    reached = f"{auto['seconds']:.1f} of {most:.1f}; {sets.winner(auto)} alone {only['seconds']:.1f}"
    return Figure(title, rule, reached, verdict(auto["seconds"] <= most, pair))


class Summary:
    """Figures over sets need every known set; one that is not there counts as not run."""

    def __init__(self, by_set, results):
        self.by_set, self.results = by_set, results

    def figure(self, title, bar, value, holds, chosen=KNOWN):
        """The figure is of the chosen sets; `value` gives a number and a note from those that have figures."""
        found = {name: self.by_set[name] for name in chosen if self.by_set.get(name) is not None}
        results = [result for name in chosen for result in self.results.get(name, [None])]
        if not found:
            return Figure(title, bar, "", absent(results))
        reached, note = value(found)
        return Figure(title, bar, f"{reached:.4g}{note}", verdict(holds(reached), results))

    def mean_ratio(self, what, most):
        """The geometric mean over the sets but one compares the defaults with squared error and se(ard)."""
        others = tuple(name for name in KNOWN if name != APART)
        return self.figure(f"sets: {what.upper()} / old, geometric mean without {APART}", f"≤ {most}",
                           lambda found: (geometric([getattr(c, what) for c in found.values()]), ""),
                           lambda reached: reached <= most, others)

    def extreme(self, title, what, bound, largest):
        """The extreme set has the largest or the smallest figure and is named."""
        def value(found):
            pick = max if largest else min
            name = pick(found, key=lambda name: getattr(found[name], what))
            return getattr(found[name], what), f" ({name})"

        return self.figure(title, f"{'≤' if largest else '≥'} {bound}", value,
                           lambda reached: reached <= bound if largest else reached >= bound)

    def figures(self):
        """The list has every bar that is over sets."""
        nlpd = lambda found: [c.nlpd for c in found.values()]  # noqa: E731
        return [
            self.mean_ratio("rmse", 0.77),
            self.mean_ratio("crps", 0.75),
            self.extreme("sets: RMSE / old, worst set", "rmse", NO_SET_ABOVE, True),
            self.extreme("sets: CRPS / old, worst set", "crps", NO_SET_ABOVE, True),
            self.figure(f"sets: RMSE / old, {APART}", "≤ 0.11", lambda found: (found[APART].rmse, ""),
                        lambda reached: reached <= 0.11, (APART,)),
            self.figure("sets: NLPD below the likelihood's", "≥ 6 of 7",
                        lambda found: (sum(d < 0 for d in nlpd(found)), f" of {len(found)}"),
                        lambda reached: reached >= 6),
            self.figure("sets: NLPD minus the likelihood's, median", "≤ -0.15",
                        lambda found: (np.median(nlpd(found)), ""), lambda reached: reached <= -0.15),
            self.figure("sets: 95 % intervals hold, mean", "0.92 to 0.97",
                        lambda found: (np.mean([c.coverage for c in found.values()]), ""),
                        lambda reached: 0.92 <= reached <= 0.97),
            self.extreme("sets: 95 % intervals hold, worst set", "coverage", 0.88, False),
        ]


def figures(settings, find):
    by_set, results, each = {}, {}, []
    for name in sets.names(settings):
        splits = results_of(settings, name, find)
        results[name] = [result for split in splits for result in split.values()]
        by_set[name] = c = compared(splits)
        if c is not None:
            each.append(Figure(f"sets.{name}", "", f"RMSE × {c.rmse:.3f}, CRPS × {c.crps:.3f}, NLPD {c.nlpd:+.3f}, "
                                                   f"95 % hold {c.coverage:.3f}", ""))
    times = [time_figure(settings, name, find) for name in sets.names(settings)]
    return each + Summary(by_set, results).figures() + times


TOPIC = Topic("sets", (sets.runs, sets.runs_of_winners), figures)
