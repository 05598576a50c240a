"""What one request costs murphy: instructions, allocations, retains and system calls, counted under valgrind.

Time is noise on a shared machine; these counts are not. Each piece of work runs twice, with few and with many
requests to a server of canned answers, and the difference is divided by the difference of the requests, so that
start and reports drop out. `--check` fails when a count is above its budget (budgets.json) by more than 3 % in six
measurements, and names the functions that grew; `--record` writes the highest of four as the budgets.

The memory of a user that only waits is measured in the same way, without valgrind: from the memory of runs with few and
with many users while all of them wait.
"""
import argparse
import collections
import json
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile
import time

import server
from callgrind import Profile

HERE = pathlib.Path(__file__).resolve().parent
CONTRACT = HERE.parents[2] / "scenarios/murphys-laws/openapi.yaml"
BUDGETS = HERE / "budgets.json"
FEW, MANY = 300, 1800
# Swift's hash seeds differ from process to process, and so do the probes of each dictionary: 4 % of all counts.
ENVIRONMENT = {**os.environ, "SWIFT_DETERMINISTIC_HASHING": "1"}
TOLERANCE = 1.03
# A small count has a tolerance of one half, because 3 % of it would be almost 0.
SLACK = 0.5
# A busy machine adds the costs of each second (percentiles, timers) and waits that a quick response does not need. It never
# reduces a count: the lowest of a few counts is the cost of requests, and a budget has room for an equally busy machine.
ATTEMPTS = {"record": 4, "check": 6}
# System calls depend on timing, and so on the machine's load: they are printed only.
BUDGETED = ("instructions", "allocations", "retains")
# Functions with a smaller share of a count's growth are not named.
SHARE_NAMED = 0.02

LAW = "          - call: getLaw\n            path: { id: 1 }"
PAGE = "          - call: listLaws"
PIECES = {
    "law": (LAW, "plain"),
    "page": (PAGE, "plain"),
    "pages that differ": (PAGE, "varied"),
    "law with limit log": (LAW, "limits"),
    "vote with body": (
        "          - call: voteLaw\n            path: { id: 1 }\n            body: { vote_type: up }", "limits"),
    "404": ("          - call: getLaw\n            path: { id: 999999 }\n            on: { 404: continue }", "plain"),
    "gzip page": (PAGE, "gzip"),
    "page with save": (PAGE + '\n            save: { ids: "$.data[*].id" }', "plain"),
}
IDLE = "idle user"
# Python serves each connection on a thread of its own, and all users send their request at once.
IDLERS = (200, 1200)
IDLE_SCENARIO = """name: Memory of an idle user
contract: CONTRACT
target: http://127.0.0.1:PORT
sessions: { idler: { steps: [{ call: getLaw, path: { id: 1 } }, { think: 60s }] } }
load: [{ users: USERS, for: 10s }]
settings: { grace: 1s, abort-after: off }
expect: { errors: off, completed: off, called: off, sessions: off }
"""
# The seconds after which all users wait, also on a busy machine.
WAIT = 8
# Memory grows by whole pages.
MEMORY_TOLERANCE = 1.1
ALLOCATING = ("malloc", "calloc", "realloc", "posix_memalign", "aligned_alloc", "memalign")
RETAINING = ("swift_retain", "swift_retain_n", "swift_bridgeObjectRetain", "swift_unknownObjectRetain")


def stripped(bench):
    """A copy without debugging information, which valgrind 3.19 cannot read where Swift wrote it."""
    copy = pathlib.Path(tempfile.mkdtemp()) / bench.name
    subprocess.run(["objcopy", "--strip-debug", bench, copy], check=True)
    return copy


def contract(kind, folder):
    """The shipped contract; `plain` documents no limit and no 429, `gzip` and `varied` have their paths under their names."""
    lines = CONTRACT.read_text().splitlines()
    if kind != "limits":
        lines = [line for line in lines if "x-ratelimit:" not in line and '"429":' not in line]
    if kind in ("gzip", "varied"):
        lines = [line.replace("  /api/v1/laws", f"  /{kind}/api/v1/laws", 1) for line in lines]
    path = folder / f"{kind}.yaml"
    path.write_text("\n".join(lines) + "\n")
    return path


