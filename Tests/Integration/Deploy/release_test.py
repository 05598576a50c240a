#!/usr/bin/env python3
"""Runs the scripts of a release: the check of what a program needs, release notes, and publishing to recorders in place of GitHub.

    Tests/Integration/Deploy/release_test.py
"""
import importlib.machinery
import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

from tools import ROOT, use_requirements

if __name__ == "__main__":
    use_requirements()

import yaml  # noqa: E402

VERSION = subprocess.check_output([ROOT / ".ci/version"], text=True).strip()


def script(name):
    """A Python program of .ci as a module."""
    loader = importlib.machinery.SourceFileLoader(name.replace("-", "_"), str(ROOT / ".ci" / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


class PortableTests(unittest.TestCase):
    portable = script("portable")

    def test_libraries_and_versions_of_a_real_program(self):
        libraries, versions = self.portable.needs(shutil.which("openssl"))
        self.assertIn("libcrypto.so.3", libraries)
        self.assertLessEqual({"GLIBC", "OPENSSL"}, versions.keys())

    def test_what_every_system_has(self):
        libraries = ["libc.so.6", "libcurl.so.4", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"]
        self.assertEqual(self.portable.mistakes(libraries, {"GLIBC": (2, 36), "OPENSSL": (3, 0, 0)}), [])

    def fake_readelf(self, libraries, symbols):
        """A program `readelf` that prints what the real one prints of a program for ARM64."""
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        dynamic = "".join(f" 0x0000000000000001 (NEEDED)             Shared library: [{name}]\n" for name in libraries)
        needs = "".join(f"  0x0010:   Name: {name}  Flags: none  Version: {number}\n" for number, name in enumerate(symbols, 2))
        script = f'#!/bin/sh\ncase "$*" in *--dynamic*) echo "{dynamic}" ;; *--version-info*) echo "{needs}" ;; esac\n'
        (folder / "readelf").write_text(script)
        (folder / "readelf").chmod(0o755)
        return {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"}

    def check(self, libraries, symbols):
        done = subprocess.run([ROOT / ".ci/portable", "program"], env=self.fake_readelf(libraries, symbols), text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return done.returncode, done.stdout

    def test_a_program_for_arm64(self):
        libraries = ["libm.so.6", "libcurl.so.4", "libcrypto.so.3", "libc.so.6", "ld-linux-aarch64.so.1"]
        symbols = ["GLIBC_2.17", "GLIBC_2.36", "GLIBC_2.34", "OPENSSL_3.0.0"]
        status, text = self.check(libraries, symbols)
        self.assertEqual(status, 0, text)
        self.assertIn("symbols: GLIBC_2.36 OPENSSL_3.0.0", text)
        status, text = self.check([*libraries, "libatomic.so.1"], [*symbols, "GLIBC_2.38"])
        self.assertEqual(status, 1)
        self.assertIn("libatomic.so.1 is not on the list", text)
        self.assertIn("GLIBC_2.38 is newer than GLIBC_2.36", text)

    def test_a_library_of_one_debian(self):
        self.assertEqual(self.portable.mistakes(["libsimdjson.so.14"], {}), ["libsimdjson.so.14 is not on the list of libraries"])

    def test_symbols_that_are_too_new_or_of_another_kind(self):
        found = self.portable.mistakes([], {"GLIBC": (2, 38), "GLIBCXX": (3, 4, 30), "CURL_OPENSSL": (4,)})
        self.assertEqual(len(found), 3, found)
        self.assertEqual(found[0], "GLIBC_2.38 is newer than GLIBC_2.36")


class NotesTests(unittest.TestCase):
    section = staticmethod(script("release-notes").section)
    text = "# Changelog\n\n## Unreleased\n\n- new\n\n## 1.10.0 (2026-01-02)\n\n### Added\n\n- ten\n\n## 1.1.0\n\n- one\n"

    def test_a_section_ends_at_the_next_version(self):
        self.assertEqual(self.section(self.text, "1.10.0"), "### Added\n\n- ten")
        self.assertEqual(self.section(self.text, "1.1.0"), "- one")

    def test_a_version_without_a_section(self):
        self.assertEqual(self.section(self.text, "1.1"), "")
        self.assertEqual(self.section(self.text, "1x10.0"), "")


class PublishTests(unittest.TestCase):
    """Every step of the job `publish` that is a shell command, with programs that record how they are called."""

    def setUp(self):
        self.root = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        for file in [".ci/publish", ".ci/version", ".ci/release-notes", "Sources/MurphyModel/Results/RunInfo.swift"]:
            (self.root / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / file, self.root / file)
        (self.root / "CHANGELOG.md").write_text(f"## {VERSION}\n\n- all new\n")
        self.dist = self.root / "dist"
        self.dist.mkdir()
        for machine in ["x86_64", "aarch64"]:
            (self.dist / f"murphy-{VERSION}-linux-{machine}.tar.xz").write_text(machine)
        (self.dist / "SHA256SUMS").write_text("of one machine\n")
        programs = self.root / "programs"
        programs.mkdir()
        (programs / "gh").write_text(f'#!/bin/sh\necho "gh $*" >> {self.root}/calls\ncat "$8" >> {self.root}/calls\n')
        (programs / "docker").write_text(f"""#!/bin/sh
echo "docker $*" >> {self.root}/calls
case "$*" in *--metadata-file*) echo '{{"containerimage.digest": "sha256:1"}}' > dist/image.json ;; esac
""")
        for program in programs.iterdir():
            program.chmod(0o755)
        self.environment = {
            **os.environ, "PATH": f"{programs}:{os.environ['PATH']}", "GITHUB_REF_NAME": f"v{VERSION}", "GH_TOKEN": "secret",
            "GITHUB_ACTOR": "someone", "GITHUB_REPOSITORY": "Owner/Murphy", "GITHUB_OUTPUT": str(self.root / "output")}

    def run_job(self):
        """The status of the first step that fails, and what all of them print."""
        text = ""
        for step in yaml.safe_load((ROOT / ".github/workflows/release.yml").read_text())["jobs"]["publish"]["steps"]:
            if "run" in step:
                done = subprocess.run(["bash", "-e", "-c", step["run"]], cwd=self.root, env=self.environment,
                                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
                text += done.stdout
                if done.returncode != 0:
                    return done.returncode, text
        return 0, text

    def test_a_release_and_an_image(self):
        status, text = self.run_job()
        self.assertEqual(status, 0, text)
        calls = (self.root / "calls").read_text()
        self.assertRegex(calls, rf"gh release create v{re.escape(VERSION)} --verify-tag .*tar\.xz")
        self.assertIn("- all new", calls)
        self.assertRegex(calls, rf"buildx build --platform linux/amd64,linux/arm64 .* ghcr\.io/owner/murphy:{re.escape(VERSION)} ")
        self.assertNotIn("secret", calls)
        self.assertEqual((self.root / "output").read_text(), "name=ghcr.io/owner/murphy\ndigest=sha256:1\n")
        subprocess.run(["sha256sum", "--check", "--strict", "SHA256SUMS"], cwd=self.dist, check=True, capture_output=True)
        self.assertEqual(len((self.dist / "SHA256SUMS").read_text().splitlines()), 2)

    def test_a_tag_that_is_not_the_version(self):
        self.environment["GITHUB_REF_NAME"] = "v99.0.0"
        status, text = self.run_job()
        self.assertEqual(status, 1)
        self.assertIn(f"is not v{VERSION}", text)
        self.assertFalse((self.root / "calls").exists())

    def test_a_machine_without_a_tarball(self):
        (self.dist / f"murphy-{VERSION}-linux-aarch64.tar.xz").unlink()
        status, text = self.run_job()
        self.assertEqual(status, 1)
        self.assertIn("no tarball for aarch64", text)

    def test_a_changelog_without_the_version(self):
        (self.root / "CHANGELOG.md").write_text("## Unreleased\n\n- all new\n")
        status, text = self.run_job()
        self.assertEqual(status, 1)
        self.assertIn("Rename `## Unreleased`", text)


if __name__ == "__main__":
    unittest.main()
