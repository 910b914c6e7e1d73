"""Parquet and Feather tables as CSV files that the command reads: every digit is kept, dates stay ISO dates."""

from __future__ import annotations

import pathlib
from typing import Any

FORMATS = {".parquet": "Parquet", ".pq": "Parquet", ".feather": "Feather", ".arrow": "Feather", ".ipc": "Feather"}


def write_csv(source: pathlib.Path, target: pathlib.Path) -> None:
    """Write a table as CSV. Raises ValueError, in one line, where that is not possible."""
    form = FORMATS[source.suffix.lower()]
    try:
        _by_pyarrow(source, target, form)
    except ImportError:
        try:
            _by_polars(source, target, form)
        except ImportError:
            raise ValueError(f"{source}: reading {form} needs pyarrow or polars: pip install pyarrow") from None
        except Exception as error:  # noqa: BLE001 - polars has many
            raise ValueError(f"{source}: {_line(error)}") from None
    except Exception as error:  # noqa: BLE001 - pyarrow has many
        raise ValueError(f"{source}: {_line(error)}") from None


def _line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]


# ---------------------------------------------------------------- pyarrow


def _by_pyarrow(source: pathlib.Path, target: pathlib.Path, form: str) -> None:
    import pyarrow
    from pyarrow import csv

    writer: Any = None
    try:
        for table in _parts(source, form):
            plain = pyarrow.table([_plain(column) for column in table.columns], names=table.column_names)
            writer = writer or csv.CSVWriter(str(target), plain.schema)
            writer.write(plain)
    finally:
        if writer is not None:
            writer.close()


def _parts(source: pathlib.Path, form: str) -> Any:
    """Parts of a table, one after the other, so that it need not be in memory as a whole; one part at least."""
    import pyarrow

    if form == "Parquet":
        from pyarrow import parquet

        file = parquet.ParquetFile(str(source))
        yield file.schema_arrow.empty_table()
        for batch in file.iter_batches():
            yield pyarrow.Table.from_batches([batch])
    else:
        from pyarrow import feather

        yield feather.read_table(str(source))


def _plain(column: Any) -> Any:
    """Column in a type whose text the command reads: no dictionaries, no booleans, no short floats."""
    import pyarrow

    kinds = pyarrow.types
    if kinds.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    if kinds.is_boolean(column.type):
        return column.cast(pyarrow.int8())
    if kinds.is_floating(column.type):
        return column.cast(pyarrow.float64())
    if kinds.is_timestamp(column.type):
        return column.cast(pyarrow.timestamp(column.type.unit))  # in UTC where it has a time zone
    if kinds.is_nested(column.type):
        raise ValueError(f"a column of the type {column.type} is not a column of numbers, dates or text")
    return column


# ---------------------------------------------------------------- polars


def _by_polars(source: pathlib.Path, target: pathlib.Path, form: str) -> None:
    import polars

    frame = polars.read_parquet(source) if form == "Parquet" else polars.read_ipc(source)
    plain = []
    for series in frame.get_columns():
        kind = series.dtype.base_type()
        if kind == polars.Boolean:
            series = series.cast(polars.Int8)
        elif kind == polars.Float32:
            series = series.cast(polars.Float64)
        elif kind in (polars.Categorical, polars.Enum):
            series = series.cast(polars.String)
        elif kind == polars.Datetime and getattr(series.dtype, "time_zone", None):
            series = series.dt.convert_time_zone("UTC").dt.replace_time_zone(None)
        plain.append(series)
    polars.DataFrame(plain).write_csv(target, datetime_format="%Y-%m-%dT%H:%M:%S%.9f")
