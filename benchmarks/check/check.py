"""Time and peak memory of `gpcv check` on a large table, beside reading the table alone.

    python3 benchmarks/check/check.py build/release/bin/gpcv build/benchmark/benchmarks/check/read_table [rows [columns]]
"""
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time


def write_table(path, rows, columns, kind):
    random.seed(1)
    with open(path, "w") as file:
        file.write(",".join(f"x{j}" for j in range(columns - 1)) + ",y\n")
        for _ in range(rows):
            row = [random.gauss(0, 1) for _ in range(columns - 1)]
            if kind == "odd":  # long tails, few distinct rows, a column twice: every part has work to do
                row = [round(value, 1) for value in row[:2]] * (columns // 2)
                row = [*row[: columns - 2], 1.0 + round(random.lognormvariate(0, 2))]
            file.write(",".join(map(repr, [*row, sum(row[:3]) + random.gauss(0, 1)])) + "\n")


def run(command):
    """Seconds and peak bytes of one process."""
    began = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 2):  # 2: a table so large may be refused for its memory
        sys.exit(f"{command}: exit code {process.returncode}")
    return time.perf_counter() - began, usage.ru_maxrss * 1024


def main(gpcv, read_table, rows=1_000_000, columns=10):
    with tempfile.TemporaryDirectory() as folder:
        for kind in ("clean", "odd"):
            data = str(pathlib.Path(folder) / f"{kind}.csv")
            write_table(data, rows, columns, kind)
            # In turn, the best of each: the machine may be busy with other work.
            turns = [(run([read_table, data, "y"]), run([gpcv, "check", data, "--target", "y"])) for _ in range(5)]
            read, check = (min(turn[k][0] for turn in turns) for k in (0, 1))
            peak = max(turn[1][1] for turn in turns)
            print(f"{kind:<5} {rows} x {columns}, {os.path.getsize(data) / 1e6:.0f} MB: read {read:.2f} s, check {check:.2f} s, "
                  f"ratio {check / read:.2f}; peak memory of check {peak / 2**20:.0f} MiB", flush=True)
            os.remove(data)


main(*sys.argv[1:3], *map(int, sys.argv[3:]))
