"""What is measured, one function a part."""
import statistics
import time

from target import PATHS, PLAIN, TLS

MURPHY = "murphy, every answer validated"


def throughput(peers, figures, rounds, only):
    """One law and a page of 25 at 64 connections, beside every peer. The pages are all equal, or nearly all differ."""
    k6 = "k6, two checks"
    aims = {
        "law": {"wrk": (0.95, 0.85), k6: 8}, "page": {"wrk": (0.8, 0.7), k6: 6}, "varied": {"wrk": (0.6, 0.55)}}
    for name in ("page", "varied", "law"):
        url = PLAIN + PATHS[name]
        target = PLAIN + "/varied" * (name == "varied")
        clients = {
            MURPHY: lambda: peers.murphy_rate("page" if name == "varied" else name, target=target), "bare libcurl multi_socket, C": lambda: peers.bare(url),
            k6: lambda: peers.k6(url), "wrk": lambda: peers.wrk(url), "hey": lambda: peers.hey(url),
            "h2load (HTTP/1.1)": lambda: peers.h2load(url, "--h1"), "locust FastHttpUser": lambda: peers.locust(url)}
        if only:
            clients = {key: rate for key, rate in clients.items() if any(word in key for word in [*only, "murphy"])}
        figures.title(f"{name}, {peers.users} connections, one core for the client, one for nginx")
        measured = [{key: rate() for key, rate in clients.items()} for _ in range(rounds)]
        figures.compare(name, measured, MURPHY, aims[name])


def connections(peers, figures, rounds, many=5000):
    """The CPU of one request with many connections against that with a few."""
    figures.title(f"law at {many:,} connections")
    ratios, peer = [], []
    for _ in range(rounds):
        few, lots = (peers.murphy_rate("law", USERS=users) for users in (peers.users, many))
        ratios.append(lots.cpu / few.cpu)
        peer.append(peers.wrk(PLAIN + PATHS["law"], many).cpu / peers.wrk(PLAIN + PATHS["law"]).cpu)
    ratio = statistics.median(ratios)
    figures.add("connections", f"CPU a request, {many:,} / {peers.users}", ratio, "times", "<= 1.3", ratio <= 1.3,
                ratios=ratios)
    figures.add("connections", "the same of wrk", statistics.median(peer), "times", ratios=peer)


def loops(peers, figures, rounds):
    """Two loops against one, beside wrk with as many threads, on all cores.

    The server shares the cores, so CPU seconds tell more than rates.
    """
    figures.title("page with one loop and with two, client and nginx on the same cores")
    rates, costs, ratios = [], [], []
    url = PLAIN + PATHS["page"]
    for _ in range(rounds):
        one, two = (peers.murphy_rate("page", loops=count, cores=None) for count in (1, 2))
        single, double = (peers.wrk(url, threads=count, cores=None) for count in (1, 2))
        rates.append(two.per_second / one.per_second)
        costs.append(two.cpu / one.cpu)
        ratios.append(two.per_second / double.per_second / (one.per_second / single.per_second))
    rate, ratio = statistics.median(rates), statistics.median(ratios)
    figures.add("loops", "requests/s, two loops / one", rate, "times", ">= 1.8", rate >= 1.8, ratios=rates)
    figures.add("loops", "CPU a request, two loops / one", statistics.median(costs), "times", ratios=costs)
    figures.add("loops", "ratio to wrk, two loops / one", ratio, "times", ">= 0.95", ratio >= 0.95, ratios=ratios)


def encrypted(peers, figures, rounds):
    """HTTPS over HTTP/1.1 and HTTP/2, through the same TLS."""
    url, authority = TLS + PATHS["law"], peers.work / "tls.pem"
    for version, h2load in (("1.1", ["--h1"]), ("2", [])):
        words = dict(target=TLS, TLS=f"settings: {{ http: '{version}', tls: {{ ca-file: {authority} }} }}")
        clients = {
            MURPHY: lambda: peers.murphy_rate("law", **words),
            "h2load": lambda: peers.h2load(url, *h2load),
            "bare libcurl multi_socket, C": lambda: peers.bare(url, None, version, authority)}
        figures.title(f"law over TLS, HTTP/{version}, {peers.users} connections")
        measured = [{key: rate() for key, rate in clients.items()} for _ in range(rounds)]
        aims = {"h2load": 0.9 if version == "1.1" else 0.8, "bare libcurl multi_socket, C": 1.0}
        figures.compare(f"https {version}", measured, MURPHY, aims)


def idle(peers, figures, users=5000):
    def peak(count):
        _, result = peers.run("idle", USERS=count)
        assert result["generator"]["peak_users"] >= count, result["generator"]
        return result["generator"]["peak_memory"]
    figures.title(f"{users:,} idle users, each with an open connection")
    each = (peak(users) - peak(100)) / (users - 100) / 1024
    figures.add("idle", "memory of one (k6: 198)", each, "KiB", "<= 8", each <= 8)


def lateness(peers, figures):
    for rate, isAim in ((1000, False), (5000, False), (10_000, True)):
        done, result = peers.run("lateness", RATE=rate)
        late, made = result["generator"]["lateness"], result["ledger"]["answered"] / result["run"]["duration"]
        figures.title(f"{rate:,} arrivals/s, each with a connection of its own: verdict {result['verdict']}")
        part = f"lateness at {rate}"
        figures.add(part, "answered", made, "sessions/s")
        figures.add(part, "CPU of a session", done.cpu * 1e6 / result["ledger"]["answered"], "us")
        for mark in ("p50", "p99", "max"):
            aim = dict(aim="<= 1,000", met=late["p99"] <= 1000) if isAim and mark == "p99" else {}
            figures.add(part, mark, late[mark], "us", **aim)


def bodies(peers, figures, rounds):
    """A megabyte of JSON and a megabyte of bytes: what is judged a second, beside wrk, which reads only."""
    for name in ("big", "binary"):
        figures.title(f"{name}: 1 MB bodies, {'JSON' if name == 'big' else 'bytes'}, {peers.users} connections")
        measured = [
            {MURPHY: peers.murphy_rate(name, FOLDER=peers.work), "wrk": peers.wrk(PLAIN + PATHS[name])}
            for _ in range(rounds)]
        figures.compare(name, measured, MURPHY, {"wrk": 0.8 if name == "big" else 0.5})


def ending(peers, figures, requests):
    """From the last answer to the verdict and all reports, with a limit that is judged; and the memory."""
    figures.title(f"the end of a run of about {requests:,} requests, with a limit judged")
    start = time.monotonic()
    done, result = peers.run("ending", TIMES=int(requests / peers.users), timeout=3600)
    late = time.monotonic() - start - result["run"]["duration"]
    answered = result["ledger"]["answered"]
    aim = answered / 1e6 if answered < 5e6 else 5
    figures.add("ending", f"after {answered:,} requests", late, "s", f"<= {aim:.1f}", late <= aim)
    figures.add("ending", "largest memory", done.memory / 2**20, "MiB")
