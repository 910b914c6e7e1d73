"""kills.py GPCV [--count N] [--seed S]: ends fit, predict, cv and report N times each by SIGKILL, SIGTERM or SIGINT at random
moments.

After each end the output is the file that was there before, or a complete new one, and the folder has no other file.
What was found is printed, one line for each command; the exit code is 1 when anything was lost."""
import argparse
import math
import pathlib
import random
import signal
import subprocess
import tempfile
import time

ROWS = 120
LIMIT = 120  # seconds after which a program counts as one that does not end


def write_table(path, draw):
    lines = ["a,b,y"]
    for _ in range(ROWS):
        a, b = draw.uniform(-2, 2), draw.uniform(-2, 2)
        lines.append(f"{a:.6f},{b:.6f},{math.sin(2 * a) + b + draw.gauss(0, 0.1):.6f}")
    path.write_text("\n".join(lines) + "\n")


def is_table(path):
    """A header and a line for every row, with as many cells as the header has names."""
    lines = path.read_text().split("\n")
    return len(lines) == ROWS + 2 and lines[-1] == "" and len({line.count(",") for line in lines[:-1]}) == 1


class Kills:
    def __init__(self, program, folder, draw):
        self.program, self.folder, self.draw = program, folder, draw
        self.data, self.model = folder / "data.csv", folder / "model.h5"
        write_table(self.data, draw)
        self.run("fit", self.data, "--target", "y", "--kernel", "matern32", "--assess", "inner", "-o", self.model)
        training = ("--target", "y", "--kernel", "se", "--assess", "inner", "--quiet")
        self.cases = {
            "fit": (["fit", self.data, *training], "new.h5", self.is_model),
            "predict": (["predict", self.model, self.data], "rows.csv", is_table),
            "cv": (["cv", self.data, *training], "held.csv", is_table),
            "report": (["report", self.model], "page.html", self.is_page),
        }

    def run(self, *arguments):
        return subprocess.run([self.program, *map(str, arguments)], capture_output=True, check=True, timeout=LIMIT)

    def is_model(self, path):
        try:
            self.run("predict", path, self.data, "--mean-only")
        except subprocess.CalledProcessError:
            return False
        return True

    @staticmethod
    def is_page(path):
        return path.read_text().rstrip().endswith("</html>")

    def kill(self, name, count):
        """Counts by outcome; `lost` is what must not happen."""
        command, output, is_whole = self.cases[name]
        path = self.folder / output
        self.run(*command, "-o", path)  # once, so that the next run is timed with the program in memory
        old = self.model.read_bytes() if name == "fit" else b"an earlier file"
        began = time.monotonic()
        self.run(*command, "-o", path)
        whole = time.monotonic() - began
        others = {entry.name for entry in self.folder.iterdir()} - {output}
        found = {"old": 0, "new": 0, "lost": 0, "left": 0}
        for trial in range(count):
            path.write_bytes(old)
            with subprocess.Popen([self.program, *map(str, command), "-o", str(path)], stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL) as process:
                time.sleep(self.draw.uniform(0, 1.5 * whole))
                process.send_signal((signal.SIGKILL, signal.SIGTERM, signal.SIGINT)[trial % 3])
                process.wait(timeout=LIMIT)
            if not path.exists():
                found["lost"] += 1
            elif path.read_bytes() == old:
                found["old"] += 1
            else:
                found["new" if is_whole(path) else "lost"] += 1
            for entry in {entry.name for entry in self.folder.iterdir()} - others - {output}:
                found["left"] += 1
                (self.folder / entry).unlink()
        return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--count", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    good = True
    with tempfile.TemporaryDirectory() as folder:
        kills = Kills(str(pathlib.Path(options.program).resolve()), pathlib.Path(folder), random.Random(options.seed))
        for name in kills.cases:
            found = kills.kill(name, options.count)
            good = good and found["lost"] == found["left"] == 0
            print(f"{name}: {options.count} kills; the old file {found['old']} times, a complete new one {found['new']} "
                  f"times, neither {found['lost']} times, temporary files left {found['left']}", flush=True)
    return 0 if good else 1


if __name__ == "__main__":
    raise SystemExit(main())
