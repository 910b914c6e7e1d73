"""Data frames of pandas, polars and pyarrow: names, categories, dates, missing values."""
import datetime
import subprocess
import sys

import numpy as np
import pandas
import polars
import pyarrow
import pytest
from sklearn.model_selection import cross_val_score

import gpcv
from conftest import pinned
from gpcv import _columns, _dates, _frames

ROWS = 60
DAYS = np.datetime64("2001-01-05T06:30:00") + np.arange(ROWS) * np.timedelta64(61, "D")


def columns():
    rng = np.random.default_rng(2)
    return {"x": rng.uniform(size=ROWS), "whole": rng.integers(0, 9, ROWS), "colour": rng.choice(["red", "blue"], ROWS),
            "flag": rng.uniform(size=ROWS) > 0.5, "when": DAYS.astype("datetime64[us]")}


def target():
    c = columns()
    rng = np.random.default_rng(3)
    return np.sin(5 * c["x"]) + (c["colour"] == "red") + 0.2 * c["flag"] + 0.05 * rng.normal(size=ROWS)


def in_pandas():
    return pandas.DataFrame(columns()).astype({"colour": "category"})


def in_pandas_nullable():
    return in_pandas().astype({"x": "Float64", "whole": "Int64", "flag": "boolean", "when": "datetime64[ns]"})


def in_pandas_arrow():
    types = {"x": "double[pyarrow]", "whole": "int64[pyarrow]", "flag": "bool[pyarrow]", "when": "timestamp[us][pyarrow]"}
    return in_pandas().astype(types)


def in_pandas_zoned():
    frame = in_pandas()
    frame["when"] = frame["when"].dt.tz_localize("UTC").dt.tz_convert("Asia/Tokyo")
    return frame


def in_polars():
    return polars.DataFrame(columns()).with_columns(polars.col("colour").cast(polars.Categorical))


def in_polars_enum():
    zoned = polars.col("when").dt.replace_time_zone("UTC").dt.convert_time_zone("America/New_York")
    return polars.DataFrame(columns()).with_columns(polars.col("colour").cast(polars.Enum(["red", "blue"])), zoned)


def in_pyarrow():
    table = pyarrow.table(columns())
    return table.set_column(2, "colour", table.column("colour").dictionary_encode())


MAKERS = [in_pandas, in_pandas_nullable, in_pandas_arrow, in_pandas_zoned, in_polars, in_polars_enum, in_pyarrow]


@pytest.fixture(scope="module")
def reference():
    return pinned(restarts=1).fit(in_pandas(), target())


@pytest.mark.parametrize("make", MAKERS)
def test_every_frame_trains_and_predicts_the_same(make, reference):
    frame = make()
    model = pinned(restarts=1).fit(frame, target())
    assert str(model.kernel_) == str(reference.kernel_)
    assert list(model.feature_names_in_) == ["x", "whole", "colour", "flag", "when"] and model.n_features_in_ == 5
    assert model.model_.features == ["x", "whole", "colour=blue", "colour=red", "flag", "when"]
    np.testing.assert_array_equal(model.predict(frame), reference.predict(in_pandas()))
    np.testing.assert_array_equal(reference.predict(frame), reference.predict(in_pandas()))
    assert model.score(frame, target()) > 0.9


@pytest.mark.parametrize("series", [pandas.Series, polars.Series, pyarrow.array,
                                    lambda y: pandas.Series(y, dtype="Float64")])
def test_targets_of_every_library(series, reference):
    model = pinned(restarts=1).fit(in_pandas(), series(target()))
    assert str(model.kernel_) == str(reference.kernel_)
    assert model.score(in_pandas(), series(target())) == reference.score(in_pandas(), target())


