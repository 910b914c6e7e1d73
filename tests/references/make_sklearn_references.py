"""Log marginal likelihood, mean and variance from scikit-learn at fixed hyper-parameters.

    pip install scikit-learn
    python tests/references/make_sklearn_references.py > tests/references/sklearn.csv

One row per number: case, quantity, index, value. The data are formulas, so that the C++ test makes the same.
"""
import sys

import numpy as np
import sklearn
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process import kernels as k

NOISE = 0.15
CASES = {
    "se(l=0.7, s2=1.3)": (1, 1.3 * k.RBF(0.7)),
    "se(l=[0.5,2,1.1], s2=0.8)": (3, 0.8 * k.RBF([0.5, 2, 1.1])),
    "matern12(l=0.9, s2=1.1)": (2, 1.1 * k.Matern(0.9, nu=0.5)),
    "matern32(l=[0.9,0.4], s2=1.1)": (2, 1.1 * k.Matern([0.9, 0.4], nu=1.5)),
    "matern52(l=0.6, s2=2)": (2, 2.0 * k.Matern(0.6, nu=2.5)),
    "rq(l=0.8, alpha=0.6, s2=1.4)": (2, 1.4 * k.RationalQuadratic(0.8, 0.6)),
    "periodic(l=1.2, p=1.7, s2=0.9)": (1, 0.9 * k.ExpSineSquared(1.2, 1.7)),
    "linear(s2=0.5) + const(s2=0.3)": (2, 0.5 * k.DotProduct(0) + k.ConstantKernel(0.3)),
    "se(l=3, s2=1.5) + se(l=4, s2=0.7) * periodic(l=1.1, p=2, s2=1:fixed)": (
        1,
        1.5 * k.RBF(3) + 0.7 * k.RBF(4) * k.ExpSineSquared(1.1, 2),
    ),
}


def inputs(n, d, shift):
    i, c = np.meshgrid(np.arange(n), np.arange(d), indexing="ij")
    return 3 * np.sin(1.7 * i + 0.9 * c * i + 2.3 * c + shift)


def main():
    print(f"# scikit-learn {sklearn.__version__}, numpy {np.__version__}", file=sys.stderr)
    print("case,quantity,index,value")
    for number, (text, (d, kernel)) in enumerate(CASES.items()):
        x, x_test = inputs(40, d, 0.0), inputs(7, d, 0.5)
        y = np.sin(x.sum(axis=1)) + 0.3 * np.cos(3 * np.arange(40))
        model = GaussianProcessRegressor(kernel, alpha=NOISE, optimizer=None).fit(x, y)
        mean, std = model.predict(x_test, return_std=True)
        print(f"{number},likelihood,0,{float(model.log_marginal_likelihood_value_)!r}")
        for quantity, values in (("mean", mean), ("variance", std**2)):
            for index, value in enumerate(values):
                print(f"{number},{quantity},{index},{float(value)!r}")


main()
