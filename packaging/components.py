"""What the artefacts of a release contain and need, read from what was linked, compiled and bundled.

A component is the source package of Debian, or the project of PyPI, that code came from.
"""

from __future__ import annotations

import dataclasses
import json
import pathlib
import re
import subprocess
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
LICENCES = json.loads((ROOT / "packaging/licences.json").read_text())
# Archives of packaging/dependencies whose names are not those of their source packages.
_SOURCES = {"fmt": "fmtlib", "hwy": "highway", "zstd": "libzstd", "z": "zlib", "lapacke": "lapack"}


@dataclasses.dataclass(frozen=True, order=True)
class Component:
    name: str
    version: str
    origin: str = "deb"

    @property
    def licence(self) -> str:
        if self.name not in LICENCES:
            raise SystemExit(f"components: packaging/licences.json does not have the licence of {self.name}")
        return LICENCES[self.name]

    @property
    def purl(self) -> str:
        return f"pkg:deb/debian/{self.name}@{self.version}?arch=source" if self.origin == "deb" else f"pkg:pypi/{self.name}@{self.version}"


def _output(*command: str | pathlib.Path) -> str:
    return subprocess.run([str(part) for part in command], check=True, capture_output=True, text=True).stdout


def installed(package: str, root: pathlib.Path = pathlib.Path("/")) -> Component:
    """The source package of a Debian package that is installed, here or in another root."""
    name, version = _output("dpkg-query", f"--admindir={root / 'var/lib/dpkg'}", "--show", "--showformat",
                            "${source:Package} ${source:Version}\n", package).splitlines()[0].split()
    return Component(name, version)


def _owners(files: list[str]) -> set[Component]:
    """The source packages of files of this system."""
    found = set()
    for at in range(0, len(files), 500):
        run = subprocess.run(["dpkg-query", "--search", *files[at:at + 500]], capture_output=True, text=True, check=False)
        found |= {line.split(":")[0] for line in run.stdout.splitlines() if not line.startswith("diversion")}
    return {installed(package) for package in found}


def unpacked(name: str) -> Component:
    """A source that packaging/dependencies has compiled."""
    line = (ROOT / "build/sources" / name / "debian/changelog").read_text().splitlines()[0]
    version = re.match(r"\S+ \((\S+)\)", line)
    assert version is not None
    return Component(name, version[1])


def linked(build: pathlib.Path, target: str) -> set[Component]:
    """The components of the members of archives that are in a program, by the linker's map."""
    text = (build / f"{target}.map").read_text(errors="replace")
    archives = set(re.findall(r"^(\S+\.a)\(", text[:text.index("\nMemory Configuration")], re.MULTILINE))
    found, system = set(), []
    for archive in archives:
        path = pathlib.Path(build / archive).resolve()
        if "bundled" in path.parts:
            name = path.stem.removeprefix("lib")
            found.add(unpacked(_SOURCES.get(name, name)))
        elif "old-libc" in path.parts:
            found.add(installed("libc6-dev", ROOT / "build/roots/old-libc"))
        elif path.is_relative_to("/usr"):
            system.append(str(path))
    return found | _owners(system)


def compiled(build: pathlib.Path) -> set[Component]:
    """The components whose headers were compiled, and Chart.js, which is embedded."""
    cache = (build / "CMakeCache.txt").read_text()
    chart = re.search(r"^CHART_JS_FILE:\w+=(.*)$", cache, re.MULTILINE)
    assert chart is not None
    headers = {line.strip() for line in _output("ninja", "-C", build, "-t", "deps").splitlines()}
    headers = {str(pathlib.Path(line).resolve()) for line in headers if line.startswith(("/usr/include", "/usr/lib"))}
    return _owners(sorted(headers)) | _owners([str(pathlib.Path(chart[1]).resolve())])


def pinned(name: str) -> Component:
    """A project of PyPI in the version of packaging/constraints.txt."""
    version = re.search(rf"^{name}==(\S+)", (ROOT / "packaging/constraints.txt").read_text(), re.MULTILINE)
    assert version is not None
    return Component(name, version[1], "pypi")


def of_wheel(wheel: pathlib.Path) -> set[Component]:
    """The components in a wheel: linked, compiled, and the libraries that auditwheel added."""
    build = ROOT / "build/wheel-builds" / wheel.name.split("-")[2]
    found = linked(build, "gpcv_python") | linked(build, "gpcv_command") | compiled(build) | {pinned("nanobind")}
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            library = re.match(r"gpcv\.libs/lib(\w+)", name)
            if library is not None:
                assert library[1] == "gomp", f"{wheel}: {name} comes from an unknown package"
                found.add(installed("libgomp1", ROOT / "build/roots/old-libc"))
    return found


def of_archive() -> set[Component]:
    """The components in the archive of the command."""
    return linked(ROOT / "build/portable", "gpcv_command") | compiled(ROOT / "build/portable")


def of_package(package: pathlib.Path) -> tuple[set[Component], set[Component]]:
    """The components whose headers are in a Debian package, and those that it depends on, as installed here."""
    depends = _output("dpkg-deb", "--field", package, "Depends")
    names = {entry.split("|")[0].split("(")[0].strip() for entry in depends.split(",") if entry.strip()}
    # Our own packages, and scikit-learn, which nothing needs at build time, are not of this system.
    needs = {installed(name) for name in names if "gpcv" not in name and name != "python3-sklearn"}
    binary = "-dev" not in package.name
    return compiled(ROOT / "build/debian") if binary else set(), needs
