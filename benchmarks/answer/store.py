"""Results of runs are kept, a JSON line each, so that an interrupted benchmark goes on where it stopped.

A run is finished when there is a result of its case, name and command; the last such line counts. What failed is tried
again.
"""
import json
import os
import pathlib


class Store:
    """The store keeps results in a file of lines; `fresh` repeats the runs that are asked for."""

    def __init__(self, path, fresh=False):
        self.path = pathlib.Path(path)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._fresh = fresh
        self._new = set()
        self._results = {}
        for line in self._lines():
            self._results[self._name(line["case"], line["run"], line["command"])] = line

    def _lines(self):
        """Lines are the results of earlier invocations; one that was cut short is left out and ended."""
        if not self.path.exists():
            return
        text = self.path.read_text(encoding="utf-8")
        if text and not text.endswith("\n"):
            with open(self.path, "a", encoding="utf-8") as file:
                file.write("\n")
        for line in text.splitlines():
            try:
                yield json.loads(line)
            except json.JSONDecodeError:
                continue

    @staticmethod
    def _name(case, run, command):
        return case, run, command

    def _name_of(self, task):
        return self._name(task.key["case"], task.key["run"], task.settings)

    def find(self, task):
        """The result is that of this run by this command, or None."""
        return self._results.get(self._name_of(task))

    def finished(self, task):
        """A run is finished when its result is there and did not fail."""
        result = self.find(task)
        if self._fresh and self._name_of(task) not in self._new:
            return False
        return result is not None and result["status"] != "failed"

    def append(self, row):
        """The result is added by one write."""
        result = {"case": row["case"], "run": row["run"], "command": row["settings"],
                  **{name: value for name, value in row.items() if name not in ("case", "run", "settings")}}
        name = self._name(result["case"], result["run"], result["command"])
        self._results[name] = result
        self._new.add(name)
        with open(self.path, "a", encoding="utf-8") as file:
            file.write(json.dumps(result) + "\n")
            file.flush()
            os.fsync(file.fileno())
