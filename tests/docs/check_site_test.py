"""The checks of the documentation find what they are for: each test breaks a copy of it.

    check_site_test.py SOURCE_FOLDER
"""
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).parent
SOURCE = Path(sys.argv.pop())


class Broken(unittest.TestCase):
    def setUp(self) -> None:
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.copy = Path(scratch.name)
        for name in ("docs", "data"):
            shutil.copytree(SOURCE / name, self.copy / name)
        for name in ("README.md", "CONTRIBUTING.md", "CITATION.cff", "LICENSE", "CHANGELOG.md", "SECURITY.md", "GOVERNANCE.md",
                     "mkdocs.yml"):
            shutil.copy(SOURCE / name, self.copy)
        (self.copy / "experiments").mkdir()
        shutil.copy(SOURCE / "experiments/README.md", self.copy / "experiments")

    def edit(self, page: str, old: str, new: str) -> None:
        text = (self.copy / page).read_text()
        self.assertIn(old, text)
        (self.copy / page).write_text(text.replace(old, new, 1))

    def expect(self, message: str) -> None:
        done = subprocess.run([sys.executable, "-B", HERE / "check_site.py", self.copy], capture_output=True, text=True)
        self.assertIn(message, done.stdout + done.stderr)
        self.assertEqual(done.returncode, 1)

    def test_nothing_is_wrong(self) -> None:
        done = subprocess.run([sys.executable, "-B", HERE / "check_site.py", self.copy], capture_output=True, text=True)
        self.assertEqual((done.stdout, done.returncode), ("", 0))

    def test_page_outside_the_navigation(self) -> None:
        (self.copy / "docs/guide/new.md").write_text("# New\n")
        self.expect("the page guide/new.md is not in the navigation")

    def test_missing_tutorial(self) -> None:
        (self.copy / "docs/tutorial/r.md").unlink()
        self.expect("docs/tutorial/r.md: the tutorial of this front end is missing")

    def test_missing_table(self) -> None:
        text = (self.copy / "docs/tutorial/r.md").read_text()
        (self.copy / "docs/tutorial/r.md").write_text(text.replace("data/bricks.csv", "data/stones.csv"))
        self.expect("docs/tutorial/r.md: the table data/bricks.csv is missing")

    def test_missing_step(self) -> None:
        self.edit("docs/tutorial/python.md", "**Judge.**", "")
        self.expect("lacks the step Judge")

    def test_dead_link(self) -> None:
        self.edit("docs/index.md", "(guide/table.md)", "(guide/tables.md)")
        self.expect("the link guide/tables.md leads nowhere")

    def test_dead_anchor(self) -> None:
        self.edit("docs/index.md", "(guide/table.md)", "(guide/table.md#nothing)")
        self.expect("there is no heading for the link guide/table.md#nothing")

    def test_picture_that_no_code_makes(self) -> None:
        shutil.copy(self.copy / "docs/images/report.png", self.copy / "docs/images/other.png")
        self.edit("docs/index.md", "# gpcv\n", "# gpcv\n\n![Other](images/other.png)\n")
        self.expect("docs/images/other.png: no code of a page makes it")

    def test_code_that_does_not_run(self) -> None:
        self.edit("docs/index.md", "# gpcv\n", "# gpcv\n\nAn example:\n\n    import gpcv\n")
        self.expect("code that is not run")


class Guides(unittest.TestCase):
    """A page is judged by what its code prints and draws."""

    def check(self, page: str) -> subprocess.CompletedProcess:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "data").mkdir()
            (folder / "page.md").write_text(page)
            return subprocess.run([sys.executable, "-B", HERE / "check_guides.py", "/bin/true", folder, "page.md"],
                                  capture_output=True, text=True)

    def test_output_as_printed(self) -> None:
        done = self.check("```python\nx = 2\n```\n\nText.\n\n```python\nx + 1, 'one'\n```\n\n```output\n(3, 'one')\n```\n")
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_other_number(self) -> None:
        done = self.check("```python\nprint(f'error {1.5}')\n```\n\n```output\nerror 1.2\n```\n")
        self.assertEqual(done.returncode, 1)
        self.assertIn("expected\n    error 1.2", done.stdout)

    def test_failing_code(self) -> None:
        self.assertEqual(self.check("```python\n1 / 0\n```\n").returncode, 1)
        self.assertEqual(self.check("<!-- fails -->\n\n```python\n1 / 0\n```\n").returncode, 0)
        self.assertEqual(self.check("<!-- fails -->\n\n```python\n1\n```\n").returncode, 1)

    def test_code_that_readers_do_not_see(self) -> None:
        done = self.check("<!-- before: python\nx = 2\n-->\n\n```python\nx\n```\n\n```output\n2\n```\n")
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_picture_that_is_not_made(self) -> None:
        done = self.check("```python\nname = 'a.png'\n```\n\n![A](images/a.png)\n")
        self.assertIn("its code does not make the picture a.png", done.stdout)

    def test_output_that_shows_nothing(self) -> None:
        done = self.check("```python\n2\n```\n\n```output\n…\n```\n")
        self.assertIn("the page shows nothing", done.stdout)


if __name__ == "__main__":
    unittest.main()