def test_categories_are_those_of_the_command(command, tmp_path):
    frame = in_pandas()
    table = frame.assign(y=target(), flag=frame.flag.astype(int), when=frame.when.dt.strftime("%Y-%m-%dT%H:%M:%S"))
    table.to_csv(tmp_path / "data.csv", index=False)
    subprocess.run([command, "fit", tmp_path / "data.csv", "--target", "y", "--categorical", "colour", "--quiet",
                    "--kernel", "se(ard)", "--assess", "inner", "-o", tmp_path / "theirs.h5"], check=True)
    theirs, ours = gpcv.load(tmp_path / "theirs.h5"), pinned().fit(frame, target())
    assert str(ours.kernel_) == str(theirs.kernel_)
    np.testing.assert_array_equal(ours.model_.inputs, theirs.model_.inputs)
    np.testing.assert_array_equal(ours.predict(frame), theirs.predict(frame))
    ours.save(tmp_path / "ours.h5")
    done = subprocess.run([command, "predict", tmp_path / "ours.h5", tmp_path / "data.csv", "--mean-only"],
                          capture_output=True, text=True, check=True)
    np.testing.assert_allclose([float(v) for v in done.stdout.split()[1:]], ours.predict(frame), rtol=1e-12)
    again = gpcv.load(tmp_path / "ours.h5")
    assert list(again.feature_names_in_) == list(frame.columns) and again.n_features_in_ == 5
    np.testing.assert_array_equal(again.predict(frame[frame.columns[::-1]]), ours.predict(frame))


@pytest.mark.parametrize("text", ["1958-03", "2000-02-29", "1900-12-31T23:59:59", "2023-07-04 12:30", "1969-12-31T23:00:00.5",
                                  "2024-12-31T23:59:59.987654321", "2001-09-09T01:46:40.123"])
def test_dates_are_decimal_years_to_the_last_bit(text, command, tmp_path):
    (tmp_path / "data.csv").write_text("t,y\n" + "".join(f"{text},{i}\n1990-01-0{i + 1},{i}\n" for i in range(5)))
    subprocess.run([command, "fit", tmp_path / "data.csv", "--target", "y", "--quiet", "--kernel", "se", "--assess", "inner",
                    "--max-iterations", "1", "--no-standardize", "-o", tmp_path / "m.h5"], check=False)
    moment = np.datetime64(text.replace(" ", "T"))
    assert _dates.decimal_years(np.array([moment]))[0] == gpcv.load(tmp_path / "m.h5").model_.inputs[0, 0]


@pytest.mark.parametrize("unit", ["D", "h", "m", "s", "ms", "us", "ns"])
def test_units_of_dates_do_not_matter(unit):
    days = np.array(["1950-06-01", "1999-12-31", "2024-02-29", "NaT"], "datetime64[D]")
    years = _dates.decimal_years(days.astype(f"datetime64[{unit}]"))
    np.testing.assert_array_equal(years[:3], [1950 + 151 / 365, 1999 + 364 / 365, 2024 + 59 / 366])
    assert np.isnan(years[3])


def test_arrays_of_dates():
    y = np.sin(np.arange(ROWS) / 6.0)
    for dates in (DAYS[:, None], DAYS.astype("datetime64[ns]")[:, None]):
        model = pinned("se", restarts=1).fit(dates, y)
        assert model.model_.inputs.min() == pytest.approx(2001 + 4.27 / 365, abs=1e-4)
        np.testing.assert_array_equal(model.predict(dates), model.predict(_dates.decimal_years(DAYS)[:, None]))
        with pytest.raises(ValueError, match="was dates in training: give dates or decimal years, not"):
            model.predict(dates.astype("datetime64[s]").astype(float))


def test_dates_as_objects():
    objects = [day.astype(datetime.date) for day in DAYS.astype("datetime64[D]")]
    frame = pandas.DataFrame({"when": pandas.Series(objects, dtype=object)})
    column = _columns.column_of(frame["when"])
    assert column.kind == "date"
    np.testing.assert_array_equal(column.values, _dates.decimal_years(DAYS.astype("datetime64[D]")))


def test_rows_of_dates_and_numbers():
    days, x = DAYS.astype("datetime64[s]"), columns()["x"]
    rows = [[day.astype(datetime.datetime), float(value)] for day, value in zip(days, x)]
    in_a_frame = pinned(restarts=1).fit(pandas.DataFrame({"day": days, "x": x}), target())
    for given in (rows, np.array(rows, dtype=object)):
        model = pinned(restarts=1).fit(given, target())
        assert str(model.kernel_) == str(in_a_frame.kernel_)
        np.testing.assert_array_equal(model.predict(given), in_a_frame.predict(pandas.DataFrame({"day": days, "x": x})))
    with pytest.raises(ValueError, match="column 'x1' has dates now, but was numeric in training"):
        model.predict([row[::-1] for row in rows])


