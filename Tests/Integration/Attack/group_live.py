"""What murphy itself serves: the recording proxy, the live page, its metrics, the reference API (point 17)."""

import re
import socket
import time
from functools import partial

import documents
import texts
from behaviours import BEHAVIOURS
from kit import Group
from openmetrics import parsed
from servers import RawServer, Server, answer

HEADS = {
    "two hosts": (["Host: 127.0.0.1:PORT", "Host: evil.test"], "/a", {400}),
    "same host twice": (["Host: 127.0.0.1:PORT"] * 2, "/a", {400}),
    "no host": ([], "/a", {400}),
    "absolute form of another": (["Host: 127.0.0.1:PORT"], "http://evil.test/a", {400}),
    "absolute form of another port": (["Host: 127.0.0.1:PORT"], "http://127.0.0.1:1/a", {400}),
    "foreign host": (["Host: evil.test"], "/a", {421}),
    "host with a user": (["Host: a@127.0.0.1:PORT"], "/a", {400, 421}),
    "host and comma": (["Host: 127.0.0.1:PORT, evil.test"], "/a", {400, 421}),
    "blank in a name": (["Host: 127.0.0.1:PORT", "Host : evil.test"], "/a", {400}),
    "folded": (["Host: 127.0.0.1:PORT", " evil.test"], "/a", {400}),
    "bare CR": (["Host: 127.0.0.1:PORT", "X-A: b\rHost: evil.test"], "/a", {400}),
    "vertical tab": (["Host: 127.0.0.1:PORT", "X-A: b\vX-B: c"], "/a", {200, 400}),
    "next line": (["Host: 127.0.0.1:PORT", "X-A: b\x85X-B: c"], "/a", {200, 400}),
    "line separator": (["Host: 127.0.0.1:PORT", "X-A: b\u2028X-B: c"], "/a", {200, 400}),
    "NUL": (["Host: 127.0.0.1:PORT", "X-A: b\0c"], "/a", {400}),
    "two lengths": (["Host: 127.0.0.1:PORT", "Content-Length: 0", "Content-Length: 5"], "/a", {400}),
    "length and chunked": (["Host: 127.0.0.1:PORT", "Content-Length: 3", "Transfer-Encoding: chunked"], "/a", {400}),
    "length of +1": (["Host: 127.0.0.1:PORT", "Content-Length: +1"], "/a", {400}),
    "unknown coding": (["Host: 127.0.0.1:PORT", "Transfer-Encoding: gzip"], "/a", {400, 501}),
    "chunked twice": (["Host: 127.0.0.1:PORT", "Transfer-Encoding: chunked, chunked"], "/a", {400, 501}),
    "many fields": (["Host: 127.0.0.1:PORT", *["A: b"] * 20_000], "/a", {400, 413, 431}),
    "long field": (["Host: 127.0.0.1:PORT", "A: " + "b" * 2_000_000], "/a", {400, 413, 431}),
    "long target": (["Host: 127.0.0.1:PORT"], "/" + "a" * 2_000_000, {400, 414, 431}),
    "blank in the target": (["Host: 127.0.0.1:PORT"], "/a b", {400}),
    "controls in the target": (["Host: 127.0.0.1:PORT"], "/a\x01b", {400}),
    "star": (["Host: 127.0.0.1:PORT"], "*", {200, 400, 404}),
    "authority": (["Host: 127.0.0.1:PORT"], "evil.test:80", {400}),
    "no slash": (["Host: 127.0.0.1:PORT"], "a", {400}),
    "file": (["Host: 127.0.0.1:PORT"], "file:///etc/passwd", {400}),
    "dots": (["Host: 127.0.0.1:PORT"], "/../../a", {200, 400, 404}),
    "huge length": (["Host: 127.0.0.1:PORT", "Content-Length: 99999999999999999999"], "/a", {400, 413}),
}


def port_of(case, process, but=0):
    said = process.said(b"http://", 15) or ""
    time.sleep(0.1)
    said = process.said(b"http://", 1) or said
    ports = [int(port) for port in re.findall(r"http://(?:127\.0\.0\.1|localhost):(\d+)", said)]
    ports = [port for port in ports if port != but]
    case.require(ports, f"no address: {said[:300]}")
    return ports[0]


def ask(port, data, seconds=5):
    """All that a server answers to some bytes."""
    with socket.create_connection(("127.0.0.1", port), timeout=seconds) as connection:
        got = b""
        try:
            connection.sendall(data)
            end = time.monotonic() + seconds
            while len(got) < 5_000_000 and time.monotonic() < end:
                more = connection.recv(65536)
                if not more:
                    break
                got += more
        except OSError:
            pass
        return got


def status(data):
    match = re.match(rb"HTTP/1\.[01] (\d+)", data)
    return int(match[1]) if match else 0


