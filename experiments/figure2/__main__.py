"""python3 -m figure2: times both trainers and writes times.csv, figure2.md and figure2.svg."""
import functools
import os

from common import arguments
from common.command import Command
from common.runner import run
from common.store import Store

from . import report, timing


def options(argv):
    parser = arguments.parser("figure2", __doc__)
    parser.add_argument("--sizes", type=arguments.whole_numbers,
                        default=[500, 1000, 2000, 4000, 8000, 16000],
                        help="rows for ADMM, separated by commas (default: 500,1000,…,16000)")
    parser.add_argument("--likelihood-sizes", type=arguments.whole_numbers,
                        default=[500, 1000, 2000, 4000, 8000],
                        help="rows for the likelihood (default: 500,1000,…,8000)")
    parser.add_argument("--trials", type=int, default=3, help="repeats per size (default: %(default)s)")
    parser.add_argument("--threads", type=int, default=os.cpu_count(), help="of gpcv (default: %(default)s)")
    return parser.parse_args(argv)


def main(argv=None):
    o = options(argv)
    store = Store(o.output / "times.csv", timing.KEY, timing.VALUES, o.fresh)
    tasks = timing.tasks(o.sizes, o.likelihood_sizes, o.trials, o.threads, o.seed)
    work = functools.partial(timing.time_task, Command(o.command, o.time_limit), o.threads, o.seed)
    run("figure2", tasks, work, store, jobs=1)  # one at a time: this is about time
    rows = store.select(tasks)
    (o.output / "figure2.md").write_text(report.report(rows), encoding="utf-8")
    report.draw(rows, o.output)


if __name__ == "__main__":
    main()