def test_dates_and_numbers_are_not_confused(reference):
    plain = pinned(restarts=1).fit(in_pandas()[["x", "whole"]], target())
    with pytest.raises(ValueError, match="column 'whole' has dates now, but was numeric in training"):
        plain.predict(in_pandas().assign(whole=DAYS)[["x", "whole"]])
    with pytest.raises(ValueError, match="column 'when' was dates in training"):
        reference.predict(in_pandas().assign(when=1e18))
    years = in_pandas().assign(when=_dates.decimal_years(DAYS))
    np.testing.assert_array_equal(reference.predict(years), reference.predict(in_pandas()))


def test_targets_that_are_dates_are_decimal_years():
    x, years = columns()["x"][:, None], _dates.decimal_years(DAYS)
    expected = pinned(restarts=1).fit(x, years)
    for y in (DAYS, pandas.Series(DAYS), polars.Series(DAYS.astype("datetime64[us]")), DAYS.astype("datetime64[us]").tolist(),
              pandas.Series(DAYS).dt.strftime("%Y-%m-%dT%H:%M:%S")):
        model = pinned(restarts=1).fit(x, y)
        np.testing.assert_array_equal(model.predict(x), expected.predict(x))
        assert model.score(x, y) == expected.score(x, years)
    for y in (DAYS - DAYS[0], pandas.Series(DAYS - DAYS[0])):
        with pytest.raises(ValueError, match=r"^y has durations: divide them by a unit, for example numpy.timedelta64\(1, 'D'\)$"):
            pinned().fit(x, y)


WAITS = np.array([int(86400e6 * day) for day in columns()["x"]], "timedelta64[us]")


@pytest.mark.parametrize("make", [pandas.DataFrame, polars.DataFrame, pyarrow.table, lambda c: pandas.DataFrame(c).astype(object)])
def test_durations_are_days(make):
    plain = {"wait": WAITS / np.timedelta64(1, "D"), "whole": columns()["whole"].astype(float)}
    numbers = pinned(restarts=1).fit(make(plain), target())
    with pytest.warns(gpcv.DataWarning, match="^column 'wait' has durations, which count as days$"):
        model = pinned(restarts=1).fit(make({**plain, "wait": WAITS}), target())
    assert "durations" in [finding["code"] for finding in model.findings_]
    np.testing.assert_array_equal(model.predict(make({**plain, "wait": WAITS})), numbers.predict(make(plain)))
    with pytest.raises(ValueError, match="^column 'whole' has durations now, but was numeric in training$"):
        model.predict(make({**plain, "whole": WAITS}))
    with pytest.raises(ValueError, match="^column 'wait' has dates now, but was durations in training$"):
        model.predict(make({**plain, "wait": columns()["when"]}))


def texts_of_days(ending=""):
    return [f"{day}{ending}" for day in DAYS.astype("datetime64[s]")]


@pytest.mark.parametrize("make", [pandas.DataFrame, polars.DataFrame, pyarrow.table])
def test_iso_texts_are_dates_as_for_the_command(make, command, tmp_path):
    table = {"day": texts_of_days("+09:30"), "x": columns()["x"]}
    pandas.DataFrame({**table, "y": target()}).to_csv(tmp_path / "data.csv", index=False)
    subprocess.run([command, "fit", tmp_path / "data.csv", "--target", "y", "--quiet", "--kernel", "se(ard)", "--assess", "inner",
                    "-o", tmp_path / "theirs.h5"], check=True)
    theirs, ours = gpcv.load(tmp_path / "theirs.h5"), pinned().fit(make(table), target())
    np.testing.assert_array_equal(ours.model_.inputs, theirs.model_.inputs)
    assert ours.model_.dates == theirs.model_.dates == [0]
    assert str(ours.kernel_) == str(theirs.kernel_)
    for model in (ours, theirs):
        zoned = DAYS.astype("datetime64[us]") - np.timedelta64(570, "m")
        np.testing.assert_array_equal(model.predict(make(table)), ours.predict(make({**table, "day": zoned})))
        with pytest.raises(ValueError, match=r"^column 'day' was dates in training and has text values now \('noon' in row 0, from 0\)$"):
            model.predict(make({**table, "day": ["noon"] * ROWS}))
    np.testing.assert_array_equal(
        pinned("se", folds="time:4").fit(columns()["x"][:, None], target(), times=texts_of_days()).cv_results_["fold"],
        pinned("se", folds="time:4").fit(columns()["x"][:, None], target(), times=DAYS).cv_results_["fold"])