def asked(what, label, case):
    """Hostile requests to a server of murphy's own: it rejects them, and goes on."""
    fields, target, statuses = HEADS[label]
    case.write("api.json", documents.telling())
    with RawServer(BEHAVIOURS["is fine"]) as server:
        case.write("s.yaml", documents.scenario(server.url, "- { call: seed }", load="[{ hold: 2/s, for: 60s }]"))
        words = {
            "record": ["record", "--target", server.url, "-o", "o.har"],
            "live": ["run", "s.yaml", "--live", "--report", "r"],
            "serve": ["serve", "murphys-laws", "--port", "0", "--database", "memory"],
        }[what]
        process = case.start(*words)
        port = port_of(case, process, server.port)
        lines = [f"GET {target} HTTP/1.1", *fields, "Connection: close", "", ""]
        got = ask(
            port, "\r\n".join(lines).replace("PORT", str(port)).encode("latin-1" if label == "next line" else "utf-8")
        )
        said = status(got)
        fine = statuses if what == "record" else statuses | {0, 400, 403, 404, 408, 411, 413, 414, 421, 431, 501, 505}
        case.require(
            said in fine or label in ("many fields", "long field", "long target", "huge length") and said == 0,
            f"answers {said}, not {sorted(statuses)}: {got[:200]!r}",
        )
        case.require(b"root:" not in got, "shows /etc/passwd")
        again = ask(port, f"GET /a HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n".encode())
        case.require(status(again) in (200, 404), f"serves no more: {again[:200]!r}")
        process.send(2)
        case.finish(process)


def page(path, case):
    case.write("api.json", documents.telling())
    with RawServer(BEHAVIOURS["is fine"]) as server:
        case.write("s.yaml", documents.scenario(server.url, "- { call: seed }", load="[{ hold: 5/s, for: 60s }]"))
        process = case.start("run", "s.yaml", "--live", "--report", "r")
        port = port_of(case, process, server.port)
        got = ask(port, f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n".encode(), 2)
        head = got.partition(b"\r\n\r\n")[0].decode("latin-1").lower()
        case.require(status(got) == 200, f"status {status(got)}")
        for word in ("cross-origin-resource-policy: same-origin", "x-content-type-options: nosniff") + (
            ("frame-ancestors 'none'",) if path == "/" else ()
        ):
            case.require(word in head, f"{path} lacks {word}: {head}")
        case.require("access-control-allow-origin" not in head, "another origin may read it")
        foreign = ask(port, f"GET {path} HTTP/1.1\r\nHost: evil.test\r\nConnection: close\r\n\r\n".encode(), 2)
        case.require(status(foreign) in (400, 403, 421), f"answers {status(foreign)} to another host")
        process.send(2)
        case.finish(process)


def served(system, case):
    process = case.start("serve", system, "--port", "0", "--database", "memory")
    port = port_of(case, process)
    for method in ("GET", "OPTIONS", "POST"):
        for path in ("/", "/openapi.json", "/nothing"):
            got = ask(
                port,
                f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://evil.test\r\n"
                "Content-Length: 0\r\n"
                "Access-Control-Request-Method: POST\r\nConnection: close\r\n\r\n".encode(),
            )
            head = got.partition(b"\r\n\r\n")[0].lower()
            # Its contracts declare `*`, which browsers reject for requests with credentials.
            case.require(b"access-control-allow-credentials" not in head, f"{method} {path} allows credentials")
            case.require(
                b"access-control-allow-origin: http://evil" not in head, f"{method} {path} allows another origin"
            )
    process.send(2)
    case.finish(process)


def metrics(label, case):
    """Live metrics of operations with hostile names."""
    text = texts.DOCUMENT[label]
    get = {"operationId": text or "a", "responses": {"201": {"description": text}}}
    case.write("api.json", documents.contract({"/seed": {"get": get}}))
    with Server(lambda request: answer(200, {"a": text})) as server:
        case.write("s.yaml", documents.scenario(server.url, "- call: GET /seed", load="[{ hold: 10/s, for: 60s }]"))
        process = case.start("run", "s.yaml", "--live", "--report", "r")
        if process.said(b"http://", 3) is None:
            ended = case.finish(process, statuses={2})
            case.require(ended.text.strip(), "refused without a word")
            return
        port = port_of(case, process, server.port)
        time.sleep(1)
        got = ask(port, f"GET /metrics HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n".encode(), 3)
        process.send(2)
        case.finish(process)
        head, _, body = got.partition(b"\r\n\r\n")
        case.require(b"chunked" not in head.lower(), "chunked")
        parsed(case, body)


def lives():
    for what in ("record", "live", "serve"):
        for label in HEADS:
            yield f"{what}: {label}", partial(asked, what, label)
    for path in ("/", "/events", "/metrics"):
        yield f"live page {path}", partial(page, path)
    for system in ("murphys-laws", "journal", "milo", "monica"):
        yield f"serve {system}: other origins", partial(served, system)
    for label in texts.DOCUMENT:
        yield f"live metrics with {label}", partial(metrics, label)


GROUPS = [Group("live", 40, 400, lives, jobs=2)]
