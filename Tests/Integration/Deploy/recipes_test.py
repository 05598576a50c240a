#!/usr/bin/env python3
"""Runs each recipe of docs/ci.md three times: a new baseline, a comparison, and a slower server that fails only the comparison.

    MURPHY=.build-release/release/murphy Tests/Integration/Deploy/recipes_test.py

The release is served on loopback, `make server` makes the reference API, and a folder is the cache.
"""
import json
import os
import pathlib
import shutil
import socket
import tempfile
import unittest

from tools import ROOT, use_requirements

if __name__ == "__main__":
    use_requirements()

from action import NAME, release, serve  # noqa: E402
from recipes import RELEASES, SHELLS, Job, texts  # noqa: E402

GATE = """\
name: Gate
contract: openapi.yaml
sessions:
  look: { steps: [{ call: getLawOfTheDay }] }
load:
  - { hold: 20/s, for: 3s }
expect:
  budgets:
    "*": { p95: 5s }
"""
MAKE = """\
#!/bin/sh
cp "$GATE_FILES"/* .
printf '#!/bin/sh\\nexec "%s" serve murphys-laws --workers 64 $SLOW "$@"\\n' "$MURPHY" > server
chmod +x server
"""
FIRST, LATER = 5, 6


class RecipeTests(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.files = release(self.folder / "served")
        server = self.enterContext(serve(self.folder / "served"))
        self.addCleanup(server.shutdown)
        self.releases = f"http://127.0.0.1:{server.server_port}"
        for name in ["files", "programs"]:
            (self.folder / name).mkdir()
        (self.folder / "files/gate.yaml").write_text(GATE)
        shutil.copy(ROOT / "scenarios/murphys-laws/openapi.yaml", self.folder / "files")
        (self.folder / "programs/make").write_text(MAKE)
        (self.folder / "programs/make").chmod(0o755)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]

    def job(self, system, work):
        folder = self.folder / system
        folder.mkdir(exist_ok=True)
        text = texts()[system]
        self.assertIn("8080", text)
        text = text.replace("8080", str(self.port)).replace(RELEASES, self.releases)
        job = Job(system, text, folder, {
            "PATH": f"{self.folder}/programs:{os.environ['PATH']}", "RELEASES": self.releases,
            "GATE_FILES": str(self.folder / "files"), "SLOW": f"--work {work}",
            "MURPHY": str(pathlib.Path(os.environ["MURPHY"]).resolve())})
        return job, job.run()

    def kept(self, job):
        """How many results the system keeps for the next job."""
        folder = job.home if job.system == "Jenkins" else job.cache
        return len(list(folder.rglob("*.json")))

    def result(self, job):
        return json.loads((job.workspace / "murphy-report/result.json").read_text())

    def expect_a_working_baseline(self, system):
        job, status = self.job(system, work=50)
        self.assertEqual(status, 0, job.output)
        self.assertEqual(self.result(job)["regression"]["folder"]["comparable"], 0)
        self.assertEqual(self.kept(job), FIRST, job.output)

        job, status = self.job(system, work=50)
        if status == 1:
            # A run of three seconds is slower than the five before it if the machine is busy just then. It is not kept.
            job, status = self.job(system, work=50)
        self.assertEqual(status, 0, job.output)
        self.assertEqual(len(self.result(job)["regression"]["baselines"]), FIRST)
        self.assertEqual(self.kept(job), LATER)

        job, status = self.job(system, work=1500)
        self.assertEqual(status, 1, job.output)
        result = self.result(job)
        self.assertEqual(result["verdict"], "fail")
        self.assertEqual({finding["kind"] for finding in result["findings"] if finding["severity"] == "error"},
                         {"budget.regression"})
        self.assertEqual(self.kept(job), LATER, "a slow run is in the baseline")

    def expect_a_checked_installation(self, system):
        with open(self.files / f"{NAME}.tar.xz", "ab") as archive:
            archive.write(b"x")
        job, status = self.job(system, work=50)
        self.assertNotEqual(status, 0, job.output)
        self.assertFalse((job.workspace / "murphy").exists(), "an archive with a wrong checksum was unpacked")
        self.assertFalse((job.workspace / "murphy-report").exists())

    def test_every_system_has_a_recipe(self):
        self.assertEqual(texts().keys(), SHELLS.keys())


def add(system):
    def baseline(self):
        self.expect_a_working_baseline(system)

    def installation(self):
        self.expect_a_checked_installation(system)

    setattr(RecipeTests, f"test_the_second_job_of_{system}_compares_with_the_first", baseline)
    setattr(RecipeTests, f"test_{system}_rejects_an_archive_with_a_wrong_checksum", installation)


for name in SHELLS:
    add(name)

if __name__ == "__main__":
    unittest.main()
