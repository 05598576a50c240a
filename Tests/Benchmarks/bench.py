"""Murphy beside its peers, against one nginx on the other core, as ratios of one run.

Machines are shared and noisy: every round runs all clients one after another, and what counts is the
median over the rounds of each round's ratio, not the requests per second.
"""
import argparse
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import time
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
PORT = 18431
TARGET = f"http://127.0.0.1:{PORT}"
SUBJECTS = {"25-law page": "/api/v1/laws", "single law": "/api/v1/laws/1"}
CLIENT_CORE, SERVER_CORE = "0", "1"


def pinned(core, command):
    return ["taskset", "-c", core, *map(str, command)] if os.cpu_count() > 1 else list(map(str, command))


def output(command, **environment):
    done = subprocess.run(
        pinned(CLIENT_CORE, command), capture_output=True, text=True, env={**os.environ, **environment}, timeout=180)
    if done.returncode < 0 or done.returncode >= 128:
        raise SystemExit(f"{command[0]} crashed (status {done.returncode}):\n{(done.stdout + done.stderr)[-2000:]}")
    return done.stdout + done.stderr


def number(pattern, text, who):
    found = re.search(pattern, text)
    if not found:
        raise SystemExit(f"{who} printed no figure that matches {pattern!r}:\n{text[-2000:]}")
    return float(found.group(1))


