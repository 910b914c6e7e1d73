"""Runs tasks side by side, leaves out those already finished, and says how far it is."""
import dataclasses
import functools
import multiprocessing
import signal
import sys
import time

from .command import CommandFailed

NOTICE_SECONDS = 30  # between progress lines when nobody watches


@dataclasses.dataclass(frozen=True)
class Task:
    """One row to be: what names it, what it depends on, and its cost relative to the others."""

    key: dict
    settings: str
    cost: float = 1.0


class Progress:
    """A line on stderr: count, share and time left, judged by the cost of what is done."""

    def __init__(self, name, tasks, skipped):
        self.name, self.count, self.done = name, len(tasks), 0
        self.cost, self.cost_done = sum(task.cost for task in tasks), 0.0
        self.began = self.last = time.monotonic()
        note = f", {skipped} already finished" if skipped else ""
        print(f"{name}: {self.count} to do{note}", file=sys.stderr)

    def step(self, task):
        self.done += 1
        self.cost_done += task.cost
        now = time.monotonic()
        left = (now - self.began) * (self.cost - self.cost_done) / self.cost_done
        line = f"{self.name}: {self.done}/{self.count}, {duration(left)} left"
        if sys.stderr.isatty():
            print(f"\r{line:<60}", end="\n" if self.done == self.count else "", file=sys.stderr, flush=True)
        elif self.done == self.count or now - self.last > NOTICE_SECONDS:
            print(line, file=sys.stderr, flush=True)
            self.last = now


def duration(seconds):
    """'45 s', '12 min' or '3 h 20 min'."""
    minutes = round(seconds / 60)
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60:02d} min"


def _outcome(work, task):
    """What the work gives, or a row that says why there is nothing."""
    try:
        return task, work(task)
    except CommandFailed as failure:
        return task, {"status": "failed", "message": str(failure)}


def _leave_interrupts_to_parent():
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def run(name, tasks, work, store, jobs):
    """Adds a row for every unfinished task to the store: its key, its settings and what work(task) gives."""
    todo = [task for task in tasks if not store.finished(task)]
    progress = Progress(name, todo, len(tasks) - len(todo))
    call = functools.partial(_outcome, work)

    def keep(outcomes):
        for task, values in outcomes:
            store.append({**task.key, "settings": task.settings, **values})
            progress.step(task)

    if jobs == 1 or len(todo) < 2:
        keep(map(call, todo))
        return
    with multiprocessing.Pool(min(jobs, len(todo)), _leave_interrupts_to_parent) as pool:
        keep(pool.imap_unordered(call, todo))
