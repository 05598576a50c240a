#!/usr/bin/python3
"""Two shards that keep their results in S3: what `murphy run --upload` and `murphy merge URL...` do with a store that checks
every signature.

    MURPHY=.build/debug/murphy /usr/bin/python3 Tests/Integration/S3/s3.py

The shards are the real program, against `murphy serve murphys-laws`; the store is Tests/Integration/S3/server.
"""
import concurrent.futures
import functools
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

from store import HERE, Store

SCENARIO = HERE.parents[2] / "scenarios/murphys-laws/smoke.yaml"
SHARDS = 2
VERDICTS = {"PASS": 0, "FAIL": 1, "INVALID": 4, "NO DATA": 5}
LIMIT_SECONDS = 120


def murphy(*words, **variables):
    """Runs murphy with the given AWS variables and no others."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
    return subprocess.run(
        [PROGRAM, *map(str, words)], env={**environment, **variables}, capture_output=True, text=True,
        timeout=LIMIT_SECONDS)


def said(done):
    return f"status {done.returncode}\n{done.stdout}\n{done.stderr}"


class Folder:
    """The folder of one run of all shards."""

    def __init__(self, path):
        self.path = path
        path.mkdir()

    def report(self, shard):
        return self.path / f"report-{shard}"

    @property
    def reports(self):
        return [self.report(shard) for shard in range(1, SHARDS + 1)]

    def run(self, target, upload, **variables):
        """All shards at one time. `upload` names the URL of a shard, or is one for all."""
        def one(shard):
            url = upload(shard) if callable(upload) else upload
            return murphy(
                "run", SCENARIO, "--target", target, "--duration", "2s", "--seed", 7, "--shard", f"{shard}/{SHARDS}",
                "--start-at", f"+2s@{self.path / 'start'}", "--report", self.report(shard), "--upload", url, **variables)
        with concurrent.futures.ThreadPoolExecutor(SHARDS) as pool:
            return list(pool.map(one, range(1, SHARDS + 1)))


def written(shard):
    return f"shard-{shard}-of-{SHARDS}.json.gz"


class UploadTests(unittest.TestCase):
    maxDiff = 4000

    @classmethod
    def setUpClass(cls):
        cls.store = cls.enterClassContext(Store())
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.server = subprocess.Popen(
            [PROGRAM, "serve", "murphys-laws", "--port", "0"], stdout=subprocess.PIPE, text=True)
        cls.addClassCleanup(cls.server.stdout.close)
        cls.addClassCleanup(cls.server.wait)
        cls.addClassCleanup(cls.server.terminate)
        line = cls.server.stdout.readline()
        cls.target = re.search(r"http://[0-9.]+:[0-9]+", line).group()

    def setUp(self):
        self.name = self.id().rpartition(".")[2]
        self.shards = Folder(self.folder / self.name)

    def run_shards(self, upload, expected=0, **variables):
        for done in self.shards.run(self.target, upload, **variables):
            self.assertEqual(done.returncode, expected, said(done))

    def merge(self, name, *inputs, **variables):
        """The merged result, after its verdict was held against its status."""
        file = self.shards.path / f"{name}.json"
        done = murphy("merge", *inputs, "-o", file, **variables)
        verdict = done.stdout.rstrip().rpartition("\n")[2]
        self.assertEqual(VERDICTS.get(verdict), done.returncode, said(done))
        self.assertEqual(verdict, "PASS", said(done))
        return json.loads(file.read_text())

    def assert_same_result(self, one, other, *names):
        """Equal, but for what the inputs are called: folders or URLs."""
        def plain(value):
            text = json.dumps(value, sort_keys=True, indent=1)
            for name in names:
                text = text.replace(json.dumps(str(name))[1:-1], "INPUT")
            return text.splitlines()
        self.assertEqual(plain(one), plain(other))

    def assert_kept(self, prefix):
        """The store holds what the shards wrote at home, byte for byte, and nothing else."""
        self.assertEqual(self.store.names(prefix), [prefix + written(shard) for shard in range(1, SHARDS + 1)])
        for shard, report in enumerate(self.shards.reports, 1):
            self.assertEqual(
                self.store.object(prefix + written(shard)), (report / "shard.json.gz").read_bytes(), f"shard {shard}")

    def assert_refused(self, done, shard, *words):
        """A failed upload says what failed, where the result lies, and no secret; the result is at home."""
        self.assertNotIn(done.returncode, [0, 1], said(done))
        for word in [*words, str(self.shards.report(shard))]:
            self.assertIn(word, done.stderr)
        for secret in [self.store.secret, "wrong-secret"]:
            self.assertNotIn(secret, done.stdout + done.stderr)
        for name in ["shard.json.gz", "result.json", "report.html"]:
            self.assertGreater((self.shards.report(shard) / name).stat().st_size, 0, name)

    def assert_local_results_merge(self):
        self.merge("local", *self.shards.reports)

    def test_signed_uploads_merge_as_the_folders_do(self):
        prefix = f"{self.name}/"
        self.run_shards(self.store.address(prefix), **self.store.credentials())
        self.assert_kept(prefix)
        urls = [self.store.address(prefix + written(shard)) for shard in range(1, SHARDS + 1)]
        remote = self.merge("remote", *urls, **self.store.credentials())
        local = self.merge("local", *self.shards.reports)
        self.assert_same_result(local, remote, *urls, *self.shards.reports)
        self.assertGreater(local["ledger"]["planned"], 0)

    def test_a_shard_missing_from_the_store_is_no_pass(self):
        prefix = f"{self.name}/"
        self.run_shards(self.store.address(prefix), **self.store.credentials())
        done = murphy("merge", self.store.address(prefix + written(1)), **self.store.credentials())
        self.assertEqual(done.returncode, VERDICTS["INVALID"], said(done))
        absent = self.store.address(f"{prefix}never-written.json.gz")
        done = murphy("merge", self.store.address(prefix + written(1)), absent, **self.store.credentials())
        self.assertNotIn(done.returncode, [0, 1], said(done))
        self.assertIn("never-written.json.gz", done.stdout + done.stderr)

    def test_names_that_need_percent_encoding_are_signed_as_S3_does(self):
        """`=` and `:` may stand in a path as they are; S3 signs them as %3D and %3A."""
        prefix = f"{self.name}/day=24/run 1:a+b/"
        raw = self.store.address(prefix).replace("%3D", "=").replace("%3A", ":")
        self.run_shards(raw, **self.store.credentials())
        self.assert_kept(prefix)

    def test_presigned_urls_need_no_credentials(self):
        prefix = f"{self.name}/"
        self.run_shards(functools.partial(self.presigned, "put_object", prefix))
        self.assert_kept(prefix)
        urls = [self.presigned("get_object", prefix, shard) for shard in range(1, SHARDS + 1)]
        remote = self.merge("remote", *urls)
        local = self.merge("local", *self.shards.reports)
        plain = [url.partition("?")[0] for url in urls]
        self.assert_same_result(local, remote, *urls, *plain, *self.shards.reports)

    def test_presigned_urls_are_used_as_they_are_beside_other_credentials(self):
        prefix = f"{self.name}/"
        self.run_shards(functools.partial(self.presigned, "put_object", prefix),
                        **self.store.credentials(AWS_SECRET_ACCESS_KEY="wrong-secret"))
        self.assert_kept(prefix)

    def test_a_presigned_url_that_is_refused_keeps_its_signature_to_itself(self):
        prefix = f"{self.name}/"
        urls = {shard: self.presigned("get_object", prefix, shard) for shard in range(1, SHARDS + 1)}
        for shard, done in enumerate(self.shards.run(self.target, urls.get), 1):
            self.assert_refused(done, shard, "403", "SignatureDoesNotMatch")
            signature = re.search("X-Amz-Signature=([0-9a-f]+)", urls[shard]).group(1)
            self.assertNotIn(signature, done.stdout + done.stderr)
        self.assert_local_results_merge()

    def test_a_wrong_secret_is_an_error_that_keeps_the_local_results(self):
        prefix = f"{self.name}/"
        wrong = self.store.credentials(AWS_SECRET_ACCESS_KEY="wrong-secret")
        for shard, done in enumerate(self.shards.run(self.target, self.store.address(prefix), **wrong), 1):
            self.assert_refused(done, shard, "403", "SignatureDoesNotMatch", written(shard))
        self.assertEqual(self.store.names(prefix), [])
        self.assert_local_results_merge()

    def test_another_region_is_an_error_that_says_which_is_right(self):
        wrong = self.store.credentials(AWS_REGION="eu-west-1")
        for shard, done in enumerate(self.shards.run(self.target, self.store.address(f"{self.name}/"), **wrong), 1):
            self.assert_refused(done, shard, "400", "expecting 'us-east-1'")

    def test_a_bucket_that_is_not_there_is_an_error_that_keeps_the_local_results(self):
        upload = f"{self.store.url}/no-such-bucket/"
        for shard, done in enumerate(self.shards.run(self.target, upload, **self.store.credentials()), 1):
            self.assert_refused(done, shard, "404", "NoSuchBucket")
        self.assert_local_results_merge()

    def test_a_store_that_cannot_be_reached_is_an_error_that_keeps_the_local_results(self):
        # Port 1 of loopback: nothing listens on it, and the kernel never assigns it.
        upload = "http://127.0.0.1:1/murphy/"
        for shard, done in enumerate(self.shards.run(self.target, upload, **self.store.credentials()), 1):
            self.assert_refused(done, shard, "127.0.0.1:1")
        self.assert_local_results_merge()

    def test_merge_says_why_it_may_not_read(self):
        prefix = f"{self.name}/"
        self.run_shards(self.store.address(prefix), **self.store.credentials())
        urls = [self.store.address(prefix + written(shard)) for shard in range(1, SHARDS + 1)]
        done = murphy("merge", *urls, **self.store.credentials(AWS_SECRET_ACCESS_KEY="wrong-secret"))
        self.assertNotIn(done.returncode, [0, 1], said(done))
        for word in ["403", "SignatureDoesNotMatch", written(1)]:
            self.assertIn(word, done.stdout + done.stderr)

    def presigned(self, method, prefix, shard):
        return self.store.presigned(method, prefix + written(shard))


if __name__ == "__main__":
    if "MURPHY" not in os.environ:
        sys.exit(f"{__file__}: the variable MURPHY names no program; set it to the murphy to test, "
                 "such as MURPHY=.build/debug/murphy")
    PROGRAM = str(pathlib.Path(os.environ["MURPHY"]).resolve())
    unittest.main()
