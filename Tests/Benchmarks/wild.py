"""Runs murphy and schemathesis on servers of other projects, which were not written for a test tool.

Each server is installed into an environment of its own (PyPI, Debian). It runs in a network namespace that has only the
loopback interface, so no request leaves the machine, and no process outlives the bench. Murphy checks the server's OpenAPI
document, drafts a scenario, runs the draft for 10 s and explores the API. Schemathesis gets a second start of the server,
with fresh data, and the same time. Needs root, for the namespaces.

The folder WORK/SERVER/TOOL keeps the document and every output. With --read nothing is run, and the table is printed from
these folders. The columns with S: are of schemathesis.
"""
import argparse
import collections
import json
import pathlib
import shutil
import subprocess
import sys
import time
import traceback

from explore import install, table
from explorers import Murphy, Schemathesis, run
from servers import ROOT
from wild_servers import SERVERS, Place

HEAD = ["server", "operations", "drafted", "called", "findings", "5xx", "requests", "S: called", "S: findings", "S: 5xx",
        "S: requests", "minutes to the first verdict", "verdict of the draft", "trouble"]
TOOLS = ["murphy", "schemathesis"]
VERDICTS = {0: "PASS", 1: "FAIL", 3: "not reached", 4: "INVALID", 5: "NO DATA"}


class Bench:
    """The runs of one tool against one server; `facts` is what its part of the row needs."""

    def __init__(self, arguments, place, tool):
        self.arguments, self.place, self.tool = arguments, place, tool
        self.folder = place.folder / tool
        self.facts = {"trouble": []}

    def run(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        try:
            process = self.place.start(self.folder / "server.log")
            try:
                self.place.save_document(self.folder)
                getattr(self, self.tool)()
                if process.poll() is not None:
                    self.facts["trouble"].append(f"the server ended with {process.returncode}")
            finally:
                self.place.stop(process)
        except Exception as error:
            traceback.print_exc()
            self.facts["trouble"].append(f"{type(error).__name__}: {error}")
        finally:
            (self.folder / "facts.json").write_text(json.dumps(self.facts, indent=1))

    def program(self, name, *words, seconds):
        """The status of a command, its output in NAME.txt; anything but an exit status of murphy is trouble."""
        status, _, spent = run([self.arguments.murphy, *words], self.folder, seconds)
        (self.folder / "output.txt").rename(self.folder / f"{name}.txt")
        if status not in range(6):
            self.facts["trouble"].append(f"{name}: " + ("no end" if status == -1 else f"status {status}"))
        return status, spent

    def murphy(self):
        place, options = self.place, self.place.options()
        self.program("check", "check", place.document, seconds=60)
        drafting = self.program("init", "init", place.document, "--target", place.url, *options, seconds=60)[1]
        scenario = self.folder / "scenario.yaml"
        if scenario.exists():
            status, running = self.program("run", "run", scenario, "--quiet", "--duration", "10s", *options,
                                           "--report", "drafted", seconds=30)
            operations = self.operations(self.folder / "drafted")
            self.facts.update(minutes=(drafting + running) / 60, status=status, drafted=len(operations))
        tool = Murphy(self.arguments.murphy, [*options, "--report", "explored"])
        outcome = tool.explore(Target(place), self.folder, self.arguments.seconds, seed=1)
        operations = self.operations(self.folder / "explored")
        self.keep(outcome, [name for name, _ in operations], [name for name, errors in operations if errors])

    @staticmethod
    def operations(report):
        """Each called operation of a result, with its 5xx responses. Requests off the contract have rows of their own."""
        path = report / "result.json"
        rows = json.loads(path.read_text())["operations"] if path.exists() else []
        errors = collections.Counter()
        for row in rows:
            if row["requests"]:
                errors[row["operation"].removesuffix(" (off the contract)")] += row["outcomes"]["server_error"]
        return list(errors.items())

    def schemathesis(self):
        header = ["--header", ": ".join(self.place.headers())] if self.place.server.header else []
        tool = Schemathesis(self.arguments.schemathesis, header, configuration="")
        outcome = tool.explore(Target(self.place), self.folder, self.arguments.seconds, seed=1)
        self.facts["operations"] = outcome.operations
        self.keep(outcome, outcome.called, outcome.broken)

    def keep(self, outcome, called, broken):
        self.facts.update(called=called, broken=broken, findings=outcome.findings, requests=outcome.requests)
        if outcome.trouble or outcome.status == -1:
            self.facts["trouble"].append(outcome.trouble.strip()[-200:] or "no end")


class Target:
    """What the explorers need of a server; the credential is one of their options."""

    tokens = []

    def __init__(self, place):
        self.document, self.url = place.document, place.url


def row(place):
    facts = {}
    for tool in TOOLS:
        path = place.folder / tool / "facts.json"
        facts[tool] = json.loads(path.read_text()) if path.exists() else {"trouble": ["not run"]}
    murphy, other = facts.values()
    minutes = f"{murphy['minutes']:.1f}" if "minutes" in murphy else ""
    trouble = "; ".join(f"{tool}: {text}" for tool, part in facts.items() for text in part["trouble"])
    return [place.server.name, other.get("operations", ""), murphy.get("drafted", ""), *cells(murphy), *cells(other),
            minutes, VERDICTS.get(murphy.get("status"), ""), trouble]


def cells(facts):
    return [len(facts[key]) for key in ("called", "findings", "broken")] + [facts["requests"]] if "called" in facts else [""] * 4


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--murphy", type=pathlib.Path, default=ROOT / ".build-release/release/murphy")
    parser.add_argument("--schemathesis", type=pathlib.Path, help="its program; installed into the work folder without")
    parser.add_argument("--work", type=pathlib.Path, default=pathlib.Path("/tmp/murphy-wild"))
    parser.add_argument("--server", action="append", choices=[server.name for server in SERVERS])
    parser.add_argument("--tool", action="append", choices=TOOLS, help="only this one; the other's results stay")
    parser.add_argument("--seconds", type=int, default=90, help="what a tool may take for one server")
    parser.add_argument("--read", action="store_true", help="run nothing, print the table of the runs that are there")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    arguments.murphy = arguments.murphy.resolve()
    arguments.work = arguments.work.resolve()
    arguments.work.mkdir(parents=True, exist_ok=True)
    places = [Place(server, arguments.work) for server in SERVERS
              if not arguments.server or server.name in arguments.server]
    if not arguments.read:
        arguments.schemathesis = (arguments.schemathesis or install(arguments.work)).absolute()
    if arguments.inside:
        Bench(arguments, places[0], arguments.tool[0]).run()
        return
    for place in [] if arguments.read else places:
        try:
            place.install()
        except subprocess.CalledProcessError as error:
            print(f"{place.server.name} cannot be installed: {error}", file=sys.stderr)
            continue
        print(f"{time.strftime('%H:%M:%S')} {place.server.name}", file=sys.stderr, flush=True)
        for tool in arguments.tool or TOOLS:
            # The namespaces end with this process, and all servers with them.
            subprocess.run(
                ["unshare", "--net", "--pid", "--fork", "--kill-child", "--mount-proc", "sh", "-c",
                 'ip link set lo up && exec "$@"', "sh", sys.executable, __file__, "--inside", "--server",
                 place.server.name, "--tool", tool, "--murphy", arguments.murphy, "--schemathesis",
                 arguments.schemathesis, "--work", arguments.work, "--seconds", str(arguments.seconds)],
                timeout=4 * arguments.seconds + 2 * place.server.patience)
    table(HEAD, [row(place) for place in places])


if __name__ == "__main__":
    main()
