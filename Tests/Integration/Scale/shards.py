"""What merging costs: result files of a thousand shards, made of one that was really run, are merged by the real program.

    python3 Tests/Integration/Scale/shards.py .build-release/release/murphy [--shards 1000] [--events 20000]

One shard of N runs against `murphy serve murphys-laws`; its shard.json.gz is then written N times, as each of the shards: with
their number, with the times of its requests moved by some milliseconds, and with so many entries in its limit log and
its state log. Counts and histograms stay as they were measured. Prints what one file and the merge take; ends with 1 where
the merge takes longer or more memory than the aims, or where its sums are not those of the files.
"""
import argparse
import base64
import gzip
import json
import os
import pathlib
import random
import re
import resource
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]
SCENARIO = ROOT / "scenarios/murphys-laws/release-gate.yaml"
MOST_SECONDS = 60
MOST_BYTES = 1 << 30


def pack(numbers):
    """Zigzag varints in base64, as PackedNumbers writes them."""
    out = bytearray()
    for number in numbers:
        rest = (number << 1 ^ number >> 63) & (1 << 64) - 1
        while rest >= 0x80:
            out.append(rest & 0x7F | 0x80)
            rest >>= 7
        out.append(rest)
    return base64.b64encode(bytes(out)).decode()


def unpack(text):
    numbers, value, shift = [], 0, 0
    for byte in base64.b64decode(text):
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            numbers.append(value >> 1 ^ -(value & 1))
            value, shift = 0, 0
    return numbers


def running(murphy, *words):
    process = subprocess.Popen([murphy, *words], stdout=subprocess.PIPE, text=True)
    found = re.search(r"http://[\d.:]+", process.stdout.readline())
    if not found:
        process.kill()
        sys.exit(f"murphy {' '.join(words)} printed no address")
    return process, found.group()


def real_shard(murphy, folder, shards):
    """The lines of a shard that was run."""
    server, target = running(murphy, "serve", "murphys-laws", "--port", "0")
    try:
        words = [murphy, "run", SCENARIO, "--target", target, "--shard", f"1/{shards}", "--seed", "3", "--load",
                 str(shards), "--report", folder / "real", "--quiet"]
        done = subprocess.run(list(map(str, words)), capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"the shard ended with {done.returncode}: {done.stdout[-800:]}{done.stderr[-800:]}")
    finally:
        server.terminate()
        server.wait()
    with gzip.open(folder / "real/shard.json.gz", "rt") as file:
        return [json.loads(line) for line in file]


