"""The answer that gpcv gives by default, in cases where it is easily wrong, beside the bars that it has to reach.

    python3 benchmarks/answer/answer.py [--gpcv PATH] [--data FOLDER] [--only starts,sets.airfoil,…] [--seeds 20]
                                        [--output results.jsonl] [--jobs 1]

Each finished run is a line of the output and is not repeated. README.md says what is measured and how long it takes.
"""
import argparse
import functools
import os
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "experiments"))

from common.runner import run as run_all  # noqa: E402

import distribution  # noqa: E402
import flattery  # noqa: E402
import noise  # noqa: E402
import set_figures  # noqa: E402
import starts  # noqa: E402
import two_scales  # noqa: E402
from plan import Settings  # noqa: E402
from store import Store  # noqa: E402
from verdicts import NOT_RUN, print_ages, print_failures, print_table  # noqa: E402
from work import Program, perform  # noqa: E402

TOPICS = [starts.TOPIC, set_figures.TOPIC, two_scales.TOPIC, flattery.TOPIC, distribution.TOPIC, noise.TOPIC]
DATA = ROOT.parent / "shared/data"


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--gpcv", type=pathlib.Path, default=ROOT / "build/release/bin/gpcv",
                        help="the gpcv command (default: %(default)s)")
    parser.add_argument("--data", type=pathlib.Path, default=DATA if DATA.is_dir() else None,
                        help="folder with uci/ and co2/; cases without their data are not run (default: %(default)s)")
    parser.add_argument("--only", default="",
                        help="topics (starts, sets, …) or cases (sets.yacht), separated by commas")
    parser.add_argument("--seeds", type=int, default=20, help="seeds of a generated case (default: %(default)s)")
    parser.add_argument("--slow-seeds", type=int, default=3,
                        help="seeds of the case with 7000 rows and 32 inputs (default: %(default)s)")
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / "build/answer/results.jsonl",
                        help="file of the results (default: %(default)s)")
    parser.add_argument("--jobs", type=int, default=1,
                        help="runs side by side, which share the processors; seconds are comparable with 1 alone")
    parser.add_argument("--time-limit", type=float, default=3600, help="seconds for one command (default: %(default)s)")
    parser.add_argument("--fresh", action="store_true", help="repeat finished runs")
    parser.add_argument("--show", action="store_true", help="run nothing and print the table of finished runs")
    return parser.parse_args()


def chosen(case, only):
    """A case is chosen when its name or its topic is asked for: 'starts' stands for 'starts.sine10' and its like."""
    return not only or any(case == name or case.startswith(name + ".") for name in only)


def print_figures(settings, store, only):
    """The table shows every bar; with --only, a bar that no invocation has run is left out."""
    figures = [figure for topic in TOPICS for figure in topic.figures(settings, store.find)]
    print_table([figure for figure in figures if not only or figure.verdict != NOT_RUN])
    results = [store.find(run) for topic in TOPICS for stage in topic.stages for run in stage(settings, store.find)]
    print_ages(results)
    print_failures(results)


def known_names(settings, store):
    """Names that --only accepts are those of topics and of the cases of their first stages."""
    cases = {run.key["case"] for topic in TOPICS for run in topic.stages[0](settings, store.find)}
    return sorted(cases | {topic.name for topic in TOPICS})


def main():
    o = arguments()
    if o.data is not None and not o.data.is_dir():
        sys.exit(f"answer: there is no folder '{o.data}'; --data names the folder with uci/ and co2/")
    if not o.show and not o.gpcv.is_file():
        sys.exit(f"answer: there is no command '{o.gpcv}'; build it, or name it with --gpcv")
    settings = Settings(o.data.resolve() if o.data else None, o.seeds, o.slow_seeds)
    store = Store(o.output, o.fresh)
    only = [name for name in o.only.split(",") if name]
    names = known_names(settings, store)
    for name in only:
        if not any(chosen(known, [name]) for known in names):
            sys.exit(f"answer: there is no case '{name}'; there are {', '.join(names)}")
    threads = None if o.jobs == 1 else max(1, (os.cpu_count() or 1) // o.jobs)
    work = functools.partial(perform, Program(o.gpcv.resolve(), o.time_limit, threads))
    for topic in TOPICS:
        for stage in topic.stages:
            runs = [run for run in stage(settings, store.find) if chosen(run.key["case"], only)]
            if runs and not o.show:
                run_all(topic.name, runs, work, store, o.jobs)
    print_figures(settings, store, only)


if __name__ == "__main__":
    main()
