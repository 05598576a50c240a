"""Runs the steps of action.yml as GitHub's runner does, with a release that a server on loopback offers."""
import functools
import hashlib
import http.server
import os
import pathlib
import re
import shutil
import subprocess
import tarfile
import threading

import yaml

from tools import ROOT

VERSION = subprocess.check_output([ROOT / ".ci/version"], text=True).strip()
NAME = f"murphy-{VERSION}-linux-{os.uname().machine}"
STEP_SECONDS = 300


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def release(folder):
    """The files of a release, with links to the real programs: packing them would take a minute."""
    files = folder / f"v{VERSION}"
    files.mkdir(parents=True)
    archive = files / f"{NAME}.tar.xz"
    programs = {"murphy": pathlib.Path(os.environ["MURPHY"]).resolve(), "murphy-gate": ROOT / "deploy/ci/murphy-gate"}
    with tarfile.open(archive, "w:xz", preset=0) as tar:
        for name, program in programs.items():
            entry = tarfile.TarInfo(f"{NAME}/bin/{name}")
            entry.type, entry.linkname = tarfile.SYMTYPE, str(program)
            tar.addfile(entry)
    digest = hashlib.sha256(archive.read_bytes()).hexdigest()
    (files / "SHA256SUMS").write_text(f"{digest}  {archive.name}\n{'0' * 64}  another-{archive.name}\n")
    return files


def serve(folder):
    """A server of the folder's files; `server_port` is its port."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def copy_if_there(source, target):
    if source.is_dir():
        shutil.copytree(source, target, dirs_exist_ok=True)


class Action:
    """`folder` is the runner's, `workspace` that of the job, and `cache` keeps what the action saves."""

    def __init__(self, folder, workspace, cache, **variables):
        self.folder, self.workspace, self.cache = folder, workspace, cache
        self.summary = folder / "summary.md"
        self.action = yaml.safe_load((ROOT / "action.yml").read_text())
        self.repository, self.event = "owner/murphy", "push"
        self.variables = {
            **os.environ, "GITHUB_ACTIONS": "true", "GITHUB_PATH": str(folder / "path"), "RUNNER_TEMP": str(folder),
            "GITHUB_STEP_SUMMARY": str(self.summary), "GITHUB_SERVER_URL": "http://127.0.0.1:1",
            "GITHUB_ACTION_PATH": str(ROOT), "GITHUB_WORKSPACE": str(workspace), "GITHUB_REPOSITORY": "someone/shop",
            **variables}

    def shell(self, script, variables):
        """The status and the text of a step, in the job's workspace."""
        done = subprocess.run(["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script], cwd=self.workspace, env=variables,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=STEP_SECONDS)
        return done.returncode, done.stdout

    def step(self, step, values):
        """The status, the text and the outputs of a step."""
        def evaluated(text):
            return re.sub(r"\$\{\{ (.*?) \}\}", lambda found: values[found[1]], text)

        if "uses" in step:
            kind = step["uses"].partition("@")[0]
            if kind.startswith("actions/cache/"):
                pair = [self.cache, self.workspace / evaluated(step["with"]["path"])]
                copy_if_there(*(pair if kind.endswith("restore") else reversed(pair)))
            return 0, "", {}
        output = self.folder / "output"
        output.write_text("")
        variables = {name: evaluated(text) for name, text in step.get("env", {}).items()}
        status, text = self.shell(step["run"], {**self.variables, "GITHUB_OUTPUT": str(output), **variables})
        return status, text, dict(line.split("=", 1) for line in output.read_text().splitlines())

    def run(self, **inputs):
        """The status of the first failed step, the text of all, and all outputs. An input of two words has an underscore."""
        values = {"github.action_repository": self.repository, "github.event_name": self.event}
        for name, about in self.action["inputs"].items():
            values[f"inputs.{name}"] = about.get("default", "").replace("${{ github.action_repository }}", self.repository)
        values.update({f"inputs.{name.replace('_', '-')}": str(value) for name, value in inputs.items()})
        texts, first_failure = "", 0
        for step in self.action["runs"]["steps"]:
            condition = step.get("if", "")
            if any(values.get(name) == text for name, text in re.findall(r"([\w.-]+) != '(.*?)'", condition)):
                continue
            if first_failure and "always()" not in condition:
                continue
            status, text, outputs = self.step(step, values)
            texts += text
            values.update({f"steps.{step.get('id')}.outputs.{name}": value for name, value in outputs.items()})
            first_failure = first_failure or status
        return first_failure, texts, {
            name: values.get(about["value"].strip("${} ")) for name, about in self.action["outputs"].items()}
