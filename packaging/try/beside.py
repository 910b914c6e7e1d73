"""gpcv in one process with numpy, scipy, scikit-learn, and PyTorch where it is installed: in each order of imports the
results are equal, nothing waits for ever, and threads and forked processes work.

    python beside.py            runs every order in a process of its own
    python beside.py gpcv torch runs one order and prints the results
"""
import concurrent.futures
import importlib.util
import json
import multiprocessing
import os
import subprocess
import sys

SECONDS = 300


def others():
    """What computes beside gpcv, each with its own BLAS and OpenMP."""
    return [name for name in ("numpy", "scipy", "sklearn", "torch", "h5py") if importlib.util.find_spec(name)]


def fitted(seed=0):
    """Root mean square error, noise and a prediction of one fit, which uses BLAS, OpenMP and gpcv's own threads."""
    import numpy as np

    import gpcv

    rng = np.random.default_rng(seed)
    X = rng.uniform(-2, 2, (400, 2))
    y = np.sin(2 * X[:, 0]) * X[:, 1] + 0.1 * rng.normal(size=400)
    model = gpcv.GPRegressor(kernel="se(ard)", assess="inner", threads=2).fit(X, y)
    return [float(model.cv_results_["rmse"]), float(model.noise_std_), float(model.predict(X[:1])[0])]


def busy_others():
    """Work of the other libraries on their threads; a number to compare."""
    import numpy as np

    a = np.random.default_rng(1).normal(size=(600, 600))
    total = [float(np.abs(a @ a).sum())]
    if "scipy" in sys.modules:
        from scipy.linalg import cholesky

        total.append(float(np.trace(cholesky(a @ a.T + 600 * np.eye(600)))))
    if "sklearn" in sys.modules:
        from sklearn.cluster import KMeans  # OpenMP

        total.append(float(KMeans(4, n_init=2, random_state=0).fit(a[:, :3]).inertia_))
    if "torch" in sys.modules:
        import torch

        total.append(float((torch.from_numpy(a) @ torch.from_numpy(a)).abs().sum()))
    if "h5py" in sys.modules:
        import h5py

        with h5py.File("memory", "w", driver="core", backing_store=False) as file:
            file["a"] = a
            total.append(float(file["a"][0, 0]))
    return total


def one_order(names):
    """Import in this order, then compute alone, in turns, in threads and in forked processes."""
    for name in names:
        importlib.import_module(name)
    results = {"alone": fitted(), "others": busy_others(), "after the others": fitted()}
    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        waiting = [pool.submit(fitted), pool.submit(busy_others), pool.submit(fitted)]
        first, beside, second = (each.result(timeout=SECONDS) for each in waiting)
    results["two threads"], results["others in a thread"], results["second"] = first, beside, second
    # scikit-learn's libgomp does not survive a fork after its own use, so the child computes with gpcv alone.
    with multiprocessing.get_context("fork").Pool(2) as pool:
        results["forked"] = pool.map_async(fitted, [0, 0]).get(timeout=SECONDS)[1]
    return results


def main():
    """Run all orders and compare."""
    names = others()
    orders = [["gpcv", *names], [*names, "gpcv"], ["gpcv", *reversed(names)], [*reversed(names), "gpcv"]]
    expected = None
    for order in orders:
        run = subprocess.run([sys.executable, __file__, *order], capture_output=True, text=True, timeout=4 * SECONDS, check=False)
        if run.returncode != 0:
            sys.exit(f"{' '.join(order)}: exit code {run.returncode}\n{run.stderr[-3000:]}")
        results = json.loads(run.stdout.splitlines()[-1])
        fits = [results[key] for key in ("alone", "after the others", "two threads", "second", "forked")]
        expected = expected or (fits[0], results["others"])
        for values, wanted, tolerance in [*((fit, expected[0], 1e-9) for fit in fits),
                                          (results["others"], expected[1], 1e-9), (results["others in a thread"], expected[1], 1e-9)]:
            if any(abs(value - right) > tolerance * abs(right) for value, right in zip(values, wanted)):
                sys.exit(f"{' '.join(order)}: {results} differ from {expected}")
        print(f"{' '.join(order)}: equal")
    print(f"gpcv beside {', '.join(names)} on {os.cpu_count()} cores: every order of imports works")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print(json.dumps(one_order(sys.argv[1:])))
    else:
        main()
