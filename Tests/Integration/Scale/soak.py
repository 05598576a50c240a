"""A long load: memory and open files of murphy stay within their bounds, and each request is accounted for.

    python3 Tests/Integration/Scale/soak.py .build-release/release/murphy [--duration 1h]

Runs soak.yaml against `murphy serve murphys-laws` and reads the program's resident memory and open files from /proc
every ten seconds. Prints a line for each minute. The logs of limits and state grow until each holds about 250 MB; nothing
else does. Ends with 1 where memory exceeds that, where files stay open, where the account of requests does not add up, or where
the run fails.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
# The two logs, and the other memory of the program.
MOST_BYTES = 768 << 20
MOST_MORE_FILES = 1.5


def sizes(pid):
    """Resident bytes and open files of a process, or nothing after its end."""
    try:
        status = pathlib.Path(f"/proc/{pid}/status").read_text()
        files = len(os.listdir(f"/proc/{pid}/fd"))
    except (FileNotFoundError, ProcessLookupError):
        return None
    resident = re.search(r"VmRSS:\s+(\d+) kB", status)
    return (int(resident[1]) * 1024, files) if resident else None


def served(program):
    """A reference API on a free port, and its address."""
    server = subprocess.Popen([program, "serve", "murphys-laws", "--port", "0"], stdout=subprocess.PIPE, text=True)
    for line in server.stdout:
        address = re.search(r"http://127\.0\.0\.1:\d+", line)
        if address:
            return server, address[0]
    sys.exit("murphy serve named no address")


def watched(run):
    """A sample (seconds, bytes, files) every ten seconds until the run ends."""
    start, samples = time.monotonic(), []
    while run.poll() is None:
        found = sizes(run.pid)
        if found:
            samples.append((time.monotonic() - start, *found))
            if len(samples) % 6 == 1:
                print(f"{samples[-1][0]:7.0f} s  {found[0] / 2**20:8.1f} MiB  {found[1]:5d} files", flush=True)
        time.sleep(10)
    return samples


def grown(samples, index):
    """Growth from the second minute to the end: medians of a minute, so that one sample decides nothing."""
    def median(values):
        return sorted(values)[len(values) // 2]
    loaded = [sample for sample in samples if sample[0] >= 60]
    if len(loaded) < 12:
        sys.exit("a soak needs at least three minutes")
    return median([s[index] for s in loaded[-6:]]) / median([s[index] for s in loaded[:6]])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--duration", default="1h")
    options = parser.parse_args()
    program = os.path.abspath(options.program)
    server, address = served(program)
    with tempfile.TemporaryDirectory() as folder:
        run = subprocess.Popen([program, "run", HERE / "soak.yaml", "--target", address, "--duration", options.duration,
                                "--report", folder, "--quiet"])
        samples = watched(run)
        server.terminate()
        result = json.loads((pathlib.Path(folder) / "result.json").read_text())
    most, files = max(sample[1] for sample in samples), grown(samples, 2)
    ledger = result["ledger"]
    dropped = sum(reason["count"] for reason in ledger["dropped"])
    ends = sum(ledger[key] for key in ["answered", "transport", "cancelled", "in_flight_at_end"])
    balanced = ledger["planned"] == ledger["sent"] + dropped and ledger["sent"] == ends
    requests = sum(operation["requests"] for operation in result["operations"])
    print(f"at most {most / 2**20:.0f} MiB, grew × {grown(samples, 1):.2f} from the second minute; open files × {files:.2f}")
    print(f"{requests} requests, account {'balanced' if balanced else 'NOT balanced'}, verdict {result['verdict']}")
    passed = most <= MOST_BYTES and files <= MOST_MORE_FILES and balanced and result["verdict"] in ("pass", "no-data")
    sys.exit(0 if passed else 1)


main()
