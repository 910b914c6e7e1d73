"""python3 -m figure4: fits, predicts and writes predictions.csv, figure4.md and figure4.svg."""
import pathlib
import tempfile

import numpy as np

from co2.everything_trained import arguments as fit_arguments
from co2.everything_trained import KERNELS, train
from common import arguments, figures, record, tables
from common.command import Command, write_columns
from common.figures import plt
from common.tables import number, paragraph, short

SHIFT = 6.0  # ppm by which one curve is moved in the overview, where the two would cover each other
KERNEL = list(KERNELS)[-1]  # the four parts, which forward cross-validation prefers
TRAINERS = {"likelihood": "likelihood", "cross-validation": "consensus, forward-chaining"}
COLOURS = {"likelihood": figures.ORANGE, "cross-validation": figures.BLUE}
COLUMNS = ("mean", "lower", "upper")


def options(argv):
    parser = arguments.parser("figure4", __doc__)
    parser.add_argument("--every", type=int, default=1, help="keep each so many months only (default: all)")
    parser.add_argument("--max-iterations", type=int, help="of every trainer (default: its own)")
    return parser.parse_args(argv)


def half_months():
    """From 1958 to 2015, the 1st and the 16th of each month."""
    return [f"{year}-{month:02d}-{day:02d}" for year in range(1958, record.END_YEAR) for month in range(1, 13)
            for day in (1, 16)]


def predictions(command, train_part, test_part, most, threads):
    """By label: predictions at every half month and errors of the test."""
    dates = half_months()
    result = {}
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        table, test = train_part.write(folder / "train.csv"), test_part.write(folder / "test.csv")
        grid = folder / "grid.csv"
        write_columns(grid, {"Date": dates})
        for label, trainer in TRAINERS.items():
            trained = train(command, folder, table, fit_arguments(KERNEL, trainer, most), threads)
            curve = command.predict(trained.model, grid, folder / "curve.csv")
            result[label] = {"curve": {name: np.array(curve[name]) for name in COLUMNS},
                             "errors": command.evaluate(trained.model, test), "report": trained.report}
    return dates, result


def write(dates, found, path):
    columns = {"Date": dates}
    for label, result in found.items():
        columns.update({f"{label} {name}": result["curve"][name] for name in COLUMNS})
    write_columns(path, columns)


def report(found):
    rows = [[label, f"`{short(result['report']['kernel'])}`",
             *(number(result["errors"][name]) for name in ("rmse", "smse", "coverage95")),
             result["report"]["status"]] for label, result in found.items()]
    header = ["trained by", "kernel", "test RMSE (ppm)", "MSE / var(test)", "95 % interval covers", "status"]
    text = paragraph(f"""
        Kernel {KERNEL}, everything trained on 1958–2008; cross-validation is consensus over five
        forward-chaining blocks of seven years.""")
    return "\n".join(["# Figure 4: the CO2 record continued\n", text, tables.markdown(header, rows, left=2),
                      "![Fit and prediction](figure4.svg)\n"])


def overview(axes, years, found, parts):
    for part in parts:
        axes.scatter(part.years, part.co2, s=5, color=figures.GREY, linewidths=0, rasterized=True)
    for label, result in found.items():
        shift = SHIFT if label == "cross-validation" else 0.0
        axes.plot(years, result["curve"]["mean"] + shift, color=COLOURS[label], linewidth=0.9,
                  label=label + (f", shifted up by {SHIFT:g} ppm" if shift else ""))
    axes.axvline(record.FIRST_TEST_YEAR, color=figures.BLACK, linewidth=1, linestyle=":")
    axes.text(record.FIRST_TEST_YEAR - 0.4, 312, "trained on 1958–2008", ha="right", va="bottom")
    axes.set_title("(a) fit and prediction", loc="left")
    axes.legend(loc="upper left")


def zoom(axes, years, found, part):
    chosen = years >= record.FIRST_TEST_YEAR
    for label, result in found.items():
        curve = {name: values[chosen] for name, values in result["curve"].items()}
        axes.fill_between(years[chosen], curve["lower"], curve["upper"], color=COLOURS[label], alpha=0.2,
                          linewidth=0)
        axes.plot(years[chosen], curve["mean"], color=COLOURS[label],
                  label=f"{label}: MSE / var(test) {number(result['errors']['smse'])}")
    axes.scatter(part.years, part.co2, s=14, color="#5A5A5A", linewidths=0, label="observed", zorder=3)
    axes.set_title("(b) 2009–2015, never seen, with 95 % intervals", loc="left")
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.13), ncol=3)
    axes.set_xlabel("year")


def draw(dates, found, train_part, test_part, folder):
    years = np.array([record.decimal_year(date) for date in dates])
    figure, (top, bottom) = plt.subplots(2, 1, figsize=(8, 8))
    overview(top, years, found, (train_part, test_part))
    zoom(bottom, years, found, test_part)
    for axes in (top, bottom):
        axes.set_ylabel("CO₂ (ppm)")
    figures.save(figure, folder, "figure4")


def main(argv=None):
    o = options(argv)
    o.output.mkdir(parents=True, exist_ok=True)
    train_part, test_part = record.read(o.every)
    command = Command(o.command, o.time_limit)
    dates, found = predictions(command, train_part, test_part, o.max_iterations, o.jobs)
    write(dates, found, o.output / "predictions.csv")
    (o.output / "figure4.md").write_text(report(found), encoding="utf-8")
    draw(dates, found, train_part, test_part, o.output)


if __name__ == "__main__":
    main()
