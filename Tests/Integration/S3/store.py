"""The S3 server of these tests, and what plain curl and botocore do with it."""
import hashlib
import pathlib
import shlex
import subprocess
import tempfile
import urllib.parse

import botocore.config
import botocore.session

HERE = pathlib.Path(__file__).resolve().parent


class Store:
    """`server` in a folder of its own, until the end of a `with`."""

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="murphy-s3-")
        done = subprocess.run(
            [HERE / "server", "start", self.folder.name + "/server"], stdout=subprocess.PIPE, text=True, check=True)
        values = dict(line.split("=", 1) for line in done.stdout.splitlines())
        self.url, self.bucket = values["S3_URL"], values["S3_BUCKET"]
        self.key, self.secret = values["AWS_ACCESS_KEY_ID"], values["AWS_SECRET_ACCESS_KEY"]
        self.region = values["AWS_REGION"]
        self.client = botocore.session.Session().create_client(
            "s3", endpoint_url=self.url, region_name=self.region, aws_access_key_id=self.key,
            aws_secret_access_key=self.secret,
            config=botocore.config.Config(signature_version="s3v4", s3={"addressing_style": "path"}))
        return self

    def __exit__(self, *_):
        self.client.close()
        subprocess.run([HERE / "server", "stop", self.folder.name + "/server"], check=True)
        self.folder.cleanup()

    def address(self, name):
        """The URL of an object."""
        return f"{self.url}/{self.bucket}/{urllib.parse.quote(name, safe='/')}"

    def credentials(self, **other):
        """The variables that clients of S3 read."""
        return {"AWS_ACCESS_KEY_ID": self.key, "AWS_SECRET_ACCESS_KEY": self.secret, "AWS_REGION": self.region, **other}

    def object(self, name):
        """The bytes of an object."""
        return self.client.get_object(Bucket=self.bucket, Key=name)["Body"].read()

    def names(self, prefix=""):
        listed = self.client.list_objects_v2(Bucket=self.bucket, Prefix=prefix)
        return sorted(entry["Key"] for entry in listed.get("Contents", []))

    def presigned(self, method, name, seconds=600):
        """A URL that needs no credentials, for `get_object` or `put_object`."""
        return self.client.generate_presigned_url(
            method, Params={"Bucket": self.bucket, "Key": name}, ExpiresIn=seconds)


def curl(*words, signed=None, region="us-east-1", body=b""):
    """Status and body of curl's answer. `signed` is KEY:SECRET. libcurl 7.88 does not send the body's hash by itself."""
    command = ["curl", "--silent", "--show-error", "--max-time", "20", "--write-out", "\n%{http_code}"]
    if signed is not None:
        command += ["--aws-sigv4", f"aws:amz:{region}:s3", "--user", signed,
                    "--header", f"x-amz-content-sha256: {hashlib.sha256(body).hexdigest()}"]
    done = subprocess.run([*command, *map(str, words)], capture_output=True)
    if done.returncode != 0:
        raise AssertionError(f"{shlex.join(command)} ended with status {done.returncode}: {done.stderr.decode()}")
    text, _, status = done.stdout.rpartition(b"\n")
    return int(status), text