@pytest.mark.parametrize("text, what", [
    ("2001-02-29", r"which is not in the calendar: correct the date"),
    ("soon", r"which is no ISO date \(YYYY-MM-DD\), but row 0 has a date: write the whole column one way")])
def test_one_text_that_is_no_date(text, what):
    days = [*texts_of_days()[:7], text, *texts_of_days()[8:]]
    with pytest.raises(ValueError, match=rf"^column 'day' has '{text}' in row 7 \(from 0\), {what}$"):
        pinned().fit(pandas.DataFrame({"day": days, "x": columns()["x"]}), target())
    days[7] = None
    with pytest.raises(ValueError, match="^Input X contains NaN: column 'day', row 7"):
        pinned().fit(pandas.DataFrame({"day": days, "x": columns()["x"]}), target())


@pytest.mark.parametrize("frame, how", [
    (pandas.DataFrame(columns()), r"X.astype\(\{'colour': 'category'\}\)"),
    (pandas.DataFrame(columns()).astype({"colour": object}), "'category'"),
    (polars.DataFrame(columns()), "polars.Categorical"),
    (pyarrow.table(columns()), "dictionary_encode"),
])
def test_text_is_to_be_made_categorical(frame, how):
    with pytest.raises(ValueError, match=f"^column 'colour' has text .*: make it categorical.*{how}"):
        pinned().fit(frame, target())


@pytest.mark.parametrize("column", ["x", "whole", "colour", "flag", "when"])
@pytest.mark.parametrize("make", [in_pandas_nullable, in_polars, in_pyarrow])
def test_missing_cells_are_named(make, column, reference):
    position = list(columns()).index(column)
    frame = make()
    if isinstance(frame, pandas.DataFrame):
        frame.loc[4, column] = None
    elif isinstance(frame, polars.DataFrame):
        keep = polars.when(polars.int_range(polars.len()) != 4)
        frame = frame.with_columns(keep.then(polars.col(column)).alias(column))
    else:
        parts = frame.column(column).combine_chunks()
        parts = pyarrow.array([None if i == 4 else v for i, v in enumerate(parts.to_pylist())], parts.type)
        frame = frame.set_column(position, column, parts)
    feature = "'when'" if column == "when" else f"'{column}'"
    message = rf"^Input X contains NaN: column {feature}, row 4 \(from 0\); leave the row out$"
    with pytest.raises(ValueError, match=message):
        pinned().fit(frame, target())
    with pytest.raises(ValueError, match=message):
        reference.predict(frame)


def test_missing_numbers_of_arrays_are_named(hill):
    x, y = hill[0].copy(), hill[1].copy()
    x[7, 1] = np.nan
    with pytest.raises(ValueError, match=r"^Input X contains NaN: column 'x1', row 7 \(from 0\); leave the row out$"):
        pinned().fit(x, y)
    x[7, 1] = np.inf
    with pytest.raises(ValueError, match="^Input X contains infinity: column 'x1', row 7"):
        pinned().fit(x, y)
    y[3] = np.nan
    with pytest.raises(ValueError, match="^Input y contains NaN.$"):
        pinned().fit(hill[0], y)