def columns(line, count, moved):
    """A table of so many rows, all of them of the real one, in the order of their moments."""
    rows = {name: unpack(text) for name, text in line.items()}
    length = len(rows["sent"])
    turns = -(-count // length)
    span = sum(rows["sent"]) + 1
    sent, total = [], 0
    for step in rows["sent"]:
        total += step
        sent.append(total)
    moments = [(moment * turns + turn * span) // turns + moved for turn in range(turns) for moment in sent]
    order = sorted(range(len(moments)), key=moments.__getitem__)[:count]
    made = {name: [values[place % length] for place in order] for name, values in rows.items()}
    last = 0
    made["sent"] = []
    for place in order:
        made["sent"].append(moments[place] - last)
        last = moments[place]
    return {name: pack(values) for name, values in made.items()}


def write(lines, number, shards, events, path, templates):
    draw = random.Random(number)
    out = []
    for line in lines:
        kind = next(iter(line))
        if kind == "log":
            line = json.loads(json.dumps(line))
            log = line["log"]
            log["shard"] = number
            info = log["info"]["shard"]
            info["number"], info["of"] = number, shards
            # Every shard is a separate machine, whose clock is known to some milliseconds.
            low = draw.uniform(-0.05, 0.05)
            info["clock"]["machine"] = f"machine-{number}"
            info["clock"]["bounds"] = [{"reference": "chrony", "low": low, "high": low + draw.uniform(0.0005, 0.004)}]
            info["clock"]["wall"] -= int((low + 0.001) * 1e9)
            out.append(json.dumps(line))
        elif kind in ("limits", "state"):
            out.append(templates[kind][number % len(templates[kind])])
        elif kind == "end":
            out.append(json.dumps({"end": {"lines": len(out)}}))
        else:
            out.append(templates.setdefault(kind, json.dumps(line)) if kind != "head" else json.dumps(line))
    with gzip.open(path, "wt", compresslevel=3) as file:
        file.write("\n".join(out) + "\n")


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("murphy")
    arguments.add_argument("--shards", type=int, default=1000)
    arguments.add_argument("--keep", help="a folder for the files, which are kept; by default they are removed")
    arguments.add_argument("--events", type=int, default=20_000, help="entries of each shard's limit log")
    options = arguments.parse_args()
    murphy = str(pathlib.Path(options.murphy).resolve())
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(options.keep or name)
        folder.mkdir(parents=True, exist_ok=True)
        lines = real_shard(murphy, folder, options.shards)
        by_kind = {next(iter(line)): line[next(iter(line))] for line in lines}
        sent = by_kind["sums"]["ledger"]["sent"]
        rows = len(unpack(by_kind["limits"]["sent"]))
        size = (folder / "real/shard.json.gz").stat().st_size
        print(f"one real shard of {options.shards}: {sent} requests, {rows} entries of the limit log, {size} bytes")
        templates = {
            "limits": [json.dumps({"limits": columns(by_kind["limits"], options.events, draw * 1_000_003)})
                       for draw in range(20)]}
        if "state" in by_kind:
            # Each write with its response: a table that repeats completely.
            templates["state"] = [json.dumps({"state": by_kind["state"]})]
        files = []
        for number in range(1, options.shards + 1):
            path = folder / f"{number}.json.gz"
            write(lines, number, options.shards, options.events, path, templates)
            files.append(path)
        total = sum(path.stat().st_size for path in files)
        print(f"{len(files)} files of {total // len(files)} bytes: {total / 1e6:.0f} MB, "
              f"{total / len(files) / max(options.events, 1):.1f} bytes for each entry of a limit log")
        begun = time.monotonic()
        done = subprocess.run(
            [murphy, "merge", *files, "--report", folder / "whole", "-o", folder / "whole.json"], capture_output=True, text=True)
        seconds = time.monotonic() - begun
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
        print(f"merge: {seconds:.1f} s, {peak / 2**20:.0f} MiB at most, status {done.returncode}, "
              f"{done.stdout.rstrip().rpartition(chr(10))[2]}")
        if not (folder / "whole.json").exists():
            sys.exit(f"nothing was merged: {done.stderr[-2000:]}")
        result = json.loads((folder / "whole.json").read_text())
        wrong = []
        if result["ledger"]["sent"] != sent * options.shards:
            wrong.append(f"sent is {result['ledger']['sent']}, not {sent} times {options.shards}")
        if len(result["run"]["shards"]["shards"]) != options.shards:
            wrong.append(f"{len(result['run']['shards']['shards'])} shards are in the result")
        if seconds > MOST_SECONDS:
            wrong.append(f"it took {seconds:.1f} s, and {MOST_SECONDS} were allowed")
        if peak > MOST_BYTES:
            wrong.append(f"it took {peak / 2**20:.0f} MiB, and {MOST_BYTES / 2**20:.0f} were allowed")
        clock = result["run"]["shards"]
        print(f"clocks: by {clock.get('reference')}, each event known to {clock.get('uncertainty')} ms")
        print(f"report: {(folder / 'whole/report.html').stat().st_size} bytes; result.json: "
              f"{(folder / 'whole.json').stat().st_size} bytes")
        print(f"limits: " + "; ".join(f"{row['name']} {row['verdict']} of {row['requests']}" for row in result["limits"][:4]))
        for sentence in wrong:
            print(f"WRONG: {sentence}")
        sys.exit(1 if wrong else 0)


main()
