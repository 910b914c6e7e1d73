"""Kernels as objects, as text, and as scikit-learn says them."""
import copy
import pickle

import numpy as np
import pytest
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process import kernels as sk

import gpcv
from gpcv._sklearn_kernels import translate


def test_objects_equal_text():
    assert gpcv.se(l=3, s2=gpcv.fixed(1)) + gpcv.lp(l=1, p=2) == gpcv.Kernel("se(l=3, s2=1:fixed) + lp(l=1, p=2)")
    assert gpcv.se(ard=True) == "se(ard)"
    assert gpcv.matern52(l=[1, 2], on=[0, 2]) == "matern52(l=[1,2], on=[0,2])"
    assert gpcv.se(on="age") + gpcv.linear(on=["wind speed", 2]) == "se(on=age) + linear(on=['wind speed',2])"
    assert str(gpcv.se(on=['a "b"', "3"])) == 'se(on=["a ""b""","3"])'
    assert gpcv.se(on=1) == gpcv.se(on=np.array([1])) == "se(on=[1])"
    assert gpcv.rq(l=gpcv.bounded(0.5, 0.01, 10), alpha=2) == "rq(l=0.5 in [0.01,10], alpha=2)"
    assert (gpcv.se() + gpcv.linear()) * gpcv.const(s2=2) == "(se + linear) * const(s2=2)"
    assert gpcv.se(l=gpcv.tied("a", 0.5)) + gpcv.matern12(l=gpcv.tied("a", 0.5)) == "se(l=0.5@a) + matern12(l=@a)"
    assert "se" + gpcv.linear() == gpcv.se() + "linear"
    assert gpcv.periodic(p=2) * "se" == "periodic(p=2) * se"
    assert gpcv.se() != gpcv.matern32()
    assert gpcv.se() != 3


def test_every_family_has_a_function():
    for name in ("se", "lp", "periodic", "matern12", "matern32", "matern52", "rq", "linear", "const"):
        assert getattr(gpcv, name)() == name


def test_copies():
    kernel = (gpcv.se(ard=True) * gpcv.periodic(p=3)).bind(2)
    for other in (pickle.loads(pickle.dumps(kernel)), copy.deepcopy(kernel)):
        assert other == kernel and other.n_features == 2 and hash(other) == hash(kernel)
    assert set(kernel.parameters) >= {"se.l[0]", "se.l[1]", "periodic.p"}
    assert [str(k) for k in (gpcv.se() + gpcv.linear()).summands()] == ["se", "linear"]


def test_a_mistake_is_pointed_at():
    with pytest.raises(ValueError, match=r"\^"):
        gpcv.Kernel("se(ard")
    with pytest.raises(ValueError, match="positive"):
        gpcv.se(l=-1)


@pytest.mark.parametrize("kernel, text, noise", [
    (sk.RBF(2.0), "se(l=2, s2=1:fixed)", None),
    (3.0 * sk.RBF([1.0, 2.0]) + sk.WhiteKernel(0.1), "se(l=[1,2], s2=3)", "0.1"),
    (sk.Matern(1.5, nu=1.5, length_scale_bounds=(0.1, 5)), "matern32(l=1.5 in [0.1,5], s2=1:fixed)", None),
    (sk.ConstantKernel(4.0, "fixed") * sk.RationalQuadratic(1.0, 0.5), "rq(l=1, alpha=0.5, s2=4:fixed)", None),
    (2.0 * sk.RBF(1.0) * sk.RBF(3.0, "fixed"), "se(l=1, s2=2) * se(l=3:fixed, s2=1:fixed)", None),
    (sk.RBF(1.0) + sk.WhiteKernel(0.5, "fixed"), "se(l=1, s2=1:fixed)", "0.5:fixed"),
    (sk.RBF(1.0) + 2.0 * sk.WhiteKernel(0.5), "se(l=1, s2=1:fixed)", "1.0"),
    (sk.DotProduct(2.0) + sk.RBF(1.0), "const(s2=4) + linear(s2=1:fixed) + se(l=1, s2=1:fixed)", None),
    (2.0 * (sk.RBF(1.0) + sk.ConstantKernel(3.0)), "const(s2=2) * (se(l=1, s2=1:fixed) + const(s2=3))", None),
])
def test_translation(kernel, text, noise):
    found, white = translate(kernel, 2)
    assert found == text and white == noise


@pytest.mark.parametrize("kernel", [
    2.0 * sk.RBF(0.7) + 0.5 * sk.Matern(2.0, nu=2.5),
    sk.ConstantKernel(1.5) * sk.ExpSineSquared(1.3, 2.0),
    2.0 * sk.RationalQuadratic(1.2, 0.8) * sk.RBF(3.0) + sk.DotProduct(0.5),
])
def test_translated_kernels_are_the_same_function(kernel):
    """With everything held, both give the same posterior."""
    rng = np.random.default_rng(3)
    x, new = rng.uniform(0, 5, (40, 1)), rng.uniform(0, 5, (20, 1))
    y = np.sin(x[:, 0]) + 0.1 * rng.normal(size=40)
    theirs = GaussianProcessRegressor(kernel + sk.WhiteKernel(0.2), optimizer=None).fit(x, y)
    ours = gpcv.GPRegressor(_frozen(kernel) + sk.WhiteKernel(0.2, "fixed")).fit(x, y)
    mean, std = theirs.predict(new, return_std=True)  # of new observations: the white kernel is part of it
    found, deviation = ours.predict(new, return_std=True)
    np.testing.assert_allclose(found, mean, atol=1e-7)
    np.testing.assert_allclose(deviation, std, rtol=1e-5)


def _frozen(kernel):
    """The same kernel with every hyper-parameter fixed."""
    return kernel.__class__(**{
        name: _frozen(value) if isinstance(value, sk.Kernel) else "fixed" if name.endswith("_bounds") else value
        for name, value in kernel.get_params(deep=False).items()})


@pytest.mark.parametrize("kernel, message", [
    (sk.WhiteKernel(1.0), "white noise only"),
    (sk.RBF(1.0) * sk.WhiteKernel(1.0), "product of white noise and another kernel"),
    (sk.Matern(1.0, nu=0.7), "nu=0.7"),
    (sk.ExpSineSquared(1.0, 1.0), "several features"),
    (sk.Exponentiation(sk.RBF(1.0), 2), "Exponentiation"),
])
def test_what_cannot_be_translated_says_so(kernel, message):
    with pytest.raises(ValueError, match=message):
        translate(kernel, 2)
