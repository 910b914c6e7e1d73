"""Makes the search index of the site: pages of mkdocs, and the names that the C++ and Python references document.

    search.py SITE DOXYGEN_TAGS
"""
import html
import json
import re
import shutil
import sys
import xml.etree.ElementTree as xml
from pathlib import Path


def plain(text: str) -> str:
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", text)).split())


def of_python(site: Path) -> list[dict]:
    """What pdoc's own index has."""
    text = (site / "api/python/search.js").read_text()
    index = json.JSONDecoder().raw_decode(text, text.index("{", text.index("const docs = ")))[0]
    return [{"location": f"api/python/{entry['modulename'].replace('.', '/')}.html#{entry.get('qualname', '')}",
             "title": entry["fullname"], "text": plain(entry.get("doc", ""))}
            for entry in index["documentStore"]["docs"].values()]


def of_cpp(tags: Path) -> list[dict]:
    """What Doxygen's file of tags has: classes and their members, functions, enumerations."""
    found = []
    for compound in xml.parse(tags).getroot():
        if compound.get("kind") not in ("class", "struct", "namespace"):
            continue
        name = compound.findtext("name", "")
        if compound.get("kind") != "namespace":
            found.append({"location": f"api/cpp/{compound.findtext('filename')}", "title": name, "text": compound.get("kind")})
        for member in compound.findall("member"):
            place = f"api/cpp/{member.findtext('anchorfile')}#{member.findtext('anchor')}"
            text = f"{member.findtext('type', '')} {member.findtext('name')}{member.findtext('arglist', '')}"
            found.append({"location": place, "title": f"{name}::{member.findtext('name')}", "text": plain(text)})
    return found


def main() -> None:
    site, tags = map(Path, sys.argv[1:])
    pages = json.loads((site / "search/search_index.json").read_text())["docs"]
    pages += of_python(site) + of_cpp(tags)
    (site / "search/pages.js").write_text(f"const gpcv_pages = {json.dumps(pages, ensure_ascii=False)};\n")
    shutil.copyfile(Path(__file__).with_name("search.js"), site / "search/main.js")
    for unused in ("worker.js", "search_index.json"):
        (site / "search" / unused).unlink()


if __name__ == "__main__":
    main()
