"""What `murphy explore` and schemathesis find of faults that are planted one at a time, in the same time.

Each fault of the bookshop (Tests/Support/Bookshop) and of the reference APIs gets a server of its own and a run of each tool,
and so does each of schemathesis's own test servers (apps.py). A fault counts as found where a tool has a finding, of any operation,
that it has in no run against the clean server; what it has there is a false alarm, because the clean servers conform to
their documents. The tools get the same seconds, the token of a user where there is one, and all their checks; schemathesis
also gets the token of another user, which one of its checks needs.

Every run leaves its JSON in the work folder and is not run again; with --read nothing is run and those are judged. Prints
tables in Markdown.
"""
import argparse
import concurrent.futures
import dataclasses
import json
import pathlib
import re
import shutil
import statistics
import subprocess
import sys

from apps import APPS
from explorers import Murphy, Outcome, Schemathesis
from servers import ROOT, App, Bookshop, Reference

SYSTEMS = ["bookshop", "murphys-laws", "journal", "milo", "monica", "apps"]


class Bench:
    def __init__(self, arguments):
        self.arguments = arguments
        self.work = arguments.work.resolve()

    def faults(self, system):
        if system == "apps":
            found = App.faults()
        elif system == "bookshop":
            found = Bookshop.faults(self.arguments.bookshop)
        else:
            found = Reference.faults(self.arguments.murphy, system)
        chosen = self.arguments.fault
        return {name: fault for name, fault in found.items() if not chosen or name in chosen}

    def start(self, system, fault, folder):
        if system == "apps":
            return App(self.arguments.schemathesis.with_name("python"), sources(self.work), folder, fault)
        if system == "bookshop":
            return Bookshop(self.arguments.bookshop, fault)
        return Reference(self.arguments.murphy, system, fault)

    def path(self, tool, system, fault, number):
        return self.work / tool / system / (fault if number == 0 else f"{fault}-{number}")

    def run(self, tool, system, fault, number):
        """Explores one server and keeps the outcome."""
        folder = self.path(tool.name, system, fault, number)
        if (folder / "outcome.json").exists():
            return
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        with self.start(system, fault, folder) as server:
            outcome = tool.explore(server, folder, self.arguments.seconds, seed=1 + number)
        (folder / "outcome.json").write_text(json.dumps(dataclasses.asdict(outcome)))
        print(f"{tool.name} {system} {fault}: {len(outcome.findings)} findings, {outcome.requests} requests"
              f"{', ' + outcome.trouble[:200] if outcome.trouble else ''}", file=sys.stderr, flush=True)

    def outcome(self, tool, system, fault, number=0):
        path = self.path(tool, system, fault, number) / "outcome.json"
        return Outcome(**json.loads(path.read_text())) if path.exists() else None

    def clean(self, tool, system):
        """The clean runs' outcomes that there are."""
        all_ = (self.outcome(tool, system, "none", number) for number in range(self.arguments.clean))
        return [outcome for outcome in all_ if outcome]

    def show(self, systems, tools):
        summary = []
        for system in systems:
            faults = self.faults(system)
            known = {tool: {tuple(finding[:2]) for outcome in self.clean(tool, system) for finding in outcome.findings}
                     for tool in tools}
            rows, found = [], {tool: [] for tool in tools}
            for name, (operation, sentence) in faults.items():
                cells = []
                for tool in tools:
                    outcome = self.outcome(tool, system, name)
                    new = self.new(outcome, known[tool], APPS.get(name, ("", ""))[1])
                    cells.append(self.cell(outcome, new))
                    if outcome:
                        found[tool].append((new, outcome))
                if any(cells):
                    rows.append([name, operation, sentence, *cells])
            if rows:
                print(f"\n{system}\n")
                table(["fault", "operation", "what is wrong", *tools], rows)
            summary += [self.line(system, tool, found[tool], known[tool]) for tool in tools if found[tool]]
            self.alarms(system, known)
        print()
        table(["system", "tool", "faults", "found", "median requests of a run", "median seconds to the first finding",
               "false alarms on the clean server"], summary)

    @staticmethod
    def new(outcome, known, sign):
        """The findings that are not on the clean server and speak of what `sign` matches."""
        return [finding for finding in (outcome.findings if outcome else [])
                if tuple(finding[:2]) not in known and re.search(sign, " ".join([finding[0], *finding[3:]]))]

    @staticmethod
    def cell(outcome, new):
        if outcome is None:
            return ""
        if not new:
            return f"no result: {outcome.trouble[:60]}" if outcome.trouble else "–"
        kind, operation, moment = min(new, key=lambda finding: finding[2] or 0)[:3]
        return f"{kind}, {operation}" + (f" ({moment:.0f} s)" if moment is not None else "")

    @staticmethod
    def line(system, tool, found, known):
        hits = [new for new, _ in found if new]
        times = ([finding[2] for finding in new if finding[2] is not None] for new in hits)
        moments = [min(moments) for moments in times if moments]
        return [system, tool, len(found), len(hits), round(statistics.median(outcome.requests for _, outcome in found)),
                f"{statistics.median(moments):.1f}" if moments else "–", len(known)]

    @staticmethod
    def alarms(system, known):
        for tool, alarms in known.items():
            if alarms:
                print(f"\nFalse alarms of {tool} on the clean {system}:\n")
                for kind, operation in sorted(alarms):
                    print(f"- {kind} of {operation}")


