"""The three synthetic problems of the paper: kernel, true and start values, and the range of the inputs."""
import dataclasses

import numpy as np


def squared_exponential(d, l):
    """exp(−d²/2l²)"""
    return np.exp(-(d**2) / (2 * l**2))


def locally_periodic(d, l, p):
    """exp(−2 sin²(πd/p)/l²) exp(−d²/2l²)"""
    return np.exp(-2 * np.sin(np.pi * d / p) ** 2 / l**2) * squared_exponential(d, l)


@dataclasses.dataclass(frozen=True)
class Problem:
    """Values are by the names that gpcv prints; all variances are 1."""

    name: str
    number: int
    truth: dict
    start: dict
    symbols: dict
    unidentified: tuple = ()  # a smooth trend over a few length scales says little about its length scale

    def covariance(self, d):
        """The true kernel at distances d."""
        total = 0.0
        if "se.l" in self.truth:
            total = total + squared_exponential(d, self.truth["se.l"])
        if "lp.l" in self.truth:
            total = total + locally_periodic(d, self.truth["lp.l"], self.truth["lp.p"])
        return total

    @property
    def families(self):
        """The kernel without values: a preset has its own."""
        return " + ".join(dict.fromkeys(name.split(".")[0] for name in self.truth))

    def kernel(self, values, held=False):
        """In gpcv's grammar, started from these values or held at them."""
        hold = ":fixed" if held else ""
        families = {}
        for name, value in values.items():
            family, parameter = name.split(".")
            families.setdefault(family, []).append(f"{parameter}={value:g}{hold}")
        return " + ".join(f"{family}({', '.join(items)}, s2=1:fixed)" for family, items in families.items())


SE = Problem("SE", 1, {"se.l": 0.5}, {"se.l": 0.9}, {"se.l": "l"})
LP = Problem("LP", 2, {"lp.l": 0.5, "lp.p": 1.0}, {"lp.l": 0.9, "lp.p": 1.5}, {"lp.l": "l", "lp.p": "p"})
SE_LP = Problem("SE+LP", 3, {"se.l": 3.0, "lp.l": 1.0, "lp.p": 2.0}, {"se.l": 4.0, "lp.l": 1.5, "lp.p": 2.5},
                {"se.l": "l₁", "lp.l": "l₂", "lp.p": "p"}, ("se.l",))
PROBLEMS = {problem.name: problem for problem in (SE, LP, SE_LP)}


def span(n):
    """Inputs lie in [0, 10] for up to 500 rows, in [0, 20] beyond."""
    return 10.0 if n <= 500 else 20.0