class Bench:
    def __init__(self, arguments):
        self.work, self.murphy = pathlib.Path(arguments.work), pathlib.Path(arguments.murphy).resolve()
        self.seconds, self.rounds, self.users = arguments.seconds, arguments.rounds, arguments.users

    # Each peer: (path) -> requests per second.

    def murphy_rate(self, path):
        name = "page" if path == SUBJECTS["25-law page"] else "law"
        report = self.work / f"murphy-{name}"
        output([self.murphy, "run", HERE / f"{name}.yaml", "--target", TARGET, "--loops", "1",
                "--duration", f"{self.seconds}s", "--report", report])
        result = json.loads((report / "result.json").read_text())
        ledger = result["ledger"]
        unchecked = sum(row["count"] for row in ledger["unchecked"])
        if ledger["violating"] or unchecked or ledger["conformant"] == 0:
            raise SystemExit(f"murphy did not validate every answer as conformant: {ledger}")
        return ledger["answered"] / result["run"]["duration"]

    def bare_rate(self, path):
        text = output([self.work / "bare_multi", self.users, self.seconds * 40_000, TARGET + path])
        return number(r"([\d.]+) requests/s", text, "bare_multi")

    def k6_rate(self, path):
        text = output([self.work / "venv/bin/k6", "run", "--quiet", "--no-usage-report", HERE / "peers/k6.js"],
                      URL=TARGET + path, USERS=str(self.users), SECONDS=str(self.seconds), GOMAXPROCS="1")
        if number(r"http_req_failed\.*:\s+([\d.]+)%", text, "k6") > 0:
            raise SystemExit(f"k6 saw failed requests:\n{text[-2000:]}")
        return number(r"http_reqs\.*:\s*\d+\s+([\d.]+)/s", text, "k6")

    def wrk_rate(self, path):
        text = output(["wrk", "-t1", f"-c{self.users}", f"-d{self.seconds}s", TARGET + path])
        return number(r"Requests/sec:\s+([\d.]+)", text, "wrk")

    def hey_rate(self, path):
        text = output(["hey", "-z", f"{self.seconds}s", "-c", str(self.users), TARGET + path], GOMAXPROCS="1")
        return number(r"Requests/sec:\s+([\d.]+)", text, "hey")

    def h2load_rate(self, path):
        text = output(["h2load", "--h1", "-D", self.seconds, "-c", self.users, "-t", 1, TARGET + path])
        return number(r"finished in [^,]+, ([\d.]+) req/s", text, "h2load")

    def locust_rate(self, path):
        text = output(
            [self.work / "venv/bin/locust", "-f", HERE / "peers/locustfile.py", "--headless", "--only-summary",
             "-u", self.users, "-r", 1000, "-t", f"{self.seconds}s", "--host", TARGET], URL_PATH=path)
        return number(r"Aggregated\s+\d+\s+\S+\s*\|.*\|\s+([\d.]+)\s+[\d.]+\s*\n", text, "locust")

    def throughput(self, only):
        peers = {
            "murphy, every answer validated": self.murphy_rate, "(a) bare libcurl multi_socket, C": self.bare_rate,
            "(b) k6, two checks": self.k6_rate, "(c) wrk": self.wrk_rate, "hey": self.hey_rate,
            "h2load (HTTP/1.1)": self.h2load_rate, "locust FastHttpUser": self.locust_rate}
        peers = {name: rate for name, rate in peers.items() if not only or any(word in name for word in only)}
        for subject, path in SUBJECTS.items():
            size = len(urllib.request.urlopen(TARGET + path, timeout=5).read())
            print(f"\n{subject}, {size} bytes, {self.users} connections, one core for the client, one for nginx")
            rounds = [{name: rate(path) for name, rate in peers.items()} for _ in range(self.rounds)]
            for name in peers:
                rates = [one[name] for one in rounds]
                line = f"  {name:34} {statistics.median(rates):>10,.0f} requests/s"
                if not name.startswith("murphy"):
                    ratios = [one["murphy, every answer validated"] / one[name] for one in rounds]
                    line += f"   murphy / it = {statistics.median(ratios):5.2f}  ({min(ratios):.2f} to {max(ratios):.2f})"
                print(line, flush=True)

    def idle_memory(self, users=5000):
        report = self.work / "murphy-idle"
        def peak(count):
            output([self.murphy, "run", HERE / "idle.yaml", "--target", TARGET, "--loops", "1", "--users", count,
                    "--report", report])
            result = json.loads((report / "result.json").read_text())
            assert result["generator"]["peak_users"] >= count, result["generator"]
            return result["generator"]["peak_memory"]
        few, many = peak(100), peak(users)
        per_user = (many - few) / (users - 100) / 1024
        print(f"\nMemory of {users:,} idle users, each with an open connection: {per_user:.1f} KiB a user"
              f" (aim 40; {many / 2**20:.0f} MiB in all; k6 needs 198)", flush=True)

    def lateness(self):
        report = self.work / "murphy-lateness"
        output([self.murphy, "run", HERE / "lateness.yaml", "--target", TARGET, "--loops", "1", "--report", report])
        late = json.loads((report / "result.json").read_text())["generator"]["lateness"]
        print(f"\nLateness of sends at 1,000 arrivals/s: p50 {late['p50']:.0f} us, p99 {late['p99']:.0f} us"
              f" (aim p99 1,000), max {late['max']:.0f} us, {late['count']:,} sends", flush=True)

    def start_nginx(self):
        subprocess.run([sys.executable, HERE / "bodies.py", self.work], check=True)
        text = (HERE / "nginx.conf").read_text().replace("WORK", str(self.work)).replace("PORT", str(PORT))
        (self.work / "nginx.conf").write_text(text)
        server = subprocess.Popen(
            pinned(SERVER_CORE, ["nginx", "-p", self.work, "-c", self.work / "nginx.conf"]), stderr=subprocess.DEVNULL)
        for _ in range(100):
            try:
                urllib.request.urlopen(TARGET + "/api/v1/laws", timeout=1).read()
                return server
            except OSError:
                time.sleep(0.05)
        server.terminate()
        raise SystemExit(f"nginx did not answer on {TARGET}; see {self.work}/nginx-error.log")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", required=True)
    parser.add_argument("--murphy", required=True)
    parser.add_argument("--seconds", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--users", type=int, default=64)
    parser.add_argument("--only", action="append", help="throughput peers whose name contains this (murphy always runs)")
    arguments = parser.parse_args()
    bench = Bench(arguments)
    if arguments.only:
        arguments.only.append("murphy")
    server = bench.start_nginx()
    try:
        bench.throughput(arguments.only)
        if not arguments.only:
            bench.idle_memory()
            bench.lateness()
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    main()
