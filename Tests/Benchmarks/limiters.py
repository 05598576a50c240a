"""Measures murphy with rate limiters of other projects: what it finds of them, and its verdicts on right and wrong limits.

Each limiter is installed (PyPI, Debian) and runs as a real server in a network namespace that has only the loopback
interface, with new counters for each run of murphy. `murphy limits` measures it without a declaration, then with the right
declaration and with wrong ones: a quota 20 % higher and lower, half the window, the algorithm that resembles it most, and
another key. `murphy run` checks the same declarations under a load of six clients. A row is false if the right
declaration fails, or if a wrong one passes that requests could tell from the right one. Needs root, for the namespaces.

The folder WORK/out/LIMITER/CASE keeps the scenario and every output. With --read nothing is run, and the table is printed
from these folders. Each cell has the verdicts of `murphy limits` and of `murphy run`.
"""
import argparse
import concurrent.futures
import json
import pathlib
import shutil
import subprocess
import sys
import time
import traceback

from explore import table
from explorers import run
from limiter_scenarios import CASES, contract, declared, quota, scenario, window
from limiter_servers import LIMITERS, Place
from servers import ROOT

VERDICTS = {0: "PASS", 1: "FAIL", 2: "rejected", 3: "not reached", 4: "INVALID", 5: "NO DATA", -1: "no end"}
COMMANDS = ["limits", "run"]
# What `murphy limits` calls them.
NAMES = {"fixed": "fixed window", "fixed-aligned": "aligned fixed window", "sliding-log": "sliding log",
         "sliding-counter": "sliding counter", "token-bucket": "token bucket"}


