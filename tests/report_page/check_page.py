"""Reports of several kinds of models, as a browser shows them: every picture is drawn, nothing is asked of a network,
nothing is wider than the window, wide or narrow, light or dark."""
import math
import pathlib
import random
import subprocess
import sys
import tempfile
import time

from PIL import Image

from browser import Browser, CannotStart

SKIPPED = 77

# Of each canvas: its place on the page and how much of it is painted, and in how many colours.
MEASURE = """
[...document.querySelectorAll("canvas")].map(canvas => {
  const box = canvas.getBoundingClientRect();
  const pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
  let painted = 0;
  const colours = new Set();
  for (let i = 0; i < pixels.length; i += 4) {
    if (pixels[i + 3] > 0) { ++painted; colours.add(pixels[i] + "," + pixels[i + 1] + "," + pixels[i + 2]); }
  }
  return {label: canvas.getAttribute("aria-label"), painted: painted / (pixels.length / 4), colours: colours.size,
          left: box.left + scrollX, top: box.top + scrollY, width: box.width, height: box.height};
})
"""


def table(path, header, rows):
    path.write_text("\n".join([",".join(header), *(",".join(map(str, row)) for row in rows)]) + "\n")


def models(command, folder):
    """(name, arguments of fit, extra arguments of report or None for fit --report, pictures expected)

    A model file holds no times: its report has no picture of the error over time."""
    numbers = random.Random(4)
    wave = [(x, 5 + 3 * math.sin(x) + numbers.gauss(0, .3)) for x in (10 * i / 89 for i in range(90))]
    table(folder / "wave.csv", ["x", "y"], wave)
    hostile = '"</script><b id=\'x\'>""a"" & <i>"'
    surface = []
    for _ in range(90):
        a, b, c = (numbers.uniform(-1, 1) for _ in range(3))
        surface.append((2 * a, 500 + 100 * b, c, "red green blue".split()[numbers.randrange(3)],
                        math.sin(4 * a) + b + numbers.gauss(0, .05)))
    table(folder / "surface.csv", [hostile, "b", "c", "colour", '"y <!-- <script>"'], surface)
    return [
        ("one input", ["wave.csv", "--target", "y", "--kernel", "se"], None, 7),
        ("sum and mean", ["wave.csv", "--target", "y", "--kernel", "se(l=1) + lp(l=1, p=6)", "--mean", "linear"],
         ["--data", str(folder / "wave.csv")], 14),
        ("several inputs", ["surface.csv", "--target", "-1", "--categorical", "colour", "--kernel", "se(ard)"], None, 12),
        ("likelihood", ["wave.csv", "--target", "y", "--trainer", "likelihood"], [], 6),
    ]


def check(browser, page, width, dark, pictures, folder):
    complaints, addresses = browser.open(page, width, dark=dark)
    assert not complaints, complaints
    assert all(address.startswith(("file:", "data:")) for address in addresses), addresses
    drawn = browser.evaluate("Number(document.documentElement.dataset.drawn)")
    canvases = browser.evaluate(MEASURE)
    assert len(canvases) == drawn == pictures, (len(canvases), drawn, pictures)
    wide, window = browser.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert window == width and wide <= window, f"{wide} pixels wide in a window of {window}"
    assert browser.evaluate("document.querySelectorAll('main b[id], main i').length") == 0, "a column's name became HTML"
    assert browser.evaluate("parseFloat(getComputedStyle(document.body).fontSize)") >= 14
    for canvas in canvases:
        assert canvas["painted"] > .01 and canvas["colours"] > 3, canvas
        assert canvas["width"] > 200 and canvas["height"] > 150, canvas
    blank = blank_on_screen(browser, canvases, folder)
    assert not blank, f"nothing to see on the screen: {blank}"


def blank_on_screen(browser, canvases, folder, tries=5):
    """Pictures that a screenshot does not show. The browser may take it before it has composed the page."""
    for _ in range(tries):
        browser.screenshot(folder / "page.png")
        image = Image.open(folder / "page.png").convert("RGB")
        blank = []
        for canvas in canvases:
            left, top = int(canvas["left"]), int(canvas["top"])
            part = image.crop((left, top, left + int(canvas["width"]), top + int(canvas["height"])))
            if len(part.getcolors(maxcolors=1 << 24)) <= 5:
                blank.append(canvas["label"])
        if not blank:
            break
        time.sleep(.5)
    return blank


def main(command):
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        try:
            browser = Browser()
        except CannotStart as reason:
            print(f"skipped: {reason}")
            return SKIPPED
        with browser:
            for name, fit, report, pictures in models(command, folder):
                page, model = folder / "page.html", folder / "model.h5"
                run = lambda *arguments: subprocess.run([command, *arguments], check=True, cwd=folder)
                common = ["--quiet", "--restarts", "2", "--threads", "1"]
                if report is None:
                    run("fit", *fit, *common, "--report", str(page))
                else:
                    run("fit", *fit, *common, "-o", str(model))
                    run("report", str(model), "-o", str(page), *report)
                for width, dark in ((1280, False), (400, True)):
                    check(browser, page, width, dark, pictures, folder)
                print(f"{name}: {pictures} pictures, {page.stat().st_size // 1024} KiB")
    return 0


sys.exit(main(sys.argv[1]))
