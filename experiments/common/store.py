"""Finished work, one CSV row each, so that an interrupted run goes on where it stopped.

A row counts as finished when its key and its settings (everything that could change the outcome) are those
asked for.
"""
import csv
import io
import os
import pathlib


def _text(value):
    if value is None:
        return ""
    return f"{value:.10g}" if isinstance(value, float) else str(value)


def _line(values):
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerow(map(_text, values))
    return out.getvalue()


class Store:
    """Rows with the columns `key`, "settings" and `values`, kept in a file."""

    def __init__(self, path, key, values, fresh=False):
        self.path = pathlib.Path(path)
        self.key = list(key)
        self.columns = [*self.key, "settings", *values]
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._rows = {} if fresh else self._load()
        self._rewrite()

    def _load(self):
        """Rows of an earlier run; a line that was cut short, or has other columns, is left out."""
        if not self.path.exists():
            return {}
        with open(self.path, newline="", encoding="utf-8") as file:
            lines = list(csv.reader(file))
        if not lines or lines[0] != self.columns:
            return {}
        rows = (dict(zip(self.columns, line)) for line in lines[1:] if len(line) == len(self.columns))
        return {self._name(row): row for row in rows}

    def _rewrite(self):
        """The rows alone, in place of a file that may end in half a line."""
        temporary = self.path.with_suffix(".part")
        lines = [_line(self.columns), *(_line(row.values()) for row in self._rows.values())]
        temporary.write_text("".join(lines), encoding="utf-8")
        temporary.replace(self.path)

    def _name(self, row):
        return tuple(_text(row[column]) for column in self.key)

    def find(self, task):
        """The row of this task with these settings, or None."""
        row = self._rows.get(self._name(task.key))
        return row if row is not None and row["settings"] == task.settings else None

    def finished(self, task):
        """Whether there is nothing left to do; what failed is tried again."""
        row = self.find(task)
        return row is not None and row.get("status") != "failed"

    def append(self, row):
        """Adds a row by one write; it replaces an older row of the same key."""
        full = {column: _text(row.get(column)) for column in self.columns}
        self._rows[self._name(full)] = full
        descriptor = os.open(self.path, os.O_WRONLY | os.O_APPEND)
        try:
            os.write(descriptor, _line(full.values()).encode())
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def select(self, tasks):
        """The rows of these tasks, as text, in the order of the tasks."""
        return [row for row in map(self.find, tasks) if row is not None]
