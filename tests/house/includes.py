"""Includes point one way: a room sees only itself and the rooms it is allowed to; front ends see public headers alone."""
import pathlib
import re
import sys

# Each room, lowest first, with the rooms it may use.
ROOMS = {
    "core": set(),
    "data": {"core"},
    "kernels": {"core"},
    "operators": {"core", "kernels"},
    "backends": {"core", "kernels", "operators"},
    "systems": {"core", "data", "operators", "backends"},
    "solvers": {"core", "data", "kernels", "operators", "backends", "systems"},
    "problem": {"core", "data", "kernels", "backends"},
    "planning": {"core", "data", "kernels", "backends", "problem"},
    "evaluation": {"core", "data", "kernels", "operators", "backends", "systems", "solvers", "problem", "planning"},
}
ROOMS["trainers"] = set(ROOMS)
ROOMS["model"] = {"core", "data", "kernels", "problem", "trainers"}
ROOMS["prediction"] = set(ROOMS) - {"trainers"}
ROOMS["assessment"] = set(ROOMS)
ROOMS["fit"] = set(ROOMS)
ROOMS["report"] = set(ROOMS)


def main(root):
    wrong = []
    source = pathlib.Path(root) / "src"
    unknown = {p.name for p in source.iterdir() if p.is_dir()} ^ set(ROOMS)
    wrong += [f"src/{name}: this test and the folders disagree about this room" for name in sorted(unknown)]
    for path in sorted(path for path in source.rglob("*") if path.suffix in (".cpp", ".hpp", ".h")):
        room = path.relative_to(source).parts[0]
        for number, line in enumerate(path.read_text().splitlines(), 1):
            match = re.match(r'#include "([a-z_]+)/', line)
            if match and match[1] != "gpcv" and match[1] != room and match[1] not in ROOMS[room]:
                wrong.append(f"{path}:{number}: {room} may not include {match[1]}")
    for front in ("apps", "python/src", "r/src", "examples", "include"):
        for path in sorted(path for path in (pathlib.Path(root) / front).rglob("*") if path.suffix in (".cpp", ".hpp")):
            for number, line in enumerate(path.read_text().splitlines(), 1):
                match = re.match(r'#include "([a-z_]+)/', line)
                if match and match[1] in ROOMS:
                    wrong.append(f"{path}:{number}: {front} may not include {match[1]}")
    print("\n".join(wrong) or f"{len(ROOMS)} rooms, every include allowed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
