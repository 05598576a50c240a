#!/usr/bin/env python3
"""Breaks copies of the recipes, pipelines and the Containerfile, and expects pipelines.py to name each mistake.

    Tests/Integration/Deploy/pipelines_test.py
"""
import pathlib
import shutil
import tempfile
import unittest

from tools import ROOT, use_requirements

if __name__ == "__main__":
    use_requirements()

import pipelines  # noqa: E402

FILES = ["docs/ci.md", ".github/workflows/ci.yml", ".github/workflows/release.yml", ".gitlab-ci.yml", "action.yml", "Containerfile"]


class PipelineTests(unittest.TestCase):
    def setUp(self):
        self.root = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        for file in FILES:
            (self.root / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / file, self.root / file)

    def expect(self, file, old, new, *words):
        path = self.root / file
        text = path.read_text()
        self.assertIn(old, text, f"{file} does not hold what this test replaces")
        path.write_text(text.replace(old, new))
        mistakes, _ = pipelines.validate(self.root)
        for word in words:
            self.assertTrue(any(word in mistake for mistake in mistakes), f"{word!r} is in none of {mistakes}")

    def test_there_are_no_mistakes(self):
        mistakes, count = pipelines.validate(ROOT)
        self.assertEqual(mistakes, [])
        self.assertGreaterEqual(count, 14)

    def test_an_output_that_no_job_has(self):
        self.expect("docs/ci.md", "needs.start.outputs.at", "needs.start.outputs.moment", 'property "moment" is not defined')

    def test_an_expression_that_github_does_not_know(self):
        self.expect("docs/ci.md", "strategy.job-index }}", "strategy.job-index + 1 }}", "unexpected character '+'")

    def test_a_key_that_gitlab_does_not_know(self):
        self.expect("docs/ci.md", "  parallel: 3", "  paralel: 3", "'paralel' was unexpected")

    def test_a_key_that_circle_does_not_know(self):
        self.expect("docs/ci.md", "          paths: [baseline]", "          path: [baseline]", "CircleCI: check-jsonschema")

    def test_a_key_that_azure_does_not_know(self):
        self.expect("docs/ci.md", "  - task: Cache@2", "  - tasks: Cache@2", "Azure Pipelines: check-jsonschema")

    def test_an_action_that_no_longer_runs(self):
        self.expect(".github/workflows/ci.yml", "actions/checkout@v5", "actions/checkout@v4", 'runtime "node20" is deprecated')

    def test_a_permission_that_github_does_not_know(self):
        self.expect(".github/workflows/release.yml", "attestations: write", "attestation: write", 'unknown permission scope "attestation"')

    def test_a_pipeline_with_a_wrong_value(self):
        self.expect(".gitlab-ci.yml", "timeout: 90 minutes", "timeout: [90]", ".gitlab-ci.yml: check-jsonschema")

    def test_an_action_without_runs(self):
        self.expect("action.yml", "using: composite", "used: composite", "action.yml: check-jsonschema")

    def test_an_image_that_runs_as_root(self):
        self.expect("Containerfile", "USER 10001:10001", "USER root", "DL3002")


if __name__ == "__main__":
    unittest.main()
