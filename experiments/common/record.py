"""The Mauna Loa CO2 record: 1958–2008 to train on, 2009–2015 to test."""
import csv
import dataclasses
import datetime

import numpy as np

from .arguments import HERE
from .command import write_columns

PATH = HERE.parent / "data/mauna_loa_monthly.csv"
FIRST_TEST_YEAR, END_YEAR = 2009, 2016


def decimal_year(date):
    """ISO date as gpcv counts it: the year and the share of its days before the date."""
    day = datetime.date.fromisoformat(date)
    first, end = datetime.date(day.year, 1, 1), datetime.date(day.year + 1, 1, 1)
    return day.year + (day - first) / (end - first)


@dataclasses.dataclass(frozen=True)
class Part:
    """Some months of the record."""

    dates: list
    co2: np.ndarray  # parts per million

    @property
    def years(self):
        return np.array([decimal_year(date) for date in self.dates])

    def write(self, path):
        """As a table with the columns Date and CO2."""
        write_columns(path, {"Date": self.dates, "CO2": self.co2})
        return path


def read(every=1):
    """Training and test part; `every` = 4 keeps each fourth month."""
    with open(PATH, newline="", encoding="utf-8") as file:
        rows = [(row["Date"], float(row["CO2"])) for row in csv.DictReader(file)]

    def part(first, end):
        chosen = [row for row in rows if first <= int(row[0][:4]) < end][::every]
        return Part([date for date, _ in chosen], np.array([co2 for _, co2 in chosen]))

    return part(0, FIRST_TEST_YEAR), part(FIRST_TEST_YEAR, END_YEAR)