def test_columns_are_checked_by_name(reference):
    numeric = pinned(restarts=1).fit(in_polars().select("x", "whole"), target())
    for frame in (in_polars(), in_pandas(), in_pyarrow()):
        with pytest.raises(ValueError, match="must be in the same order"):
            numeric.predict(_frames.select(frame, ["whole", "x"]))
        with pytest.raises(ValueError, match="yet now missing:\n- whole"):
            numeric.predict(_frames.select(frame, ["x"]))
        with pytest.raises(ValueError, match="unseen at fit time:\n- flag"):
            numeric.predict(_frames.select(frame, ["x", "whole", "flag"]))
        backwards = _frames.select(frame, list(columns())[::-1])
        np.testing.assert_array_equal(reference.predict(backwards), reference.predict(in_pandas()))
        with pytest.raises(ValueError, match="^X has no column 'colour', which the model was trained on$"):
            reference.predict(_frames.select(frame, ["x", "whole", "flag", "when"]))


def test_levels_a_model_does_not_know(reference):
    with pytest.raises(ValueError, match="column 'colour' holds 'pink', which the model does not know: it knows blue, red"):
        reference.predict(in_pandas().assign(colour="pink"))
    with pytest.raises(ValueError, match="more than 200 levels"):
        many = pandas.DataFrame({"x": np.arange(300.0), "c": pandas.Categorical([f"l{i}" for i in range(300)])})
        pinned().fit(many, np.arange(300.0))


@pytest.mark.parametrize("transform", ["none", "log:5"])
def test_unknown_levels_are_averaged_as_by_the_command(transform, command, tmp_path):
    frame = in_pandas()[["x", "colour"]]
    model = pinned(restarts=1, transform=transform).fit(frame, target())
    model.save(tmp_path / "m.h5")
    pink = frame.assign(colour=["pink"] * 5 + list(frame["colour"][5:]))
    pink.to_csv(tmp_path / "pink.csv", index=False)
    done = subprocess.run([command, "predict", tmp_path / "m.h5", tmp_path / "pink.csv", "--unseen", "average", "--interval", "0.8",
                           "--quantiles", "0.3"], capture_output=True, text=True, check=True)
    theirs = np.array([line.split(",") for line in done.stdout.split()[1:]], dtype=float)
    mean, std, lower, upper, quantiles = model.predict(pink, True, interval=0.8, quantiles=[0.3], unseen="average")
    np.testing.assert_allclose(np.column_stack([mean, std, lower, upper, quantiles]), theirs, rtol=1e-9)
    np.testing.assert_allclose(model.set_params(unseen="average").predict(pink), mean, rtol=1e-9)
    np.testing.assert_array_equal(model.predict(frame), model.predict(frame, unseen="error"))
    if transform == "none":
        red, blue = (model.predict(frame.assign(colour=level), return_std=True) for level in ("red", "blue"))
        np.testing.assert_allclose(mean[:5], (red[0] + blue[0])[:5] / 2, rtol=1e-9)
        variance = (red[1] ** 2 + blue[1] ** 2) / 2 + ((red[0] - blue[0]) / 2) ** 2
        np.testing.assert_allclose(std[:5], np.sqrt(variance[:5]), rtol=1e-9)
    for refused in (lambda: model.predict(pink, unseen="error"), lambda: model.sample_y(pink), lambda: model.components(pink)):
        with pytest.raises(ValueError, match=r"the model does not know: it knows blue, red; predict\(X, unseen='average'\)"):
            refused()
    with pytest.raises(ValueError, match="^a mixture of levels has no joint covariance"):
        model.predict(pink, return_cov=True, unseen="average")
    for wrong in (lambda: model.predict(pink, unseen="mean"), lambda: pinned(unseen="mean").fit(frame, target())):
        with pytest.raises(ValueError, match="^unseen cannot be 'mean': expected 'error' or 'average'$"):
            wrong()


def with_a_level_of_no_row(make):
    """Frame whose column knows the level green, and the same with green in the last row."""
    if make is in_pandas:
        declared = in_pandas().assign(colour=in_pandas()["colour"].cat.add_categories(["green"]))
        last = declared.copy()
        last.loc[ROWS - 1, "colour"] = "green"
        return declared, last
    texts = [*columns()["colour"][:-1], "green"]
    if make is in_pyarrow:
        last = in_pyarrow().set_column(2, "colour", pyarrow.array(texts).dictionary_encode())
        parts = pyarrow.DictionaryArray.from_arrays(last.column("colour").combine_chunks().indices.take(
            pyarrow.array([*range(ROWS - 1), 0])), ["blue", "red", "green"])
        return last.set_column(2, "colour", parts), last
    kind = polars.Enum(["red", "blue", "green"]) if make is in_polars_enum else polars.Categorical
    last = in_polars().with_columns(polars.Series("colour", texts, dtype=kind))
    first = polars.when(polars.int_range(polars.len()) < ROWS - 1).then(polars.col("colour"))
    return last.with_columns(first.otherwise(polars.col("colour").first()).alias("colour")), last


