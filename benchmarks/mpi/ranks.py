"""Some ranks of one thread against one rank of one thread, and against one process that knows nothing of ranks.

    python3 benchmarks/mpi/ranks.py [--rows 20000] [--inputs 8] [--folds 5] [--ranks 1,2] [--repeats 3] [--steps 1]
                                    [--parallel rows|folds] [--command gpcv]

A smooth function with noise; one Gauss-Newton step at each of the nested sizes, from the same values (`--steps 0`: a whole
fit as a user would ask for it), so that every run does the same work to the last bit. Runs alternate; ratios are of the
best of each kind. Seconds are the command's own, of everything but the launcher's start and end (two seconds of mpirun's
after the exit code 1 of a training cut short). `communication` is the part of rank 0's time spent in MPI, waiting for the
other ranks included.
"""
import argparse
import json
import math
import os
import pathlib
import random
import subprocess
import tempfile

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


def measure(command, ranks, arguments):
    launcher = ["mpirun", "-n", str(ranks)] if ranks > 0 else []
    done = subprocess.run(launcher + [command] + arguments, env={**os.environ, **ENVIRONMENT}, capture_output=True, text=True)
    if done.returncode > 1:
        raise SystemExit(done.stderr)
    return json.loads(done.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=20000)
    parser.add_argument("--inputs", type=int, default=8)
    parser.add_argument("--folds", default="5")
    parser.add_argument("--ranks", default="1,2")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--steps", type=int, default=1)
    parser.add_argument("--parallel", default="rows")
    parser.add_argument("--command", default=str(ROOT / "build" / "release" / "bin" / "gpcv"))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        table = os.path.join(folder, "table.csv")
        write_table(table, options.rows, options.inputs)
        arguments = ["fit", table, "--target", "y", "--threads", "1", "--folds", options.folds, "--restarts", "1", "--json",
                     "--kernel", "se(ard)", "--assess", "inner"]
        if options.steps > 0:
            arguments += ["--start", "median", "--solver", "cg", "--max-iterations", str(options.steps)]
        first, best = None, {}
        print("ranks | seconds | communication | same bits")
        for _ in range(options.repeats):
            for ranks in [0] + [int(r) for r in options.ranks.split(",")]:
                found = measure(options.command, ranks, arguments + ["--parallel", options.parallel])
                first = first or found
                seconds = found["seconds"]["total"]
                print(f"{ranks or 'plain':>5} | {seconds:7.2f} | {100 * found['communication_seconds'] / seconds:11.1f} % |"
                      f" {found['parameters'] == first['parameters']}", flush=True)
                best[ranks] = min(best.get(ranks, seconds), seconds)
        for ranks, seconds in best.items():
            print(f"{ranks or 'plain'}: {seconds:.2f} s, {best.get(1, best[0]) / seconds:.2f} x the speed of one rank")


if __name__ == "__main__":
    main()
