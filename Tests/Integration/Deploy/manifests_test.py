#!/usr/bin/env python3
"""Breaks copies of the manifests, one mistake at a time, and expects manifests.py to name each; runs the scripts in them.

    Tests/Integration/Deploy/manifests_test.py
"""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from tools import ROOT, use_requirements

if __name__ == "__main__":
    use_requirements()

import yaml  # noqa: E402

import manifests  # noqa: E402

MANIFESTS = ROOT / "deploy/kubernetes"


class ManifestTests(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory())) / "kubernetes"
        shutil.copytree(MANIFESTS, self.folder)

    def replace(self, file, old, new):
        path = self.folder / file
        text = path.read_text()
        self.assertIn(old, text, f"{file} does not hold what this test replaces")
        path.write_text(text.replace(old, new))

    def expect(self, *words):
        mistakes, _ = manifests.validate(self.folder)
        for word in words:
            self.assertTrue(any(word in mistake for mistake in mistakes), f"{word!r} is in none of {mistakes}")

    def test_the_manifests_have_no_mistakes(self):
        mistakes, count = manifests.validate(MANIFESTS)
        self.assertEqual(mistakes, [])
        self.assertGreaterEqual(count, 8)

    def test_a_key_that_kubernetes_does_not_know(self):
        self.replace("manifests/merge.yaml", "restartPolicy:", "restartPolcy:")
        self.expect("'restartPolcy' was unexpected")

    def test_a_value_of_a_wrong_type(self):
        self.replace("manifests/shards.yaml", "backoffLimitPerIndex: 0", "backoffLimitPerIndex: none")
        self.expect("spec.backoffLimitPerIndex: 'none' is not of type 'integer'")

    def test_what_only_the_newest_kubernetes_takes(self):
        self.replace("manifests/shards.yaml", ', status: "True"', "")
        self.expect(f"Kubernetes {manifests.OLDEST}: spec.podFailurePolicy.rules.1.onPodConditions.0: 'status' is a required")

    def test_a_kind_that_is_not_there(self):
        self.replace("try/files.yaml", "kind: Pod", "kind: Pot")
        self.expect("Couldn't find schema for kind Pot")

    def test_a_text_that_is_no_yaml(self):
        self.replace("manifests/results.yaml", "spec:", "spec: {")
        self.expect("manifests/results.yaml: no YAML")

    def test_a_manifest_without_a_kind(self):
        self.replace("manifests/results.yaml", "kind: PersistentVolumeClaim", "")
        self.expect("manifests/results.yaml: a manifest without apiVersion, kind or metadata")

    def test_shards_that_are_run_again(self):
        self.replace("manifests/shards.yaml", "backoffLimitPerIndex: 0", "backoffLimitPerIndex: 1")
        self.replace("upload/shards.yaml", "backoffLimitPerIndex: 0", "backoffLimitPerIndex: 0\n  backoffLimit: 0")
        self.replace("manifests/merge.yaml", "backoffLimit: 0", "backoffLimit: 2")
        self.expect("backoffLimitPerIndex is 1, expected 0", "backoffLimit, which would end all shards",
                    "backoffLimit is 2, expected 0")

    def test_shards_that_are_not_equally_many_everywhere(self):
        self.replace("manifests/shards.yaml", "parallelism: 3", "parallelism: 2")
        self.replace("manifests/merge.yaml", 'MURPHY_SHARDS, value: "3"', 'MURPHY_SHARDS, value: "5"')
        self.expect("parallelism is 2, expected 3", "MURPHY_SHARDS has several values: 3, 5")

    def test_a_merge_of_another_run(self):
        self.replace("manifests/merge.yaml", "MURPHY_RUN, value: run-1", "MURPHY_RUN, value: run-2")
        self.expect("MURPHY_RUN has several values: run-1, run-2")

    def test_rights_that_a_pod_does_not_need(self):
        self.replace("manifests/shards.yaml", "readOnlyRootFilesystem: true", "readOnlyRootFilesystem: false")
        self.replace("manifests/shards.yaml", "runAsUser: 10001", "runAsUser: 0")
        self.replace("try/target.yaml", "capabilities: { drop: [ALL] }", "capabilities: { add: [NET_ADMIN] }")
        self.expect("readOnlyRootFilesystem is False", "runAsUser is 0", "capabilities is {'add': ['NET_ADMIN']}")

    def test_resources_that_are_not_guaranteed(self):
        self.replace("manifests/shards.yaml", 'requests: { cpu: "2"', 'requests: { cpu: "1"')
        self.expect("container murphy: resources.requests is {'cpu': '1'")

    def test_shards_that_may_share_a_node(self):
        self.replace("upload/shards.yaml", "topologyKey: kubernetes.io/hostname", "topologyKey: topology.kubernetes.io/zone")
        self.expect("what keeps shards on nodes of their own")

    def test_volumes_that_are_not_there(self):
        self.replace("manifests/merge.yaml", "claimName: murphy-results", "claimName: results")
        self.replace("manifests/shards.yaml", "name: scratch, mountPath", "name: scratches, mountPath")
        self.expect("no manifest makes the PersistentVolumeClaim 'results'", "mounts the volume 'scratches'",
                    "no container mounts the volume 'scratch'")

    def test_a_config_map_that_is_not_what_the_files_hold(self):
        (self.folder / "scenario/scenario.yaml").write_text("name: Another\n")
        self.expect("data.scenario.yaml is not what scenario/scenario.yaml holds")

    # Not in apt-packages-test.txt: Debian's package conflicts with Kubernetes' own, which many machines have.
    @unittest.skipUnless(shutil.which("kubectl"), "install kubectl, for example the Debian package kubernetes-client")
    def test_a_kustomization_with_a_file_that_is_not_there(self):
        (self.folder / "manifests/merge.yaml").unlink()
        self.expect("kustomization.yaml: kubectl kustomize:")

    def test_a_folder_without_manifests(self):
        for folder in ["manifests", "upload", "try"]:
            shutil.rmtree(self.folder / folder)
        mistakes, _ = manifests.validate(self.folder)
        self.assertNotEqual(mistakes, [])


