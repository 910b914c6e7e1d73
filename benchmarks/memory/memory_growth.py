"""Peak memory of `gpcv fit` without a stored matrix, by number of rows, and its slope on log-log axes.

    python3 benchmarks/memory/memory_growth.py build/release/bin/gpcv [n …]
"""
import json
import math
import pathlib
import random
import subprocess
import sys
import tempfile


def main(command, sizes):
    random.seed(1)
    results = []
    with tempfile.TemporaryDirectory() as folder:
        data = pathlib.Path(folder) / "data.csv"
        for n in sizes:
            with open(data, "w") as file:
                file.write("a,b,c,d,y\n")
                for _ in range(n):
                    x = [random.gauss(0, 1) for _ in range(4)]
                    y = math.sin(x[0]) + math.cos(x[1] * x[2]) + 0.3 * random.gauss(0, 1)
                    file.write(",".join(f"{v:.6f}" for v in [*x, y]) + "\n")
            out = subprocess.run(
                [command, "fit", data, "--target", "y", "--kernel", "se(l=1.5:fixed, s2=1:fixed)", "--noise", "0.1:fixed",
                 "--solver", "cg", "--precision", "mixed", "--rank", "300", "--json", "-o", pathlib.Path(folder) / "m.h5"],
                check=True, capture_output=True, text=True).stdout
            fit = json.loads(out)
            results.append((n, fit["peak_rss_bytes"]))
            print(f"n = {n:>6}: peak {fit['peak_rss_bytes'] / 2**20:7.0f} MiB, planned {fit['planned_bytes'] / 2**20:7.0f} MiB, "
                  f"{fit['seconds']['total']:6.1f} s, cv rmse {fit['cv_rmse']:.4f}", flush=True)
    (n0, m0), (n1, m1) = results[0], results[-1]
    print(f"slope {math.log(m1 / m0) / math.log(n1 / n0):.2f}")


main(sys.argv[1], [int(n) for n in sys.argv[2:]] or [10_000, 20_000, 40_000, 80_000])
