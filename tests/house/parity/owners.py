"""How the page names a parameter: by itself, and by the functions other than the main one that have it."""
from __future__ import annotations


def named(owners: dict[str, list[str]], main: str) -> list[str]:
    """The text for each name; `owners` has the functions of each."""
    texts = []
    for name, functions in owners.items():
        others = [f"`{function}`" for function in functions if function != main]
        also = "also of" if len(others) < len(functions) else "of"
        texts.append(f"`{name}`" + (f" {also} {', '.join(sorted(others))}" if others else ""))
    return texts
