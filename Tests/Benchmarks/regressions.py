"""How often `murphy compare` cries wolf, and what it finds: real comparisons on this machine, two servers each.

Pairs of the reference API with itself (A/A) and with a fault of known kind are compared live, one after the other. The
same latencies are then judged as others would: a threshold of 10 % on the p95 of two k6 summaries, and a one-sided
Mann-Whitney test on all samples at 1 %. Both see the same requests, in turns and with restarts, which is kinder to
them than two runs one after the other.

Every comparison leaves its JSON in the work folder; with --read nothing is run and those are judged.
"""
import argparse
import json
import math
import pathlib
import statistics
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
# Ten milliseconds of work for a request and forty for one in twenty, so that the fault determines the slowdown, and not
# the network.
TARGET = "embedded:murphys-laws?work=10&work-tail=40&workers=1000"


def compare(murphy, work, name, fault, number, slice_, seconds):
    path = work / f"{name}-{number}.json"
    if path.exists():
        return
    candidate = TARGET + (f"&fault={fault}" if fault else "")
    command = [murphy, "compare", HERE / "regressions.yaml", "--base", TARGET, "--candidate", candidate, "--quiet",
               "--slice", slice_, "--max-seconds", str(seconds), "--coins", str(1000 + number),
               "--seed", str(2000 + number), "--report", work / "reports" / f"{name}-{number}", "--output", path]
    subprocess.run([str(part) for part in command], stdout=subprocess.DEVNULL)


def pairs(flat):
    return list(zip(flat[::2], flat[1::2]))


def percentile(buckets, share):
    rank = math.ceil(share * sum(count for _, count in buckets))
    seen = 0
    for value, count in buckets:
        seen += count
        if seen >= rank:
            return value
    return math.nan


def mann_whitney(base, candidate):
    """One-sided p-value for a slower candidate: normal approximation with ties (Mann and Whitney 1947)."""
    counts = {}
    for value, count in base:
        counts.setdefault(value, [0, 0])[0] += count
    for value, count in candidate:
        counts.setdefault(value, [0, 0])[1] += count
    n, m = sum(c for _, c in base), sum(c for _, c in candidate)
    below, u, ties = 0, 0.0, 0.0
    for _, (b, c) in sorted(counts.items()):
        u += c * (below + b / 2)
        below += b
        ties += (b + c) ** 3 - (b + c)
    total = n + m
    variance = n * m / 12 * (total + 1 - ties / (total * (total - 1)))
    return 0.5 * math.erfc((u - n * m / 2) / math.sqrt(2 * variance)) if variance > 0 else 1.0


def others(result):
    """What a threshold and a test on raw samples would have said: any operation decides."""
    threshold = mann = False
    for operation in result["operations"]:
        if "latencies" not in operation:
            continue
        base, candidate = pairs(operation["latencies"]["base"]), pairs(operation["latencies"]["candidate"])
        if not base or not candidate:
            continue
        threshold |= percentile(candidate, 0.95) > 1.1 * percentile(base, 0.95)
        mann |= mann_whitney(base, candidate) < 0.01 / len(result["operations"])
    return threshold, mann


def judge(work, name, operation=None):
    """One line of the table: verdicts, alarms of the others, sizes and the share of intervals that hold the mean size."""
    results = []
    for path in sorted(work.glob(f"{name}-[0-9]*.json")):
        try:
            results.append(json.loads(path.read_text()))
        except ValueError:
            print(f"{path}: not a result")
    verdicts = [result["verdict"] for result in results]
    alarms = [others(result) for result in results]
    line = {"what": name, "comparisons": len(results), **{v: verdicts.count(v) for v in ("fail", "pass", "no-data", "invalid")},
            "threshold p95 10 %": sum(t for t, _ in alarms), "Mann-Whitney 1 %": sum(m for _, m in alarms)}
    sizes = {}
    for metric in ("p50", "p99"):
        rows = [row for result in results for entry in result["operations"] for row in entry["rows"]
                if row["metric"] == metric and "change" in row and (operation is None or entry["operation"] == operation)]
        if len(rows) < 2:
            continue
        # The true size is known only as the mean of all comparisons.
        mean = 0.0 if operation is None else statistics.fmean(row["change"] for row in rows)
        held = [row["low"] <= mean <= row["high"] for row in rows if "low" in row and "high" in row]
        sizes[metric] = (mean, sum(held), len(held))
    return line, sizes


def show(lines):
    keys = list(lines[0][0])
    print("| " + " | ".join(keys) + " | 90 % intervals that hold the size |")
    print("|" + "---|" * (len(keys) + 1))
    for line, sizes in lines:
        held = ", ".join(f"{metric} {mean:+.1%}: {inside} of {count}" for metric, (mean, inside, count) in sizes.items())
        print("| " + " | ".join(str(line[key]) for key in keys) + f" | {held} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--murphy", type=pathlib.Path, required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--alike", type=int, default=40, help="comparisons of the API with itself")
    parser.add_argument("--slowed", type=int, default=20, help="comparisons with each fault")
    parser.add_argument("--slice", default="500ms")
    parser.add_argument("--seconds", type=float, default=300, help="the most that a comparison may take")
    parser.add_argument("--read", action="store_true", help="judge what is there")
    arguments = parser.parse_args()
    arguments.work.mkdir(parents=True, exist_ok=True)
    plan = [("A-A", None, arguments.alike, None), ("slow-5-percent", "slow-5-percent", arguments.slowed, "listLaws"),
            ("slow-tail-10-percent", "slow-tail-10-percent", arguments.slowed, "listLaws")]
    if not arguments.read:
        # In turns, so that changes of the machine affect all of them.
        for number in range(max(count for _, _, count, _ in plan)):
            for name, fault, count, _ in plan:
                if number < count:
                    compare(arguments.murphy.resolve(), arguments.work, name, fault, number, arguments.slice, arguments.seconds)
    lines = [judge(arguments.work, name, operation) for name, _, _, operation in plan]
    show([line for line in lines if line[0]["comparisons"]])


if __name__ == "__main__":
    main()
