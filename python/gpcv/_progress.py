"""Progress of a training."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any, Optional

Record = dict[str, Any]
Callback = Callable[[Record], Optional[bool]]


class Progress:
    """Progress display: a callback, a bar of tqdm, plain lines where tqdm is not installed, or nothing."""

    def __init__(self, wanted: bool | Callback) -> None:
        self.callback: Callback | None = None
        self._bar: Any = None
        if callable(wanted):
            self.callback = wanted
        elif wanted:
            try:
                from tqdm.auto import tqdm

                self._bar = tqdm(desc="gpcv", unit=" steps")
                self.callback = self._advance
            except ImportError:
                self._last = time.monotonic()
                self.callback = self._line

    def _advance(self, record: Record) -> None:
        self._bar.set_postfix_str(f"error {record['objective']:.6g}", refresh=False)
        self._bar.update()

    def _line(self, record: Record) -> None:
        if time.monotonic() - self._last > 1:
            self._last = time.monotonic()
            print(f"gpcv: start {record['restart']}, iteration {record['iteration']}, "
                  f"error {record['objective']:.6g}, {record['seconds']:.1f} s", file=sys.stderr)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
