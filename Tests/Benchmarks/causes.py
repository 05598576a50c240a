"""Which span made a version slower: real comparisons of two servers with ten spans, one of which is known to be slower.

    python3 Tests/Benchmarks/causes.py --murphy MURPHY --work FOLDER [--comparisons 20] [--read]

Both servers are this script (--serve): each request runs ten spans, and a thread exports them as OTLP/JSON. The
candidate has one span that takes 5 % longer, or one that runs twice, or no change (A/A). In turns, so that changes of
the machine affect all three. Requests arrive at random: with equal intervals, a slower span moves the end of another one
to the arrival of the next request, which then really delays it. Every comparison leaves its JSON in FOLDER; with --read nothing runs.
"""
import argparse
import concurrent.futures
import http.server
import json
import os
import pathlib
import queue
import secrets
import socket
import subprocess
import sys
import threading
import time
import urllib.request

# The spans in the order of their calls, in milliseconds: 36 ms for one request.
PARTS = {"session": 1, "cache": 1, "rights": 2, "SELECT laws": 20, "SELECT votes": 4, "rank": 3, "render": 2, "audit": 1,
         "flags": 1, "log": 1}
CASES = {"A/A": (None, 1, 1), "5 % slower": ("SELECT laws", 1.05, 1), "called twice": ("rights", 1, 2)}
CONTRACT = """openapi: 3.1.0
info: { title: Laws, version: "1" }
paths:
  /laws:
    get:
      operationId: listLaws
      responses:
        "200": { description: laws, content: { application/json: { schema: { type: object } } } }
"""
SCENARIO = """name: causes of a slowdown
contract: openapi.yaml
sessions: { read: { steps: [{ call: listLaws }] } }
load: { arrivals: poisson, stages: [{ hold: 30/s, for: 10s }] }
"""
exported = queue.SimpleQueue()


def span(trace, parent, name, kind, begun, ended):
    identifier = secrets.token_hex(8)
    return identifier, {"traceId": trace, "spanId": identifier, "parentSpanId": parent, "name": name, "kind": kind,
                        "startTimeUnixNano": str(begun), "endTimeUnixNano": str(ended)}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    slow, factor, count = None, 1, 1

    def do_GET(self):
        begun, spans = time.time_ns(), []
        _, trace, parent, _ = self.headers.get("traceparent", "00-" + "1" * 32 + "-" + "2" * 16 + "-00").split("-")
        root, whole = span(trace, parent, "GET /laws", 2, begun, begun)
        for name, milliseconds in PARTS.items():
            is_slow = name == self.slow
            for _ in range(self.count if is_slow else 1):
                start = time.time_ns()
                time.sleep(milliseconds / 1000 * (self.factor if is_slow else 1))
                spans.append(span(trace, root, name, 1, start, time.time_ns())[1])
        whole["endTimeUnixNano"] = str(time.time_ns())
        body = b'{"laws":[]}'
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        exported.put([whole, *spans])

    def log_message(self, *_):
        pass


def export(endpoint):
    """Sends what ended, once a second."""
    while True:
        time.sleep(1)
        spans = []
        while not exported.empty():
            spans += exported.get()
        if spans:
            body = json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": spans}]}]}).encode()
            request = urllib.request.Request(endpoint + "/v1/traces", body, {"Content-Type": "application/json"})
            urllib.request.urlopen(request, timeout=10).read()


class Server(http.server.ThreadingHTTPServer):
    allow_reuse_address = True
    daemon_threads = True
    request_queue_size = 128


def serve(port, case):
    Handler.slow, Handler.factor, Handler.count = CASES[case]
    threading.Thread(target=export, args=[os.environ["OTEL_EXPORTER_OTLP_ENDPOINT"]], daemon=True).start()
    Server(("127.0.0.1", port), Handler).serve_forever()


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def compare(murphy, work, case, number, seconds):
    name = f"{case.replace(' ', '-').replace('/', '')}-{number}"
    path = work / f"{name}.json"
    if path.exists():
        return
    folder = work / name
    folder.mkdir(exist_ok=True)
    (folder / "openapi.yaml").write_text(CONTRACT)
    (folder / "scenario.yaml").write_text(SCENARIO)
    ports = free_port(), free_port()
    start = [f"exec {sys.executable} {pathlib.Path(__file__).resolve()} --serve {port} --case '{arm}'"
             for port, arm in zip(ports, ("A/A", case))]
    command = [murphy, "compare", folder / "scenario.yaml", "--base", f"http://127.0.0.1:{ports[0]}", "--candidate",
               f"http://127.0.0.1:{ports[1]}", "--base-command", start[0], "--candidate-command", start[1],
               f"--otlp={free_port()}", "--quiet", "--metric", "p50", "--slice", "500ms", "--max-seconds", str(seconds), "--coins", str(number),
               "--seed", str(2000 + number), "--report", folder / "report", "--output", path]
    done = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    (folder / "output.txt").write_text(done.stdout)


def table(work):
    print("| candidate | comparisons | slower | no data | causes right | causes wrong |\n|---|---|---|---|---|---|")
    mistakes = 0
    for case, (slow, _, _) in CASES.items():
        results = [json.loads(path.read_text()) for path in sorted(work.glob(f"{case.replace(' ', '-').replace('/', '')}-*.json"))]
        causes = [{row["name"] for row in result.get("spans", []) if row["is_cause"]} for result in results]
        verdicts = [result["verdict"] for result in results]
        right, wrong = sum(slow in names for names in causes), sum(bool(names - {slow}) for names in causes)
        slower = verdicts.count("fail")
        mistakes += wrong + (slower if slow is None else max(0, 0.95 * slower - right))
        print(f"| {case} | {len(results)} | {slower} | {verdicts.count('no-data')} | {right} | {wrong} |")
    return mistakes


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--serve", type=int, help="serve on this port")
    parser.add_argument("--case", choices=list(CASES), default="A/A")
    parser.add_argument("--murphy", type=pathlib.Path)
    parser.add_argument("--work", type=pathlib.Path)
    parser.add_argument("--comparisons", type=int, default=20, help="of each candidate")
    parser.add_argument("--together", type=int, default=2, help="the number of comparisons at the same time")
    parser.add_argument("--seconds", type=int, default=300, help="the maximum time of a comparison")
    parser.add_argument("--read", action="store_true", help="only print the table of earlier comparisons")
    arguments = parser.parse_args()
    if arguments.serve:
        return serve(arguments.serve, arguments.case)
    arguments.work.mkdir(parents=True, exist_ok=True)
    if not arguments.read:
        with concurrent.futures.ThreadPoolExecutor(arguments.together) as pool:
            done = [pool.submit(compare, arguments.murphy.resolve(), arguments.work.resolve(), case, number, arguments.seconds)
                    for number in range(arguments.comparisons) for case in CASES]
            for one in done:
                one.result()
    # One mistake in a table of this size is within the promised 1 %.
    return 1 if table(arguments.work) > 1 else 0


if __name__ == "__main__":
    sys.exit(main())
