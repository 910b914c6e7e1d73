"""Covariance functions as objects. Each object is equivalent to a line of text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Union

from ._core import Kernel

__all__ = [
    "Kernel", "Parameter", "bounded", "const", "fixed", "linear", "lp", "matern12", "matern32", "matern52",
    "periodic", "rq", "se", "tied",
]


class Parameter:
    """A parameter of a kernel: its start value and its constraints.

    Parameters
    ----------
    value : float
        Start value, positive, in standardised units unless the estimator has ``standardize=False``.
    fixed : bool
        Whether training keeps the value.
    bounds : (float, float), optional
        Lower and upper bound of the value in training.
    tie : str, optional
        Name of a tie; parameters with the same name have one value.
    """

    __slots__ = ("value", "fixed", "bounds", "tie")

    def __init__(self, value: float, *, fixed: bool = False, bounds: tuple[float, float] | None = None,
                 tie: str | None = None) -> None:
        self.value, self.fixed, self.bounds, self.tie = float(value), fixed, bounds, tie

    def __str__(self) -> str:
        text = repr(self.value)
        if self.tie is not None:
            text += f"@{self.tie}"
        if self.fixed:
            text += ":fixed"
        if self.bounds is not None:
            text += f" in [{float(self.bounds[0])!r},{float(self.bounds[1])!r}]"
        return text

    def __repr__(self) -> str:
        return f"gpcv.Parameter('{self}')"


Number = Union[float, Parameter]
Lengths = Union[Number, Sequence[Number]]
Features = Union[int, str, Sequence[Union[int, str]]]


def fixed(value: float) -> Parameter:
    """Fix a parameter at a value."""
    return Parameter(value, fixed=True)


def bounded(value: float, lower: float, upper: float) -> Parameter:
    """Start a parameter at a value and keep it between bounds."""
    return Parameter(value, bounds=(lower, upper))


def tied(name: str, value: float) -> Parameter:
    """Tie all parameters with this name to one value; each of them must have the same start value."""
    return Parameter(value, tie=name)


def _text(value: Lengths) -> str:
    if isinstance(value, Parameter):
        return str(value)
    if isinstance(value, Sequence):
        return "[" + ",".join(_text(v) for v in value) + "]"
    return repr(float(value))


def _column(column: int | str) -> str:
    """Feature by number or, in quotes, by name."""
    return '"' + column.replace('"', '""') + '"' if isinstance(column, str) else str(int(column))


def _leaf(name: str, ard: bool = False, on: Features | None = None, **parameters: Lengths | None) -> Kernel:
    arguments = ["ard"] if ard else []
    arguments += [f"{key}={_text(value)}" for key, value in parameters.items() if value is not None]
    if on is not None:
        columns = [on] if isinstance(on, (str, int)) else on
        arguments.append("on=[" + ",".join(_column(c) for c in columns) + "]")
    return Kernel(f"{name}({', '.join(arguments)})" if arguments else name)


def se(l: Lengths | None = None, s2: Number | None = None, *, ard: bool = False,
       on: Features | None = None) -> Kernel:
    """Squared exponential, s² exp(−r²/2), r² = Σ (x_c − x'_c)²/l_c².

    Parameters
    ----------
    l : float, Parameter or a list of them
        Length scale, or a list with one per feature. If it is not given, training chooses the start.
    s2 : float or Parameter
        Variance.
    ard : bool
        Whether each feature has its own length scale.
    on : int, str or a list of them
        Features that the kernel uses, by number or by the name of a column of the data frame; all by default. The name of
        a categorical column means all its indicators.
    """
    return _leaf("se", ard, on, l=l, s2=s2)


def matern12(l: Lengths | None = None, s2: Number | None = None, *, ard: bool = False,
             on: Features | None = None) -> Kernel:
    """Matérn with ν = 1/2, s² exp(−r): continuous, not differentiable. See :func:`se` for the arguments."""
    return _leaf("matern12", ard, on, l=l, s2=s2)


def matern32(l: Lengths | None = None, s2: Number | None = None, *, ard: bool = False,
             on: Features | None = None) -> Kernel:
    """Matérn with ν = 3/2, once differentiable. See :func:`se` for the arguments."""
    return _leaf("matern32", ard, on, l=l, s2=s2)


def matern52(l: Lengths | None = None, s2: Number | None = None, *, ard: bool = False,
             on: Features | None = None) -> Kernel:
    """Matérn with ν = 5/2, twice differentiable. See :func:`se` for the arguments."""
    return _leaf("matern52", ard, on, l=l, s2=s2)


def rq(l: Lengths | None = None, alpha: Number | None = None, s2: Number | None = None, *, ard: bool = False,
       on: Features | None = None) -> Kernel:
    """Rational quadratic, s² (1 + r²/2α)^(−α): a mixture of length scales. See :func:`se` for the arguments."""
    return _leaf("rq", ard, on, l=l, alpha=alpha, s2=s2)


def periodic(l: Lengths | None = None, p: Number | None = None, s2: Number | None = None, *, ard: bool = False,
             on: Features | None = None) -> Kernel:
    """Periodic, s² exp(−2 Σ sin²(π (x_c − x'_c)/p)/l_c²), with period p. See :func:`se` for the arguments."""
    return _leaf("periodic", ard, on, l=l, p=p, s2=s2)


def lp(l: Lengths | None = None, p: Number | None = None, s2: Number | None = None, *, ard: bool = False,
       on: Features | None = None) -> Kernel:
    """Locally periodic: periodic times squared exponential with a common length scale.

    See :func:`se` for the arguments.
    """
    return _leaf("lp", ard, on, l=l, p=p, s2=s2)


def linear(s2: Number | None = None, *, l: Lengths | None = None, ard: bool = False,
           on: Features | None = None) -> Kernel:
    """Linear, s² Σ x_c x'_c / l_c², with length scales only for ARD. See :func:`se` for the arguments."""
    return _leaf("linear", ard, on, l=l, s2=s2)


def const(s2: Number | None = None) -> Kernel:
    """Constant kernel, s²."""
    return _leaf("const", s2=s2)
