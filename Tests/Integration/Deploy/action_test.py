#!/usr/bin/env python3
"""Runs the shell steps of action.yml as GitHub's runner does, with a release that a server on loopback offers.

    MURPHY=.build-release/release/murphy Tests/Integration/Deploy/action_test.py

The expressions of a step are replaced by values; its cache and its upload are not run.
"""
import functools
import hashlib
import http.server
import os
import pathlib
import re
import shutil
import subprocess
import tarfile
import tempfile
import threading
import unittest

from tools import ROOT, use_requirements

if __name__ == "__main__":
    use_requirements()

import yaml  # noqa: E402

VERSION = subprocess.check_output([ROOT / ".ci/version"], text=True).strip()
NAME = f"murphy-{VERSION}-linux-{os.uname().machine}"
SCENARIOS = ROOT / "scenarios/murphys-laws"


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def release(folder):
    """The files of a release with the real program."""
    program = pathlib.Path(os.environ["MURPHY"]).resolve()
    files = folder / f"v{VERSION}"
    files.mkdir()
    archive = files / f"{NAME}.tar.xz"
    with tarfile.open(archive, "w:xz", preset=0) as tar:
        # A link to the program: packing it would take a minute.
        entry = tarfile.TarInfo(f"{NAME}/bin/murphy")
        entry.type, entry.linkname = tarfile.SYMTYPE, str(program)
        tar.addfile(entry)
    digest = hashlib.sha256(archive.read_bytes()).hexdigest()
    (files / "SHA256SUMS").write_text(f"{digest}  {archive.name}\n{'0' * 64}  another-{archive.name}\n")
    return files


class ActionTests(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        (self.folder / "served").mkdir()
        self.files = release(self.folder / "served")
        handler = functools.partial(Quiet, directory=self.folder / "served")
        self.server = self.enterContext(http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler))
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.addCleanup(self.server.shutdown)
        self.action = yaml.safe_load((ROOT / "action.yml").read_text())
        self.summary = self.folder / "summary.md"

    def step(self, step, values):
        """The status, the text and the outputs of a step."""
        output = self.folder / "output"
        output.write_text("")
        script = self.folder / "step.sh"
        script.write_text(step["run"])
        environment = {
            **os.environ, "GITHUB_ACTIONS": "true", "GITHUB_OUTPUT": str(output), "GITHUB_PATH": str(self.folder / "path"),
            "GITHUB_STEP_SUMMARY": str(self.summary), "GITHUB_SERVER_URL": "http://127.0.0.1:1",
            "GITHUB_ACTION_PATH": str(ROOT), "RUNNER_TEMP": str(self.folder)}
        for name, text in step.get("env", {}).items():
            environment[name] = re.sub(r"\$\{\{ (.*?) \}\}", lambda found: values[found[1]], text)
        done = subprocess.run(["bash", "--noprofile", "--norc", "-eo", "pipefail", script], cwd=self.folder, env=environment,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300)
        return done.returncode, done.stdout, dict(line.split("=", 1) for line in output.read_text().splitlines())

    def run_action(self, **inputs):
        """The status of the first failed step, the text of all, and all outputs."""
        values = {"github.action_repository": "owner/murphy"}
        for name, about in self.action["inputs"].items():
            values[f"inputs.{name}"] = about.get("default", "")
        values["inputs.releases"] = f"http://127.0.0.1:{self.server.server_port}"
        values.update({f"inputs.{name}": str(value) for name, value in inputs.items()})
        texts = ""
        for step in self.action["runs"]["steps"]:
            empty = [name for name in re.findall(r"(inputs\.\w+) != ''", step.get("if", "")) if not values[name]]
            if "run" not in step or empty:
                continue
            status, text, outputs = self.step(step, values)
            texts += text
            values.update({f"steps.{step.get('id')}.outputs.{name}": value for name, value in outputs.items()})
            if status != 0:
                break
        found = {name: values.get(about["value"].strip("${} ")) for name, about in self.action["outputs"].items()}
        return status, texts, found

    def test_a_release_is_installed_and_passes(self):
        status, text, outputs = self.run_action(scenario=SCENARIOS / "smoke.yaml", arguments="--seed 1 --quiet")
        self.assertEqual((status, outputs), (0, {"verdict": "PASS", "report": "murphy-report"}), text)
        self.assertIn("PASS", self.summary.read_text())
        self.assertTrue((self.folder / "murphy-report/report.html").is_file())

    def test_a_finding_fails_the_step_and_becomes_an_annotation(self):
        status, text, outputs = self.run_action(
            scenario=SCENARIOS / "votes.yaml", version="v" + VERSION, report="mine",
            target="embedded:murphys-laws?fault=lost-vote")
        self.assertEqual((status, outputs), (1, {"verdict": "FAIL", "report": "mine"}), text)
        self.assertIn("::error", text)

    def test_a_file_that_is_not_the_releases(self):
        with open(self.files / f"{NAME}.tar.xz", "ab") as archive:
            archive.write(b"x")
        status, text, outputs = self.run_action(scenario=SCENARIOS / "smoke.yaml")
        self.assertEqual((status, outputs["verdict"]), (1, None))
        self.assertIn("is not the file of the release", text)
        self.assertFalse((self.folder / NAME).exists())

    def test_a_release_without_a_checksum(self):
        (self.files / "SHA256SUMS").write_text(f"{'0' * 64}  another-{NAME}.tar.xz\n")
        status, text, _ = self.run_action(scenario=SCENARIOS / "smoke.yaml")
        self.assertEqual(status, 1)
        self.assertIn("has no line for", text)

    def test_a_version_that_is_not_there(self):
        shutil.rmtree(self.files)
        status, text, _ = self.run_action(scenario=SCENARIOS / "smoke.yaml")
        self.assertNotEqual(status, 0)
        self.assertIn("404", text)

    def test_without_a_scenario_murphy_is_only_installed(self):
        status, text, outputs = self.run_action()
        self.assertEqual((status, outputs), (0, {"verdict": None, "report": None}), text)
        self.assertTrue((pathlib.Path((self.folder / "path").read_text().strip()) / "murphy").exists())
        # A second step of the job takes the same program, without the server.
        self.server.shutdown()
        self.assertEqual(self.run_action(scenario=SCENARIOS / "smoke.yaml")[0], 0)

    def test_a_usage_error_has_no_verdict(self):
        status, text, outputs = self.run_action(scenario=self.folder / "missing.yaml")
        self.assertEqual((status, outputs["verdict"]), (2, ""), text)


if __name__ == "__main__":
    unittest.main()
