"""--max-seconds holds whatever a server does, and signals end each verb with what was seen (point 14)."""

import itertools
import json
import os
import re
import signal
import socket
import time
from functools import partial

import documents
from behaviours import BEHAVIOURS
from kit import Group
from servers import RawServer

LIMITS = "expect: { limits: { seed: { allow: 3, per: 60s, key: X-Thing, operations: [seed] } } }"
SECONDS = 6
VERBS = {
    "explore": ["explore", "api.json", "--target", "URL"],
    "limits": ["limits", "s.yaml"],
    "black-box limits": ["limits", "s.yaml", "--black-box", "--operation", "seed"],
    "compare": ["compare", "s.yaml", "--base", "URL", "--candidate", "URL", "--slice", "1s", "--blocks", "2"],
    "capacity": ["capacity", "s.yaml", "--window", "1s", "--max", "20/s"],
    "try": ["try", "s.yaml"],
}


def files(case, url, load="[{ hold: 10/s, for: 1s }]"):
    item = {"type": "array", "items": {"type": "object", "properties": {"id": {"type": "string"}}}}
    fine = {"200": {"description": "fine", "content": {"application/json": {"schema": item}}}}
    case.write(
        "api.json",
        documents.contract(
            {
                "/seed": {
                    "get": {
                        "operationId": "seed",
                        "parameters": [documents.parameter("q", "query")],
                        "responses": fine,
                    },
                    "post": {
                        "operationId": "add",
                        "requestBody": {
                            "content": {
                                "application/json": {
                                    "schema": {
                                        "type": "object",
                                        "properties": {"a": {"type": "string", "maxLength": 5}},
                                    }
                                }
                            }
                        },
                        "responses": fine,
                    },
                },
                "/seed/{id}": {
                    "delete": {
                        "operationId": "drop",
                        "parameters": [documents.parameter("id", "path")],
                        "responses": fine,
                    }
                },
            }
        ),
    )
    text = documents.scenario(url, "- { call: seed, headers: { X-Thing: a } }", load=load, more=LIMITS)
    case.write("s.yaml", text.replace("timeout: 5s", "timeout: 30s"))


def bounded(verb, behave, case):
    with RawServer(behave) as server:
        files(case, server.url)
        words = [word.replace("URL", server.url) for word in VERBS[verb]]
        ended = case.murphy(*words, "--max-seconds", str(SECONDS))
        most = SECONDS * 1.1 + 3
        case.require(ended.seconds <= most, f"takes {ended.seconds:.1f} s of {SECONDS} ({most:.1f} with the tolerance)")
        case.require(ended.text.strip(), "no word")


def bounds():
    for verb, (label, behave) in itertools.product(VERBS, BEHAVIOURS.items()):
        yield f"{verb}: server {label}", partial(bounded, verb, behave)


LOADED = {
    "run": ["run", "s.yaml", "--report", "r"],
    "run to a pipe": ["run", "s.yaml", "--report", "r", "--format", "json"],
    "try": ["try", "s.yaml"],
    "explore": ["explore", "api.json", "--target", "URL", "--report", "r", "--max-seconds", "30"],
    "limits": ["limits", "s.yaml"],
    "capacity": ["capacity", "s.yaml", "--report", "r"],
    "compare": ["compare", "s.yaml", "--base", "URL", "--candidate", "URL", "--report", "r"],
    "record": ["record", "--target", "URL", "-o", "r.har"],
    "serve": ["serve", "murphys-laws", "--port", "0"],
    "selfcheck": ["selfcheck"],
    "shard": ["run", "s.yaml", "--shard", "1/2", "--seed", "3", "--report", "r"],
    "init": ["init", "api.json", "--target", "URL", "-o", "d.yaml"],
    "live": ["run", "s.yaml", "--report", "r", "--live"],
}
WRITES = {
    "run": "result.json",
    "run to a pipe": "result.json",
    "live": "result.json",
    "capacity": "capacity.json",
    "compare": "compare.json",
    "shard": "shard.json.gz",
    "explore": "result.json",
}


