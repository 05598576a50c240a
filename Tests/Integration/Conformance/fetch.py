#!/usr/bin/env python3
"""Gets public test suites from source distributions on PyPI into .build-conformance, once.

The JSON-Schema-Test-Suite comes with `jsonschema`, the JSONPath compliance suite (RFC 9535) with `jsonpath-rfc9535`.
The documents of the OpenAPI Specification are in no package: they are in Tests/Integration/Conformance/openapi.
Without a network it says so and ends with status 0: the tests that need a suite are then skipped, and counted.
"""

import hashlib
import io
import json
import pathlib
import re
import shutil
import sys
import tarfile
import urllib.parse
import urllib.request

FOLDER = pathlib.Path(__file__).resolve().parents[3] / ".build-conformance"
PACKAGES = [
    ("jsonschema", "4.26.0", "0c26707e2efad8aa1bfc5b7ce170f3fccc2e4918ff85989ba9ffa9facb2be326"),
    ("jsonpath-rfc9535", "2.0.2", "07e5ba16067905b5e8c0ff3a49184908f6e90f8cde473638f9f387b4f24d4e00"),
]
DRAFTS = ["draft4", "draft6", "draft7", "draft2019-09", "draft2020-12"]


def distribution(name: str, version: str, checksum: str) -> tarfile.TarFile:
    """The source distribution of a package; raises OSError or ValueError."""
    index = f"https://pypi.org/simple/{name}/"
    file = f"{name.replace('-', '_')}-{version}.tar.gz"
    with urllib.request.urlopen(index, timeout=30) as response:
        page = response.read().decode()
    # PEP 503: a page of links.
    link = re.search(rf'href="([^"#]*{re.escape(file)})', page)
    if link is None:
        raise ValueError(f"{index} has no {file}")
    address = urllib.parse.urljoin(index, link[1])
    with urllib.request.urlopen(address, timeout=60) as response:
        data = response.read()
    if hashlib.sha256(data).hexdigest() != checksum:
        raise ValueError(f"{address} does not have the expected checksum")
    return tarfile.open(fileobj=io.BytesIO(data))


def texts(archive: tarfile.TarFile, part: str) -> dict[str, bytes]:
    """Files below the folder `part` of a distribution, by their path in it."""
    found = {}
    for member in archive.getmembers():
        path = member.name.partition("/")[2]
        if member.isfile() and path.startswith(part):
            found[path[len(part):]] = archive.extractfile(member).read()
    return found


def write_schema_suite(archive: tarfile.TarFile, folder: pathlib.Path) -> None:
    for path, data in texts(archive, "json/").items():
        parts = path.split("/")
        if parts[0] == "tests" and parts[1] in DRAFTS:
            # Tests of formats are optional in the suite; murphy asserts formats.
            if parts[2] == "optional" and parts[3] != "format":
                continue
            parts = [part for part in parts if part != "optional"]
        elif parts[0] != "remotes":
            continue
        file = folder.joinpath(*parts)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)


def write_path_suite(archive: tarfile.TarFile, folder: pathlib.Path) -> None:
    tests = []
    for path, data in sorted(texts(archive, "tests/cts/tests/").items()):
        for test in json.loads(data)["tests"]:
            tests.append({**test, "name": f"{path.removesuffix('.json')}, {test['name']}"})
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "cts.json").write_text(json.dumps({"tests": tests}))


def main() -> int:
    stamp = FOLDER / "versions.json"
    wanted = json.dumps(PACKAGES)
    if stamp.exists() and stamp.read_text() == wanted:
        return 0
    try:
        schema, path = (distribution(*package) for package in PACKAGES)
        shutil.rmtree(FOLDER, ignore_errors=True)
        write_schema_suite(schema, FOLDER / "json-schema-test-suite")
        write_path_suite(path, FOLDER / "jsonpath")
    except (OSError, ValueError) as error:
        print(f"The public test suites cannot be downloaded: {error}. Tests that need them are skipped.", file=sys.stderr)
        return 0
    stamp.write_text(wanted)
    print(f"Public test suites: {FOLDER}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
