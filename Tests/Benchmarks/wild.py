"""What murphy and schemathesis do with servers of other projects, which nobody wrote for a test tool.

Each server is installed into an environment of its own (PyPI, Debian). It runs in a network namespace that has only the
loopback interface, so no request leaves the machine, and no process outlives the bench. Murphy checks the server's OpenAPI
document, drafts a scenario, runs the draft for 10 s and explores the API. Schemathesis gets a second start of the server,
with fresh data, and the same time. Needs root, for the namespaces.

The work folder keeps every output: document, check.txt, init.txt, run.txt, murphy/output.txt, schemathesis/output.txt. With
--read nothing is run, and the table is printed from the folder.
"""
import argparse
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


class Bench:
    """One server's runs; `facts` is its row."""

    def __init__(self, arguments, place):
        self.arguments, self.place, self.facts = arguments, place, {"trouble": []}
        self.murphy = arguments.murphy

    def all(self):
        folder = self.place.folder
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        try:
            for part in (self.draft_and_explore, self.schemathesis):
                process = self.place.start()
                try:
                    part()
                    if process.poll() is not None:
                        self.facts["trouble"].append(f"{part.__name__}: the server ended with {process.returncode}")
                finally:
                    self.place.stop(process)
        except Exception as error:
            traceback.print_exc()
            self.facts["trouble"].append(f"{type(error).__name__}: {error}")
        finally:
            (folder / "facts.json").write_text(json.dumps(self.facts, indent=1))

    def program(self, name, *words, seconds):
        """The status of a command, its output in NAME.txt; anything but an exit status of murphy is trouble."""
        status, _, spent = run([self.murphy, *words], self.place.folder, seconds)
        (self.place.folder / "output.txt").rename(self.place.folder / f"{name}.txt")
        if status not in range(6):
            self.facts["trouble"].append(f"{name}: " + ("no end" if status == -1 else f"status {status}"))
        return status, spent

    def draft_and_explore(self):
        place, options = self.place, self.place.options()
        place.save_document()
        self.facts["check"] = self.program("check", "check", place.document, seconds=60)[0]
        drafting = self.program("init", "init", place.document, "--target", place.url, *options, seconds=60)[1]
        scenario = place.folder / "scenario.yaml"
        if scenario.exists():
            status, running = self.program("run", "run", scenario, "--quiet", "--duration", "10s", *options,
                                           "--report", "report", seconds=30)
            operations = self.operations(place.folder / "report")
            self.facts.update(minutes=(drafting + running) / 60, status=status, drafted=len(operations))
        folder = place.folder / "murphy"
        folder.mkdir()
        seconds = self.arguments.seconds
        tool = Murphy(self.murphy, [*options, "--report", "report"])
        outcome = tool.explore(Target(place), folder, seconds, seed=1)
        operations = self.operations(folder / "report")
        self.keep("murphy", outcome, [name for name, _ in operations], [name for name, errors in operations if errors])

    @staticmethod
    def operations(report):
        """Each called operation of a result, with its 5xx responses."""
        path = report / "result.json"
        rows = json.loads(path.read_text())["operations"] if path.exists() else []
        return [(row["operation"], row["outcomes"]["server_error"]) for row in rows
                if row["requests"] and "off the contract" not in row["operation"]]

    def schemathesis(self):
        folder = self.place.folder / "schemathesis"
        folder.mkdir()
        header = ["--header", ": ".join(self.place.headers())] if self.place.server.header else []
        tool = Schemathesis(self.arguments.schemathesis, header, configuration="")
        outcome = tool.explore(Target(self.place), folder, self.arguments.seconds, seed=1)
        self.facts["operations"] = outcome.operations
        self.keep("schemathesis", outcome, outcome.called, outcome.broken)

    def keep(self, tool, outcome, called, broken):
        self.facts[tool] = {"called": called, "broken": broken, "findings": outcome.findings, "requests": outcome.requests}
        if outcome.trouble or outcome.status == -1:
            self.facts["trouble"].append(f"{tool}: {outcome.trouble.strip()[-200:] or 'no end'}")


class Target:
    """What the explorers need of a server; the credential is one of their options."""

    tokens = []

    def __init__(self, place):
        self.document, self.url = place.document, place.url


def row(place):
    path = place.folder / "facts.json"
    if not path.exists():
        return [place.server.name, *[""] * (len(HEAD) - 2), "not run"]
    facts = json.loads(path.read_text())
    tools = [cell for name in ("murphy", "schemathesis") for cell in cells(facts.get(name))]
    verdict = {0: "PASS", 1: "FAIL", 3: "not reached", 4: "INVALID", 5: "NO DATA"}.get(facts.get("status"), "")
    minutes = f"{facts['minutes']:.1f}" if "minutes" in facts else ""
    return [place.server.name, facts.get("operations", ""), facts.get("drafted", ""), *tools, minutes, verdict,
            "; ".join(facts["trouble"])]


def cells(tool):
    return [len(tool["called"]), len(tool["findings"]), len(tool["broken"]), tool["requests"]] if tool else [""] * 4


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--murphy", type=pathlib.Path, default=ROOT / ".build-release/release/murphy")
    parser.add_argument("--schemathesis", type=pathlib.Path, help="its program; installed into the work folder without")
    parser.add_argument("--work", type=pathlib.Path, default=pathlib.Path("/tmp/murphy-wild"))
    parser.add_argument("--server", action="append", choices=[server.name for server in SERVERS])
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
        Bench(arguments, places[0]).all()
        return
    for place in [] if arguments.read else places:
        try:
            place.install()
        except subprocess.CalledProcessError as error:
            print(f"{place.server.name} cannot be installed: {error}", file=sys.stderr)
            continue
        print(f"{time.strftime('%H:%M:%S')} {place.server.name}", file=sys.stderr, flush=True)
        # The namespaces end with this process, and all servers with them.
        subprocess.run(
            ["unshare", "--net", "--pid", "--fork", "--kill-child", "--mount-proc", "sh", "-c",
             'ip link set lo up && exec "$@"', "sh", sys.executable, __file__, "--inside", "--server", place.server.name,
             "--murphy", arguments.murphy, "--schemathesis", arguments.schemathesis, "--work", arguments.work,
             "--seconds", str(arguments.seconds)], timeout=8 * arguments.seconds + 900)
    table(HEAD, [row(place) for place in places])


if __name__ == "__main__":
    main()