def through(process):
    """Sends a request through a recording, so that there is something to lose."""
    address = re.search(
        r"http://127\.0\.0\.1:(\d+)", (process.said(b"http://127.0.0.1:", 10) or "").replace("--target http", "")
    )
    if address:
        with socket.create_connection(("127.0.0.1", int(address[1])), timeout=5) as connection:
            connection.sendall(
                b"GET /seed HTTP/1.1\r\nHost: 127.0.0.1:%s\r\nConnection: close\r\n\r\n" % address[1].encode()
            )
            connection.settimeout(1)
            try:
                connection.recv(100)
            except OSError:
                pass


def interrupted(verb, number, after, label, behave, case):
    with RawServer(behave) as server:
        files(case, server.url, "[{ hold: 20/s, for: 60s }]")
        process = case.start(*[word.replace("URL", server.url) for word in LOADED[verb]])
        if verb == "record" and after >= 1:
            through(process)
        time.sleep(after)
        running = os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None
        sent = time.monotonic()
        process.send(number)
        # A process that has no handler yet is ended by the signal itself.
        early = {-number} if after < 0.3 or number == signal.SIGHUP else set()
        ended = case.finish(process, statuses={0, 1, 2, 3, 4, 5, 64} | early)
        last = time.monotonic() - sent
        case.require(last < 16, f"ends {last:.1f} s after the signal")
        if running and after >= 1 and verb in WRITES and ended.status >= 0:
            case.require(
                ended.status == 4 or verb in ("explore", "shard"), f"status {ended.status}, not 4: {ended.text[-300:]}"
            )
            case.require(WRITES[verb] in os.listdir(case.path("r")), f"no {WRITES[verb]} after the signal")
            if verb.startswith("run") or verb == "live":
                result = json.loads(case.read("r/result.json"))
                case.require(result["verdict"].lower() in ("invalid", "fail"), f"verdict {result['verdict']}")
        if verb == "record" and running and after >= 1 and ended.status >= 0:
            case.require("r.har" in os.listdir(case.folder), "the recording is lost")


def closed_output(verb, case):
    """What `| head -1` does: the reader is gone."""
    with RawServer(BEHAVIOURS["is fine"]) as server:
        files(case, server.url)
        reader, writer = os.pipe()
        os.close(reader)
        process = case.start(*[word.replace("URL", server.url) for word in LOADED[verb]], stdout=writer)
        os.close(writer)
        time.sleep(2)
        process.send(signal.SIGINT)
        case.finish(process, statuses={0, 1, 2, 3, 4, 5, 64, -signal.SIGPIPE})


def full_disk(verb, case):
    with RawServer(BEHAVIOURS["is fine"]) as server, open("/dev/full", "wb") as full:
        files(case, server.url)
        process = case.start(*[word.replace("URL", server.url) for word in LOADED[verb]], stdout=full)
        time.sleep(2)
        process.send(signal.SIGINT)
        case.finish(process)


def signals():
    fine, slow = ("is fine", BEHAVIOURS["is fine"]), ("hangs", BEHAVIOURS["hangs"])
    for verb in LOADED:
        for number, after, (label, behave) in (
            (signal.SIGINT, 1.5, fine),
            (signal.SIGTERM, 1.5, fine),
            (signal.SIGHUP, 1.5, fine),
            (signal.SIGINT, 1.5, slow),
            (signal.SIGINT, 0.05, fine),
        ):
            name = signal.Signals(number).name
            yield f"{verb}: {name} after {after} s, server {label}", partial(
                interrupted, verb, number, after, label, behave
            )
        yield f"{verb}: closed output", partial(closed_output, verb)
        yield f"{verb}: full disk", partial(full_disk, verb)


GROUPS = [Group("max-seconds", 60, 400, bounds, jobs=4), Group("signals", 45, 400, signals, jobs=4)]
