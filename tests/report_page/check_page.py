"""Reports of several kinds of models, as a browser shows them: every picture is drawn, has words for those who do not see
it and a table of its data, nothing is asked of a network, nothing is wider than the window, wide or narrow, light or
dark, and axe-core finds no fault. On paper the page is white."""
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


# Tables behind the pictures: the caption, the number of heads, the shape of the body.
TABLES = """
[...document.querySelectorAll("figure")].map(figure => {
  const tables = [...figure.querySelectorAll("details.data table")];
  return {label: figure.querySelector("canvas").getAttribute("aria-label"), tables: tables.map(t => ({
    caption: t.caption && t.caption.textContent, heads: t.tHead.rows[0].cells.length, rows: t.tBodies[0].rows.length,
    cells: [...t.tBodies[0].rows].every(r => r.cells.length === t.tHead.rows[0].cells.length
                                             && [...r.cells].every(c => !/NaN|undefined|null/.test(c.textContent)))}))};
})
"""

# Faults by the rules of axe-core. The scores and the first two tables of data are unfolded; the others have the same form,
# and thousands of cells take minutes.
AXE = """
(() => {
  const unfolded = [...document.querySelectorAll("details.scores"), ...[...document.querySelectorAll("details.data")].slice(0, 2)];
  unfolded.forEach(d => { d.open = true; });
  document.querySelectorAll("details[open] tbody").forEach(body => [...body.rows].slice(20).forEach(row => row.remove()));
  return axe.run(document, {resultTypes: ["violations"]}).then(found => found.violations.map(
    v => `${v.id}: ${v.help}, ${v.nodes.length} times, first in ${v.nodes[0].html.slice(0, 200)}`));
})()
"""

# What the Tab key reaches, as far as it has an outline when it is reached.
OUTLINED = """
(() => {
  const here = document.activeElement, box = here.getBoundingClientRect();
  return [here.tagName + "." + here.className, getComputedStyle(here).outlineStyle !== "none", box.width > 0];
})()
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
    for figure in browser.evaluate(TABLES):
        assert figure["label"] and figure["tables"], figure
        for one in figure["tables"]:
            assert one["caption"] and one["heads"] > 1 and 0 < one["rows"] <= 200 and one["cells"], (figure["label"], one)
    blank = blank_on_screen(browser, canvases, folder)
    assert not blank, f"nothing to see on the screen: {blank}"


def check_answer(browser):
    """The page begins with the answer, and headings have no gaps."""
    answer = browser.evaluate("document.querySelector('main section .headline').textContent")
    assert answer.split(",")[0].split(":")[0] in ("Yes", "Roughly", "With care", "Hardly", "No", "Unknown"), answer
    levels = browser.evaluate("[...document.querySelectorAll('h1, h2, h3, h4')].map(h => Number(h.tagName[1]))")
    assert levels[0] == 1 and levels.count(1) == 1, levels
    assert all(after <= before + 1 for before, after in zip(levels, levels[1:])), levels


def check_keyboard(browser):
    """The first key leads to the link that skips the contents; whatever has the focus shows it."""
    reached = []
    for _ in range(6):
        for kind in ("keyDown", "keyUp"):
            browser.call("Input.dispatchKeyEvent", type=kind, key="Tab", code="Tab", windowsVirtualKeyCode=9)
        reached.append(browser.evaluate(OUTLINED))
    assert reached[0][0] == "A.skip", reached
    assert all(outlined and seen for _, outlined, seen in reached), reached
    controls = browser.evaluate("[...document.querySelectorAll('a, summary, .scroll')].every(c => c.tabIndex >= 0)")
    assert controls, "a control cannot be reached"


def check_paper(browser, page):
    """On paper the page is white and the pictures fit, also when the window is dark."""
    browser.open(page, 1280, dark=True)
    browser.call("Emulation.setDeviceMetricsOverride", width=690, height=1000, deviceScaleFactor=1, mobile=False)
    browser.call("Emulation.setEmulatedMedia", media="print", features=[{"name": "prefers-color-scheme", "value": "dark"}])
    browser.evaluate("dispatchEvent(new Event('beforeprint'))")
    browser.settle()
    colour, ink, right, folded = browser.evaluate("""[
        getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color,
        Math.max(...[...document.querySelectorAll("canvas, table")].map(c => c.getBoundingClientRect().right)),
        [...document.querySelectorAll("details.scores")].some(d => !d.open)]""")
    assert colour == "rgb(255, 255, 255)" and ink == "rgb(27, 31, 36)", (colour, ink)
    assert right <= 690 and not folded, (right, folded)
    browser.evaluate("dispatchEvent(new Event('afterprint'))")
    browser.call("Emulation.setEmulatedMedia", media="")


def check_accessibility(browser, page, axe):
    for width in (1280, 400):
        for dark in (False, True):
            browser.open(page, width, dark=dark)
            browser.evaluate(axe + "; 0")
            faults = browser.evaluate(AXE, seconds=120)
            assert not faults, "\n".join(faults)


def axe_script(venv):
    """The source of axe-core in an environment of Python; None without an environment."""
    if not pathlib.Path(venv).is_dir():
        print(f"there is no {venv}: accessibility is not examined")
        return None
    found = sorted(pathlib.Path(venv).glob("lib/python3*/site-packages/axe_core_python/axe.min.js"))
    assert found, f"axe-core is not in {venv}; scripts/python_env makes it again"
    return found[0].read_text()


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


def main(command, venv):
    axe = axe_script(venv)
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
                check_answer(browser)
                check_paper(browser, page)
                if axe is not None:
                    check_accessibility(browser, page, axe)
                browser.open(page, 1280)
                check_keyboard(browser)
                print(f"{name}: {pictures} pictures, {page.stat().st_size // 1024} KiB")
    return 0


sys.exit(main(sys.argv[1], sys.argv[2]))
