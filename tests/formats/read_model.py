"""A model is read with h5py alone, and its mean recomputed from what docs/reference/model-file.md promises."""
import csv
import math
import pathlib
import subprocess
import sys
import tempfile

import h5py


def main(command):
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        data, model, out = folder / "data.csv", folder / "model.h5", folder / "out.csv"
        run = lambda *arguments: subprocess.run([command, *map(str, arguments)], check=True)
        run("generate", "--kernel", "se(l=1)", "--n", 60, "--seed", 3, "-o", data)
        run("fit", data, "--target", "y", "--kernel", "se(l=1:fixed, s2=1:fixed)", "--quiet", "-o", model)
        run("predict", model, data, "-o", out)

        with h5py.File(model) as f:
            x = f["training/x"][:, 0]
            weights = f["training/weights"][:]
            y_mean, y_scale = f["scaling"].attrs["y_mean"], f["scaling"].attrs["y_scale"]
            assert f.attrs["kernel"] == "se(l=1:fixed, s2=1:fixed)", f.attrs["kernel"]
            assert f.attrs["status"] == "converged"
            assert list(f["columns/features"].asstr()) == ["x"]
        with open(out) as file:
            predicted = [float(row["mean"]) for row in csv.DictReader(file)]
        for point, mean in zip(x, predicted):
            here = sum(w * math.exp(-((point - other) ** 2) / 2) for w, other in zip(weights, x))
            assert abs(y_mean + y_scale * here - mean) < 1e-9 * (1 + abs(mean))
    print(f"{len(predicted)} means recomputed from the file")


main(sys.argv[1])
