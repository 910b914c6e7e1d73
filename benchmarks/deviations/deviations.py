"""Deviations by neighbours beside the exact ones, and the time they take.

    python3 benchmarks/deviations/deviations.py [--gpcv PATH] [--data ../shared/data/uci] [--rows 6000] [--only smooth,…]

The kernel of each table is trained on 1500 of its rows and held for the model of all rows. Printed are the neighbours that
`--variance auto` chooses, the excess of the deviation over that of `--variance exact` at 200 new rows (mean, 95 %
quantile, largest, in percent; the last column is the mean for the function without the noise), and the user seconds for
1000 rows among `--new` new ones.
"""
import argparse
import gzip
import json
import pathlib
import re
import resource
import subprocess
import sys
import tempfile

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
EXACT_ROWS, TRAINED_ROWS = 200, 1500


def uci(name):
    def make(data, rows, random):
        with gzip.open(data / name / "data.csv.gz") as stream:
            values = np.loadtxt(stream, delimiter=",")
        return values[random.permutation(len(values))[:rows]]

    return make


def generated(inputs, function, noise):
    def make(_, rows, random):
        x = random.uniform(0, 1, (rows, inputs))
        return np.column_stack([x, function(x) + noise * random.standard_normal(rows)])

    return make


def additive(x):
    return sum(np.sin((2 + j) * x[:, j]) for j in range(9))


TABLES = {
    "kin40k": ("se(ard)", uci("kin40k")),
    "protein": ("matern32(ard)", uci("protein")),
    "smooth": ("se(ard)", generated(2, lambda x: np.sin(3 * x[:, 0]) + np.cos(2 * x[:, 1]), 0.2)),
    "fine": ("matern52", generated(1, lambda x: np.sin(800 * x[:, 0]) + x[:, 0], 0.2)),
    "additive": ("se(ard)", generated(9, additive, 0.3)),
    "periodic": ("se * periodic", generated(1, lambda x: np.sin(60 * x[:, 0]) * x[:, 0], 0.2)),
}


def run(command, arguments):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run([command, *map(str, arguments)], capture_output=True, text=True, check=False)
    if done.returncode > 1:
        sys.exit(f"deviations: gpcv {arguments[0]}: {done.stderr}")
    return done, resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def fit(o, table, kernel, noise, model, *more):
    held = ["--noise", f"{noise}:fixed"] if noise else []
    done, _ = run(o.gpcv, ["fit", table, "--target", "-1", "--kernel", kernel, *held, "--criterion", "squared", "--assess",
                           "inner", "--restarts", 1, "--json", "-o", model, *more])
    return json.loads(done.stdout)


def held(kernel):
    """The kernel with every number held at its value."""
    number = r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?"
    text = re.sub(rf"\[([^]]*)\]", lambda m: "[" + re.sub(number, r"\g<0>:fixed", m[1]) + "]", kernel)
    return re.sub(rf"=({number})(?=[,)])", r"=\1:fixed", text)


def deviations(o, model, table, folder, *more):
    output = folder / "predictions.csv"
    done, seconds = run(o.gpcv, ["predict", model, table, "-o", output, *more])
    return np.loadtxt(output, delimiter=",", skiprows=1, ndmin=2)[:, 1], seconds, done.stderr


def measure(o, name, folder):
    kernel, make = TABLES[name]
    values = make(o.data, o.rows + o.new, np.random.default_rng(0))
    paths = {key: folder / f"{name}_{key}.csv" for key in ("part", "all", "new", "few")}
    new = values[o.rows:]
    for key, part in (("part", values[:TRAINED_ROWS]), ("all", values[:o.rows]), ("new", new), ("few", new[:EXACT_ROWS])):
        np.savetxt(paths[key], part, delimiter=",", fmt="%.9g")
    model = folder / f"{name}.h5"
    trained = fit(o, paths["part"], kernel, None, model)
    fit(o, paths["all"], held(trained["kernel"]), trained["noise"], model)
    near, seconds, said = deviations(o, model, paths["new"], folder)
    found = re.search(r"from the (\d+)", said)
    exact, _, _ = deviations(o, model, paths["few"], folder, "--variance", "exact")
    excess = 100 * (near[:EXACT_ROWS] / exact - 1)
    latent, _, _ = deviations(o, model, paths["few"], folder, "--latent")
    latent_exact, _, _ = deviations(o, model, paths["few"], folder, "--latent", "--variance", "exact")
    print(f"{name:<9} {o.rows:>6} {found[1] if found else 'exact':>6} {excess.mean():>7.2f} "
          f"{np.quantile(excess, 0.95):>7.2f} {excess.max():>7.2f} {1000 * seconds / len(new):>8.2f} "
          f"{100 * np.mean(latent / latent_exact - 1):>8.2f}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--gpcv", type=pathlib.Path, default=ROOT / "build/release/bin/gpcv",
                        help="the gpcv command (default: %(default)s)")
    parser.add_argument("--data", type=pathlib.Path, default=ROOT.parent / "shared/data/uci",
                        help="folder with the UCI sets (default: %(default)s)")
    parser.add_argument("--rows", type=int, default=6000, help="training rows (default: %(default)s)")
    parser.add_argument("--new", type=int, default=2000, help="rows to predict (default: %(default)s)")
    parser.add_argument("--only", default=",".join(TABLES), help="tables, separated by commas (default: all)")
    o = parser.parse_args()
    print("table       rows chosen  mean %   95 %   max %   s/1000  latent %")
    with tempfile.TemporaryDirectory() as folder:
        for name in o.only.split(","):
            measure(o, name, pathlib.Path(folder))


if __name__ == "__main__":
    main()
