"""Checks the documentation without running its code.

    check_site.py SOURCE_FOLDER [--built SITE]

Every page is in the navigation; links and their anchors exist; every picture is shown and is made by the code of a page; every
block of code in a page whose code is run has a language that is run, or says why it is not; the four tutorials take the same
steps with the same tables; tables that a program makes are those that it makes. With --built, the links and pictures of a
built site are checked as well, and that no page fetches anything from a network.
"""
from __future__ import annotations

import argparse
import re
import subprocess
import sys
import unicodedata
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

from check_guides import pages_to_run
from pages import LANGUAGES, blocks, images

TUTORIALS = [f"docs/tutorial/{name}.md" for name in ("command", "python", "r", "cpp")]
TABLES = ("data/mauna_loa_monthly.csv", "data/bricks.csv", "se(l=[1.5,3,6])")
STEPS = ("Look", "Fit", "Read", "Predict", "Judge", "Draw", "Keep")
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")
LOOKS_LIKE_CODE = re.compile(r"import gpcv|gpcv\.\w+\(|model\.\w+\(|library\(gpcv\)|\w+ <- |#include ")


def anchor(heading: str) -> str:
    """The anchor that mkdocs gives a heading."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)|[`*]", r"\1", heading)
    text = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", text).strip().lower())


def prose(text: str) -> str:
    """A page without its blocks of code."""
    return re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S)


def navigation(source: Path) -> list[str]:
    listed = re.findall(r": (\S+\.md)$", (source / "mkdocs.yml").read_text(), flags=re.M)
    pages = sorted(str(path.relative_to(source / "docs")) for path in (source / "docs").rglob("*.md"))
    return ([f"mkdocs.yml: the page {page} is not in the navigation" for page in pages if page not in listed]
            + [f"mkdocs.yml: there is no page {page}" for page in listed if page not in pages])


def links(source: Path) -> list[str]:
    wrong = []
    for page in [source / "README.md", source / "CONTRIBUTING.md", *(source / "docs").rglob("*.md")]:
        text = prose(page.read_text())
        for link in LINK.findall(text) + images(text):
            to = urlsplit(link)
            if to.scheme:
                continue
            path = (page.parent / to.path).resolve() if to.path else page
            if not path.exists():
                wrong.append(f"{page.relative_to(source)}: the link {link} leads nowhere")
            elif to.fragment and to.fragment not in map(anchor, re.findall(r"^#+ (.*)$", prose(path.read_text()), re.M)):
                wrong.append(f"{page.relative_to(source)}: there is no heading for the link {link}")
    return wrong


def pictures(source: Path) -> list[str]:
    pages = [source / "README.md", *(source / "docs").rglob("*.md")]
    shown = {Path(image).name for page in pages for image in images(page.read_text())}
    code = "\n".join(line for page in pages_to_run(source) for block in blocks(page, (source / page).read_text())
                     if block.runs() for line in block.text)
    names = {path.name for path in (source / "docs/images").iterdir()}
    return ([f"docs/images/{name}: no page shows it" for name in sorted(names - shown)]
            + [f"docs/images/{name}: no code of a page makes it" for name in sorted(names | shown) if name not in code])


def code(source: Path) -> list[str]:
    wrong = []
    for page in pages_to_run(source):
        for block in blocks(page, (source / page).read_text()):
            place = f"{page}:{block.line}"
            if not block.runs() or block.language in (*LANGUAGES, "files", "table"):
                continue
            if block.language != "sh":
                wrong.append(f"{place}: a block of '{block.language}' is not run; say why, or indent it if it is no code")
            elif not block.text[0].startswith("$ ") and any(LOOKS_LIKE_CODE.match(line) for line in block.text):
                wrong.append(f"{place}: code that is not run; put it into a fenced block with its language")
    return wrong


def tutorials(source: Path) -> list[str]:
    wrong, headings = [], {}
    for page in TUTORIALS:
        if not (source / page).exists():
            wrong.append(f"{page}: the tutorial of this front end is missing")
            continue
        text = (source / page).read_text()
        headings[page] = re.findall(r"^## (.*)$", text, flags=re.M)
        wrong += [f"{page}: the table {table} is missing" for table in TABLES if table not in text]
        for title, section in zip(headings[page], re.split(r"^## ", text, flags=re.M)[1:]):
            missing = [step for step in STEPS if not re.search(rf"(\*\*|// ){step}\b", section)]
            wrong += [f"{page}: '{title}' lacks the step {step}" for step in missing]
            wrong += [] if images(section) else [f"{page}: '{title}' shows no picture"]
    if len(set(map(tuple, headings.values()))) > 1:
        wrong.append("docs/tutorial: the pages have different sections")
    return wrong


def tables(source: Path) -> list[str]:
    wrong = []
    for program in (source / "data").glob("*.py"):
        made = subprocess.run([sys.executable, program], capture_output=True, text=True, check=True).stdout
        if made != program.with_suffix(".csv").read_text():
            wrong.append(f"data/{program.name}: it does not make {program.stem}.csv")
    return wrong


class _Page(HTMLParser):
    """Links and anchors of a page of the built site."""

    def __init__(self) -> None:
        super().__init__()
        self.links: set[str] = set()
        self.anchors: set[str] = set()
        self.fetched: set[str] = set()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        for name, value in attributes:
            if name in ("id", "name") and value:
                self.anchors.add(value)
            if name in ("href", "src") and value:
                self.links.add(value)
                if tag in ("script", "img", "link") and urlsplit(value).scheme in ("http", "https"):
                    self.fetched.add(value)


def built(site: Path) -> list[str]:
    pages = {}
    for path in site.rglob("*.html"):
        pages[path.resolve()] = page = _Page()
        page.feed(path.read_text(errors="replace"))
    wrong = []
    for path, page in pages.items():
        place = path.relative_to(site.resolve())
        wrong += [f"{place}: it fetches {url}" for url in sorted(page.fetched) if "canonical" not in url]
        for link in sorted(page.links):
            to = urlsplit(link)
            if to.scheme or to.netloc or link.startswith("javascript:") or str(place) == "404.html":
                continue
            target = (path.parent / unquote(to.path)).resolve() if to.path else path
            if not target.exists():
                wrong.append(f"{place}: the link {link} leads nowhere")
            elif "api/cpp" in target.as_posix():
                continue  # Doxygen links the list of nested classes of a class that has none in public
            elif to.fragment and target in pages and unquote(to.fragment) not in pages[target].anchors:
                wrong.append(f"{place}: the link {link} leads to no anchor")
    needed = ["api/cpp/index.html", "api/python/gpcv.html", "reference/r/gpcv.html", "search/pages.js"]
    return wrong + [f"{name} is missing" for name in needed if not (site / name).exists()]


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("source", type=Path)
    parser.add_argument("--built", type=Path)
    arguments = parser.parse_args()
    source = arguments.source.resolve()
    checks = (navigation, links, pictures, code, tutorials, tables)
    wrong = [line for check in checks for line in check(source)] + (built(arguments.built) if arguments.built else [])
    print("\n".join(wrong), end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