class WaitTests(unittest.TestCase):
    """The script with which the merge waits, as the manifest has it, in dash as Debian's /bin/sh is."""

    def setUp(self):
        self.results = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        merge = yaml.safe_load((MANIFESTS / "manifests/merge.yaml").read_text())
        [wait] = merge["spec"]["template"]["spec"]["initContainers"]
        self.command = [*wait["command"], *(word.replace("/results", str(self.results)) for word in wait["args"])]

    def write(self, shard, name="shard.json.gz"):
        folder = self.results / "run-1" / f"shard-{shard}"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(b"results")

    def start(self, seconds):
        return subprocess.Popen(self.command, stdout=subprocess.PIPE, text=True, env={
            "PATH": os.environ["PATH"], "MURPHY_RUN": "run-1", "MURPHY_SHARDS": "3", "MURPHY_WAIT": str(seconds)})

    def test_it_ends_when_the_last_shard_has_written_its_results(self):
        self.write(0)
        self.write(1)
        self.write(2, "report.html")
        with self.start(60) as process:
            with self.assertRaises(subprocess.TimeoutExpired):
                process.wait(timeout=3)
            self.write(2)
            self.assertEqual(process.communicate(timeout=20)[0], "All 3 shards have written their results.\n")
        self.assertEqual(process.returncode, 0)

    def test_it_goes_on_with_what_there_is_after_its_time(self):
        self.write(1)
        with self.start(1) as process:
            said = process.communicate(timeout=20)[0]
        self.assertEqual(process.returncode, 0)
        self.assertIn("After 1 seconds 1 of 3 shards", said)

    def test_no_results_are_none(self):
        with self.start(0) as process:
            self.assertIn("0 of 3 shards", process.communicate(timeout=20)[0])

    def test_the_scripts_are_clean(self):
        if not shutil.which("shellcheck") and not os.environ.get("MURPHY_REQUIRE_TOOLS"):
            self.skipTest("install shellcheck")
        for text in self.command[2:]:
            done = subprocess.run(["shellcheck", "--shell=sh", "-"], input=text, capture_output=True, text=True)
            self.assertEqual(done.stdout, "")


if __name__ == "__main__":
    unittest.main()
