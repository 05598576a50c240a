"""How often a gate accuses an API that does nothing wrong: the release gates of the four reference APIs, each run many
times with another seed.

Prints a row for each system: verdicts, and every finding of the severity error or warning by kind. Each run leaves its
result.json in the work folder; with --read nothing is run and those are judged.
"""
import argparse
import collections
import concurrent.futures
import json
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SYSTEMS = ["journal", "milo", "monica", "murphys-laws"]


def run(murphy, work, system, number, duration):
    folder = work / f"{system}-{number}"
    if not (folder / "result.json").exists():
        gate = ROOT / "scenarios" / system / "release-gate.yaml"
        subprocess.run(
            [murphy, "run", gate, "--quiet", "--duration", duration, "--seed", str(7000 + number), "--report", folder],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=300)


def row(work, system):
    verdicts, kinds = collections.Counter(), collections.Counter()
    for path in sorted(work.glob(f"{system}-[0-9]*/result.json")):
        result = json.loads(path.read_text())
        verdicts[result["verdict"]] += 1
        kinds.update({
            f"{finding['kind']} of {finding.get('operation') or 'the run'}" for finding in result["findings"]
            if finding["severity"] in ("error", "warning")})
        # A short load has too few samples for some budgets, and reports this.
        if result["verdict"] in ("fail", "invalid"):
            print(f"{path}: {result['verdict']}: {'; '.join(result['reasons'])}")
    found = ", ".join(f"{kind} × {count}" for kind, count in kinds.most_common()) or "none"
    return [system, sum(verdicts.values())] + [verdicts[name] for name in ("pass", "fail", "invalid", "no-data")] + [found]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--murphy", type=pathlib.Path, default=ROOT / ".build-release/release/murphy")
    parser.add_argument("--work", type=pathlib.Path, default=pathlib.Path("/tmp/murphy-faultless"))
    parser.add_argument("--runs", type=int, default=50)
    parser.add_argument("--duration", default="5s", help="of the load of one run")
    parser.add_argument("--jobs", type=int, default=2, help="runs at a time")
    parser.add_argument("--read", action="store_true", help="run nothing, judge the results that are there")
    arguments = parser.parse_args()
    if not arguments.read:
        arguments.work.mkdir(parents=True, exist_ok=True)
        with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
            jobs = [pool.submit(run, arguments.murphy, arguments.work, system, number, arguments.duration)
                    for number in range(arguments.runs) for system in SYSTEMS]
            for job in jobs:
                job.result()
    print("| system | runs | PASS | FAIL | INVALID | NO DATA | errors and warnings |\n|---|---|---|---|---|---|---|")
    for system in SYSTEMS:
        print("| " + " | ".join(map(str, row(arguments.work, system))) + " |")


if __name__ == "__main__":
    main()
