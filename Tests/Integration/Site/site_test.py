#!/usr/bin/env python3
"""Builds copies of the documentation with one mistake each, and expects MkDocs to name it and to fail.

    make site-check
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
COPIED = ["mkdocs.yml", ".ci", "docs", "deploy", "scenarios", "README.md", "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md",
          "SECURITY.md"]


class SiteTests(unittest.TestCase):
    def setUp(self):
        self.root = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        for name in COPIED:
            copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
            copy(ROOT / name, self.root / name)

    def build(self):
        return subprocess.run(
            [sys.executable, "-m", "mkdocs", "build", "--strict"], cwd=self.root, capture_output=True, text=True)

    def expect(self, mistake, *words):
        with open(self.root / "docs/faq.md", "a") as page:
            page.write(f"\n\n{mistake}\n")
        self.expect_failure(*words)

    def expect_failure(self, *words):
        done = self.build()
        self.assertNotEqual(done.returncode, 0)
        for word in words:
            self.assertIn(word, done.stderr)

    def test_there_are_no_mistakes(self):
        done = self.build()
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_link_to_no_page(self):
        self.expect("[x](nothing.md)", "docs/faq.md links to nothing.md, which does not exist")

    def test_a_link_to_no_file_of_the_repository(self):
        self.expect("[x](../Sources/Nothing.swift)", "docs/faq.md links to ../Sources/Nothing.swift, which does not exist")

    def test_an_absolute_link(self):
        self.expect("[x](/ci.md)", "docs/faq.md links to /ci.md, which does not exist")

    def test_an_image_that_is_missing(self):
        self.expect("![x](images/nothing.png)", "docs/faq.md links to images/nothing.png, which does not exist")

    def test_an_anchor_of_another_page(self):
        self.expect("[x](ci.md#nothing)", "does not contain an anchor '#nothing'")

    def test_an_anchor_of_the_page_itself(self):
        self.expect("[x](#nothing)", "there is no such anchor")

    def test_an_anchor_of_a_page_outside_of_the_folder(self):
        self.expect("[x](../ARCHITECTURE.md#nothing)", "does not contain an anchor '#nothing'")

    def test_a_page_that_is_not_listed(self):
        (self.root / "docs/unlisted.md").write_text("# Unlisted\n")
        self.expect_failure("not included in the \"nav\" configuration", "unlisted.md")

    def test_a_listed_page_that_is_missing(self):
        file = self.root / "mkdocs.yml"
        file.write_text(file.read_text().replace("FAQ: faq.md", "FAQ: no-faq.md"))
        self.expect_failure("no-faq.md")


if __name__ == "__main__":
    unittest.main()