class Count:
    """What a number of requests cost."""

    def __init__(self, profile):
        self.functions = profile.instructions
        self.calls = profile.calls
        self.totals = {
            "instructions": sum(profile.instructions.values()),
            "allocations": sum(profile.calls[name] for name in ALLOCATING),
            "retains": sum(profile.calls[name] for name in RETAINING),
            "system calls": profile.systemCalls,
        }


def run(bench, piece, times, port, folder):
    step, kind = PIECES[piece]
    text = (HERE / "scenario.yaml").read_text()
    for word, value in [("CONTRACT", contract(kind, folder)), ("PORT", port), ("TIMES", times), ("STEP", step)]:
        text = text.replace(word, str(value))
    scenario, out = folder / "scenario.yaml", folder / "callgrind.out"
    scenario.write_text(text)
    done = subprocess.run(
        ["valgrind", "--tool=callgrind", "--collect-systime=yes", f"--callgrind-out-file={out}", bench, scenario],
        capture_output=True, text=True, timeout=900, env=ENVIRONMENT)
    if f"answered {times} conformant {times}\n" not in done.stdout:
        sys.exit(
            f"{piece}: not all of {times} answers were validated as conformant ({done.returncode}):\n"
            + (done.stdout + done.stderr)[-3000:])
    count = Count(Profile(out))
    out.unlink()
    return count


def measure(bench, piece, port):
    """Counts for one request, and the instructions of each function."""
    with tempfile.TemporaryDirectory() as folder:
        few, many = (run(bench, piece, times, port, pathlib.Path(folder)) for times in (FEW, MANY))
    requests = MANY - FEW
    totals = {name: (many.totals[name] - few.totals[name]) / requests for name in many.totals}
    functions = collections.Counter(
        {name: (count - few.functions[name]) / requests for name, count in many.functions.items()})
    return totals, functions


def resident(process):
    """The memory of a process in bytes."""
    status = pathlib.Path(f"/proc/{process}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+) kB", status).group(1)) * 1024


