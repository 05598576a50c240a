#!/usr/bin/env python3
"""Attack cases against murphy: python3 Tests/Integration/Attack/attack.py PROGRAM [--only GROUP[:CASE]]... [--list]

Prints a line for each group, and each failure with the command that repeats it. Status 1 if anything failed.
Only the loopback is a target. Folders of failed cases are kept.
"""

import argparse
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

import group_bodies
import group_bounds
import group_commands
import group_drafts
import group_files
import group_live
import group_options
import group_references
import group_reports
import group_secrets
import group_servers
import group_targets
import group_work

from kit import Kit

MODULES = [
    group_bodies,
    group_bounds,
    group_commands,
    group_drafts,
    group_files,
    group_live,
    group_options,
    group_references,
    group_reports,
    group_secrets,
    group_servers,
    group_targets,
    group_work,
]


def chosen(only):
    """Groups with the number or the part of a name that is asked for, or nothing for all."""
    groups = [group for module in MODULES for group in module.GROUPS]
    if not only:
        return [(group, None) for group in groups]
    picked = []
    for word in only:
        name, _, number = word.partition(":")
        found = [group for group in groups if group.name == name]
        if not found:
            sys.exit(f"no group {name}; there are: {' '.join(group.name for group in groups)}")
        picked.append((found[0], number or None))
    return picked


def tell(group, done, counts, arguments):
    """Counts cases as they end, and returns those that failed."""
    failures = []
    for index, name, outcome, why, case in done:
        counts[outcome] += 1
        if outcome == "failed":
            failures.append((index, name, why, case))
        if arguments.verbose and case.ended:
            took = f"{case.ended.seconds:.2f} s {case.ended.memory:.0f} MB"
            print(f"  {group.name}:{index} {outcome} {took} {name} {why[:300]!r}", flush=True)
        if outcome == "skipped":
            print(f"  SKIPPED {group.name}:{index} {name}: {why}")
    return failures


def perform(kit, group, number, arguments):
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    begun = time.monotonic()
    cases = [
        (index, name, run)
        for index, (name, run) in enumerate(group.cases())
        if number is None or number == str(index) or number in name and not number.isdigit()
    ]
    with ThreadPoolExecutor(group.jobs) as pool:
        done = pool.map(lambda case: (case[0], case[1], *kit.perform(group, *case)), cases)
        failures = tell(group, done, counts, arguments)
    seconds = time.monotonic() - begun
    total = sum(counts.values())
    print(
        f"{group.name:<22} {total:5} cases {counts['passed']:5} passed {counts['failed']:4} failed "
        f"{counts['skipped']:3} skipped {seconds:7.1f} s  (each at most {group.limit} s, {group.memory} MB)"
    )
    for index, name, why, case in failures:
        print(f"  FAILED {group.name}:{index} {name}: {why[:1500]}")
        for line in case.lines[-2:]:
            print(f"    in {case.folder}: {line}")
        print(f"    again: python3 {sys.argv[0]} {arguments.program} --only {group.name}:{index}", flush=True)
    sys.stdout.flush()
    return counts


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="murphy, a release build")
    parser.add_argument(
        "--only", action="append", help="a group, or GROUP:NUMBER or GROUP:PART-OF-A-NAME for some cases"
    )
    parser.add_argument("--list", action="store_true", help="list the groups with their numbers of cases")
    parser.add_argument("-v", "--verbose", action="store_true", help="a line for each case")
    arguments = parser.parse_args()
    groups = chosen(arguments.only)
    if arguments.list:
        for group, _ in groups:
            print(f"{group.name:<22} {sum(1 for _ in group.cases()):5} cases")
        return 0
    kit = Kit(arguments.program, tempfile.mkdtemp(prefix="murphy-attack-"))
    sums = {"passed": 0, "failed": 0, "skipped": 0}
    begun = time.monotonic()
    for group, number in groups:
        for outcome, count in perform(kit, group, number, arguments).items():
            sums[outcome] += count
    print(
        f"{'all':<22} {sum(sums.values()):5} cases {sums['passed']:5} passed {sums['failed']:4} failed "
        f"{sums['skipped']:3} skipped {time.monotonic() - begun:7.1f} s"
    )
    return 1 if sums["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