@pytest.mark.parametrize("make", [in_pandas, in_polars, in_polars_enum, in_pyarrow])
def test_levels_of_no_training_row_are_unknown(make):
    declared, last = with_a_level_of_no_row(make)
    model = pinned(restarts=1).fit(declared, target())
    assert "colour=green" not in model.model_.features
    with pytest.raises(ValueError, match="^column 'colour' holds 'green', which the model does not know: it knows blue, red"):
        model.predict(last)
    left_out = pinned(restarts=1).fit(last, target(), sample_weight=[1.0] * (ROWS - 1) + [0.0])
    assert "colour=green" not in left_out.model_.features
    with pytest.raises(ValueError, match="holds 'green', which the model does not know"):
        left_out.predict(last)


def test_kernels_name_columns():
    named = gpcv.se(on="x") + gpcv.linear(on=["colour", "when"])
    by_name = pinned(kernel=named).fit(in_pandas(), target())
    by_number = pinned(kernel="se(on=[0]) + linear(on=[2,3,5])").fit(in_pandas(), target())
    assert str(by_name.kernel_) == str(by_number.kernel_)
    with pytest.raises(ValueError, match="did you mean 'colour'"):
        pinned(kernel="se(on=color)").fit(in_pandas(), target())


def test_other_shapes_of_frames(reference, hill):
    x, y = hill
    unnamed = pandas.DataFrame(x)
    model = pinned(restarts=1).fit(unnamed, y)
    assert not hasattr(model, "feature_names_in_")
    np.testing.assert_array_equal(model.predict(unnamed), model.predict(x))
    with pytest.warns(UserWarning, match="was fitted without feature names"):
        model.predict(polars.DataFrame(x, schema=["a", "b", "c"]))
    with pytest.raises(ValueError, match=r"give X.collect\(\)"):
        pinned().fit(polars.DataFrame(x).lazy(), y)
    with pytest.raises(ValueError, match="categorical columns: give a data frame"):
        reference.predict(np.zeros((2, 5)))
    np.testing.assert_array_equal(reference.predict(reference.model_.inputs), reference.predict(in_pandas()))
    with pytest.raises(ValueError, match="X has 2 features, but GPRegressor is expecting 3"):
        model.predict(unnamed[[0, 1]])


@pytest.mark.parametrize("values, message", [
    ([datetime.time(i) for i in range(9)], "column 'd' has a value of the type time in row 0"),
    ([[1.0]] * 9, "column 'd' has a value of the type"),
])
def test_columns_that_are_not_numbers(values, message):
    for frame in (pandas.DataFrame({"d": values}), polars.DataFrame({"d": values}), pyarrow.table({"d": values})):
        with pytest.raises(ValueError, match=message):
            pinned().fit(frame, np.arange(9.0))


@pytest.mark.parametrize("make", [in_pandas, in_polars_enum, in_pyarrow])
def test_frames_are_split_by_scikit_learn(make):
    assert cross_val_score(pinned(restarts=1), make(), target(), cv=3).min() > 0.5


def test_predictions_as_a_frame(reference):
    for frame in (in_pandas(), in_polars(), in_pyarrow()):
        assert list(reference.predict_frame(frame).columns) == ["mean", "std", "lower", "upper"]


def test_importing_the_package_imports_no_frames():
    """scikit-learn may import some of them; the package adds none."""
    program = """
import sys, sklearn.base, sklearn.gaussian_process, sklearn.metrics
before = set(sys.modules)
import gpcv
print([m for m in ("pandas", "polars", "pyarrow", "matplotlib") if m in set(sys.modules) - before])
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