def table(head, rows):
    print("| " + " | ".join(head) + " |\n|" + "---|" * len(head))
    for row in rows:
        print("| " + " | ".join(str(cell).replace("|", "\\|").replace("\n", " ") for cell in row) + " |")


def install(work):
    """The newest schemathesis, from PyPI."""
    program = work / "venv/bin/schemathesis"
    if not program.exists():
        print("Installing schemathesis from PyPI", file=sys.stderr)
        subprocess.run([sys.executable, "-m", "venv", work / "venv"], check=True)
        packages = ["schemathesis", "flask", "fastapi", "uvicorn"]
        subprocess.run([work / "venv/bin/pip", "install", "-q", *packages], check=True)
    return program


def sources(work):
    """Schemathesis's source distribution, which has its test servers."""
    found = sorted(work.glob("sources/schemathesis-*/test"))
    if not found:
        folder = work / "sources"
        subprocess.run([sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", "schemathesis",
                        "--dest", folder, "schemathesis"], check=True)
        for archive in folder.glob("*.tar.gz"):
            shutil.unpack_archive(archive, folder, filter="data")
        found = sorted(folder.glob("schemathesis-*/test"))
    return found[-1].parent


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--murphy", type=pathlib.Path, default=ROOT / ".build/debug/murphy")
    parser.add_argument("--bookshop", type=pathlib.Path, default=ROOT / ".build/debug/bookshop-server")
    parser.add_argument("--schemathesis", type=pathlib.Path, help="its program; installed into the work folder without")
    parser.add_argument("--work", type=pathlib.Path, default=pathlib.Path("/tmp/murphy-explore"))
    parser.add_argument("--tool", action="append", choices=["murphy", "schemathesis"])
    parser.add_argument("--system", action="append", choices=SYSTEMS)
    parser.add_argument("--fault", action="append", help="only this one; may be repeated")
    parser.add_argument("--seconds", type=int, default=30, help="what a tool may take for one server")
    parser.add_argument("--clean", type=int, default=3, help="runs against each clean server")
    parser.add_argument("--jobs", type=int, default=1, help="runs at a time")
    parser.add_argument("--option", action="append", default=[], help="one more argument for murphy explore")
    parser.add_argument("--read", action="store_true", help="run nothing, judge the outcomes that are there")
    arguments = parser.parse_args()
    for name in ("murphy", "bookshop"):
        setattr(arguments, name, getattr(arguments, name).resolve())
    arguments.work.mkdir(parents=True, exist_ok=True)
    bench, systems = Bench(arguments), arguments.system or SYSTEMS
    names = arguments.tool or ["schemathesis", "murphy"]
    if not arguments.read:
        arguments.schemathesis = (arguments.schemathesis or install(bench.work)).absolute()
        if "apps" in systems:
            sources(bench.work)
        makers = {"schemathesis": lambda: Schemathesis(arguments.schemathesis),
                  "murphy": lambda: Murphy(arguments.murphy, arguments.option)}
        tools = [makers[name]() for name in names]
        plan = [(tool, system, fault, number) for system in systems
                for fault, number in [("none", number) for number in range(arguments.clean)]
                + [(name, 0) for name in bench.faults(system)] for tool in tools]
        with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
            for job in [pool.submit(bench.run, *row) for row in plan]:
                job.result()
    bench.show(systems, names)


if __name__ == "__main__":
    main()
