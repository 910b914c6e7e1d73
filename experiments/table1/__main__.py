"""python3 -m table1: runs the trials and writes trials.csv, table1-noise-*.md and table1-noise-*.svg."""
import functools

from common import arguments
from common.command import Command
from common.problems import PROBLEMS
from common.runner import run
from common.store import Store

from . import picture, report, trials
from .methods import METHODS
from .summary import summaries


def options(argv):
    parser = arguments.parser("table1", __doc__)
    parser.add_argument("--sizes", type=arguments.whole_numbers, default=[500, 1000, 2000],
                        help="training rows, separated by commas (default: 500,1000,2000)")
    parser.add_argument("--trials", type=int, default=50, help="per kernel and size (default: %(default)s)")
    parser.add_argument("--noise", type=arguments.numbers, default=[0.1, 0.25],
                        help="noise variances (default: 0.1,0.25)")
    parser.add_argument("--report", action="store_true", help="run nothing, write the pages from what is finished")
    return parser.parse_args(argv)


def main(argv=None):
    o = options(argv)
    store = Store(o.output / "trials.csv", trials.KEY, trials.VALUES, o.fresh)
    tasks = trials.tasks(o.noise, o.sizes, o.trials, o.seed)
    work = functools.partial(trials.run_trial, Command(o.command, o.time_limit), o.seed)
    if not o.report:
        run("table1", tasks, work, store, o.jobs)
    for noise in o.noise:
        rows = store.select(task for task in tasks if task.key["noise"] == noise)
        by_kernel = {}
        for name, problem in PROBLEMS.items():
            own = [row for row in rows if row["kernel"] == name]
            by_kernel[name] = summaries(problem, own, o.sizes, METHODS)
        page = report.report(noise, o.sizes, o.trials, by_kernel)
        (o.output / f"table1-noise-{noise:g}.md").write_text(page, encoding="utf-8")
        picture.draw(noise, o.sizes, by_kernel, o.output)


if __name__ == "__main__":
    main()