class Bench:
    """The runs of murphy against one limiter."""

    def __init__(self, arguments, place):
        self.arguments, self.place, self.limiter = arguments, place, place.limiter

    def folder(self, command, case):
        return self.place.folder / case.replace(" ", "-") / command

    def run(self, command, case):
        folder = self.folder(command, case)
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        limits = declared(self.limiter, case)
        (folder / "openapi.json").write_text(json.dumps(contract(self.limiter), indent=1))
        (folder / "scenario.yaml").write_text(json.dumps(scenario(self.limiter, limits), indent=1))
        words = [command, "scenario.yaml", "-v", "--report", "report", "--seed", "1"]
        if command == "limits":
            # A contradiction begins a measurement without the declaration, which the verdict does not need.
            seconds = self.arguments.seconds if case in CASES[:2] else self.arguments.seconds // 3
            words += ["--max-seconds", str(seconds), *([] if limits else ["--operation", "word"])]
        facts = {}
        try:
            self.place.start(folder / "server.log")
            facts["status"], _, facts["seconds"] = run([self.arguments.murphy, *words], folder, self.arguments.seconds)
            ended = [process.args[0] for process in self.place.processes if process.poll() is not None]
            if ended:
                facts["trouble"] = f"{', '.join(ended)} ended"
        except (RuntimeError, OSError, subprocess.SubprocessError) as error:
            traceback.print_exc()
            facts["trouble"] = f"{type(error).__name__}: {error}"
        finally:
            self.place.stop()
            (folder / "facts.json").write_text(json.dumps(facts, indent=1))

    def is_installed(self):
        try:
            self.place.install()
        except subprocess.CalledProcessError as error:
            print(f"{self.limiter.name} cannot be installed: {error}", file=sys.stderr)
            return False
        return True

    def measure(self):
        arguments = self.arguments
        for command, case in [(command, case) for command in arguments.command or COMMANDS
                              for case in arguments.case or CASES if command in self.commands(case)]:
            if declared(self.limiter, case) is None or arguments.missing and self.facts(command, case):
                continue
            # The namespaces end with this process, and all servers with them.
            subprocess.run(
                ["unshare", "--net", "--pid", "--fork", "--kill-child", "--mount-proc", "sh", "-c",
                 'ip link set lo up && exec "$@"', "sh", sys.executable, __file__, "--inside", "--limiter",
                 self.limiter.name, "--command", command, "--case", case, "--murphy", arguments.murphy, "--work",
                 arguments.work, "--seconds", str(arguments.seconds)], check=False,
                timeout=3 * arguments.seconds + 300)
            print(f"{time.strftime('%H:%M:%S')} {self.limiter.name}, {case}, {command}: {self.word(command, case)}, "
                  f"{self.facts(command, case).get('seconds', 0):.0f} s", file=sys.stderr, flush=True)

    def facts(self, command, case):
        path = self.folder(command, case) / "facts.json"
        return json.loads(path.read_text()) if path.exists() else {}

    def word(self, command, case):
        facts = self.facts(command, case)
        if "trouble" in facts:
            return facts["trouble"]
        return VERDICTS.get(facts["status"], f"status {facts['status']}") if facts else ""

    def commands(self, case):
        """What can judge the case: `murphy limits` measures no limit on requests in flight."""
        if any("concurrent" in limit for limit in self.limiter.truth.values()):
            return [] if case == "black box" else ["run"]
        return ["limits"] if case == "black box" else COMMANDS

    def cell(self, case):
        if declared(self.limiter, case) is None:
            return "–"
        text = " / ".join(("**{}**" if self.is_false(command, case) else "{}").format(self.word(command, case))
                          for command in self.commands(case))
        return text + (f" (equal: {self.limiter.equal[case]})" if case in self.limiter.equal else "")

    def is_false(self, command, case):
        word = self.word(command, case)
        if case == "black box":
            return word == "PASS" and not self.limiter.fault and not self.is_found()
        if case == "right":
            return word == ("PASS" if command in self.limiter.fault else "FAIL")
        return word == "PASS" and case not in self.limiter.equal

    def is_found(self):
        """True if the result without a declaration is what is true, up to 3 % of the window."""
        limit = next(iter(self.limiter.truth.values()))
        if self.found("algorithm") != self.truth():
            return False
        report = json.loads((self.folder("limits", "black box") / "report/limits.json").read_text())["limits"][0]["report"]
        return all(report[name]["low"] / 1.03 <= value <= 1.03 * report[name]["high"]
                   for name, value in [("allowance", quota(limit)), ("window", window(limit))] if name in report)

    def truth(self):
        return self.limiter.found or NAMES[next(iter(self.limiter.truth.values()))["algorithm"]]

    def found(self, name):
        """What `murphy limits` prints without a declaration, from its table."""
        path = self.folder("limits", "black box") / "output.txt"
        text = path.read_text() if path.exists() else ""
        if name == "algorithm" and "The limiter delays requests and admits one every" in text:
            return "queue"
        for line in text.splitlines():
            if line.startswith(name + " "):
                return line[len(name):].split("–", 1)[-1].strip().split("  ")[0]
        return ""

    def headers(self):
        """The findings of the right declaration on headers."""
        kinds = set()
        path = self.folder("limits", "right") / "report/limits.json"
        for limit in json.loads(path.read_text())["limits"] if path.exists() else []:
            kinds |= {finding["kind"].removeprefix("limit.") for finding in limit["findings"]}
        return ", ".join(sorted(kinds))

    def row(self):
        limits = self.limiter.truth.values()
        truth = "; ".join(f"{limit.get('algorithm', 'in flight')}, {quota(limit)}"
                          + ("" if "concurrent" in limit else f" per {window(limit):g} s") + f", {limit['key']}"
                          for limit in limits) + "".join(f"; at fault: {text}" for text in set(self.limiter.fault.values()))
        found = ", ".join(filter(None, (self.found(name) for name in ("algorithm", "quota", "window", "key"))))
        return [self.limiter.name, truth, found, *(self.cell(case) for case in CASES), self.headers()]

    def documented(self):
        """The row in docs/limiters.md: every verdict of `murphy limits` and `murphy run` on the wrong declarations counts."""
        faults = set(self.limiter.fault.values())
        truth = ["; ".join(dict.fromkeys(words)) for words in zip(*(
            (limit.get("algorithm", "in flight"), str(quota(limit)), "–" if "concurrent" in limit else f"{window(limit):g} s",
             limit["key"]) for limit in self.limiter.truth.values()))]
        found = [self.found(name) for name in ("algorithm", "quota", "window", "key")]
        cells = [f"{true}<br>{seen or '–'}" for true, seen in zip(truth, found)]
        counts = {}
        for case in CASES[2:]:
            if declared(self.limiter, case) is not None:
                for command in self.commands(case):
                    word = self.word(command, case)
                    if not word:
                        continue
                    if word == "PASS" and case in self.limiter.equal:
                        word = "PASS of an equal limit"
                    counts[word] = counts.get(word, 0) + 1
        wrong = ", ".join(f"{count} {word}" for word, count in sorted(counts.items())) or "–"
        black = self.word("limits", "black box") if "limits" in self.commands("black box") else "–"
        right = self.cell("right") + (f" ({'; '.join(sorted(faults))})" if faults else "")
        return [self.limiter.name, *cells, black or "–", right, wrong]


