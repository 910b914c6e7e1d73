"""first_week.py GPCV [PYTHONPATH]: walks through what a new user meets in the first week, on files that it makes.

Each function is a story with checks of its own; the name of a story that fails is printed with the reason, and the exit
code is 1. The stories of the Python package are left out without the path of the built package."""
import gzip
import json
import math
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

GPCV = pathlib.Path(sys.argv[1]).resolve()
QUICK = ("--kernel", "se(ard)", "--assess", "inner")


def gpcv(*arguments, code=0, stdin=None, environment=None):
    """Runs the command and expects its exit code; gives standard output and the messages."""
    result = subprocess.run([str(GPCV), *map(str, arguments)], capture_output=True, input=stdin, timeout=300, check=False,
                            env={**os.environ, **(environment or {})})
    out, err = result.stdout.decode(), result.stderr.decode()
    expect(result.returncode == code, f"gpcv {' '.join(map(str, arguments))}: exit code {result.returncode}: {err}{out}")
    return out, err


def expect(holds, reason):
    if not holds:
        raise AssertionError(reason)


def expect_line(text, *parts):
    """One message with all parts."""
    expect(text.startswith("gpcv: ") and text.count("\n") == 1, f"not one message: {text!r}")
    for part in parts:
        expect(part in text, f"{part!r} is not in {text!r}")


def rows(count, seed=1):
    draw = random.Random(seed)
    for i in range(count):
        a, b = draw.uniform(-1, 1), draw.uniform(-1, 1)
        yield i, a, b, math.sin(3 * a) + b + draw.gauss(0, 0.1)


def table(path, count=40, seed=1):
    lines = ["a,b,y", *(f"{a:.6f},{b:.6f},{y:.6f}" for _, a, b, y in rows(count, seed))]
    path.write_text("\n".join(lines) + "\n")
    return path


def predictions(text):
    header, *lines = text.strip().split("\n")
    return [dict(zip(header.split(","), line.split(","))) for line in lines]


def huge_targets_leave_the_old_model(folder):
    (folder / "huge.csv").write_text("x,y\n" + "".join(f"{i},{i * 7 % 11}e300\n" for i in range(30)))
    (folder / "m.h5").write_text("an older model")
    expect_line(gpcv("fit", folder / "huge.csv", "--target", "y", "-o", folder / "m.h5", code=2)[1], "power of ten")
    expect((folder / "m.h5").read_text() == "an older model", "the older model was replaced")
    expect("power of ten" in gpcv("check", folder / "huge.csv", "--target", "y", code=2)[0], "check does not foresee it")


