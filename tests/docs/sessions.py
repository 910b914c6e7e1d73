"""Runs the blocks of a page: one shell, one Python and one R per page, which remember what earlier blocks have made, and
a program for each block of C++."""
from __future__ import annotations

import os
import subprocess

from pathlib import Path

END = "end-of-block"

# Both run the file whose name they read, show the value of a last expression as a notebook does, and say how it went.
PYTHON = f"""
import ast, sys, traceback
names = {{"__name__": "__main__"}}
for line in sys.stdin:
    status = 0
    try:
        tree = ast.parse(open(line.strip()).read())
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, "page", "exec"), names)
        if last is not None:
            exec(compile(ast.Interactive([last]), "page", "single"), names)
    except BaseException as error:
        status = 1
        traceback.print_exc(limit=0)
    sys.stdout.flush()
    sys.stderr.flush()
    print(f"\\n{END} {{status}}", flush=True)
"""
R = f"""
options(warn = 1, width = 120)
input <- file("stdin", "r")
while (length(line <- readLines(input, 1)) > 0) {{
  status <- 0
  tryCatch(source(line, echo = FALSE, print.eval = TRUE), error = function(e) {{
    cat("Error: ", conditionMessage(e), "\\n", sep = "")
    status <<- 1
  }})
  cat("\\n{END} ", status, "\\n", sep = "")
}}
"""


class Session:
    """A process that reads one line per block and prints the end of each."""

    def __init__(self, words: list[str], folder: Path, environment: dict[str, str]) -> None:
        self.process = subprocess.Popen(words, cwd=folder, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.STDOUT, text=True)

    def run(self, line: str) -> tuple[int, list[str]]:
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        lines: list[str] = []
        for text in self.process.stdout:
            if text.startswith(END):
                return int(text.split()[1]), [printed for printed in lines if printed]
            lines.append(text.rstrip())
        raise RuntimeError(f"{self.process.args[0]} ended:\n" + "\n".join(lines))

    def close(self) -> None:
        assert self.process.stdin
        self.process.stdin.close()
        self.process.wait()


class Sessions:
    """Everything that runs the blocks of one page, in a folder of its own."""

    def __init__(self, folder: Path, command: Path, python: str) -> None:
        self.folder, self.python = folder, python
        tools = folder / ".tools"
        tools.mkdir()
        (tools / "gpcv").symlink_to(command)
        self.environment = dict(os.environ, PATH=f"{tools}:{os.environ['PATH']}", LC_ALL="C.UTF-8", MPLBACKEND="Agg")
        self.open: dict[str, Session] = {}
        self.written = 0

    def run(self, language: str, text: str) -> tuple[int, list[str]]:
        """Exit status and printed lines."""
        if language == "sh":
            return self._session("sh").run(f"{{ {text}\n}} </dev/null\nstatus=$?; echo; echo {END} $status")
        self.written += 1
        path = self.folder / f".block{self.written}.{language}"
        path.write_text(as_program(text) if language == "cpp" else text + "\n")
        return self._program(path) if language == "cpp" else self._session(language).run(path.name)

    def _session(self, language: str) -> Session:
        if language not in self.open:
            words = {"sh": ["bash"], "python": [self.python, "-c", PYTHON],
                     "r": ["Rscript", "--no-save", "-e", R]}[language]
            self.open[language] = Session(words, self.folder, self.environment)
        return self.open[language]

    def _program(self, source: Path) -> tuple[int, list[str]]:
        """Compiles against the gpcv that pkg-config finds, and runs."""
        flags, libraries = (subprocess.run(["pkg-config", *wanted, "gpcv"], text=True, capture_output=True, check=True).stdout.strip()
                            for wanted in (("--cflags", "--libs"), ("--variable=libdir",)))
        compiler = f"{self.environment.get('CMAKE_CXX_COMPILER_LAUNCHER', '')} g++"
        script = (f"{compiler} -std=c++20 -O1 -Wall -Wextra -Werror {flags} -c {source.name} -o program.o && "
                  f"g++ program.o {flags} -Wl,-rpath,{libraries} -o program && ./program")
        done = subprocess.run(["bash", "-c", script], cwd=self.folder, env=self.environment, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT)
        return done.returncode, [line.rstrip() for line in done.stdout.splitlines() if line.strip()]

    def close(self) -> None:
        for session in self.open.values():
            session.close()


def as_program(text: str) -> str:
    """A block of C++ that has no main is the includes and the inside of it."""
    if "int main(" in text:
        return text + "\n"
    lines = text.splitlines()
    includes = [line for line in lines if line.startswith("#include")]
    return "\n".join([*includes, "int main() {", *(line for line in lines if line not in includes), "}", ""])