def idle(bench, port):
    """The bytes of memory of a user that waits with an open connection."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    sizes = []
    with tempfile.TemporaryDirectory() as folder:
        scenario = pathlib.Path(folder) / "scenario.yaml"
        path = contract("plain", pathlib.Path(folder))
        for users in IDLERS:
            text = IDLE_SCENARIO
            for word, value in [("CONTRACT", path), ("PORT", port), ("USERS", users)]:
                text = text.replace(word, str(value))
            scenario.write_text(text)
            child = subprocess.Popen([bench, scenario], stdout=subprocess.PIPE, env=ENVIRONMENT, text=True)
            time.sleep(WAIT)
            sizes.append(resident(child.pid))
            out, _ = child.communicate()
            if f"answered {users} conformant {users}\n" not in out:
                sys.exit(f"{IDLE}: not all of {users} answers were validated as conformant:\n{out[-3000:]}")
    return (sizes[1] - sizes[0]) / (IDLERS[1] - IDLERS[0])


def excess(totals, budget):
    """The counts that are above their budgets."""
    return [name for name in BUDGETED
            if name not in budget or totals[name] > budget[name] * TOLERANCE + SLACK]


def lowest(bench, piece, port, budget):
    """The lowest counts of as many measurements as it takes to be within a budget."""
    best, functions = measure(bench, piece, port)
    for _ in range(ATTEMPTS["check"] - 1):
        if not excess(best, budget):
            break
        totals, again = measure(bench, piece, port)
        if totals["instructions"] < best["instructions"]:
            functions = again
        best = {name: min(count, totals[name]) for name, count in best.items()}
    return best, functions


def highest(bench, piece, port):
    """The highest counts of a few measurements: what a machine as busy as this one may add is not a growth."""
    worst, functions = measure(bench, piece, port)
    for _ in range(ATTEMPTS["record"] - 1):
        totals, again = measure(bench, piece, port)
        if totals["instructions"] > worst["instructions"]:
            functions = again
        worst = {name: max(count, totals[name]) for name, count in worst.items()}
    return worst, functions


def grown(now, then):
    """The functions that took most of the growth, demangled."""
    growth = collections.Counter({name: count - then.get(name, 0) for name, count in now.items()})
    named = [(name, count) for name, count in growth.most_common(12) if count > SHARE_NAMED * sum(now.values())]
    if not named:
        named = growth.most_common(5)
    plain = subprocess.run(
        ["swift", "demangle", "--simplified", "--compact"], input="\n".join(name for name, _ in named), text=True,
        capture_output=True).stdout.splitlines() or [name for name, _ in named]
    return [f"      +{count:8,.0f} instructions  {name[:150]}" for (_, count), name in zip(named, plain)]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("bench", type=pathlib.Path, help="the executable CostBench, a release build")
    parser.add_argument("--check", action="store_true", help="fail above the budgets")
    parser.add_argument("--record", action="store_true", help="write the budgets")
    parser.add_argument("--into", type=pathlib.Path, help="a result.json of the bench that takes the counts, too")
    parser.add_argument("--only", action="append", help="pieces whose name contains this")
    arguments = parser.parse_args()
    budgets = json.loads(BUDGETS.read_text()) if BUDGETS.exists() else {}
    bench = stripped(arguments.bench)
    port = server.start()
    failed, rows = [], []
    print(f"{'per request':20} {'instructions':>14} {'allocations':>12} {'retains':>9} {'system calls':>13}")
    for piece in PIECES:
        if arguments.only and not any(word in piece for word in arguments.only):
            continue
        budget = budgets.get(piece, {})
        if arguments.record:
            totals, functions = highest(bench, piece, port)
        elif arguments.check:
            totals, functions = lowest(bench, piece, port, budget)
        else:
            totals, functions = measure(bench, piece, port)
        print(f"{piece:20} {totals['instructions']:14,.0f} {totals['allocations']:12.2f} {totals['retains']:9.2f}"
              f" {totals['system calls']:13.2f}", flush=True)
        rows += [dict(section="costs", name=f"{piece}: {name}", value=count, unit="a request", aim=f"<= {budget[name]}"
                      if name in budget else None) for name, count in totals.items()]
        for name in excess(totals, budget) if arguments.check else []:
            allowed = f"the budget is {budget[name]:,.2f}" if name in budget else "no budget"
            failed.append(f"{piece}: {totals[name]:,.2f} {name} a request; {allowed}")
            if name == "instructions":
                failed += grown(functions, budget.get("functions", {}))
        if arguments.record:
            kept = {name: round(count, 1) for name, count in functions.most_common() if count >= 200}
            budgets[piece] = {**{name: round(totals[name], 2) for name in BUDGETED}, "functions": kept}
    if not arguments.only or any(word in IDLE for word in arguments.only):
        size, allowed = idle(bench, port), budgets.get(IDLE, 0)
        print(f"{IDLE:20} {size:14,.0f} bytes of memory", flush=True)
        rows.append(dict(section="costs", name=IDLE, value=size, unit="bytes", aim=f"<= {allowed}" if allowed else None))
        if arguments.record:
            budgets[IDLE] = round(size)
        elif arguments.check and size > allowed * MEMORY_TOLERANCE:
            failed.append(f"{IDLE}: {size:,.0f} bytes; the budget is {allowed:,.0f}")
    if arguments.record:
        BUDGETS.write_text(json.dumps(budgets, indent=1) + "\n")
    if arguments.into:
        result = json.loads(arguments.into.read_text())
        result["rows"] += rows
        arguments.into.write_text(json.dumps(result, indent=1) + "\n")
    if failed:
        print("Above the budgets of Tests/Benchmarks/Costs/budgets.json:", *failed, sep="\n  ")
        print("Where a request has to cost more than before, record the budgets again: make costs-record")
        sys.exit(1)


if __name__ == "__main__":
    main()
