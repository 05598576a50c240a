"""What `murphy compare --responses` finds: 50 planted changes of a shop, and the shop against itself with 20 seeds.

Each comparison has two real servers. Half of the comparisons of the shop with itself restart both servers before each
run; all others leave the orders of earlier runs in the database. The two servers issue different ids for new orders.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import behaviour_server

HERE = pathlib.Path(__file__).resolve().parent
BAR = 45


class Shop:
    """A server that is killed at the end of a `with`."""

    def __init__(self, change="none", first=1000):
        command = [sys.executable, str(HERE / "behaviour_server.py"), "0", change, "--first", str(first)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)

    def __enter__(self):
        self.url = self.process.stdout.readline().strip()
        return self.url

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()


def compare(murphy, base, candidate, seed, sessions, *more):
    with tempfile.TemporaryDirectory() as folder:
        command = [murphy, "compare", HERE / "behaviour.yaml", "--base", base, "--candidate", candidate, "--responses",
                   "--quiet", "--seed", seed, "--sessions", sessions, "--format", "json", "--report", folder, *more]
        ended = subprocess.run([str(word) for word in command], capture_output=True, text=True)
        try:
            return json.loads(ended.stdout)
        except ValueError:
            raise SystemExit(f"murphy ended with {ended.returncode}: {ended.stderr}")


def places(result):
    return [f"{change['finding']['operation']} {change['place']} ({change['finding']['kind'].split('.')[1]}), "
            f"{change['responses']} of {change['compared']}" for change in result["changes"]]


def free_port():
    import socket
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def against_itself(murphy, seed, sessions):
    if seed % 2:
        with Shop() as base, Shop(first=5003) as candidate:
            return compare(murphy, base, candidate, seed, sessions)
    ports, words = [free_port(), free_port()], []
    for side, port, first in zip(("base", "candidate"), ports, (1000, 1003)):
        words += [f"--{side}-command", f"exec {sys.executable} {HERE}/behaviour_server.py {port} --first {first}"]
    return compare(murphy, *(f"http://127.0.0.1:{port}" for port in ports), seed, sessions, *words)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--murphy", type=pathlib.Path, required=True)
    parser.add_argument("--sessions", type=int, default=24)
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--only", nargs="*", help="planted changes; all by default")
    arguments = parser.parse_args()
    wanted = behaviour_server.CHANGES + behaviour_server.MORE if arguments.only is None else arguments.only
    found = {}
    print("| planted change | verdict | findings |\n|---|---|---|")
    for number, change in enumerate(wanted):
        with Shop() as base, Shop(change, first=3000) as candidate:
            result = compare(arguments.murphy, base, candidate, 100 + number, arguments.sessions)
        found[change] = result["verdict"] == "fail"
        print(f"| {change} | {result['verdict']} | {'; '.join(places(result)) or result['reasons']} |", flush=True)
    false = 0
    for seed in range(1, arguments.seeds + 1):
        result = against_itself(arguments.murphy, seed, arguments.sessions)
        false += len(result["changes"]) > 0 or result["verdict"] != "pass"
        print(f"| the shop itself, seed {seed} | {result['verdict']} | {'; '.join(places(result)) or result['reasons']} |",
              flush=True)
    bar = [change for change in wanted if change in behaviour_server.CHANGES]
    hits = sum(found[change] for change in bar)
    print(f"\nfound: {hits} of {len(bar)} planted changes, and {sum(found.values()) - hits} of {len(found) - len(bar)} "
          f"others; wrong: {false} of {arguments.seeds} comparisons of the shop with itself")
    if (arguments.only is None and hits < BAR) or false:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
