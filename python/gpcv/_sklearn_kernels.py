"""Translation of scikit-learn's kernels."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from sklearn.gaussian_process import kernels as sk

from ._core import Kernel

_ANYTHING = (1e-5, 1e5)  # scikit-learn's default bounds, which mean that the user has given none


def translate(kernel: sk.Kernel, n_features: int) -> tuple[Kernel, str | None]:
    """Translate a covariance to a :class:`gpcv.Kernel`, and its white noise to a setting.

    Values become start values in the units of the data; "fixed" and given bounds are kept. Without a ``WhiteKernel``
    training chooses the noise.
    """
    terms, noise, held = [], 0.0, False
    for term in _terms(kernel):
        level = _white(term)
        if level is None:
            terms.append(_product(term, n_features))
            continue
        noise += level[0]
        held = held or level[1]
    if not terms:
        raise ValueError("the kernel consists of white noise only")
    return Kernel(" + ".join(terms)), f"{noise!r}{':fixed' if held else ''}" if noise > 0 else None


def _flat(kernel: Any, operator: Any) -> list[Any]:
    """Operands of nested sums, or of nested products."""
    if isinstance(kernel, operator):
        return _flat(kernel.k1, operator) + _flat(kernel.k2, operator)
    return [kernel]


def _white(term: sk.Kernel) -> tuple[float, bool] | None:
    """Level of a white kernel, possibly times constants, and whether it is fixed."""
    factors = _flat(term, sk.Product)
    white = [f for f in factors if isinstance(f, sk.WhiteKernel)]
    if not white:
        return None
    others = [f for f in factors if f not in white]
    if len(white) > 1 or not all(isinstance(f, sk.ConstantKernel) for f in others):
        raise ValueError(f"a product of white noise and another kernel cannot be translated: {term}")
    level = float(white[0].noise_level) * math.prod(float(f.constant_value) for f in others)
    return level, all(_held(f) for f in factors)


def _held(kernel: sk.Kernel) -> bool:
    return all(h.fixed for h in kernel.hyperparameters)


def _number(value: float, bounds: Any) -> str:
    text = repr(float(value))
    if isinstance(bounds, str):  # "fixed"
        return text + ":fixed"
    lower, upper = (float(b) for b in np.ravel(bounds))
    return text if (lower, upper) == _ANYTHING else f"{text} in [{lower!r},{upper!r}]"


def _lengths(kernel: Any) -> str:
    values, bounds = np.atleast_1d(kernel.length_scale), kernel.length_scale_bounds
    if np.ndim(kernel.length_scale) == 0:
        return _number(values[0], bounds)
    common = isinstance(bounds, str) or np.ndim(bounds) < 2 or len(bounds) == 1
    each = [bounds] * len(values) if common else list(bounds)
    return "[" + ",".join(_number(v, b) for v, b in zip(values, each)) + "]"


def _product(term: sk.Kernel, n_features: int) -> str:
    factors = _flat(term, sk.Product)
    constants = [f for f in factors if isinstance(f, sk.ConstantKernel)]
    others = [f for f in factors if f not in constants]
    scale = "1.0:fixed"  # kernels of scikit-learn without a constant have variance 1
    if len(constants) == 1:
        scale = _number(constants[0].constant_value, constants[0].constant_value_bounds)
    elif constants:
        value = math.prod(float(f.constant_value) for f in constants)
        scale = repr(value) + (":fixed" if all(_held(f) for f in constants) else "")
    if not others:
        return f"const(s2={scale})"
    texts, taken = [], False
    for factor in others:
        terms = _terms(factor)
        if len(terms) > 1:
            texts.append("(" + " + ".join(_product(t, n_features) for t in terms) + ")")
        else:
            texts.append(_leaf(factor, n_features, "1.0:fixed" if taken else scale))
            taken = True
    if not taken and (constants or len(others) > 1):
        texts.insert(0, f"const(s2={scale})")
    return " * ".join(texts)


def _terms(kernel: sk.Kernel) -> list[sk.Kernel]:
    """Summands of a kernel; σ₀² + x·x' counts as two."""
    terms: list[sk.Kernel] = []
    for term in _flat(kernel, sk.Sum):
        if isinstance(term, sk.DotProduct) and not isinstance(term, _Linear):
            bounds = term.sigma_0_bounds
            squared = bounds if isinstance(bounds, str) or tuple(bounds) == _ANYTHING else np.square(bounds)
            terms += [sk.ConstantKernel(term.sigma_0**2, squared), _Linear()]
        else:
            terms.append(term)
    return terms


class _Linear(sk.DotProduct):
    """The linear kernel x·x' without σ₀²."""


def _leaf(kernel: sk.Kernel, n_features: int, scale: str) -> str:
    s2 = f"s2={scale}"
    if isinstance(kernel, _Linear):
        return f"linear({s2})"
    if isinstance(kernel, sk.Matern):  # before RBF, which it inherits from
        names = {0.5: "matern12", 1.5: "matern32", 2.5: "matern52", math.inf: "se"}
        if kernel.nu not in names:
            raise ValueError(f"Matern with nu={kernel.nu} cannot be translated: nu must be 0.5, 1.5, 2.5 or inf")
        return f"{names[kernel.nu]}(l={_lengths(kernel)}, {s2})"
    if isinstance(kernel, sk.RBF):
        return f"se(l={_lengths(kernel)}, {s2})"
    if isinstance(kernel, sk.RationalQuadratic):
        alpha = _number(kernel.alpha, kernel.alpha_bounds)
        return f"rq(l={_lengths(kernel)}, alpha={alpha}, {s2})"
    if isinstance(kernel, sk.ExpSineSquared):
        if n_features > 1:
            raise ValueError("ExpSineSquared of a distance in several features cannot be translated: "
                             "use gpcv.periodic(on=[…])")
        period = _number(kernel.periodicity, kernel.periodicity_bounds)
        return f"periodic(l={_lengths(kernel)}, p={period}, {s2})"
    raise ValueError(f"{type(kernel).__name__} cannot be translated: use a kernel of gpcv, "
                     "for example gpcv.se(ard=True)")
