"""The function of two inputs around which all tables are drawn."""
import numpy as np


def surface(x):
    """The function varies by about one."""
    return np.sin(4 * x[:, 0]) + np.cos(3 * x[:, 1]) + x[:, 0] * x[:, 1]