def document(benches):
    table(["limiter", "algorithm", "quota", "window", "key", "without a declaration", "right declaration", "wrong declarations"],
          [bench.documented() for bench in benches if bench.facts(bench.commands("right")[0], "right")])


def show(benches):
    """The number of false rows."""
    table(["limiter", "what is true", "found without a declaration", *CASES, "findings of `right`"],
          [bench.row() for bench in benches])
    counts, wrong = {}, []
    for bench in benches:
        for case in CASES:
            for command in bench.commands(case) if declared(bench.limiter, case) is not None else []:
                word = bench.word(command, case)
                group = case if case in CASES[:2] else "wrong"
                if case == "right" and command in bench.limiter.fault:
                    group = "right, limiter at fault"
                group = "equal" if case in bench.limiter.equal else group
                counts.setdefault((group, command), {}).setdefault(word or "not run", []).append(bench)
                if bench.is_false(command, case):
                    wrong.append(f"- {bench.limiter.name}, {case}, `murphy {command}`: {word}")
    words = sorted({word for row in counts.values() for word in row})
    print()
    table(["declaration", "command", *words],
          [[group, f"`murphy {command}`", *(len(row.get(word, [])) for word in words)]
           for (group, command), row in counts.items()])
    print(f"\nFalse rows: {len(wrong)}\n" + "\n".join(wrong))
    return len(wrong)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--murphy", type=pathlib.Path, default=ROOT / ".build-release/release/murphy")
    parser.add_argument("--work", type=pathlib.Path, default=pathlib.Path("/tmp/murphy-limiters"))
    parser.add_argument("--limiter", action="append", choices=[limiter.name for limiter in LIMITERS])
    parser.add_argument("--case", action="append", choices=CASES)
    parser.add_argument("--command", action="append", choices=COMMANDS)
    parser.add_argument("--seconds", type=int, default=90, help="what a run of murphy may take")
    parser.add_argument("--together", type=int, default=1, help="how many limiters run at the same time")
    parser.add_argument("--missing", action="store_true", help="run only what has no result")
    parser.add_argument("--read", action="store_true", help="run nothing, print the table of the runs that are there")
    parser.add_argument("--document", action="store_true", help="with --read: print the table of docs/limiters.md")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    arguments.murphy, arguments.work = arguments.murphy.resolve(), arguments.work.resolve()
    benches = [Bench(arguments, Place(limiter, arguments.work)) for limiter in LIMITERS
               if not arguments.limiter or limiter.name in arguments.limiter]
    if arguments.inside:
        benches[0].run(arguments.command[0], arguments.case[0])
        return
    if not arguments.read:
        installed = [bench for bench in benches if bench.is_installed()]
        with concurrent.futures.ThreadPoolExecutor(arguments.together) as pool:
            list(pool.map(Bench.measure, installed))
    if arguments.document:
        return document(benches)
    sys.exit(1 if show(benches) else 0)


if __name__ == "__main__":
    main()
