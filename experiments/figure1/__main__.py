"""python3 -m figure1: writes points.csv and figure1.svg."""
import numpy as np

from common import arguments, figures
from common.command import write_columns
from common.draws import draw
from common.figures import plt
from common.problems import SE


def options(argv):
    parser = arguments.parser("figure1", __doc__)
    parser.add_argument("--size", type=int, default=500, help="training rows (default: %(default)s)")
    parser.add_argument("--noise", type=float, default=0.1, help="variance (default: %(default)s)")
    return parser.parse_args(argv)


def roles(drawn):
    """Every point with the part it plays: fold 1 and 2 (they alternate), or test."""
    fold = np.arange(drawn.x.size) % 2 + 1
    role = [f"fold {k}" for k in fold] + ["test"] * drawn.test_x.size
    return {"x": [*drawn.x, *drawn.test_x], "y": [*drawn.y, *drawn.test_y], "role": role}


def panels(drawn):
    """Title and groups of points (label, x, y, marker, colour) of the three panels."""
    odd, even = slice(0, None, 2), slice(1, None, 2)
    return [
        (f"(a) maximum likelihood trains on all {drawn.x.size} points",
         [("training", drawn.x, drawn.y, "o", figures.BLUE)]),
        ("(b) two-fold cross-validation: each half is predicted from the other",
         [("fold 1", drawn.x[odd], drawn.y[odd], "o", figures.BLUE),
          ("fold 2", drawn.x[even], drawn.y[even], "^", figures.ORANGE)]),
        (f"(c) {drawn.test_x.size} new points test what was learnt",
         [("training", drawn.x, drawn.y, "o", "#C8C8C8"),
          ("test", drawn.test_x, drawn.test_y, "D", figures.VERMILLION)])]


def picture(drawn, folder):
    figure, grid = plt.subplots(3, 1, figsize=(7.5, 6.6), sharex=True, sharey=True)
    for axes, (title, groups) in zip(grid, panels(drawn)):
        axes.set_title(title, loc="left")
        for label, x, y, marker, colour in groups:
            size = 26 if label == "test" else 9
            axes.scatter(x, y, s=size, marker=marker, color=colour, linewidths=0)
            axes.scatter([], [], s=26, marker=marker, color=colour, linewidths=0, label=label)
        axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), handletextpad=0.2)
        axes.set_ylabel("y")
    grid[-1].set_xlabel("x")
    figures.save(figure, folder, "figure1")


def main(argv=None):
    o = options(argv)
    o.output.mkdir(parents=True, exist_ok=True)
    drawn = draw(SE, o.size, o.noise, trial=1, seed=o.seed)
    write_columns(o.output / "points.csv", roles(drawn))
    picture(drawn, o.output)


if __name__ == "__main__":
    main()
