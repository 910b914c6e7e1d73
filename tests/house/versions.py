"""The version of CMakeLists.txt is the one that the changelog, CITATION.cff and the pages name, and that Python's package has.

    versions.py SOURCE_FOLDER
"""
import pathlib
import re
import subprocess
import sys

source = pathlib.Path(sys.argv[1])


def text(name):
    return (source / name).read_text()


def only(pattern, name):
    found = re.findall(pattern, text(name), re.MULTILINE)
    if len(found) != 1:
        sys.exit(f"{name}: {len(found)} matches of {pattern}")
    return found[0]


version = only(r"^project\(gpcv VERSION ([\d.]+)", "CMakeLists.txt")
mistakes = []
dated = re.findall(r"^## ([\d.]+) \((\d{4}-\d\d-\d\d)\)$", text("CHANGELOG.md"), re.MULTILINE)
if version not in dict(dated) and "\n## Unreleased\n" not in text("CHANGELOG.md"):
    mistakes.append(f"CHANGELOG.md has a section neither of {version} nor of what is unreleased")
# The citation is of the last release.
for key, value in zip(("version", "date-released"), dated[0]):
    if only(rf"^{key}: (.*)$", "CITATION.cff") != value:
        mistakes.append(f"CITATION.cff: {key} is not {value}, that of the last release")
for page in ("README.md", "docs/index.md"):
    for named in re.findall(r"gpcv\d*[-_](\d+\.\d+\.\d+)", text(page)):
        if named != dated[0][0]:
            mistakes.append(f"{page}: a file of version {named}, and the last release is {dated[0][0]}")
for line in re.findall(r"^Version: (.*)$", text("r/DESCRIPTION"), re.MULTILINE):
    if line != version:
        mistakes.append(f"r/DESCRIPTION: the version is {line}")
# What a release is made by can at least be read by its shell.
for script in sorted((source / "packaging").iterdir()):
    if script.is_file() and script.read_bytes().startswith(b"#!/usr/bin/env bash"):
        checked = subprocess.run(["bash", "-n", str(script)], capture_output=True, text=True, check=False)
        mistakes += checked.stderr.splitlines()
if mistakes:
    sys.exit("\n".join(mistakes))
