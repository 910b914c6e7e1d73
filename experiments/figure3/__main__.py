"""python3 -m figure3: traces ADMM, published and improved; writes traces.csv, figure3.md and figure3.svg."""
import csv
import pathlib
import tempfile

import numpy as np

from common import arguments, figures, tables
from common.command import Command, read_columns
from common.figures import plt
from common.problems import LP, PROBLEMS, SE, SE_LP, span
from common.tables import number, paragraph

NOISE = 0.1
PUBLISHED_STOP = 1e-2
REPRESENTATIVE = {SE.name: "se.l", LP.name: "lp.l", SE_LP.name: "lp.l"}
RUNS = {  # label to arguments; the published stop is switched off to see what follows it
    "as published": ("--preset", "paper", "--stop", "none"),
    "improved": (),
}
COLOURS = {"as published": figures.VERMILLION, "improved": figures.BLUE}
MARKERS = {"as published": "", "improved": "o"}
PANELS = (("theta", "hyper-parameter"), ("z_norm", "‖z‖"), ("gap", "‖z − C⁻¹y‖²"), ("lagrangian", "$L_ρ$"))
COMMON = ("--target", "y", "--noise", f"{NOISE}:fixed", "--no-standardize", "--restarts", "1",
          "--no-period-scan", "--trainer", "admm", "--holdout", "0.5", "--trace-gap")
COLUMNS = ("kernel", "run", "iteration", "theta", "z_norm", "gap", "lagrangian", "step")


def options(argv):
    parser = arguments.parser("figure3", __doc__)
    parser.add_argument("--size", type=int, default=500, help="rows (default: %(default)s)")
    parser.add_argument("--max-iterations", type=int, default=100, help="of each run (default: %(default)s)")
    return parser.parse_args(argv)


def steps(problem, trace):
    """‖Δθ‖ that led to each line, what the published rule compares with its tolerance."""
    theta = np.array([trace[name] for name in problem.truth])
    return [float("nan"), *np.linalg.norm(np.diff(theta), axis=0)]


def traces(command, problem, o):
    """The columns of the figure for both runs on one draw."""
    with tempfile.TemporaryDirectory() as folder:
        data, trace = pathlib.Path(folder) / "data.csv", pathlib.Path(folder) / "trace.csv"
        command.generate(problem.kernel(problem.truth), NOISE, o.size, span(o.size), o.seed, data)
        result = {}
        for run, extra in RUNS.items():
            command.fit(data, "--kernel", problem.kernel(problem.start), *COMMON, "--max-iterations",
                        o.max_iterations, "--seed", o.seed, *extra, "--trace", trace)
            read = read_columns(trace)
            result[run] = {"iteration": read["iteration"], "theta": read[REPRESENTATIVE[problem.name]],
                           "z_norm": read["z_norm"], "gap": read["gap"], "lagrangian": read["lagrangian"],
                           "step": steps(problem, read)}
        return result


def published_end(trace):
    """The line at which the published rule would have stopped, or None."""
    return next((i for i, step in enumerate(trace["step"]) if step < PUBLISHED_STOP), None)


def write(found, path):
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(COLUMNS)
        for kernel, runs in found.items():
            for run, trace in runs.items():
                for line in zip(*(trace[name] for name in COLUMNS[2:])):
                    writer.writerow([kernel, run, int(line[0]), *(f"{value:.10g}" for value in line[1:])])


def report(found, size):
    rows = []
    for kernel, runs in found.items():
        problem, name = PROBLEMS[kernel], REPRESENTATIVE[kernel]
        for run, trace in runs.items():
            stop = published_end(trace) if run == "as published" else None
            theta = trace["theta"]
            rows.append([kernel, run, problem.symbols[name], number(problem.truth[name]), number(theta[0]),
                         f"{number(theta[stop])} after {stop}" if stop else "", number(theta[-1]),
                         len(theta) - 1, number(trace["gap"][-1])])
    header = ["kernel", "ADMM", "parameter", "truth", "start", "at the published stop", "at the end",
              "iterations", "final gap"]
    text = paragraph(f"""
        One draw of {size} rows per kernel, noise variance {NOISE}, a random half held out. The published
        stop, ‖Δθ‖ < 10⁻², is switched off; the dot in the figure marks where it would have ended the
        run.""")
    return "\n".join(["# Figure 3: convergence of ADMM\n", text, tables.markdown(header, rows, left=3),
                      "![Convergence](figure3.svg)\n"])


def panel(axes, runs, column, truth):
    for run, trace in runs.items():
        values = np.array(trace[column])
        if column == "gap":
            values[values <= 0] = np.nan  # the improved run starts without a gap
        axes.plot(trace["iteration"], values, color=COLOURS[run], marker=MARKERS[run], markersize=3,
                  label=run)
        stop = published_end(trace)
        if run == "as published" and stop:
            axes.plot(trace["iteration"][stop], values[stop], "o", color=figures.BLACK, markersize=5,
                      label="published stop", zorder=4)
    if column == "theta":
        axes.axhline(truth, color=figures.GREY, linestyle="--", linewidth=1, label="truth")
    if column == "gap":
        axes.set_yscale("log")


def draw(found, folder):
    figure, grid = plt.subplots(len(found), len(PANELS), figsize=(11, 2.3 * len(found)), sharex=True)
    for line, (kernel, runs) in zip(grid, found.items()):
        problem, name = PROBLEMS[kernel], REPRESENTATIVE[kernel]
        for axes, (column, _) in zip(line, PANELS):
            panel(axes, runs, column, problem.truth[name])
        line[0].set_ylabel(f"{kernel}: {problem.symbols[name]}")
    for axes, (_, title) in zip(grid[0], PANELS):
        axes.set_title(title)
    for axes in grid[-1]:
        axes.set_xlabel("iteration")
    figures.legend_above(figure, *grid[0, 0].get_legend_handles_labels())
    figures.save(figure, folder, "figure3")


def main(argv=None):
    o = options(argv)
    o.output.mkdir(parents=True, exist_ok=True)
    command = Command(o.command, o.time_limit)
    found = {problem.name: traces(command, problem, o) for problem in PROBLEMS.values()}
    write(found, o.output / "traces.csv")
    (o.output / "figure3.md").write_text(report(found, o.size), encoding="utf-8")
    draw(found, o.output)


if __name__ == "__main__":
    main()
