"""Two ranks of one thread against one rank of one thread, and against one process that knows nothing of ranks.

    python3 benchmarks/mpi/ranks.py [--rows 20000] [--inputs 8] [--folds 5] [--ranks 1,2] [--repeats 1] [--command gpcv]

A smooth function with noise; one Gauss-Newton step at each of the nested sizes, from the same values, so that every run
does the same work to the last bit. Ratios of wall time and of processor time per rank: a rank that waits for another
burns its processor, so that the second is the honest one where other programs take their share of the machine.
`communication` is the part of rank 0's time spent in MPI, waiting for the other ranks included.
"""
import argparse
import json
import math
import os
import pathlib
import random
import resource
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
ENVIRONMENT = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "OMPI_MCA_hwloc_base_binding_policy": "none",
    "OMP_WAIT_POLICY": "passive",
}


def write_table(path, rows, inputs):
    draw = random.Random(1)
    waves = [([draw.gauss(0, 1) * 1.2 / (0.8 + 0.6 * i) for i in range(inputs)], draw.uniform(0, 6.3)) for _ in range(40)]
    with open(path, "w") as file:
        print(",".join([f"x{i}" for i in range(inputs)] + ["y"]), file=file)
        for _ in range(rows):
            x = [draw.gauss(0, 1) for _ in range(inputs)]
            y = sum(math.cos(sum(a * b for a, b in zip(w, x)) + phase) for w, phase in waves) / math.sqrt(20)
            print(",".join(f"{v:.9g}" for v in x + [y + 0.3 * draw.gauss(0, 1)]), file=file)


def processor_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def measure(command, ranks, arguments):
    launcher = ["mpirun", "-n", str(ranks)] if ranks > 0 else []
    before, began = processor_seconds(), time.perf_counter()
    done = subprocess.run(launcher + [command] + arguments, env={**os.environ, **ENVIRONMENT}, capture_output=True, text=True)
    wall = time.perf_counter() - began
    if done.returncode > 1:
        raise SystemExit(done.stderr)
    found = json.loads(done.stdout)
    return {"wall": wall, "processor": (processor_seconds() - before) / max(1, ranks), "found": found}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=20000)
    parser.add_argument("--inputs", type=int, default=8)
    parser.add_argument("--folds", default="5")
    parser.add_argument("--ranks", default="1,2")
    parser.add_argument("--repeats", type=int, default=1)
    parser.add_argument("--parallel", default="rows")
    parser.add_argument("--command", default=str(ROOT / "build" / "release" / "bin" / "gpcv"))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        table = os.path.join(folder, "table.csv")
        write_table(table, options.rows, options.inputs)
        arguments = ["fit", table, "--target", "y", "--threads", "1", "--folds", options.folds, "--restarts", "1",
                     "--start", "median", "--solver", "cg", "--max-iterations", "1", "--json"]
        one = None
        print("ranks |   wall s | processor s per rank | ratio wall | ratio processor | communication | same bits")
        for repeat in range(options.repeats):
            for ranks in [0] + [int(r) for r in options.ranks.split(",")]:
                extra = ["--parallel", options.parallel] if ranks > 1 else []
                run = measure(options.command, ranks, arguments + extra)
                one = one or run
                told, total = run["found"]["communication_seconds"], run["found"]["seconds"]["total"]
                print(f"{ranks or 'plain':>5} | {run['wall']:8.1f} | {run['processor']:20.1f} | {one['wall'] / run['wall']:10.2f} |"
                      f" {one['processor'] / run['processor']:15.2f} | {100 * told / total:11.1f} % |"
                      f" {run['found']['parameters'] == one['found']['parameters']}", flush=True)


if __name__ == "__main__":
    main()
