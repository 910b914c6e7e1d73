"""gpcv's cuda backend beside GPyTorch's exact GP on the same GPU, data and run.

    python3 benchmarks/peers/gpytorch_h200.py --command 'gpu_bundle/run gpcv' --training 'gpu_bundle/run gpu_training'
                                              --data FOLDER [--sets kin40k,protein,smooth] [--rows 60000] [--steps 50]
                                              [--repeats 3] [--only gpcv|library|gpytorch]

FOLDER holds NAME_tr.csv.gz and NAME_te.csv.gz without header, the target last; "smooth" is made here: 8 inputs, noise 0.2.
GPyTorch: squared exponential with one length scale per input, Adam with step 0.1 and so many steps on the marginal
likelihood, everything else as it comes. Both predict every test row with its variance. One JSON line per method and set,
then one that compares them:

    train_s, predict_s  of GPyTorch from the data on the device on; of gpcv the wall clock of the two commands, which start
                        a program, read and write files; of its library from the data in memory on, in a process that has
                        done it before: medians of so many repeats after one that compiles the kernels
    start_s             what precedes GPyTorch's clock: imports, the device's context, a small problem to warm up
    ratio               (train_s + predict_s) of GPyTorch over that of the library: both warmed up
    ratio_commands      over that of the commands, with all that precedes and follows
    ratio_programs      the same with GPyTorch's start_s, so that both are whole programs
"""
import argparse
import gzip
import json
import pathlib
import shlex
import subprocess
import tempfile
import threading
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


def used_mib():
    """Device memory in use by all programs, as the driver counts it, contexts included."""
    asked = ["nvidia-smi", "--query-gpu=memory.used", "--format=csv,noheader,nounits", "--id=0"]
    return int(subprocess.run(asked, check=True, capture_output=True, text=True).stdout)


class Peak(threading.Thread):
    """The most device memory in use while it runs, above what was in use before."""

    def __enter__(self):
        self.before, self.most, self.over = used_mib(), 0, False
        self.start()
        return self

    def run(self):
        while not self.over:
            self.most = max(self.most, used_mib())
            time.sleep(0.02)

    def __exit__(self, *_):
        self.over = True
        self.join()

    def mib(self):
        return self.most - self.before


def run_gpcv(command, train, test, repeats):
    cuda = ["--backend", "cuda"]
    with tempfile.TemporaryDirectory() as folder:
        np.savetxt(f"{folder}/train.csv", np.column_stack(train), delimiter=",", fmt="%.9g")
        np.savetxt(f"{folder}/test.csv", test[0], delimiter=",", fmt="%.9g")

        def timed(*arguments):
            started = time.perf_counter()
            done = subprocess.run([*command, *arguments, *cuda], check=True, capture_output=True, text=True)
            return time.perf_counter() - started, done.stdout

        def fit():
            return timed("fit", f"{folder}/train.csv", "--target", "-1", "-o", f"{folder}/m.h5", "--json", "--quiet")

        def predict():
            return timed("predict", f"{folder}/m.h5", f"{folder}/test.csv", "-o", f"{folder}/p.csv")

        # Compiled kernels are kept on disk; the first run also tells the memory.
        with Peak() as peak:
            fit()
            predict()
        runs = [(fit(), predict()) for _ in range(repeats)]
        table = np.loadtxt(f"{folder}/p.csv", delimiter=",", skiprows=1)
    told = json.loads(runs[-1][0][1])
    keep = ("status", "column_passes", "cg_iterations", "verified_residual", "product_seconds", "preconditioner_seconds",
            "seconds")
    return {"train_s": float(np.median([f[0] for f, _ in runs])), "predict_s": float(np.median([p[0] for _, p in runs])),
            **scores(test[1], table[:, 0], table[:, 1] ** 2, train[1]), "device_gib": peak.mib() / 1024,
            **{k: told[k] for k in keep if k in told}}


def run_library(command, train, test, repeats):
    with tempfile.TemporaryDirectory() as folder:
        paths = [f"{folder}/train.csv", f"{folder}/test.csv"]
        for path, table in zip(paths, (train, test)):
            np.savetxt(path, np.column_stack(table), delimiter=",", fmt="%.9g")
        done = subprocess.run([*command, *paths, "--repeats", str(repeats)], check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


def warm_gpytorch(steps):
    """Imports, makes the context and runs a small problem; the seconds that took."""
    began = time.perf_counter()
    run_gpytorch(*smooth(2000, 100), steps)
    return time.perf_counter() - began


def run_gpytorch(train, test, steps):
    import gpytorch
    import torch

    torch.cuda.reset_peak_memory_stats()
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
    del model, likelihood, marginal, optimiser
    torch.cuda.empty_cache()
    return {"train_s": trained - started, "predict_s": predicted - trained,
            **scores(test[1], mean, variance, train[1]), "device_gib": torch.cuda.max_memory_allocated() / 2**30}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--command", default="gpcv")
    parser.add_argument("--training", default="gpu_training")
    parser.add_argument("--data", type=pathlib.Path, default=pathlib.Path("."))
    parser.add_argument("--sets", default="kin40k,protein,smooth")
    parser.add_argument("--rows", type=int, default=60000, help="of smooth")
    parser.add_argument("--steps", type=int, default=50)
    parser.add_argument("--repeats", type=int, default=3, help="of gpcv, timed, after one that is not")
    parser.add_argument("--only", choices=("gpcv", "library", "gpytorch"))
    o = parser.parse_args()
    start_s = None
    for name in o.sets.split(","):
        train, test = load(name, o.data, o.rows)
        results = {}
        for method in ("gpcv", "library", "gpytorch"):
            if o.only not in (None, method):
                continue
            try:
                if method == "gpcv":
                    result = run_gpcv(shlex.split(o.command), train, test, o.repeats)
                elif method == "library":
                    result = run_library(shlex.split(o.training), train, test, o.repeats)
                else:
                    start_s = warm_gpytorch(o.steps) if start_s is None else start_s
                    result = {"start_s": start_s, **run_gpytorch(train, test, o.steps)}
                results[method] = result
            except (subprocess.CalledProcessError, OSError, RuntimeError, ImportError) as error:
                result = {"failed": str(error)[:300] + str(getattr(error, "stderr", ""))[-300:]}
            print(json.dumps({"set": name, "n": len(train[1]), "method": method, **result}), flush=True)
        if len(results) == 3:
            commands, library, peer = (r["train_s"] + r["predict_s"] for r in results.values())
            print(json.dumps({"set": name, "ratio": peer / library, "ratio_commands": peer / commands,
                              "ratio_programs": (peer + start_s) / commands}), flush=True)


if __name__ == "__main__":
    main()
