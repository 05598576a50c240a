"""Load generators, each as a function of a URL that returns a Rate."""
import json
import re

from process import CLIENT_CORE, Done, Rate
from target import HERE, PLAIN


class Peers:
    def __init__(self, work, murphy, seconds, users):
        self.work, self.murphy, self.seconds, self.users = work, murphy, seconds, users

    def scenario(self, name, **words):
        """A scenario of this folder with its words in capitals filled in, beside the others' work."""
        text = (HERE / f"{name}.yaml").read_text()
        contract = HERE.parent.parent / "scenarios/murphys-laws/openapi.yaml"
        values = {"CONTRACT": contract, "USERS": self.users, "SECONDS": self.seconds, "TLS": "", **words}
        for word, value in values.items():
            text = text.replace(word, str(value))
        path = self.work / f"{name}.yaml"
        path.write_text(text)
        return path

    def run(self, name, *arguments, target=PLAIN, loops=1, cores="0", timeout=600, **words):
        """A run of murphy in which every answer must be validated as conformant: the program, and its result."""
        report = self.work / f"murphy-{name}"
        done = Done([self.murphy, "run", self.scenario(name, **words), "--target", target, "--loops", loops,
                     "--report", report, *arguments], cores=cores, timeout=timeout)
        result = json.loads((report / "result.json").read_text())
        ledger = result["ledger"]
        unchecked = sum(row["count"] for row in ledger["unchecked"])
        # A contract gives only the type and length of bytes: murphy reports them as unchecked.
        judged = ledger["conformant"] + (unchecked if name == "binary" else 0)
        if ledger["violating"] or judged == 0 or judged != ledger["answered"]:
            raise SystemExit(f"murphy did not validate every answer as conformant: {ledger}\n{done.text[-1500:]}")
        return done, result

    def murphy_rate(self, name, **words):
        done, result = self.run(name, **words)
        answered = result["ledger"]["answered"]
        return Rate(done, answered / result["run"]["duration"], answered)

    def bare(self, url, users=None, *options):
        done = Done([self.work / "bare_multi", users or self.users, self.seconds, url, *options])
        rate = Rate(done, done.number(r"([\d.]+) requests/s"), 1)
        rate.cpu = done.number(r"([\d.]+) us CPU")
        return rate

    def k6(self, url):
        done = Done([self.work / "venv/bin/k6", "run", "--quiet", "--no-usage-report", HERE / "peers/k6.js"],
                    URL=url, USERS=str(self.users), SECONDS=str(self.seconds), GOMAXPROCS="1")
        if done.number(r"http_req_failed\.*:\s+([\d.]+)%") > 0:
            raise SystemExit(f"k6 saw failed requests:\n{done.text[-2000:]}")
        requests = done.number(r"http_reqs\.*:\s*(\d+)\s")
        return Rate(done, done.number(r"http_reqs\.*:\s*\d+\s+([\d.]+)/s"), requests)

    def wrk(self, url, users=None, threads=1, cores=CLIENT_CORE):
        done = Done(["wrk", f"-t{threads}", f"-c{users or self.users}", f"-d{self.seconds}s", url], cores=cores)
        rate = Rate(done, done.number(r"Requests/sec:\s+([\d.]+)"), done.number(r"(\d+) requests in"))
        return rate

    def hey(self, url):
        done = Done(["hey", "-z", f"{self.seconds}s", "-c", self.users, url], GOMAXPROCS="1")
        requests = sum(int(count) for count in re.findall(r"\[200\]\s+(\d+) responses", done.text))
        return Rate(done, done.number(r"Requests/sec:\s+([\d.]+)"), requests)

    def h2load(self, url, *options):
        done = Done(["h2load", *options, "-D", self.seconds, "-c", self.users, "-t", 1, url])
        return Rate(done, done.number(r"finished in [^,]+, ([\d.]+) req/s"), done.number(r"(\d+) succeeded"))

    def locust(self, url):
        host, path = re.fullmatch(r"(\w+://[^/]+)(/.*)", url).groups()
        done = Done([self.work / "venv/bin/locust", "-f", HERE / "peers/locustfile.py", "--headless",
                     "--only-summary", "-u", self.users, "-r", 1000, "-t", f"{self.seconds}s", "--host", host],
                    URL_PATH=path)
        rate = done.number(r"Aggregated\s+\d+\s+\S+\s*\|.*\|\s+([\d.]+)\s+[\d.]+\s*\n")
        return Rate(done, rate, done.number(r"Aggregated\s+(\d+)\s"))
