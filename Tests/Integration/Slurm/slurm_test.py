#!/usr/bin/python3
"""Submits deploy/slurm/murphy.sbatch to a real Slurm and holds its verdict against that of one process with the same plan.

    MURPHY=.build-release/release/murphy Tests/Integration/Slurm/slurm_test.py

The cluster is one machine (Tests/Integration/Slurm/cluster.py), the target `murphy serve murphys-laws` with its limits
on. It prints a row for each fault: what one process and what four tasks of Slurm say.
"""
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from cluster import Cluster

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
SCENARIO = HERE / "one-device.yaml"
TASKS = 4
LIMIT_SECONDS = 120
# No single shard shows the first two.
FAULTS = ["limit-plus-one", "limit-unlimited", "lost-vote", "fractional-count", "undocumented-status"]
# The scenario differs from its contract here: the limiter keeps a log, so that a run without a quiet window before it
# can prove too many admissions.
EXPECTED = "limit.contradiction"


class Server:
    """A fresh reference API: no vote is stored, no limit used."""

    def __init__(self, fault=None):
        words = ["--fault", fault] if fault else []
        self.process = subprocess.Popen(
            [PROGRAM, "serve", "murphys-laws", "--port", "0", "--limiter", "sliding-log", *words], stdout=subprocess.PIPE,
            text=True)
        self.url = re.search(r"http://[0-9.]+:[0-9]+", self.process.stdout.readline()).group()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        self.process.stdout.close()


def summary(result):
    """What must not depend on how many processes made the load."""
    errors = {finding["fingerprint"]: finding["kind"] for finding in result["findings"]
              if finding["severity"] == "error" and finding["kind"] != EXPECTED}
    # The scenario's; the contract documents one of the same name.
    [votes] = [limit for limit in result["limits"] if limit["name"] == "votes" and "sliding log" in limit["policy"]]
    return {
        "verdict": result["verdict"],
        "planned": result["ledger"]["planned"],
        "sent": result["ledger"]["sent"],
        "answered": result["ledger"]["answered"],
        "violating": result["ledger"]["violating"],
        "admitted": votes["admitted"],
        "refused": votes["refused"],
        "limit": votes["verdict"],
        "state": [row["verdict"] for row in result["state"]],
        "errors": errors,
    }


def row(fault, who, said):
    print(f"{fault or 'none':20} {who:12} {said['verdict']:8} {said['planned']:>7} {said['answered']:>8} "
          f"{said['admitted']:>8} {said['refused']:>7} {said['limit']:15} {', '.join(sorted(set(said['errors'].values()))) or '-'}",
          flush=True)


