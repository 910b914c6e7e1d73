"""The spread of the estimates: a panel per hyper-parameter and size, a box per method, the truth a line."""
import numpy as np

from common import figures
from common.figures import plt
from common.problems import PROBLEMS

from .methods import AUTHORS, CONSENSUS, LIKELIHOOD, NAIVE, PAPER

SHOWN = (PAPER, AUTHORS, NAIVE, CONSENSUS, LIKELIHOOD)
LOWEST, HIGHEST = 0.4, 2.5  # of the truth; what lies beyond is drawn at the edge
TICKS = (0.5, 0.75, 1, 1.5, 2)


def box(axes, place, values, colour):
    """A box for the quartiles, whiskers to the 5th and 95th percentile, every estimate as a dot."""
    axes.boxplot([values], positions=[place], widths=0.55, whis=(5, 95), showfliers=False, manage_ticks=False,
                 patch_artist=True, boxprops={"facecolor": colour, "alpha": 0.35, "edgecolor": colour},
                 whiskerprops={"color": colour}, capprops={"color": colour},
                 medianprops={"color": colour, "linewidth": 2})
    sideways = place + 0.16 * np.random.default_rng(place).uniform(-1, 1, len(values))
    axes.scatter(sideways, values, s=5, color=colour, alpha=0.55, linewidths=0, zorder=3,
                 rasterized=True)


def panel(axes, truth, columns):
    """Estimates of one hyper-parameter at one size, one column per method."""
    low, high = LOWEST * truth, HIGHEST * truth
    axes.axhline(truth, color=figures.BLACK, linewidth=1, zorder=1)
    for place, (method, values) in enumerate(zip(SHOWN, columns)):
        if not len(values):
            continue
        box(axes, place, np.clip(values, low, high), method.colour)
        for edge, beyond, sign in ((high, values > high, "▲"), (low, values < low, "▼")):
            if beyond.any():
                axes.annotate(f"{sign}{beyond.sum()}", (place, edge), xytext=(0, -9 if sign == "▲" else 3),
                              textcoords="offset points", ha="center", fontsize=7, color=figures.BLACK)
    axes.set_yscale("log")
    axes.set_ylim(low * 0.95, high * 1.05)
    axes.set_yticks([tick * truth for tick in TICKS], [f"{tick * truth:g}" for tick in TICKS])
    axes.set_yticks([], minor=True)
    axes.set_xticks([])
    axes.set_xlim(-0.6, len(SHOWN) - 0.4)
    axes.grid(axis="x", visible=False)


def draw(noise, sizes, by_kernel, folder):
    """Rows: the hyper-parameters of the three kernels; columns: the sizes."""
    parameters = [(problem, name) for problem in PROBLEMS.values() for name in problem.truth]
    shape = len(parameters), len(sizes)
    inches = 2.7 * len(sizes) + 1, 1.75 * len(parameters)
    figure, grid = plt.subplots(*shape, figsize=inches, squeeze=False, sharey="row")
    for line, (problem, name) in zip(grid, parameters):
        index = list(problem.truth).index(name)
        for axes, n in zip(line, sizes):
            found = [by_kernel[problem.name][n, method.name] for method in SHOWN]
            panel(axes, problem.truth[name], [s.estimates[:, index] if s else np.array([]) for s in found])
        line[0].set_ylabel(f"{problem.name}: {problem.symbols[name]}")
    for axes, n in zip(grid[0], sizes):
        axes.set_title(f"n = {n}")
    handles = [plt.Line2D([], [], color=method.colour, linewidth=6, alpha=0.6) for method in SHOWN]
    handles.append(plt.Line2D([], [], color=figures.BLACK, linewidth=1))
    figures.legend_above(figure, handles, [method.label for method in SHOWN] + ["truth"])
    figures.save(figure, folder, f"table1-noise-{noise:g}")
