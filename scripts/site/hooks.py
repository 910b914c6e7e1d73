"""Hooks of mkdocs: the pages of the R package, which scripts/site/r_pages.R writes into build/r_pages, become pages of the
site, and the C++ and Python references, which other programs write, are in the navigation."""
import shutil
from pathlib import Path

from mkdocs.structure.files import File
from mkdocs.structure.nav import Link

R_PAGES = Path("build/r_pages")
FOLDER = "reference/r"
OTHERS = {"C++ API": "api/cpp/index.html", "Python API": "api/python/gpcv.html"}


def _r_pages():
    return sorted((R_PAGES / FOLDER).glob("*.md"), key=lambda path: (path.stem != "gpcv-package", path.stem))


def on_config(config):
    pages = [{path.stem: f"{FOLDER}/{path.name}"} for path in _r_pages()]
    after = next(at for at, section in enumerate(config["nav"]) if "Reference" in section) + 1
    if pages:
        config["nav"].insert(after, {"R API": pages})
    return config


def on_files(files, config):
    for path in _r_pages():
        files.append(File(f"{FOLDER}/{path.name}", str(R_PAGES), config["site_dir"], False))
    return files


def on_nav(nav, config, files):
    reference = next(item for item in nav.items if item.title == "Reference")
    for title, url in OTHERS.items():
        link = Link(title, url)
        link.parent = reference
        reference.children.append(link)
    return nav


def on_post_build(config):
    """Debian's theme asks for two scripts by names that it does not have: jQuery, and one that marks tables."""
    scripts = Path(config["site_dir"]) / "js"
    jquery, tables = scripts / "jquery-3.6.0.min.js", scripts / "theme_extra.js"
    if not jquery.exists():
        shutil.copyfile(next(scripts.glob("jquery-*.min.js")), jquery)
    if not tables.exists():
        shutil.copyfile(Path(__file__).with_name("tables.js"), tables)