class SlurmTests(unittest.TestCase):
    maxDiff = 4000

    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.cluster = cls.enterClassContext(Cluster(cls.folder / "cluster"))
        print(f"\n{'fault':20} {'processes':12} {'verdict':8} {'planned':>7} {'answered':>8} {'admitted':>8} {'refused':>7} "
              f"{'limit':15} errors", flush=True)

    def submit(self, target, *words, wait=True, **variables):
        """Of the batch script, as a user does it. One loop a task: four of them share two processors here."""
        given = {"MURPHY": PROGRAM, "MURPHY_REPORTS": str(self.folder / "reports"), "MURPHY_LEAD": "4s", **variables}
        return self.cluster.run(
            "sbatch", "--parsable", *(["--wait"] if wait else []), f"--ntasks={TASKS}", "--cpus-per-task=1",
            f"--output={self.folder}/job-%j.log", ROOT / "deploy/slurm/murphy.sbatch", SCENARIO, "--target", target,
            "--loops", "1", *words, check=False, **given)

    def job(self, done):
        """The number of a submitted job, and what it printed."""
        number = done.stdout.strip().partition(";")[0]
        self.assertRegex(number, r"^\d+$", done.stderr)
        return number

    def said(self, number):
        log = self.folder / f"job-{number}.log"
        return log.read_text() if log.exists() else "(no log)"

    def last_line(self, number):
        """The last line that murphy has printed: behind it srun tells with which status a task has ended."""
        lines = [line for line in self.said(number).splitlines() if line.strip() and not line.startswith("srun: ")]
        return lines[-1] if lines else ""

    def whole(self, number):
        path = self.folder / f"reports/job-{number}/whole.json"
        self.assertTrue(path.exists(), self.said(number))
        return json.loads(path.read_text())

    def alone(self, target, name):
        """The same plan by one process."""
        report = self.folder / f"alone-{name}"
        subprocess.run(
            [PROGRAM, "run", SCENARIO, "--target", target, "--loops", "1", "--report", report, "--quiet"],
            capture_output=True, timeout=LIMIT_SECONDS)
        return json.loads((report / "result.json").read_text())

    def test_four_tasks_say_what_one_process_says(self):
        for fault in [None, *FAULTS]:
            with self.subTest(fault=fault):
                with Server(fault) as server:
                    alone = summary(self.alone(server.url, fault))
                with Server(fault) as server:
                    done = self.submit(server.url)
                number = self.job(done)
                result = self.whole(number)
                together = summary(result)
                row(fault, "one", alone)
                row(fault, f"{TASKS} tasks", together)
                self.assertEqual(together, alone, self.said(number))
                self.assertEqual(bool(together["errors"]), fault is not None, together)
                self.assertEqual([shard["number"] for shard in result["run"]["shards"]["shards"]], [1, 2, 3, 4])
                # The status of the job is the verdict's; the last word of murphy in its log is the verdict.
                statuses = {"pass": 0, "fail": 1, "invalid": 4, "no-data": 5}
                self.assertEqual(done.returncode, statuses[together["verdict"]], self.said(number))
                word = self.last_line(number).lower().replace(" ", "-")
                self.assertEqual(word, together["verdict"])
                if fault and fault.startswith("limit"):
                    self.assert_no_shard_shows_it(number)

    def assert_no_shard_shows_it(self, number):
        for task in range(TASKS):
            alone = json.loads((self.folder / f"reports/job-{number}/shard-{task}/result.json").read_text())
            kinds = {finding["kind"] for finding in alone["findings"] if finding["severity"] == "error"}
            self.assertFalse([kind for kind in kinds if kind.startswith("limit.")], f"task {task}: {kinds}")

    def test_a_killed_task_is_named(self):
        with Server() as server:
            number = self.job(self.submit(server.url, wait=False))
            victim = self.task(number, 2)
            os.kill(victim, signal.SIGKILL)
            self.wait_for_end(number)
        result = self.whole(number)
        self.assertEqual(result["verdict"], "invalid")
        self.assertEqual(result["run"]["shards"]["missing"], [3])
        self.assertIn("Shard 3 of 4 is missing", result["reasons"][0])
        self.assertIn("Shard 3 of 4 is missing", self.said(number))
        self.assertEqual(self.last_line(number), "INVALID")
        print(f"{'a killed task':20} {TASKS} tasks      {result['verdict']:8} {result['reasons'][0]}", flush=True)

    def test_a_killed_task_may_be_tolerated(self):
        with Server() as server:
            number = self.job(self.submit(server.url, wait=False, MURPHY_MERGE="--tolerate-lost 1"))
            os.kill(self.task(number, 1), signal.SIGKILL)
            self.wait_for_end(number)
        result = self.whole(number)
        self.assertNotEqual(result["verdict"], "invalid", result["reasons"])
        self.assertIn("45 of 60 planned sessions", " ".join(result["reasons"]))
        self.assertFalse([finding for finding in result["findings"]
                          if finding["severity"] == "error" and finding["kind"] != EXPECTED])

    def test_a_scenario_with_a_mistake_is_an_error_of_the_job(self):
        done = self.submit("not-a-url")
        self.assertEqual(done.returncode, 2, self.said(self.job(done)))

    def task(self, job, rank):
        """The process of a task, once its load has begun."""
        deadline = time.monotonic() + LIMIT_SECONDS
        while time.monotonic() < deadline:
            for folder in pathlib.Path("/proc").glob("[0-9]*"):
                try:
                    environment = (folder / "environ").read_bytes().split(b"\0")
                    words = (folder / "cmdline").read_bytes().split(b"\0")
                except OSError:
                    continue
                if (f"SLURM_JOB_ID={job}".encode() in environment and f"SLURM_PROCID={rank}".encode() in environment
                        and words[0] == PROGRAM.encode() and b"run" in words
                        and (self.folder / f"reports/job-{job}/start").exists()):
                    # After the common start, so that the load is running.
                    time.sleep(6)
                    return int(folder.name)
            time.sleep(0.05)
        self.fail(f"task {rank} of job {job} never began:\n{self.said(job)}\n{self.cluster.logs}")

    def wait_for_end(self, number):
        self.cluster.wait(
            f"job {number} has ended",
            lambda: self.cluster.run("squeue", "-h", "-j", number, check=False).stdout.strip() == "", LIMIT_SECONDS)


if __name__ == "__main__":
    if "MURPHY" not in os.environ:
        sys.exit(f"{__file__}: the variable MURPHY names no program; set it to the murphy to test, "
                 "such as MURPHY=.build/debug/murphy")
    PROGRAM = str(pathlib.Path(os.environ["MURPHY"]).resolve())
    unittest.main()
