"""Moments and texts as decimal years, as the command reads ISO dates."""

from __future__ import annotations

import numpy as np

from . import _core


def decimal_years(moments: np.ndarray) -> np.ndarray:
    """Moments as year + (days before + seconds / 86400) / (365 or 366), to the last bit as the command reads ISO dates.

    Missing moments are NaN.
    """
    missing = np.isnat(moments)
    known = np.where(missing, np.zeros((), moments.dtype), moments)
    day, year = known.astype("datetime64[D]"), known.astype("datetime64[Y]")
    number = year.astype(np.int64) + 1970
    first, following = year.astype("datetime64[D]"), (year + 1).astype("datetime64[D]")
    days, length = (day - first).astype(np.int64), (following - first).astype(np.int64)
    rest = np.zeros(known.shape, np.int64)
    if np.datetime_data(moments.dtype)[0] not in ("Y", "M", "W", "D"):
        rest = (known - day.astype(known.dtype)).astype("timedelta64[ns]").astype(np.int64)
    seconds = (rest // 10**9).astype(np.float64) + _fraction(rest % 10**9)
    years = number + (days + seconds / 86400) / length
    return np.where(missing, np.nan, years)


def _fraction(nanoseconds: np.ndarray) -> np.ndarray:
    """Fraction of a second, summed digit by digit as the command does, which decides the last bit."""
    value, unit = np.zeros(nanoseconds.shape), 1.0
    for place in range(8, -1, -1):
        unit /= 10
        value += unit * (nanoseconds // 10**place % 10)
    return value


def years_of_texts(texts: np.ndarray, column: str) -> np.ndarray | None:
    """Texts as decimal years, NaN where there is none, if the first one is an ISO date; otherwise None.

    As for the command, all texts of such a column are dates: raises a ValueError for another one.
    """
    first = next((at for at, text in enumerate(texts) if text is not None), None)
    if first is None or _core.parse_iso_date(str(texts[first])) is None:
        return None
    years = np.full(len(texts), np.nan)
    for row, text in enumerate(texts):
        if text is None:
            continue
        year = _core.parse_iso_date(text)
        if year is None:
            raise ValueError(f"{column} has '{text}' in row {row} (from 0), which is no ISO date (YYYY-MM-DD), but row "
                             f"{first} has a date: write the whole column one way")
        if np.isnan(year):
            raise ValueError(f"{column} has '{text}' in row {row} (from 0), which is not in the calendar: correct the date")
        years[row] = year
    return years
