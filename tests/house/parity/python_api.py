"""The Python package's functions, methods, parameters and attributes, as the built package has them."""
import inspect
import re
from typing import Any

from owners import named


def _parameters(function: Any) -> list[str]:
    kinds = (inspect.Parameter.VAR_KEYWORD, inspect.Parameter.VAR_POSITIONAL)
    return [name for name, one in inspect.signature(function).parameters.items() if name != "self" and one.kind not in kinds]


def items() -> set[str]:
    """Names such as "predict()", "predict.interval", "GPRegressor.kernel", "gpcv.load()" and "importance_"."""
    import gpcv
    import gpcv.plot
    from gpcv import _core

    found = set()
    functions = {f"gpcv.{name}": getattr(gpcv, name) for name in gpcv.__all__ if not inspect.isclass(getattr(gpcv, name))}
    functions |= {f"gpcv.plot.{name}": getattr(gpcv.plot, name) for name in gpcv.plot.__all__}
    functions |= {name: method for name, method in inspect.getmembers(gpcv.GPRegressor, inspect.isfunction)
                  if not name.startswith("_") and method.__module__.startswith("gpcv.")}
    for name, function in functions.items():
        found.add(f"{name}()")
        if inspect.isfunction(function) and function.__module__ != "gpcv._kernels":  # their arguments are those of kernels
            found.update(f"{name}.{parameter}" for parameter in _parameters(function))
    found.update(f"GPRegressor.{parameter}" for parameter in _parameters(gpcv.GPRegressor))
    found.update(f"trainer_options.{option}" for option in (*_core.admm_settings(), "period_scan"))
    classes = [name for name in gpcv.__all__ if inspect.isclass(getattr(gpcv, name))]
    found.update(f"gpcv.{name}" for name in classes)
    return found | _attributes(gpcv.GPRegressor)


def _attributes(estimator: Any) -> set[str]:
    """Attributes of a fitted estimator, which its documentation lists."""
    section = inspect.getdoc(estimator).split("Attributes\n")[1].split("Notes\n")[0]
    lines = re.findall(r"^([\w, ]+_) : ", section, re.MULTILINE)
    return {name.strip() for line in lines for name in line.split(",")}


def bare(item: str) -> str:
    """Name of a parameter without its function."""
    return "" if item.endswith("()") or "." not in item else item.split(".")[-1]


def shown(items_of_row: list[str]) -> list[str]:
    """Items of a row as the page shows them. A parameter without a function is one of GPRegressor."""
    owners: dict[str, list[str]] = {}
    texts = []
    for item in items_of_row:
        owner, _, name = item.rpartition(".")
        if owner == "trainer_options":
            texts.append(f'`trainer_options["{name}"]`')
        elif item.endswith("()") or item.endswith("_") or owner == "gpcv":
            texts.append(f"`{item}`")
        else:
            owners.setdefault(name, []).append(owner)
    return texts + named(owners, "GPRegressor")
