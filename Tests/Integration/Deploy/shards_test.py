#!/usr/bin/env python3
"""Runs the shards and the merge as the manifests say it, with the real program and a real server, without a cluster.

    MURPHY=.build/debug/murphy Tests/Integration/Deploy/shards_test.py

Arguments and variables are those of the manifests, put together as the kubelet does; only the volumes are folders of this
machine, the target is on loopback, and start and load are shorter.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

from tools import ROOT, use_requirements

if __name__ == "__main__":
    use_requirements()

import yaml  # noqa: E402

MANIFESTS = ROOT / "deploy/kubernetes"
LIMIT_SECONDS = 120


class ShardTests(unittest.TestCase):
    def setUp(self):
        self.results = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        server = subprocess.Popen([PROGRAM, "serve", "murphys-laws", "--port", "0"], stdout=subprocess.PIPE, text=True)
        self.addCleanup(server.stdout.close)
        self.addCleanup(server.wait)
        self.addCleanup(server.terminate)
        self.target = re.search(r"http://[0-9.]+:[0-9]+", server.stdout.readline()).group()
        self.shards, self.merge = (
            yaml.safe_load((MANIFESTS / "manifests" / name).read_text()) for name in ["shards.yaml", "merge.yaml"])

    def placed(self, word):
        """The word with folders of this machine for those of the pod."""
        return word.replace("/results", str(self.results)).replace("/scenario/", f"{MANIFESTS}/scenario/")

    def variables(self, container, **more):
        given = {entry["name"]: entry["value"] for entry in container["env"]}
        return {"PATH": f"{pathlib.Path(PROGRAM).parent}:{os.environ['PATH']}", **given, **more}

    def shard(self, index):
        [container] = self.shards["spec"]["template"]["spec"]["containers"]
        variables = self.variables(container, JOB_COMPLETION_INDEX=str(index))
        words = [re.sub(r"\$\((\w+)\)", lambda name: variables[name.group(1)], self.placed(word))
                 for word in container["args"]]
        words = [word.replace("+120s@", "+3s@") for word in words]
        return subprocess.Popen(
            [PROGRAM, *words, f"--target={self.target}", "--duration=8s"], env=variables, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True)

    def judge(self, wait):
        pod = self.merge["spec"]["template"]["spec"]
        [waiting], [merging] = pod["initContainers"], pod["containers"]
        for container in [waiting, merging]:
            done = subprocess.run(
                [*container["command"], *map(self.placed, container["args"])], capture_output=True, text=True,
                env=self.variables(container, MURPHY_WAIT=str(wait)), timeout=LIMIT_SECONDS)
        return done

    def run_shards(self, indexes):
        processes = [self.shard(index) for index in indexes]
        for process in processes:
            said = process.communicate(timeout=LIMIT_SECONDS)[0]
            self.assertEqual(process.returncode, 0, said)

    def test_all_shards_together_pass(self):
        self.run_shards(range(self.shards["spec"]["completions"]))
        done = self.judge(wait=30)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(done.stdout.split()[-1], "PASS")
        self.assertTrue((self.results / "run-1/merged/report.html").exists())

    def test_without_one_shard_there_is_no_verdict(self):
        self.run_shards(range(1, self.shards["spec"]["completions"]))
        done = self.judge(wait=1)
        self.assertEqual(done.returncode, 4, done.stdout + done.stderr)
        self.assertEqual(done.stdout.split()[-1], "INVALID")


if __name__ == "__main__":
    if "MURPHY" not in os.environ:
        sys.exit(f"{__file__}: the variable MURPHY names no program; set it to the murphy to test, "
                 "such as MURPHY=.build/debug/murphy")
    PROGRAM = str(pathlib.Path(os.environ["MURPHY"]).resolve())
    unittest.main()
