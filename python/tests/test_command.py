"""The command by ``python -m gpcv``, with tables that it cannot read itself."""
import contextlib
import json
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pandas
import polars
import pyarrow
import pytest
from pyarrow import feather, parquet

from gpcv import _tables


def module(*arguments, **environment):
    return subprocess.run([sys.executable, "-m", "gpcv", *map(str, arguments)], capture_output=True, text=True,
                          env={**os.environ, **environment})


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(1)
    days = pandas.date_range("2001-01-01", periods=80, freq="D", tz="Asia/Tokyo")
    frame = pandas.DataFrame({"x": rng.normal(size=80), "short": rng.normal(size=80).astype(np.float32), "day": days,
                              "colour": pandas.Categorical(rng.choice(["red", 'b"l,ue'], 80)), "flag": rng.uniform(size=80) > 0.5})
    frame["y"] = np.sin(frame.x) + 0.1 * rng.normal(size=80)
    return pyarrow.Table.from_pandas(frame, preserve_index=False)


FIT = ("--target", "y", "--categorical", "colour", "--kernel", "se(ard)", "--assess", "inner", "--json", "--quiet")


def test_parquet_and_feather_are_what_their_csv_is(table, command, tmp_path):
    parquet.write_table(table, tmp_path / "t.parquet")
    feather.write_feather(table, tmp_path / "t.feather")
    frame = table.to_pandas()
    plain = frame.assign(short=frame.short.astype(float), flag=frame.flag.astype(int),
                         day=frame.day.dt.tz_convert("UTC").dt.strftime("%Y-%m-%dT%H:%M:%S"))
    plain.to_csv(tmp_path / "t.csv", index=False)
    fits = [module("fit", tmp_path / name, *FIT, "-o", tmp_path / "m.h5") for name in ("t.csv", "t.parquet", "t.feather")]
    assert [fit.returncode for fit in fits] == [0, 0, 0], fits[1].stderr
    first, *others = (json.loads(fit.stdout) for fit in fits)
    for other in others:
        assert other["cv_rmse"] == first["cv_rmse"] and other["kernel"] == first["kernel"]
    by_csv, by_parquet = (module("predict", tmp_path / "m.h5", tmp_path / name) for name in ("t.csv", "t.parquet"))
    assert by_parquet.stdout == by_csv.stdout != ""


def test_polars_reads_them_too(table, tmp_path):
    parquet.write_table(table, tmp_path / "t.parquet")
    _tables._by_pyarrow(tmp_path / "t.parquet", tmp_path / "a.csv", "Parquet")
    _tables._by_polars(tmp_path / "t.parquet", tmp_path / "p.csv", "Parquet")
    a, p = (pandas.read_csv(tmp_path / name, float_precision="round_trip") for name in ("a.csv", "p.csv"))
    assert (pandas.to_datetime(a.pop("day")) == pandas.to_datetime(p.pop("day"))).all()
    pandas.testing.assert_frame_equal(a, p, check_exact=True)
    np.testing.assert_array_equal(a.x, table.to_pandas().x)
    np.testing.assert_array_equal(a.short, table.to_pandas().short.astype(float))


def without_free_memory(text):
    """The text without the line about memory, of which other programs use more or less from one moment to the next."""
    return [line for line in text.splitlines() if not line.startswith("memory")]


def test_exit_codes_and_output_are_those_of_the_command(command, tmp_path):
    for arguments in (["--version"], ["fit"], ["fit", tmp_path / "nothing.parquet", "--target", "y"], ["info"]):
        direct = subprocess.run([command, *map(str, arguments)], capture_output=True, text=True)
        indirect = module(*arguments)
        assert without_free_memory(indirect.stdout) == without_free_memory(direct.stdout)
        assert (indirect.returncode, indirect.stderr) == (direct.returncode, direct.stderr)


def test_a_file_that_is_no_table(tmp_path, command):
    (tmp_path / "t.parquet").write_text("x,y\n1,2\n")
    done = module("fit", tmp_path / "t.parquet", "--target", "y")
    assert done.returncode == 2 and done.stderr.startswith(f"gpcv: {tmp_path / 't.parquet'}: ")
    assert done.stderr.count("\n") == 1


def test_without_a_reader_or_a_command(tmp_path, monkeypatch, command, capsys):
    import gpcv.__main__ as program

    polars.DataFrame({"x": [1.0], "y": [2.0]}).write_parquet(tmp_path / "t.parquet")
    for absent in ("pyarrow", "polars"):
        monkeypatch.setitem(sys.modules, absent, None)
    assert program.main(["fit", str(tmp_path / "t.parquet"), "--target", "y"]) == 2
    assert "needs pyarrow or polars: pip install pyarrow" in capsys.readouterr().err
    monkeypatch.setattr(program, "find_command", lambda: None)
    assert program.main(["info"]) == 2
    assert capsys.readouterr().err.startswith("gpcv: the compiled command was not found: build it")


def becomes_the_command(process, command):
    """Wait until the process has become the command and trains."""
    for _ in range(600):
        if os.path.realpath(f"/proc/{process.pid}/exe") == os.path.realpath(command):
            return
        assert process.poll() is None, process.communicate()
        time.sleep(0.05)
    raise AssertionError("the command has not started")


@pytest.mark.parametrize("by", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGKILL])
def test_a_signal_ends_everything_and_leaves_nothing(by, command, tmp_path):
    rng = np.random.default_rng(2)
    x = rng.normal(size=(4000, 4))
    polars.DataFrame({"a": x[:, 0], "b": x[:, 1], "c": x[:, 2], "y": x[:, 3]}).write_parquet(tmp_path / "t.parquet")
    (tmp_path / "temporary").mkdir()
    arguments = ["fit", tmp_path / "t.parquet", "--target", "y", "--threads", "1", "-o", tmp_path / "m.h5"]
    process = subprocess.Popen([sys.executable, "-m", "gpcv", *map(str, arguments)], start_new_session=True,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               env={**os.environ, "TMPDIR": str(tmp_path / "temporary")})
    try:
        becomes_the_command(process, command)
        os.kill(process.pid, by)
        process.communicate(timeout=60)
        assert process.returncode != 0
        with pytest.raises(ProcessLookupError):
            os.killpg(process.pid, 0)
        assert list((tmp_path / "temporary").iterdir()) == []
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


def test_tables_keep_the_names_that_the_user_gave(table, command, tmp_path):
    parquet.write_table(table, tmp_path / "t.parquet")
    files = []
    for _ in range(2):
        assert module("fit", tmp_path / "t.parquet", *FIT, "-o", tmp_path / "m.h5").returncode == 0
        files.append((tmp_path / "m.h5").read_bytes())
    assert files[0] == files[1]
    assert f"fit {tmp_path / 't.parquet'} " in module("info", tmp_path / "m.h5").stdout
    wrong = table.set_column(0, "x", pyarrow.array([1.0] * 79 + [None]))
    parquet.write_table(wrong, tmp_path / "wrong.parquet")
    done = module("predict", tmp_path / "m.h5", tmp_path / "wrong.parquet")
    assert done.returncode == 2 and done.stderr.startswith(f"gpcv: {tmp_path / 'wrong.parquet'}:81:1: ")
    before = (tmp_path / "t.parquet").read_bytes()
    done = module("predict", tmp_path / "m.h5", tmp_path / "t.parquet", "-o", tmp_path / "t.parquet")
    assert done.returncode == 2 and (tmp_path / "t.parquet").read_bytes() == before
