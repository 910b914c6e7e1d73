"""The R package's functions, methods, arguments and results, read from its sources: R need not be installed."""
import re
from pathlib import Path

from owners import named

# Classes of the package's objects; a method of several targets has the arguments of that of one.
CLASSES = ("gpcv", "gpcv_targets", "gpcv_info", "gpcv_check", "summary.gpcv", "formula", "default")
# Objects that a method works on, which are no options.
OBJECTS = {"object", "x", "..."}


def items(root: Path, admm: list[str]) -> set[str]:
    """Names such as "predict()", "predict.level", "gpcv.kernel" and "fit$importance". `admm` are options that gpcv_control() takes
    as further arguments."""
    text = "\n".join(path.read_text() for path in sorted((root / "r/R").glob("*.R")))
    namespace = (root / "r/NAMESPACE").read_text()
    found = set()
    for name in re.findall(r"^export\((\w+)\)", namespace, re.MULTILINE):
        found.add(f"{name}()")
        found.update(f"{name}.{one}" for one in _arguments(text, name) if one not in OBJECTS)
    for generic, of in re.findall(r"^S3method\(([\w.]+),([\w.]+)\)", namespace, re.MULTILINE):
        if of not in CLASSES:
            raise SystemExit(f"r/NAMESPACE has a method of the class '{of}', which tests/house/parity/r_api.py does not know")
        found.add(f"{generic}()")
        found.update(f"{generic}.{one}" for one in _arguments(text, f"{generic}.{of}") if one not in OBJECTS)
    if "build()$admm" not in text:
        raise SystemExit("r/R: gpcv_control() no longer takes the options of the published trainers")
    found.update(f"gpcv_control.{name}" for name in admm)
    return found | _results(text)


def _body(text: str, start: int) -> str:
    """Text between the bracket at `start` and that which closes it."""
    depth, quote = 0, ""
    for at in range(start, len(text)):
        char = text[at]
        if quote:
            quote = "" if char == quote and text[at - 1] != "\\" else quote
        elif char in "\"'":
            quote = char
        elif char in "([{":
            depth += 1
        elif char in ")]}":
            depth -= 1
            if depth == 0:
                return text[start + 1 : at]
    raise SystemExit("r/R: a bracket is not closed")


def _parts(text: str) -> list[str]:
    """Parts between the commas outside all brackets and quotes."""
    parts, depth, quote = [""], 0, ""
    for char in text:
        if quote:
            quote = "" if char == quote else quote
        elif char in "\"'":
            quote = char
        else:
            depth += (char in "([{") - (char in ")]}")
        if char == "," and depth == 0 and not quote:
            parts.append("")
        else:
            parts[-1] += char
    return [part.strip() for part in parts if part.strip()]


def _arguments(text: str, function: str) -> list[str]:
    found = re.search(rf"^{re.escape(function)} <- function(\()", text, re.MULTILINE)
    if found is None:
        raise SystemExit(f"r/R: there is no function {function}, which r/NAMESPACE names")
    return [part.split("=")[0].strip() for part in _parts(_body(text, found.start(1)))]


def _results(text: str) -> set[str]:
    """Entries of a fitted object: those of the lists in new_gpcv(), and what a training adds."""
    body = _body(text, text.index("{", text.index("new_gpcv <- function(")))
    names = [part.split("=")[0].strip() for inner in re.finditer(r"\blist\(", body)
             for part in _parts(_body(body, inner.end() - 1)) if re.match(r"\w+(\.\w+)* =", part)]
    return {f"fit${name}" for name in names} | {"fit$seconds", "fit$work"}


def bare(item: str) -> str:
    """Name of an argument without its function."""
    return "" if item.endswith("()") or "." not in item or item.startswith("fit$") else item.split(".", 1)[1]


def shown(items_of_row: list[str]) -> list[str]:
    """Items of a row as the page shows them. An argument without a function is one of gpcv()."""
    owners: dict[str, list[str]] = {}
    texts = []
    for item in items_of_row:
        if item.endswith("()") or item.startswith("fit$"):
            texts.append(f"`{item}`")
        else:
            owner, name = item.split(".", 1)
            owners.setdefault(name, []).append(owner)
    return texts + named(owners, "gpcv")
