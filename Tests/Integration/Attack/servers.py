"""Loopback servers of the attack cases: one that speaks HTTP/1.1 as told, and one that gets the bare socket."""

import json
import socket
import threading
import zlib


class Request:
    def __init__(self, method, target, fields, body):
        self.method, self.target, self.fields, self.body = method, target, fields, body

    def field(self, name):
        return next((value for key, value in self.fields if key.lower() == name), "")


class RawServer:
    """Gives each connection to `handle(socket, server)` on a thread of its own; `with` ends all of them."""

    def __init__(self, handle, backlog=128):
        self.handle, self.stopped, self.requests = handle, threading.Event(), []
        self.listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        self.listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.listener.bind(("127.0.0.1", 0))
        self.listener.listen(backlog)
        self.port = self.listener.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.connections = set()
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while not self.stopped.is_set():
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            self.connections.add(connection)
            threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def serve(self, connection):
        try:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.handle(connection, self)
        except OSError:
            pass
        finally:
            self.connections.discard(connection)
            connection.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stopped.set()
        for end in [self.listener, *self.connections]:
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            end.close()


def read_request(connection, rest=b""):
    """The next request of a connection and the bytes behind it; nothing at its end."""
    data = rest
    while b"\r\n\r\n" not in data:
        more = connection.recv(65536)
        if not more:
            return None, b""
        data += more
    head, _, data = data.partition(b"\r\n\r\n")
    lines = head.decode("latin-1").split("\r\n")
    fields = [tuple(part.strip() for part in line.partition(":")[::2]) for line in lines[1:]]
    method, target = (lines[0].split(" ") + ["", ""])[:2]
    request = Request(method, target, fields, b"")
    if request.field("expect"):
        connection.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")
    if "chunked" in request.field("transfer-encoding"):
        while not data.endswith(b"0\r\n\r\n"):
            more = connection.recv(65536)
            if not more:
                return None, b""
            data += more
        request.body = data
        return request, b""
    length = int(request.field("content-length") or 0)
    while len(data) < length:
        more = connection.recv(65536)
        if not more:
            return None, b""
        data += more
    request.body = data[:length]
    return request, data[length:]


def answer(status=200, body=b"", fields=(), kind="application/json"):
    """The bytes of an answer."""
    if not isinstance(body, bytes):
        body = json.dumps(body).encode("utf-8", "surrogatepass")
    lines = [f"HTTP/1.1 {status} X", f"Content-Type: {kind}", f"Content-Length: {len(body)}"]
    head = "\r\n".join(lines + [f"{name}: {value}" for name, value in fields]) + "\r\n\r\n"
    return head.encode("utf-8") + body


class Server(RawServer):
    """Answers each request with the bytes of `respond(request)`, and keeps all requests."""

    def __init__(self, respond):
        super().__init__(self.talk)
        self.respond = respond

    def talk(self, connection, _):
        rest = b""
        while True:
            request, rest = read_request(connection, rest)
            if request is None:
                return
            self.requests.append(request)
            connection.sendall(self.respond(request))


def bomb_of(begin, byte, count):
    """gzip of a text and so many bytes, made in pieces: a child's peak memory counts this process's, too."""
    packer = zlib.compressobj(6, zlib.DEFLATED, 31)
    pieces = [packer.compress(begin)] + [packer.compress(byte * 1_000_000) for _ in range(count // 1_000_000)]
    return b"".join(pieces) + packer.flush()
