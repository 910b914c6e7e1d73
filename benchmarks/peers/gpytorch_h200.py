"""gpcv's cuda backend beside GPyTorch's exact GP on the same GPU, data and run.

    python3 benchmarks/peers/gpytorch_h200.py --command 'gpu_bundle/run gpcv' --data FOLDER [--sets kin40k,protein,smooth]
                                              [--rows 60000] [--steps 50] [--only gpcv|gpytorch]

FOLDER holds NAME_tr.csv.gz and NAME_te.csv.gz without header, the target last; "smooth" is made here: 8 inputs, noise 0.2.
GPyTorch: squared exponential with one length scale per input, Adam with step 0.1 and so many steps on the marginal
likelihood, everything else as it comes. Both predict every test row with its variance. One JSON line per method and set.
"""
import argparse
import gzip
import json
import pathlib
import shlex
import subprocess
import tempfile
import time

import numpy as np


def read(path):
    with gzip.open(path, "rt") as file:
        table = np.loadtxt(file, delimiter=",")
    return table[:, :-1], table[:, -1]


def smooth(rows, tests=1000, seed=0):
    """A smooth function of 8 inputs with noise of standard deviation 0.2."""
    rng = np.random.default_rng(seed)
    x = rng.uniform(-1, 1, (rows + tests, 8))
    f = np.sin(3 * x[:, 0]) + x[:, 1] * x[:, 2] + np.cos(2 * x[:, 3] + x[:, 4]) + 0.5 * x[:, 5] ** 2 + 0.1 * x[:, 6]
    y = f + 0.2 * rng.normal(size=len(x))
    return (x[:rows], y[:rows]), (x[rows:], f[rows:])


def load(name, folder, rows):
    if name == "smooth":
        return smooth(rows)
    return read(folder / f"{name}_tr.csv.gz"), read(folder / f"{name}_te.csv.gz")


def scores(y, mean, variance, training):
    z2 = (y - mean) ** 2 / variance
    return {"rmse_over_std": float(np.sqrt(np.mean((y - mean) ** 2)) / np.std(training)),
            "coverage95": float(np.mean(z2 < 1.96**2))}


def run_gpcv(command, train, test):
    with tempfile.TemporaryDirectory() as folder:
        np.savetxt(f"{folder}/train.csv", np.column_stack(train), delimiter=",", fmt="%.9g")
        np.savetxt(f"{folder}/test.csv", test[0], delimiter=",", fmt="%.9g")
        # Compiled kernels are kept on disk: a first small run is what a user's second run finds.
        np.savetxt(f"{folder}/small.csv", np.column_stack(train)[:5000], delimiter=",", fmt="%.9g")
        cuda = ["--backend", "cuda"]
        subprocess.run([*command, "fit", f"{folder}/small.csv", "--target", "-1", "--solver", "cg", "-o",
                        f"{folder}/small.h5", "--quiet", *cuda], check=False)
        started = time.perf_counter()
        done = subprocess.run([*command, "fit", f"{folder}/train.csv", "--target", "-1", "-o", f"{folder}/m.h5",
                               "--json", "--quiet", *cuda], check=True, capture_output=True, text=True)
        trained = time.perf_counter()
        subprocess.run([*command, "predict", f"{folder}/m.h5", f"{folder}/test.csv", "-o", f"{folder}/p.csv", *cuda],
                       check=True, capture_output=True)
        predicted = time.perf_counter()
        table = np.loadtxt(f"{folder}/p.csv", delimiter=",", skiprows=1)
    told = json.loads(done.stdout)
    keep = ("status", "column_passes", "cg_iterations", "product_seconds", "preconditioner_seconds", "seconds",
            "device_bytes")
    return {"train_s": trained - started, "predict_s": predicted - trained,
            **scores(test[1], table[:, 0], table[:, 1] ** 2, train[1]), **{k: told[k] for k in keep if k in told}}


def run_gpytorch(train, test, steps):
    import gpytorch
    import torch

    device = torch.device("cuda")

    class Exact(gpytorch.models.ExactGP):
        def __init__(self, x, y, likelihood):
            super().__init__(x, y, likelihood)
            self.mean_module = gpytorch.means.ConstantMean()
            self.covar_module = gpytorch.kernels.ScaleKernel(gpytorch.kernels.RBFKernel(ard_num_dims=x.shape[1]))

        def forward(self, x):
            return gpytorch.distributions.MultivariateNormal(self.mean_module(x), self.covar_module(x))

    centre, width = train[0].mean(0), train[0].std(0)
    level, spread = train[1].mean(), train[1].std()
    x, new = (torch.tensor((a - centre) / width, dtype=torch.float32, device=device) for a in (train[0], test[0]))
    y = torch.tensor((train[1] - level) / spread, dtype=torch.float32, device=device)
    torch.zeros(1, device=device)
    torch.cuda.synchronize()
    started = time.perf_counter()
    likelihood = gpytorch.likelihoods.GaussianLikelihood().to(device)
    model = Exact(x, y, likelihood).to(device)
    model.train()
    likelihood.train()
    optimiser = torch.optim.Adam(model.parameters(), lr=0.1)
    marginal = gpytorch.mlls.ExactMarginalLogLikelihood(likelihood, model)
    for _ in range(steps):
        optimiser.zero_grad()
        loss = -marginal(model(x), y)
        loss.backward()
        optimiser.step()
    torch.cuda.synchronize()
    trained = time.perf_counter()
    model.eval()
    likelihood.eval()
    means, variances = [], []
    with torch.no_grad():
        for part in new.split(1000):
            answer = likelihood(model(part))
            means.append(answer.mean.cpu().numpy())
            variances.append(answer.variance.cpu().numpy())
    torch.cuda.synchronize()
    predicted = time.perf_counter()
    mean, variance = np.concatenate(means) * spread + level, np.concatenate(variances) * spread**2
    return {"train_s": trained - started, "predict_s": predicted - trained,
            **scores(test[1], mean, variance, train[1]), "device_gib": torch.cuda.max_memory_allocated() / 2**30}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--command", default="gpcv")
    parser.add_argument("--data", type=pathlib.Path, default=pathlib.Path("."))
    parser.add_argument("--sets", default="kin40k,protein,smooth")
    parser.add_argument("--rows", type=int, default=60000, help="of smooth")
    parser.add_argument("--steps", type=int, default=50)
    parser.add_argument("--only", choices=("gpcv", "gpytorch"))
    o = parser.parse_args()
    for name in o.sets.split(","):
        train, test = load(name, o.data, o.rows)
        for method in ("gpcv", "gpytorch"):
            if o.only not in (None, method):
                continue
            try:
                result = run_gpcv(shlex.split(o.command), train, test) if method == "gpcv" else run_gpytorch(
                    train, test, o.steps)
            except (subprocess.CalledProcessError, RuntimeError, ImportError) as error:
                result = {"failed": str(error)[:300] + str(getattr(error, "stderr", ""))[-300:]}
            print(json.dumps({"set": name, "n": len(train[1]), "method": method, **result}), flush=True)


if __name__ == "__main__":
    main()
