#!/usr/bin/python3
"""Shows that Tests/Integration/S3/server refuses what real storage refuses, so that a test that passes with it says something.

    /usr/bin/python3 Tests/Integration/S3/server_test.py
"""
import pathlib
import subprocess
import tempfile
import unittest

from store import HERE, Store, curl

BODY = bytes(range(256)) * 40


class ServerTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.store = cls.enterClassContext(Store())
        cls.file = pathlib.Path(cls.store.folder.name) / "body"
        cls.file.write_bytes(BODY)

    def put(self, name, secret=None, key=None, **more):
        signed = f"{key or self.store.key}:{secret or self.store.secret}"
        return curl("--upload-file", self.file, self.store.address(name), signed=signed, **{"body": BODY, **more})

    def test_a_signed_put_is_kept_and_a_signed_get_reads_it(self):
        self.assertEqual(self.put("signed")[0], 200)
        signed = f"{self.store.key}:{self.store.secret}"
        self.assertEqual(curl(self.store.address("signed"), signed=signed), (200, BODY))
        self.assertEqual(self.store.object("signed"), BODY)

    def test_a_wrong_secret_is_refused(self):
        status, text = self.put("wrong-secret", secret="wrong")
        self.assertEqual(status, 403)
        self.assertIn(b"<Code>SignatureDoesNotMatch</Code>", text)
        self.assertNotIn(self.store.secret.encode(), text)
        self.assertEqual(self.store.names("wrong-secret"), [])

    def test_an_unknown_key_is_refused(self):
        self.assertEqual(self.put("unknown-key", key="NOBODY")[0], 403)

    def test_a_read_with_a_wrong_secret_is_refused(self):
        self.put("private")
        self.assertEqual(curl(self.store.address("private"), signed=f"{self.store.key}:wrong")[0], 403)

    def test_requests_without_a_signature_are_refused(self):
        self.put("private")
        self.assertNotEqual(curl(self.store.address("private"))[0], 200)
        self.assertNotEqual(curl("--upload-file", self.file, self.store.address("unsigned"))[0], 200)
        self.assertEqual(self.store.names("unsigned"), [])

    def test_a_body_that_is_not_what_was_signed_is_refused(self):
        status, text = self.put("other-body", body=b"other")
        self.assertEqual(status, 400)
        self.assertIn(b"<Code>BadDigest</Code>", text)

    def test_another_region_is_refused(self):
        status, text = self.put("region", region="eu-west-1")
        self.assertEqual(status, 400)
        self.assertIn(b"<Code>AuthorizationHeaderMalformed</Code>", text)

    def test_presigned_urls_work_for_what_they_were_made_for_only(self):
        put, get = self.store.presigned("put_object", "presigned"), self.store.presigned("get_object", "presigned")
        self.assertEqual(curl("--upload-file", self.file, put)[0], 200)
        self.assertEqual(curl(get), (200, BODY))
        self.assertEqual(curl(put)[0], 403)
        self.assertEqual(curl("--upload-file", self.file, put.replace("/presigned?", "/another?"))[0], 403)
        self.assertEqual(self.store.names("another"), [])

    def test_a_presigned_url_that_is_signed_again_is_refused(self):
        signed = f"{self.store.key}:{self.store.secret}"
        url = self.store.presigned("put_object", "twice")
        status, text = curl("--upload-file", self.file, url, signed=signed, body=BODY)
        self.assertEqual((status, b"Only one auth mechanism allowed" in text), (400, True))
        self.assertEqual(self.store.names("twice"), [])

    def test_a_bucket_or_object_that_is_not_there_is_404(self):
        signed = f"{self.store.key}:{self.store.secret}"
        status, text = curl(f"{self.store.url}/nowhere/a", signed=signed)
        self.assertEqual((status, b"NoSuchBucket" in text), (404, True))
        status, text = curl(self.store.address("never-written"), signed=signed)
        self.assertEqual((status, b"NoSuchKey" in text), (404, True))

    def test_a_path_is_signed_as_percent_encoding_writes_it(self):
        """What a client of libcurl 7.88 must do: it signs the path as it is given, where S3 signs `=` as %3D."""
        self.assertEqual(self.put("day=24/a+b c:d")[0], 200)
        self.assertEqual(self.store.object("day=24/a+b c:d"), BODY)

    def test_a_folder_that_is_in_use_is_left_alone(self):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "mine").write_text("mine")
            done = subprocess.run([HERE / "server", "start", folder], capture_output=True, text=True)
            self.assertEqual(done.returncode, 1)
            self.assertIn("is not empty", done.stderr)
            self.assertEqual([path.name for path in pathlib.Path(folder).iterdir()], ["mine"])


if __name__ == "__main__":
    unittest.main()
