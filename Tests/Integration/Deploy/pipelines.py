#!/usr/bin/env python3
"""Validates the recipes of docs/ci.md, this repository's own pipelines and action, and the Containerfile.

    Tests/Integration/Deploy/pipelines.py [ROOT]

Workflows of GitHub go through actionlint (keys, expressions, outputs of other jobs, the scripts by shellcheck) and GitHub's JSON
schema. Pipelines of GitLab, CircleCI and Azure go through the JSON schemas of these systems, the Containerfile through hadolint.
Every mistake is printed; the status is 1 where there is one.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

from tools import FOLDER, ROOT, use_requirements

if __name__ == "__main__":
    use_requirements()


def recipes(text):
    """The YAML of a page with the heading above and the line where it begins."""
    heading, begin, lines = "", None, text.splitlines()
    for number, line in enumerate(lines, 1):
        if begin is None and line.startswith("#"):
            heading = line.strip("# ")
        if line == "```yaml":
            begin = number
        elif line == "```" and begin is not None:
            yield heading, begin + 1, "\n".join(lines[begin:number - 1]) + "\n"
            begin = None


def run(where, *command):
    """What a validator says, where it finds a mistake."""
    done = subprocess.run([FOLDER / "bin" / command[0], *command[1:]], capture_output=True, text=True)
    return [] if done.returncode == 0 else [f"{where}: {command[0]}:\n{done.stdout}{done.stderr}"]


def schema(where, name, file):
    # Azure's schema has patterns that are wrong in the Unicode mode of ECMAScript.
    return run(where, "check-jsonschema", "--regex-variant", "nonunicode", "--builtin-schema", f"vendor.{name}", file)


def github(where, file):
    return run(where, "actionlint", "-no-color", file) + schema(where, "github-workflows", file)


SCHEMAS = {"GitLab": "gitlab-ci", "CircleCI": "circle-ci", "Azure": "azure-pipelines"}


def validate(root):
    """All mistakes, and how many files and recipes there are."""
    mistakes, count = [], 0
    with tempfile.TemporaryDirectory() as folder:
        for heading, line, text in recipes((root / "docs/ci.md").read_text()):
            system, where = re.split(r"[ :]", heading)[0], f"docs/ci.md:{line}: {heading}"
            file = pathlib.Path(folder) / f"line-{line}.yml"
            file.write_text(text)
            if system == "GitHub":
                mistakes += github(where, file)
            elif system in SCHEMAS:
                mistakes += schema(where, SCHEMAS[system], file)
            else:
                continue
            count += 1
    for file in sorted((root / ".github/workflows").glob("*.yml")):
        mistakes += github(file.relative_to(root), file)
        count += 1
    mistakes += schema(".gitlab-ci.yml", "gitlab-ci", root / ".gitlab-ci.yml")
    mistakes += schema("action.yml", "github-actions", root / "action.yml")
    mistakes += run("Containerfile", "hadolint", root / "Containerfile")
    return mistakes, count + 3


if __name__ == "__main__":
    mistakes, count = validate(pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT)
    print("\n".join(mistakes) or f"{count} files and recipes, no mistakes")
    sys.exit(1 if mistakes else 0)
