"""The library names no flag of the command: its messages reach users of Python and C++ too."""
import pathlib
import re
import sys

LITERAL = re.compile(r'"(?:[^"\\\n]|\\.)*"')
FLAG = re.compile(r"(?<![\w-])--[a-z{]")
# Options of the compiler of CUDA kernels.
ALLOWED = {"src/backends/cuda/driver/compiler.cpp"}


def main(root):
    root = pathlib.Path(root)
    wrong = []
    for path in sorted(path for folder in ("src", "include") for path in (root / folder).rglob("*")):
        if path.suffix not in (".cpp", ".hpp", ".h") or str(path.relative_to(root)) in ALLOWED:
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            wrong += [f"{path}:{number}: {text}: name a Remedy instead of a flag" for text in LITERAL.findall(line)
                      if FLAG.search(text)]
    print("\n".join(wrong) or "no message of the library names a flag")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
