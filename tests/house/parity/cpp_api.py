"""The library's functions and options, read from its public headers."""
import re
from pathlib import Path

# Structs whose fields are options.
OPTIONS = re.compile(r"\w+(?:Options|Settings)|PredictionColumns|Noise")
# Classes and structs whose functions are operations.
OPERATIONS = ("Posterior",)
# Structs whose fields are results, which rows may name.
RESULTS = ("FitResult", "TrainResult", "Model", "Provenance", "Metrics", "Diagnostics", "Conformal")


def _headers(root: Path) -> str:
    text = "\n".join(path.read_text() for path in sorted((root / "include/gpcv").glob("*.hpp")))
    return re.sub(r"//[^\n]*", "", text)


def _bodies(text: str) -> list[tuple[str, str]]:
    """Name and public part of each class and struct."""
    found = []
    for start in re.finditer(r"^(?:struct|class) (?:GPCV_EXPORT )?(\w+)[^;{]*\{", text, re.MULTILINE):
        end = text.index("\n};", start.end())
        found.append((start[1], text[start.end() : end].split("\n private:")[0]))
    return found


def _statements(body: str) -> list[str]:
    """Declarations of a body, without those of functions that are defined in it."""
    found, depth, start = [], 0, 0
    for at, char in enumerate(body):
        depth += (char in "{(") - (char in "})")
        ends_function = char == "}" and depth == 0 and "(" in _without_arguments(body[start:at].split("{")[0])
        if depth == 0 and (char == ";" or ends_function):
            found += [body[start:at].strip()] if char == ";" else []
            start = at + 1
    return found


def _without_arguments(text: str) -> str:
    """Text without what angle brackets hold."""
    while re.search(r"<[^<>]*>", text):
        text = re.sub(r"<[^<>]*>", "", text)
    return text


def _fields(body: str) -> list[str]:
    """Names of the data members of a struct."""
    found = []
    for statement in _statements(body):
        kind = re.fullmatch(r"enum class \w+ \{.*\} (\w+) =.*", statement, re.DOTALL)
        declared = _without_arguments(statement.split("=")[0].split("{")[0]).split("\n")[-1]
        if kind:
            found.append(kind[1])
        elif "(" not in declared and not re.match(r"(static|friend|using|enum|public|struct|class)\b", declared):
            found += re.findall(r"(\w+)\s*$", declared.strip())
    return found


def items(root: Path) -> set[str]:
    """Names such as "fit()", "Posterior::predict()" and "FitOptions::robust"."""
    text = _headers(root)
    found = {f"{name}()" for name in re.findall(r"^(?:\[\[nodiscard\]\] )?GPCV_EXPORT [\w:<>, &*]*?(\w+)\(", text, re.MULTILINE)}
    for name, body in _bodies(text):
        if OPTIONS.fullmatch(name):
            found.update(f"{name}::{field}" for field in _fields(body))
        if name in OPERATIONS:
            found.update(f"{name}::{one}()" for one in re.findall(r"^  (?!explicit)[\w:<>&]+(?: [\w:<>&]+)* (\w+)\(", body, re.MULTILINE))
    return found


def results(root: Path) -> set[str]:
    """Fields of results, such as "Provenance::importance"."""
    return {f"{name}::{field}" for name, body in _bodies(_headers(root)) if name in RESULTS for field in _fields(body)}


def admm_settings(root: Path) -> list[str]:
    """Names of the options of the published trainers, which both packages take by name."""
    text = (root / "include/gpcv/trainer_settings.hpp").read_text()
    body = text[text.index("static void visit_admm_fields") :]
    return re.findall(r'visit\("(\w+)"', body[: body.index("\n  }")])


def bare(item: str) -> str:
    """Name of an option without its struct."""
    return "" if item.endswith("()") else item.split("::")[-1]


def shown(items_of_row: list[str]) -> list[str]:
    """Items of a row as the page shows them."""
    return [f"`{item}`" for item in items_of_row]
