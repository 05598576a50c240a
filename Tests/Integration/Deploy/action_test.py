#!/usr/bin/env python3
"""Runs the shell steps of action.yml as GitHub's runner does, with a release that a server on loopback offers.

    MURPHY=.build-release/release/murphy Tests/Integration/Deploy/action_test.py

The expressions of a step are replaced by values. A folder is the cache of the baseline; the upload is not run.
"""
import pathlib
import shutil
import tempfile
import unittest

from tools import ROOT, use_requirements

if __name__ == "__main__":
    use_requirements()

from action import NAME, VERSION, Action, release, serve  # noqa: E402

SCENARIOS = ROOT / "scenarios/murphys-laws"


class ActionTests(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.files = release(self.folder / "served")
        self.server = self.enterContext(serve(self.folder / "served"))
        self.addCleanup(self.server.shutdown)
        self.action = Action(self.folder, self.folder, self.folder / "cache")

    def run_action(self, **inputs):
        return self.action.run(**{"releases": f"http://127.0.0.1:{self.server.server_port}", **inputs})

    def test_a_release_is_installed_and_passes(self):
        status, text, outputs = self.run_action(scenario=SCENARIOS / "smoke.yaml", arguments="--seed 1 --quiet")
        self.assertEqual((status, outputs), (0, {"verdict": "PASS", "report": "murphy-report"}), text)
        self.assertIn("PASS", self.action.summary.read_text())
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

    def address(self, repository, **variables):
        """Where the action looks for its release."""
        self.action.repository = repository
        self.action.variables.update(variables)
        [step] = [step for step in self.action.action["runs"]["steps"] if step.get("id") == "release"]
        inputs = {"inputs.version": "", "inputs.releases": "", "inputs.repository": repository}
        status, text, outputs = self.action.step(step, inputs)
        return outputs.get("address", text), status

    def test_the_release_is_that_of_the_actions_repository(self):
        release = f"http://127.0.0.1:1/owner/murphy/releases/download/v{VERSION}"
        self.assertEqual(self.address("owner/murphy"), (release, 0))
        # GitHub leaves the repository empty in some composite actions; then the action's folder names it.
        checkout = self.folder / "_actions/owner/murphy/v1"
        checkout.mkdir(parents=True)
        for name in [".ci", "Sources"]:
            (checkout / name).symlink_to(ROOT / name)
        self.assertEqual(self.address("", GITHUB_ACTION_PATH=str(checkout)), (release, 0))

    def test_a_local_action_takes_the_release_of_the_workflows_repository(self):
        found = self.address("", GITHUB_WORKSPACE=str(ROOT), GITHUB_REPOSITORY="fork/murphy")
        self.assertEqual(found, (f"http://127.0.0.1:1/fork/murphy/releases/download/v{VERSION}", 0))

    def test_an_action_without_a_repository_says_what_to_set(self):
        text, status = self.address("")
        self.assertEqual(status, 1)
        self.assertIn("set the input repository", text)

    def test_a_verdict_without_data_is_a_warning_on_request(self):
        inputs = {"scenario": SCENARIOS / "release-gate.yaml", "arguments": "--duration 2s --quiet"}
        status, text, outputs = self.run_action(**inputs)
        self.assertEqual((status, outputs["verdict"]), (5, "NO DATA"), text)
        status, text, outputs = self.run_action(**inputs, no_data="warn")
        self.assertEqual((status, outputs["verdict"]), (0, "NO DATA"), text)
        self.assertIn("::warning::", text)

    def test_a_baseline_is_kept_unless_a_pull_request_made_it(self):
        # A job whose run fails can have added results before: they are kept for the next job.
        gate = self.folder / "gate"
        (gate / "deploy/ci").mkdir(parents=True)
        for name in [".ci", "Sources"]:
            (gate / name).symlink_to(ROOT / name)
        (gate / "deploy/ci/murphy-gate").write_text("#!/bin/sh\nmkdir -p baseline && echo {} > baseline/1.json\nexit 1\n")
        (gate / "deploy/ci/murphy-gate").chmod(0o755)
        self.action.variables["GITHUB_ACTION_PATH"] = str(gate)
        for self.action.event, kept in [("pull_request", False), ("push", True)]:
            status, text, _ = self.run_action(scenario="gate.yaml", baseline="baseline")
            self.assertEqual((status, (self.folder / "cache/1.json").exists()), (1, kept), text)

    def test_a_usage_error_has_no_verdict(self):
        status, text, outputs = self.run_action(scenario=self.folder / "missing.yaml")
        self.assertEqual((status, outputs["verdict"]), (2, ""), text)


if __name__ == "__main__":
    unittest.main()
