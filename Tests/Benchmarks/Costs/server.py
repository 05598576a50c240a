"""Canned answers on a loopback port, one `send` for each answer. All but those under /varied have the same bytes each time."""
import gzip
import itertools
import json
import pathlib
import socket
import sys
import threading

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from bodies import PAGE, law, page  # noqa: E402

COMMON = (
    "Server: canned\r\nDate: Sat, 21 Nov 2026 10:00:00 GMT\r\nContent-Type: application/json\r\n"
    "Connection: keep-alive\r\nX-Request-ID: 6f1d3c0e-4b7a-4c59-9d2e-0a1b2c3d4e5f\r\n"
    "Access-Control-Allow-Origin: *\r\n")


def answer(status, value, more="", pack=lambda body: body):
    body = pack(json.dumps(value, separators=(",", ":")).encode())
    return f"HTTP/1.1 {status}\r\n{COMMON}{more}Content-Length: {len(body)}\r\n\r\n".encode() + body


MISSING = {"error": "Not found", "message": "There is no law 999999."}
ANSWERS = {
    "GET /api/v1/laws": answer("200 OK", PAGE),
    "GET /gzip/api/v1/laws": answer(
        "200 OK", PAGE, "Content-Encoding: gzip\r\n", lambda body: gzip.compress(body, mtime=0)),
    "GET /varied/api/v1/laws": itertools.cycle([answer("200 OK", page(variant)) for variant in range(4096)]),
    "GET /api/v1/laws/1": answer("200 OK", law(1)),
    "GET /api/v1/laws/999999": answer("404 Not Found", MISSING),
    "POST /api/v1/laws/1/vote": answer("200 OK", {"upvotes": 43, "downvotes": 3}),
}


def serve(client):
    with client:
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        data = b""
        while True:
            end = data.find(b"\r\n\r\n")
            if end < 0:
                piece = client.recv(65536)
                if not piece:
                    return
                data += piece
                continue
            head = data[:end].decode("latin-1")
            length = next(
                (int(line.split(":")[1]) for line in head.split("\r\n") if line.lower().startswith("content-length:")), 0)
            if len(data) < end + 4 + length:
                data += client.recv(65536)
                continue
            data = data[end + 4 + length:]
            method, target, _ = head.split("\r\n", 1)[0].split(" ")
            found = ANSWERS.get(f"{method} {target.split('?')[0]}", ANSWERS["GET /api/v1/laws/999999"])
            client.sendall(found if isinstance(found, bytes) else next(found))


def start():
    """Serves on threads that end with the process; the port."""
    listener = socket.create_server(("127.0.0.1", 0), backlog=4096)

    def accept():
        while True:
            client, _ = listener.accept()
            threading.Thread(target=serve, args=(client,), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    return listener.getsockname()[1]