def an_interrupt_ends_quickly(folder):
    """Without anything to keep the program ends at once; a fit keeps the best model and says what it has left out."""
    data, long = table(folder / "a.csv", 1500), ("--target", "y", "--trainer", "likelihood", "--restarts", "1000")
    (folder / "m.h5").write_text("an older model")
    def interrupted(*arguments, after=0.7):
        process = subprocess.Popen([str(GPCV), *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        time.sleep(after)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        expect(process.returncode == 1, f"gpcv {arguments[0]} ends with {process.returncode} after Ctrl-C: {err.decode()}")
        return out.decode(), err.decode()
    for command in (["cv", data, *long], ["compare", data, *long], ["fit", data, "--target", "y", "-o", folder / "m.h5"]):
        out, err = interrupted(*command, "--quiet")
        expect(out == "", f"{command[0]} prints a part of its result")
        expect_line(err, "stopped")
    expect((folder / "m.h5").read_text() == "an older model", "the older model was replaced before there was a new one")
    for after in (1, 5, 25):  # a slow machine needs longer to its first error
        out, err = interrupted("fit", data, *long, "--json", "--calibration", "0.1", "-o", folder / "m.h5", after=after)
        if "before the first error" not in err:
            break
    expect_line(err, "the model is written in about")
    expect(json.loads(out)["left_out"] == ["importance of the inputs", "conformal intervals"], out)
    expect(len(predictions(gpcv("predict", folder / "m.h5", data)[0])) == 1500, "the model is of no use")


def lack_of_memory_is_said(folder):
    data = table(folder / "a.csv")
    limited = f"ulimit -v 250000; exec '{GPCV}' fit '{data}' --target y --kernel se --threads 2"
    result = subprocess.run(["/bin/bash", "-c", limited], capture_output=True, timeout=120, check=False)
    expect(result.returncode == 3, f"without memory fit ends with {result.returncode}")
    expect_line(result.stderr.decode(), "out of memory: ")


def dates_have_one_meaning(folder):
    days = [f"{2000 + i // 12}-{i % 12 + 1:02d}-15" for i in range(60)]
    (folder / "d.csv").write_text("day,y\n" + "".join(f"{day},{math.sin(i / 4)}\n" for i, day in enumerate(days)))
    gpcv("fit", folder / "d.csv", "--target", "y", *QUICK, "-o", folder / "d.h5", "--quiet")
    def at(cells):
        (folder / "new.csv").write_text("day\n" + "".join(f"{cell}\n" for cell in cells))
        return [float(row["mean"]) for row in predictions(gpcv("predict", folder / "d.h5", folder / "new.csv")[0])]
    iso, compact, zone = at(["2002-06-15"]), at(["20020615"]), at(["2002-06-15T02:00:00+02:00"])
    expect(abs(iso[0] - compact[0]) < 1e-9, "20020615 is another day")
    expect(abs(iso[0] - zone[0]) < 1e-9, "a time zone is ignored")
    (folder / "new.csv").write_text("day\n123456\n")
    expect_line(gpcv("predict", folder / "d.h5", folder / "new.csv", code=2)[1], "day")


def numbers_are_read_by_whole_columns(folder):
    (folder / "n.csv").write_text("x;share;y\n" + "".join(f"1.{i:03d},5;{i} %;{i},25\n" for i in range(100, 140)))
    out, _ = gpcv("check", folder / "n.csv", "--target", "y")
    expect("decimal comma" in out.lower() or "comma" in out, f"nothing is said of commas: {out}")
    (folder / "u.csv").write_text('x,y\n' + "".join(f'"1,{i}",{i}\n' for i in range(100, 140)))
    expect_line(gpcv("fit", folder / "u.csv", "--target", "y", code=2)[1], "--decimal")
    gpcv("fit", folder / "u.csv", "--target", "y", *QUICK, "--decimal", "point", "--quiet")


def encodings_are_converted(folder):
    text = "größe,y\n" + "".join(f"{a},{y}\n" for _, a, _, y in rows(40))
    for encoding in ("latin-1", "utf-16", "utf-8-sig"):
        (folder / "e.csv").write_bytes(text.encode(encoding))
        gpcv("fit", folder / "e.csv", "--target", "y", *QUICK, "-o", folder / "e.h5", "--quiet")
        expect("größe" in gpcv("info", folder / "e.h5")[0], f"the name is lost in {encoding}")


def missing_cells_are_named_and_dropped(folder):
    cells = [".", "#DIV/0!", "-", "NULL", "n.a.?"]
    text = "a,b,y\n" + "".join(f"{a},{cells[i] if i < 5 else b},{y}\n" for i, a, b, y in rows(50))
    (folder / "m.csv").write_text(text)
    expect_line(gpcv("fit", folder / "m.csv", "--target", "y", "--na", "n.a.?", code=2)[1], "--missing drop")
    options = ("--missing", "drop", "--na", "n.a.?")
    gpcv("fit", folder / "m.csv", "--target", "y", *QUICK, *options, "-o", folder / "m.h5", "--quiet")
    found = predictions(gpcv("predict", folder / "m.h5", folder / "m.csv", *options)[0])
    expect(len(found) == 50 and found[0]["mean"] == "" and found[5]["mean"] != "", "rows are lost")
    gpcv("evaluate", folder / "m.h5", folder / "m.csv", *options)


def categories(folder):
    text = "kind,a,y\n" + "".join(f"{'xyz'[i % 3]},{a},{y + i % 3}\n" for i, a, _, y in rows(60))
    (folder / "c.csv").write_text(text)
    gpcv("fit", folder / "c.csv", "--target", "y", *QUICK, "--categorical", "kind", "-o", folder / "c.h5", "--quiet")
    (folder / "new.csv").write_text("kind,a\nx,0.1\nnever,0.1\n")
    expect_line(gpcv("predict", folder / "c.h5", folder / "new.csv", code=2)[1], "never", "--unseen average")
    known, unseen = predictions(gpcv("predict", folder / "c.h5", folder / "new.csv", "--unseen", "average")[0])
    expect(float(unseen["std"]) > float(known["std"]), "a mixture of levels is no less certain than a level")
    (folder / "t.csv").write_text("a,y\n" + "".join(f"{i},{'low' if i % 2 else 'high'}\n" for i in range(20)))
    expect("--categorical" not in gpcv("fit", folder / "t.csv", "--target", "y", code=2)[1], "advice for a target")


def files_are_safe(folder):
    data = table(folder / "a.csv")
    fit = ("fit", data, "--target", "y", *QUICK, "--quiet", "--checkpoint", folder / "ck.h5")
    gpcv(*fit)
    expect_line(gpcv(*fit, code=2)[1], "--resume")
    (folder / "link.h5").symlink_to("target.h5")
    gpcv("fit", data, "--target", "y", *QUICK, "--quiet", "-o", folder / "link.h5")
    expect((folder / "link.h5").is_symlink() and (folder / "target.h5").is_file(), "a link was replaced by a file")
    for arguments in (("predict", folder / "link.h5", data), ("info",), ("help",), ("evaluate", folder / "link.h5", data)):
        with open("/dev/full", "w", encoding="utf-8") as full:
            code = subprocess.run([str(GPCV), *map(str, arguments)], stdout=full, stderr=subprocess.DEVNULL, check=False)
        expect(code.returncode == 2, f"{arguments[0]} to a full device ends with {code.returncode}")


def mistyped_words(folder):
    data = table(folder / "a.csv")
    expect_line(gpcv("fit", data, "--traget", "y", code=2)[1], "did you mean --target?")
    expect_line(gpcv("fit", data, "--target", "yy", code=2)[1], "did you mean 'y'?")
    expect_line(gpcv("fti", data, code=2)[1], "did you mean fit?")
    expect_line(gpcv("fit", data, "--target", "y", "--features", "a", "b", code=2)[1], "comma")
    for first in ("sep=;\na;b;y\n", "# made by hand\na;b;y\n", "a|b|y\n"):
        mark = "|" if "|" in first else ";"
        (folder / "s.csv").write_text(first + "".join(f"{a}{mark}{b}{mark}{y}\n" for _, a, b, y in rows(30)))
        gpcv("fit", folder / "s.csv", "--target", "y", *QUICK, "--quiet")


def the_same_run_writes_the_same_bytes(folder):
    data = table(folder / "a.csv", 300)
    def fit(name, threads):
        gpcv("fit", data, "--target", "y", *QUICK, "--threads", threads, "-o", folder / "m.h5", "--quiet")
        (folder / "m.h5").rename(folder / name)
        return predictions(gpcv("predict", folder / name, data)[0])
    one, other = fit("1.h5", 1), fit("2.h5", 2)
    fit("3.h5", 1)
    same = (folder / "1.h5").read_bytes() == (folder / "3.h5").read_bytes()
    expect(same, "two runs with the same threads write different models")
    worst = max(abs(float(p["mean"]) - float(q["mean"])) / float(p["std"]) for p, q in zip(one, other))
    expect(worst < 1e-4, f"another number of threads moves predictions by {worst} deviations")


def threads_are_those_granted(folder):
    del folder
    out, _ = gpcv("info", environment={"OMP_NUM_THREADS": "1"})
    expect(any(line.split() == ["threads", "1"] for line in out.splitlines()), out)


def a_model_is_described(folder):
    data = table(folder / "a.csv")
    gpcv("fit", data, "--target", "y", "--kernel", "2*rbf(ard)", "--assess", "inner", "-o", folder / "m.h5", "--quiet")
    out, _ = gpcv("info", folder / "m.h5")
    expect("length scale of a" in out and "contains the training rows" in out, out)
    expect("<svg" in gpcv("plot", folder / "m.h5")[0], "no picture")
    expect(gpcv("help", "fit")[0] == gpcv("fit", "--help")[0], "help differs")
    for shell in ("bash", "zsh", "fish"):
        expect("predict" in gpcv("completion", shell)[0], shell)
    (folder / "i.csv").write_text("id,a,b\nr1,0.1,0.2\nr2,0.3,0.1\n")
    kept = predictions(gpcv("predict", folder / "m.h5", folder / "i.csv", "--id", "id", "--keep", "b")[0])
    expect([row["id"] for row in kept] == ["r1", "r2"] and kept[0]["b"] == "0.2", f"columns are not kept: {kept}")


def inputs_have_an_importance(folder):
    draw = random.Random(5)
    lines = ["kind,a,idle,y"]
    for i in range(150):
        a, idle, kind = draw.uniform(-1, 1), draw.uniform(-1, 1), "xyz"[i % 3]
        lines.append(f"{kind},{a},{idle},{3 * 'xyz'.index(kind) + a + draw.gauss(0, 0.1)}")
    (folder / "i.csv").write_text("\n".join(lines) + "\n")
    out, _ = gpcv("fit", folder / "i.csv", "--target", "y", *QUICK, "--categorical", "kind", "--json", "-o", folder / "i.h5")
    kind, a, idle = json.loads(out)["importance"]
    expect([kind["name"], a["name"], idle["name"]] == ["kind", "a", "idle"], f"another order: {out}")
    # Two rows of different kinds, two thirds of all pairs, are 3, 3 or 6 apart: √(2/3 · (9 + 9 + 36)/3) = 3.46.
    expect(abs(kind["increase"] - 3.36) < 4 * kind["standard_error"] + 0.2, f"kind: {kind}")
    expect(abs(idle["increase"]) <= 2 * idle["standard_error"] + 0.005, f"idle: {idle}")
    described = gpcv("info", folder / "i.h5")[0]
    expect("kind                 without it the error grows by 3." in described, described)
    expect("1 input with no measurable effect" in described, described)
    gpcv("report", folder / "i.h5", "-o", folder / "i.html")
    expect('"importance":{"rows":150' in (folder / "i.html").read_text(), "the report does not have it")


def pictures_for_a_text(folder):
    (folder / "one.csv").write_text("x,y\n" + "".join(f"{i / 10},{math.sin(i / 5)}\n" for i in range(50)))
    (folder / "two.csv").write_text("kind,x,y\n" + "".join(f"{'uv'[i % 2]},{i / 10},{math.sin(i / 5) + i % 2}\n" for i in range(50)))
    for name, more in (("one", ()), ("two", ("--categorical", "kind"))):
        model = folder / f"{name}.h5"
        gpcv("fit", folder / f"{name}.csv", "--target", "y", *QUICK, *more, "--quiet", "-o", model)
        gpcv("plot", model, "-o", folder / f"{name}.png", "--width", 800)
        picture = (folder / f"{name}.png").read_bytes()
        expect(picture.startswith(b"\x89PNG") and int.from_bytes(picture[16:20], "big") == 800, f"{name}.png is no PNG of 800 pixels")
    expect_line(gpcv("plot", model, "-o", folder / "two.jpg", code=2)[1], "SVG or PNG")
    (folder / "librsvg-2.so.2").write_text("")
    without = {"LD_LIBRARY_PATH": str(folder)}
    expect_line(gpcv("plot", model, "-o", folder / "new.png", code=2, environment=without)[1], "librsvg2-2")
    gpcv("plot", model, "-o", folder / "new.svg", environment=without)
    expect(not (folder / "new.png").exists(), "a picture that could not be drawn was written")


def rows_keep_names_and_notation(folder):
    lines = [f"r{i};{a * 10:.4f};{y:.4f}".replace(".", ",") for i, a, _, y in rows(60)]
    (folder / "n.csv").write_text("name;a;y\n" + "\n".join(lines) + "\n")
    common = ("--target", "y", *QUICK, "--id", "name", "--quiet")
    held = predictions(gpcv("cv", folder / "n.csv", *common)[0])
    expect([row["name"] for row in held] == [f"r{i}" for i in range(60)], "cv does not name its rows")
    gpcv("fit", folder / "n.csv", *common, "-o", folder / "n.h5")
    def at(cell):
        (folder / "new.csv").write_text(f"name;a\nq;{cell}\n")
        return float(predictions(gpcv("predict", folder / "n.h5", folder / "new.csv")[0])[0]["mean"])
    expect(at("1,234") == at("1,2340"), "1,234 is 1234 where the training had decimal commas")
    expect(at("1.5") == at("1,5"), "1.5 can only be one and a half")


def every_command_has_a_page_of_man(folder):
    gpcv("help", "--share", folder / "share")
    pages = sorted(path.name for path in (folder / "share/man/man1").iterdir())
    expect({"gpcv.1", "gpcv-fit.1", "gpcv-predict.1"} <= set(pages), pages)
    for page in pages:
        command = page.removesuffix(".1").removeprefix("gpcv").removeprefix("-")
        text = (folder / "share/man/man1" / page).read_text().replace("\\-", "-")
        for line in gpcv(*([command] if command else []), "--help")[0].splitlines():
            if line.startswith("  -"):
                expect(line.split()[0] in text, f"{line.split()[0]} is not in {page}")
    if shutil.which("man"):
        result = subprocess.run(["man", "--warnings", "-l", str(folder / "share/man/man1/gpcv-fit.1")], check=False,
                                capture_output=True, env={**os.environ, "MANWIDTH": "40", "MANPAGER": "cat"})
        expect(result.returncode == 0 and not result.stderr, result.stderr.decode())
        expect("--target" in result.stdout.decode().replace("\N{MINUS SIGN}", "-"), "man shows no options")


def odd_table(path, inputs, count=60):
    """A table of inputs with odd names, of which only the first two matter, a category and a date."""
    draw = random.Random(3)
    names = ["wind speed, max", 'größe "m"', *(f"x{i}" for i in range(2, inputs))]
    quoted = ",".join('"' + name.replace('"', '""') + '"' for name in names)
    lines = [f"day,kind,{quoted},y"]
    for i in range(count):
        x = [draw.uniform(-1, 1) for _ in names]
        y = math.sin(3 * x[0]) + x[1] + draw.gauss(0, 0.05)
        lines.append(f"20{i % 20:02d}-01-0{i % 9 + 1},{'uvw'[i % 3]}," + ",".join(f"{value:.5f}" for value in [*x, y]))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def kernels_have_names_of_inputs(folder):
    data = odd_table(folder / "odd.csv", 3)
    fit = ("fit", data, "--target", "y", "--categorical", "kind", "--assess", "inner", "--kernel")
    wanted = """se(on="wind speed, max") + linear(on='größe "m"') + se(on=[kind,day])"""
    out, _ = gpcv(*fit, wanted, "-o", folder / "m.h5")
    printed = [line.split(maxsplit=1)[1] for line in out.splitlines() if line.startswith("kernel     ")][-1]
    for part in ('on="wind speed, max"', 'on="größe ""m""', "on=[kind,day]"):
        expect(part in printed, f"{part} is not in {printed}")
    gpcv(*fit, printed, "--quiet")
    expect('on="wind speed, max"' in gpcv("info", folder / "m.h5")[0], "info has numbers")
    expect_line(gpcv(*fit, "se(on=dya)", code=2)[1], "'dya'", "did you mean 'day'?")
    expect_line(gpcv(*fit, "se(on=humidity)", code=2)[1], "the inputs are")
    expect("in brackets" in gpcv(*fit, "se(on=day,kind)", code=2)[1], "nothing is said of brackets")


def the_banner_is_about_the_data(folder):
    data = odd_table(folder / "odd.csv", 40, 80)
    fit = ("fit", data, "--target", "y", "--categorical", "kind", *QUICK)
    out, _ = gpcv(*fit)
    banner = out.split("cv mse")[0]
    places = [banner.find(word) for word in ("80 rows", "y from day, ", "folds ", "kernel ")]
    expect(-1 not in places and places == sorted(places), f"the order is {places}: {banner}")
    expect("memory" not in banner and "thread" not in banner, banner)
    expect("memory" in gpcv(*fit, "--verbose")[0].split("cv mse")[0], "--verbose shows no memory")


def length_scales_have_names_and_units(folder):
    data = odd_table(folder / "odd.csv", 40, 150)
    out, _ = gpcv("fit", data, "--target", "y", "--categorical", "kind", *QUICK, "-o", folder / "m.h5")
    for text in (out, gpcv("info", folder / "m.h5")[0]):
        lengths = [line for line in text.splitlines() if "length scale of" in line and "(" in line]
        expect("wind speed, max" in lengths[0], f"the most important input is not the first: {lengths}")
        expect(any("inputs with no effect" in line for line in text.splitlines()), f"nothing is folded: {text}")
        expect(len(lengths) < 30, f"{len(lengths)} lines of length scales")
        expect("amplitude" in text and "(y)" in text, "no unit of the amplitude")
    expect("±" in out, "no standard errors")
    small, _ = gpcv("fit", table(folder / "a.csv"), "--target", "y", *QUICK)
    expect(sum("length scale of" in line for line in small.splitlines()) == 2, small)


def tables_come_in_many_ways(folder):
    data = table(folder / "a.csv", 60)
    text = data.read_text().splitlines(keepends=True)
    (folder / "a.csv.gz").write_bytes(gzip.compress(data.read_bytes()))
    (folder / "1.csv").write_text("".join(text[:31]))
    (folder / "2.csv").write_text("".join([text[0], *text[31:]]))
    common = ("--target", "y", *QUICK, "--json")
    whole = gpcv("fit", data, *common)[0]
    def error(out):
        return out.split('"cv_rmse":')[1].split(",")[0]
    expect(error(gpcv("fit", folder / "a.csv.gz", *common)[0]) == error(whole), "gzip")
    expect(error(gpcv("fit", "-", *common, stdin=data.read_bytes())[0]) == error(whole), "standard input")
    expect(error(gpcv("fit", folder / "1.csv", folder / "2.csv", *common)[0]) == error(whole), "two files")


def zstd_frame(text):
    """The text as one frame of zstd with a block that is not compressed: no program of zstd is needed."""
    content_size, block = len(text).to_bytes(4, "little"), (1 | len(text) << 3).to_bytes(3, "little")
    return b"\x28\xb5\x2f\xfd\xa0" + content_size + block + text


def zstd_is_read(folder):
    data = table(folder / "a.csv")
    (folder / "a.csv.zst").write_bytes(zstd_frame(data.read_bytes()))
    common = ("--target", "y", *QUICK, "--quiet", "-o")
    gpcv("fit", folder / "a.csv.zst", *common, folder / "z.h5")
    gpcv("fit", data, *common, folder / "p.h5")
    compressed = gpcv("predict", folder / "p.h5", folder / "a.csv.zst")[0]
    expect(compressed == gpcv("predict", folder / "p.h5", data)[0], "the compressed table is another one")
    expect(compressed == gpcv("predict", folder / "z.h5", data)[0], "the model of the compressed table is another one")
    (folder / "half.zst").write_bytes((folder / "a.csv.zst").read_bytes()[:-100])
    expect_line(gpcv("predict", folder / "p.h5", folder / "half.zst", code=2)[1], "half.zst")


def far_rows_are_named(folder):
    data = table(folder / "a.csv")
    gpcv("fit", data, "--target", "y", *QUICK, "--quiet", "-o", folder / "m.h5")
    (folder / "new.csv").write_text("a,b,y\n0,0,0\n0,90,0\n0.1,0,0\n-70,0,0\n")
    for command in (("predict", folder / "m.h5", folder / "new.csv"), ("evaluate", folder / "m.h5", folder / "new.csv"),
                    ("report", folder / "m.h5", "--data", folder / "new.csv", "-o", folder / "m.html")):
        expect_line(gpcv(*command)[1], "2 rows lie far outside", "the first one in 'b'", "rows 2, 4")
    expect(gpcv("evaluate", folder / "m.h5", data)[1] == "", "training rows are far from themselves")


def an_identifier_is_recognised(folder):
    text = "id,a,b,y\n" + "".join(f"p{i},{a},{b},{y}\n" for i, a, b, y in rows(40))
    (folder / "i.csv").write_text(text)
    expect_line(gpcv("fit", folder / "i.csv", "--target", "y", code=2)[1], "column 'id'", "--id id")
    gpcv("fit", folder / "i.csv", "--target", "y", "--id", "id", *QUICK, "--quiet", "-o", folder / "i.h5")
    found = predictions(gpcv("predict", folder / "i.h5", folder / "i.csv")[0])
    expect([row["id"] for row in found] == [f"p{i}" for i in range(40)], "the rows of predictions are not named")


def limits_of_memory_are_known(folder):
    def free(result):
        line = next(line for line in result.splitlines() if line.startswith("memory"))
        return float(line.split()[1]) * {"KiB": 2.0**-10, "MiB": 1, "GiB": 1024}[line.split()[2]]
    job = {"SLURM_JOB_ID": "1"}
    per_node = free(gpcv("info", environment={**job, "SLURM_MEM_PER_NODE": "1000"})[0])
    expect(700 < per_node < 1000, "a job's memory per node, less what is in use")
    per_processor = {**job, "SLURM_MEM_PER_CPU": "250", "SLURM_CPUS_ON_NODE": "4"}
    expect(700 < free(gpcv("info", environment=per_processor)[0]) < 1000, "a job's memory per processor")
    data = table(folder / "large.csv", 8000)
    fit = f"exec '{GPCV}' fit '{data}' --target y --trainer likelihood --kernel se --threads 1"
    limited = subprocess.run(["/bin/bash", "-c", f"ulimit -v 700000; {fit}"], capture_output=True, timeout=120, check=False)
    expect(limited.returncode == 2, f"a plan beyond ulimit -v ends with {limited.returncode}")
    expect_line(limited.stderr.decode(), "8000 rows needs", "the memory budget is")
    fit = ("fit", data, "--target", "y", "--trainer", "likelihood", "--kernel", "se")
    expect_line(gpcv(*fit, code=2, environment={**job, "SLURM_MEM_PER_NODE": "300"})[1], "the memory budget is")


def modes_of_files_are_kept(folder):
    data, model = table(folder / "a.csv"), folder / "m.h5"
    fit = ("fit", data, "--target", "y", *QUICK, "--quiet", "-o", model)
    gpcv(*fit)
    for mode in (0o600, 0o640, 0o664):
        model.chmod(mode)
        gpcv(*fit)
        expect(model.stat().st_mode & 0o777 == mode, f"{oct(mode)} became {oct(model.stat().st_mode & 0o777)}")


def python_says_what_it_finds(folder):
    import warnings

    import gpcv as package
    import numpy as np
    import pandas

    generator = np.random.default_rng(1)
    frame = pandas.DataFrame({"day": pandas.date_range("2001-01-15", periods=60, freq="MS"),
                              "kind": pandas.Categorical(list("xyz") * 20), "b": generator.normal(size=60)})
    target = np.sin(np.arange(60) / 5) + 0.1 * generator.normal(size=60)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = package.GPRegressor(kernel="se(ard)", assess="inner").fit(frame, target, sample_weight=np.ones(60))
    expect(model.predict(frame[["b", "kind", "day"]]).shape == (60,), "columns are found by name")
    expect(isinstance(model.findings_, list), "findings_")
    expect({one["name"] for one in model.importance_} == {"day", "kind", "b"}, f"importance_: {model.importance_}")


    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        named = package.GPRegressor(kernel=package.se(on=["day", "kind"]) + package.linear(on="b"), assess="inner")
        numbered = package.GPRegressor(kernel="se(on=[0,1,2,3]) + linear(on=[4])", assess="inner")
        expect(str(named.fit(frame, target).kernel_) == str(numbered.fit(frame, target).kernel_), "names in kernels")
    model.save(folder / "p.h5")
    expect(np.allclose(package.load(folder / "p.h5").predict(frame), model.predict(frame)), "a loaded model differs")
    for wrong in ({"groups": [1.0, float("nan")] * 30}, {"sample_weight": [-1.0] * 60}):
        try:
            package.GPRegressor(kernel="se(ard)").fit(frame, target, **wrong)
        except ValueError as error:
            expect("--" not in str(error), f"a flag in a message: {error}")
        else:
            raise AssertionError(f"accepted {wrong}")


STORIES = [huge_targets_leave_the_old_model, an_interrupt_ends_quickly, lack_of_memory_is_said, dates_have_one_meaning,
           numbers_are_read_by_whole_columns, encodings_are_converted, missing_cells_are_named_and_dropped, categories,
           files_are_safe, mistyped_words, the_same_run_writes_the_same_bytes, threads_are_those_granted,
           a_model_is_described, inputs_have_an_importance, pictures_for_a_text, rows_keep_names_and_notation,
           every_command_has_a_page_of_man, kernels_have_names_of_inputs,
           the_banner_is_about_the_data, length_scales_have_names_and_units, tables_come_in_many_ways,
           zstd_is_read, far_rows_are_named, an_identifier_is_recognised, limits_of_memory_are_known,
           modes_of_files_are_kept]


def main():
    stories = list(STORIES)
    if len(sys.argv) > 2:
        sys.path.insert(0, sys.argv[2])
        stories.append(python_says_what_it_finds)
    failed = 0
    for story in stories:
        with tempfile.TemporaryDirectory() as folder:
            try:
                story(pathlib.Path(folder))
            except (AssertionError, subprocess.TimeoutExpired) as reason:
                failed += 1
                print(f"{story.__name__}: {reason}")
    print(f"{len(stories) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
