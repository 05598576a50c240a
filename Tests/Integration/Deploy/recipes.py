"""Runs the recipes of docs/ci.md, section 2, on this machine: their shell steps as each system runs them, and a folder as the cache."""
import os
import pathlib
import re
import shutil
import subprocess

import yaml

from action import STEP_SECONDS, Action, copy_if_there
from pipelines import recipes
from tools import ROOT

# How each system starts the shell of a step. Azure ends a step only with the status of its last command.
SHELLS = {"GitHub": ["bash", "-e"], "GitLab": ["bash", "-eo", "pipefail"], "Jenkins": ["sh", "-xe"],
          "CircleCI": ["bash", "-eo", "pipefail"], "Azure": ["bash", "--noprofile", "--norc"]}
RELEASES = "https://github.com/OWNER/murphy/releases/download"


def section():
    return re.search(r"^## 2\. .*?(?=^## 3\. )", (ROOT / "docs/ci.md").read_text(), re.MULTILINE | re.DOTALL)[0]


def texts():
    """The recipe of each system."""
    found = {re.split(r"[ :]", heading)[0]: text for heading, _, text in recipes(section())}
    return {**found, "Jenkins": re.search(r"```groovy\n(.*?)```", section(), re.DOTALL)[1]}


class Job:
    """One run of a recipe in a fresh workspace. `home` and `cache` last from job to job."""

    def __init__(self, system, text, folder, variables):
        self.system, self.text = system, text
        self.workspace, self.cache, self.home = folder / "workspace", folder / "cache", folder / "home"
        self.runner = folder / "runner"
        for path in [self.workspace, self.runner]:
            shutil.rmtree(path, ignore_errors=True)
            path.mkdir()
        self.home.mkdir(exist_ok=True)
        self.variables = {**os.environ, "HOME": str(self.home), **variables}
        self.output = ""

    def run(self):
        """The status of the first step that fails; 0 without one."""
        return {"GitHub": self.github, "GitLab": self.gitlab, "Jenkins": self.jenkins, "CircleCI": self.circle,
                "Azure": self.azure}[self.system]()

    def shell(self, script, allowed=()):
        done = subprocess.run([*SHELLS[self.system], "-c", script], cwd=self.workspace, env=self.variables, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=STEP_SECONDS)
        self.output += done.stdout
        return 0 if done.returncode in allowed else done.returncode

    def restore(self, path):
        copy_if_there(self.cache, self.workspace / path)

    def save(self, path):
        copy_if_there(self.workspace / path, self.cache)

    def steps(self, steps, run):
        for step in steps:
            status = run(step)
            if status:
                return status
        return 0

    def github(self):
        [job] = yaml.safe_load(self.text)["jobs"].values()
        action = Action(self.runner, self.workspace, self.cache, **self.variables)

        def run(step):
            if "run" in step:
                return self.shell(step["run"])
            if step["uses"].startswith("actions/checkout@"):
                return 0
            inputs = {name.replace("-", "_"): value for name, value in step["with"].items()}
            status, text, _ = action.run(releases=self.variables["RELEASES"], **inputs)
            self.output += text
            return status

        return self.steps(job["steps"], run)

    def gitlab(self):
        [job] = yaml.safe_load(self.text).values()
        [path] = job["cache"]["paths"]
        self.variables.update(job["variables"])
        self.restore(path)
        status = self.shell("\n".join(job["before_script"] + job["script"]), job["allow_failure"]["exit_codes"])
        self.save(path)     # `when: always`
        return status

    def jenkins(self):
        variables = re.search(r"environment \{(.*?)\}", self.text, re.DOTALL)[1]
        self.variables.update(re.findall(r"(\w+) = '(.*)'", variables))
        steps = re.findall(r"\bsh (returnStatus: true, script: )?(?:'''(.*?)'''|'(.*?)')", self.text, re.DOTALL)
        return self.steps(steps, lambda step: self.shell(step[1] or step[2], [5] if step[0] else []))

    def circle(self):
        [job] = yaml.safe_load(self.text)["jobs"].values()
        self.variables.update(job["environment"])

        def run(step):
            if "run" in step:
                return self.shell(step["run"] if isinstance(step["run"], str) else step["run"]["command"])
            if "restore_cache" in step:
                self.restore(self.variables["BASELINE"])
            elif "save_cache" in step:
                [path] = step["save_cache"]["paths"]
                self.save(path)

        return self.steps(job["steps"], run)

    def azure(self):
        pipeline = yaml.safe_load(self.text)
        self.variables.update(pipeline["variables"])
        [path] = [step["inputs"]["path"] for step in pipeline["steps"] if step.get("task") == "Cache@2"]
        path = path.removeprefix("$(System.DefaultWorkingDirectory)/")

        def run(step):
            if step.get("task") == "Cache@2":
                self.restore(path)
            return self.shell(step["bash"]) if "bash" in step else 0

        status = self.steps(pipeline["steps"], run)
        if status == 0:     # the task saves at the end of a job that succeeded
            self.save(path)
        return status
