"""Includes point one way: a floor sees only itself and the floors below it."""
import pathlib
import re
import sys

FLOORS = {
    "core": set(),
    "data": {"core"},
    "kernels": {"core"},
    "operators": {"core", "data", "kernels"},
    "backends": {"core", "kernels", "operators"},
    "solvers": {"core", "data", "kernels", "operators"},
    "trainers": {"core", "data", "kernels", "operators", "solvers"},
    "posterior": {"core", "data", "kernels", "operators", "solvers", "trainers"},
    "report": {"core", "data", "kernels", "operators", "solvers", "trainers", "posterior"},
}


def main(root):
    wrong = []
    source = pathlib.Path(root) / "src"
    unknown = {p.name for p in source.iterdir() if p.is_dir()} - set(FLOORS)
    wrong += [f"src/{name}: a floor this test does not know" for name in sorted(unknown)]
    for path in sorted(path for path in source.rglob("*") if path.suffix in (".cpp", ".hpp", ".h")):
        floor = path.relative_to(source).parts[0]
        for number, line in enumerate(path.read_text().splitlines(), 1):
            match = re.match(r'#include "([a-z_]+)/', line)
            if match and match[1] != "gpcv" and match[1] != floor and match[1] not in FLOORS[floor]:
                wrong.append(f"{path}:{number}: {floor} may not include {match[1]}")
    print("\n".join(wrong) or f"{len(FLOORS)} floors, no step upwards")
    return 1 if wrong else 0


sys.exit(main(sys.argv[1]))
