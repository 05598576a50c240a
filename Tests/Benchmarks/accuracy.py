"""What clients say of a server that freezes, and what murphy says of itself, each beside the truth."""
import json
import os
import pathlib
import re
import signal
import threading
import time

from process import Done
from target import HERE, PATHS, PLAIN

EVERY, LENGTH = 10, 1.0
RATE, SECONDS = 500, 30


class Freezer:
    """Stops nginx's worker for a second in every ten, and notes when."""

    def __init__(self, server):
        children = pathlib.Path(f"/proc/{server.pid}/task/{server.pid}/children").read_text().split()
        self.worker = int(children[0])

    def __enter__(self):
        self.begin, self.frozen, self.over = time.monotonic(), [], threading.Event()
        self.thread = threading.Thread(target=self.run)
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.over.set()
        self.thread.join()

    def run(self):
        moment = self.begin + EVERY / 2
        while not self.over.wait(max(moment - time.monotonic(), 0)):
            stopped = time.monotonic()
            os.kill(self.worker, signal.SIGSTOP)
            try:
                time.sleep(LENGTH)
            finally:
                os.kill(self.worker, signal.SIGCONT)
            self.frozen.append((stopped, time.monotonic()))
            moment += EVERY

    def truth(self, share):
        """What a user who comes at any moment of the run waits at most in so large a share of the cases, milliseconds."""
        step = 0.0005
        waits = []
        for index in range(int(SECONDS / step)):
            moment = self.begin + index * step
            waits.append(max([end - moment for begin, end in self.frozen if begin <= moment < end], default=0))
        return sorted(waits)[int(len(waits) * share) - 1] * 1000


def freeze(peers, figures, server):
    figures.title(f"p99 of a server that freezes {LENGTH:.0f} s in every {EVERY}, {SECONDS} s each")
    url = PLAIN + PATHS["law"]
    summary = peers.work / "k6-freeze.json"

    def murphy():
        # A p99 without a budget; the run should end with FAIL for a stalled target, or with a warning.
        _, result = peers.run("freeze", RATE=RATE, SECONDS=SECONDS, timeout=120)
        return next(row for row in result["operations"] if row["requests"])["latency"]["p99"] / 1000

    def k6(**words):
        Done([peers.work / "venv/bin/k6", "run", "--quiet", "--no-usage-report", HERE / "peers/k6-freeze.js"], timeout=120,
             URL=url, SECONDS=str(SECONDS), SUMMARY=str(summary), **{key: str(value) for key, value in words.items()})
        return json.loads(summary.read_text())["metrics"]["http_req_duration"]["values"]["p(99)"]

    def wrk():
        done = Done(["wrk", "-t1", f"-c{peers.users}", f"-d{SECONDS}s", "--latency", url], timeout=120)
        value, unit = re.search(r"99%\s+([\d.]+)(us|ms|s)", done.text).groups()
        return float(value) * {"us": 0.001, "ms": 1, "s": 1000}[unit]

    clients = {
        f"murphy, {RATE} arrivals/s": murphy,
        f"k6, {RATE} arrivals/s, {2 * RATE} VUs": lambda: k6(RATE=RATE, ROOM=2 * RATE),
        f"k6, {RATE} arrivals/s, {peers.users} VUs": lambda: k6(RATE=RATE, ROOM=peers.users),
        f"k6, {peers.users} VUs in a loop": lambda: k6(USERS=peers.users),
        f"wrk, {peers.users} connections": wrk,
    }
    for name, p99 in clients.items():
        with Freezer(server) as freezer:
            seen = p99()
        truth = freezer.truth(0.99)
        aim = dict(aim="within 3 %", met=abs(seen / truth - 1) <= 0.03) if name.startswith("murphy") else {}
        figures.add("freeze", f"{name} (truth {truth:,.0f} ms)", seen, "ms", truth=truth, **aim)


def selfcheck(peers, figures):
    """The table of accuracy per distribution, as `murphy selfcheck` measures it."""
    path = peers.work / "selfcheck.json"
    done = Done([peers.murphy, "selfcheck", "--quiet", "--output", path], cores=None, timeout=120)
    result = json.loads(path.read_text())
    figures.title(f"murphy selfcheck: {result['verdict']}, {result['duration']:.0f} s, exit status {done.status}")
    print(f"  {'':34} {'':6} {'imposed':>11} {'reported':>11} {'error':>10} {'of which histogram':>20}")
    for row in [*result["distributions"], result["freeze"]["row"]]:
        for quantile in row["quantiles"]:
            if quantile["percentile"] not in (50, 95, 99):
                continue
            name = f"p{quantile['percentile']:.0f}"
            figures.rows.append(dict(section="selfcheck", name=f"{row['name']} {name}", value=quantile["measuring_error"],
                                     unit="us", **quantile))
            print(f"  {row['distribution'][:34]:34} {name:6} {quantile['imposed']:>8,.0f} us {quantile['reported']:>8,.0f} us "
                  f"{quantile['measuring_error']:>7,.0f} us {quantile['recording_error']:>17,.1f} us")
    for check in result["checks"]:
        print(f"  {check['verdict']:5} {check['check']}: {check['sentence']}")
    figures.add("selfcheck", "seconds", result["duration"], "s", "<= 60", result["duration"] <= 60)
