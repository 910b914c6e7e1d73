"""Generated tables. The rows depend on the seed alone."""
import random

import numpy as np

from plan import Tables


def columns(x, y):
    """Columns of a table are the inputs x0, x1, … and the target y."""
    return {**{f"x{i}": x[:, i] for i in range(x.shape[1])}, "y": y}


def uniform_table(function, inputs, n, noise, new_rows, seed):
    """Inputs are uniform on [-1, 1], f is scaled to deviation 1 over the table, noise is Gaussian.

    New rows share that law.
    """
    rng = np.random.default_rng(seed)
    x = rng.uniform(-1, 1, (n, inputs))
    f = function(x)
    scale = f.std()
    train = columns(x, f / scale + noise * rng.standard_normal(n))
    if new_rows == 0:
        return Tables(train)
    x = rng.uniform(-1, 1, (new_rows, inputs))
    return Tables(train, test=columns(x, function(x) / scale + noise * rng.standard_normal(new_rows)))


def product(x):
    """The interaction x3 sin(5 x4) has no marginal."""
    return x[:, 3] * np.sin(5 * x[:, 4])


def sine(x):
    """The wave sin(8 x0) is a fast one of one input."""
    return np.sin(8 * x[:, 0])


def slow_sine(x):
    """The wave sin(3 x0) is a slow one of one input."""
    return np.sin(3 * x[:, 0])


def additive(x):
    """The sum x0 + x1² + sin(3 x2) depends on three inputs."""
    return x[:, 0] + x[:, 1] ** 2 + np.sin(3 * x[:, 2])


def patients(seed, count=60):
    """Patients come eight times each, and no input contains their level; docs/guide/groups.md has the same example."""
    r = random.Random(seed)
    table = {"patient": [], "weight": [], "dose": [], "response": []}
    for p in range(count):
        level, weight = r.gauss(0, 0.5), r.uniform(50, 100)
        for _ in range(8):
            dose = r.uniform(0, 5)
            response = 3 * dose / (1 + dose) + level + r.gauss(0, 0.1)
            row = (f"P{seed}{p:03d}", f"{weight:.1f}", f"{dose:.2f}", f"{response:.3f}")
            for name, cell in zip(table, row):
                table[name].append(cell)
    return Tables(table)


def periodic(period, span, n, noise, seed):
    """The target is a sine of the given period on [0, span], with noise."""
    rng = np.random.default_rng(seed)
    x = rng.uniform(0, span, (n, 1))
    return Tables(columns(x, np.sin(2 * np.pi * x[:, 0] / period) + noise * rng.standard_normal(n)))


def fourier_draw(x, frequencies, rng):
    """The draw of a process of variance 1 is sqrt(2/m) sum cos(w x + phase) over m random frequencies w."""
    phases = rng.uniform(0, 2 * np.pi, len(frequencies))
    total = np.zeros(len(x))
    for w, phase in zip(frequencies, phases):
        total += np.cos(w * x + phase)
    return np.sqrt(2 / len(frequencies)) * total


def two_scales(n, coarse, fine, fine_deviation, noise, seed):
    """The rough process has a length of ten rows of the full table, which a subset of a twentieth does not resolve."""
    rng = np.random.default_rng(seed)
    x = rng.uniform(0, 1, n)
    smooth = fourier_draw(x, rng.standard_normal(200) / coarse, rng)  # Frequencies of se are normal.
    rough = fourier_draw(x, rng.standard_t(3, 2000) / fine, rng)  # Frequencies of matern32 are Student's t.
    return Tables(columns(x[:, None], smooth + fine_deviation * rough + noise * rng.standard_normal(n)))


def random_wave(length, span, width, n, noise, far, seed):
    """The wave is a smooth draw on [0, span]; the next width tests it, and new points lie far away and inside."""
    rng = np.random.default_rng(seed)
    per_unit = n / span
    t = np.arange(n + round(per_unit * width)) / per_unit
    y = fourier_draw(t, rng.standard_normal(500) / length, rng) + noise * rng.standard_normal(len(t))
    inside = np.linspace(0.3, 0.7, 9) * span
    return Tables({"t": t[:n], "y": y[:n]}, test={"t": t[n:], "y": y[n:]}, new={"t": [far * span, *inside]})


def pure_noise(n, inputs, seed):
    """The target is noise, which no input explains."""
    rng = np.random.default_rng(seed)
    return Tables(columns(rng.uniform(-1, 1, (n, inputs)), rng.standard_normal(n)))
