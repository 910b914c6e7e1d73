"""python3 -m co2: both parts; writes published-setting.csv, everything-trained.csv and co2.md."""
import functools

from common import arguments, record
from common.command import Command
from common.runner import run
from common.store import Store

from . import everything_trained, published_setting, report


def options(argv):
    parser = arguments.parser("co2", __doc__)
    parser.add_argument("--trials", type=int, default=8,
                        help="random starts of the first part (default: %(default)s)")
    parser.add_argument("--every", type=int, default=1, help="keep each so many months only (default: all)")
    parser.add_argument("--max-iterations", type=int, help="of every trainer (default: its own)")
    return parser.parse_args(argv)


def fit_by_settings(fit, command, every, by_settings, task):
    return fit(command, every, by_settings[task.settings])


def results(name, part, tasks, o):
    """The rows of one part, from this run or an earlier one."""
    tasks = list(tasks)
    by_settings = {task.settings: given for task, given in tasks}
    store = Store(o.output / f"{name}.csv", part.KEY, part.VALUES, o.fresh)
    command = Command(o.command, o.time_limit)
    work = functools.partial(fit_by_settings, part.fit, command, o.every, by_settings)
    run(f"co2, {name}", [task for task, _ in tasks], work, store, o.jobs)
    return store.select(task for task, _ in tasks)


def main(argv=None):
    o = options(argv)
    published = results("published-setting", published_setting,
                        published_setting.tasks(o.trials, o.seed, o.every, o.max_iterations), o)
    trained = results("everything-trained", everything_trained,
                      everything_trained.tasks(o.every, o.max_iterations), o)
    months = [len(part.dates) for part in record.read(o.every)]
    (o.output / "co2.md").write_text(report.report(published, trained, months), encoding="utf-8")


if __name__ == "__main__":
    main()
