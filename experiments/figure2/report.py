"""The times in Markdown and in two rows of panels."""
import numpy as np

from common import figures, tables
from common.figures import plt
from common.problems import PROBLEMS
from common.tables import number, paragraph

from .scaling import factors, medians, slope

LABELS = {"admm": "ADMM as published, one iteration", "improved": "ADMM improved, one iteration",
          "likelihood": "likelihood, one evaluation"}
COLOURS = {"admm": figures.BLUE, "improved": figures.GREEN, "likelihood": figures.ORANGE}
MARKERS = {"admm": "o", "improved": "^", "likelihood": "s"}
LARGE = 2000  # from here on the fixed costs of a call no longer show


def time_table(rows):
    sizes = sorted({int(row["n"]) for row in rows})
    body = []
    for kernel in PROBLEMS:
        for method, label in LABELS.items():
            seconds = medians(rows, kernel, method)
            body.append([kernel, label, *(number(seconds.get(n)) for n in sizes), f"{slope(seconds):.2f}",
                         f"{slope(seconds, LARGE):.2f}"])
        body += published_lines(rows, kernel, sizes)
    header = ["kernel", "seconds", *(f"n = {n}" for n in sizes), "slope", f"slope from {LARGE}"]
    return tables.markdown(header, body, left=2).replace("nan", "–")


def published_lines(rows, kernel, sizes):
    """What a published iteration consists of: steps of conjugate gradients, products, and the time of one product."""
    inner = medians(rows, kernel, "admm", "cg_iterations")
    products = medians(rows, kernel, "admm", "products")
    seconds = medians(rows, kernel, "admm")
    each = {n: seconds[n] / products[n] for n in seconds if products.get(n)}
    return [[kernel, "steps of conjugate gradients in it", *(number(inner.get(n), 2) for n in sizes), "", ""],
            [kernel, "kernel products in it", *(number(products.get(n), 3) for n in sizes), "", ""],
            [kernel, "ADMM as published, one product", *(number(each.get(n)) for n in sizes), f"{slope(each):.2f}",
             f"{slope(each, LARGE):.2f}"]]


def factor_table(rows):
    body, ratios = [], set()
    for kernel in PROBLEMS:
        for method, label in LABELS.items():
            found = factors(medians(rows, kernel, method))
            ratios |= found.keys()
            body.append((kernel, label, found))
    ratios = sorted(ratios)
    lines = [[kernel, label, *(number(found.get(r)) for r in ratios)] for kernel, label, found in body]
    lines += [["", "O(n²)", *(number(r) for r in ratios)], ["", "O(n³)", *(number(r * r) for r in ratios)]]
    return tables.markdown(["kernel", "scaling factor", *(f"n ratio {r:g}" for r in ratios)], lines, left=2)


def report(rows):
    threads = sorted({row["threads"] for row in rows if row["threads"]})
    return "\n".join([
        "# Figure 2: time of an iteration\n",
        paragraph(f"""
            Median seconds, {' or '.join(threads)} threads. An ADMM iteration is one of the published or of
            the improved algorithm on a random half of the rows; the likelihood is one evaluation with its
            gradient. Slopes are exponents of n, fitted by least squares to the logarithms. The last rows of a
            kernel say what the published iteration consists of: where the number of products changes, its time does
            not grow like n², the time of one product does. The inputs lie in [0, 20] for every n; the paper has [0, 10] at n = 500,
            and a wider range takes more steps."""),
        time_table(rows),
        "The paper's scaling factor, (CT_A/CT_B)/(n_A/n_B) with the smallest size as B:\n",
        factor_table(rows),
        "![Scaling](figure2.svg)\n"])


def reference_lines(axes, ratios, start, powers):
    """Dashed lines start · ratio^power."""
    for power, name, style in powers:
        axes.plot(ratios, start * ratios**power, style, color=figures.GREY, linewidth=1, label=name, zorder=1)


def logarithmic(axes, label, ticks, names):
    """Both axes logarithmic, the x axis marked where there are measurements."""
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.set_xticks(ticks, names)
    axes.set_xticks([], minor=True)
    axes.set_xlabel(label)


def draw(rows, folder):
    figure, grid = plt.subplots(2, len(PROBLEMS), figsize=(9.5, 6), sharey="row", sharex="row")
    for (top, bottom), kernel in zip(grid.T, PROBLEMS):
        every = {method: medians(rows, kernel, method) for method in LABELS}
        ratios = np.array(sorted({r for seconds in every.values() if seconds for r in factors(seconds)}))
        reference_lines(top, ratios, 1.0, ((1, "O(n²)", "--"), (2, "O(n³)", ":")))
        for method, seconds in every.items():
            if not seconds:
                continue
            style = {"color": COLOURS[method], "marker": MARKERS[method], "markersize": 4}
            scaled = factors(seconds)
            top.plot(list(scaled), list(scaled.values()), label=LABELS[method], **style)
            bottom.plot(list(seconds), list(seconds.values()), label=f"slope {slope(seconds):.2f}", **style)
        top.set_title(kernel)
        logarithmic(top, "n / smallest n", ratios, [f"{r:g}" for r in ratios])
        sizes = sorted({n for seconds in every.values() for n in seconds})
        logarithmic(bottom, "n", sizes, [f"{n / 1000:g}k" if n >= 1000 else n for n in sizes])
        bottom.legend(loc="upper left")
    grid[0, 0].set_ylabel("scaling factor")
    grid[1, 0].set_ylabel("seconds")
    figures.legend_above(figure, *grid[0, 0].get_legend_handles_labels())
    figures.save(figure, folder, "figure2")
