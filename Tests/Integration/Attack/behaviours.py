"""Servers that do not do what a client waits for, by name."""

import random
import time

from servers import answer, read_request


def hang(connection, server):
    server.stopped.wait()


def hang_after_request(connection, server):
    read_request(connection)
    server.stopped.wait()


def drip(
    connection,
    server,
    begin=b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{",
    more=b" ",
):
    read_request(connection)
    connection.sendall(begin)
    while not server.stopped.wait(1):
        connection.sendall(more)


def drip_head(connection, server):
    drip(connection, server, b"HTTP/1.1 200 OK\r\nX-A: ", b"x")


def interim(connection, server):
    read_request(connection)
    while not server.stopped.is_set():
        connection.sendall(b"HTTP/1.1 100 Continue\r\n\r\n" * 20)
        time.sleep(0.02)


def flood(connection, server):
    read_request(connection)
    connection.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
    while not server.stopped.is_set():
        connection.sendall(b"1000\r\n" + b" " * 4096 + b"\r\n")
        time.sleep(0.01)


def answers(data):
    def handle(connection, server):
        rest = b""
        while not server.stopped.is_set():
            request, rest = read_request(connection, rest)
            if request is None:
                return
            connection.sendall(data)

    return handle


def close(connection, server):
    read_request(connection)


def close_at_random(connection, server):
    for _ in range(50):
        request, _ = read_request(connection)
        if request is None or random.random() < 0.3:
            return
        data = answer(200, [])
        connection.sendall(data if random.random() < 0.6 else data[: random.randrange(1, len(data))])


def dies(connection, server):
    """Fine for two seconds, then it hangs."""
    server.begun = getattr(server, "begun", time.monotonic())
    while True:
        request, _ = read_request(connection)
        if request is None:
            return
        if time.monotonic() - server.begun > 2:
            server.stopped.wait()
        connection.sendall(answer(200, []))


BEHAVIOURS = {
    "hangs at once": hang,
    "hangs": hang_after_request,
    "drips its body": drip,
    "drips its head": drip_head,
    "answers 100 for ever": interim,
    "floods": flood,
    "rejects all": answers(answer(403, {})),
    "fails": answers(answer(500, {})),
    "limits all": answers(answer(429, {}, [("Retry-After", "3600")])),
    "limits without a word": answers(answer(429, {})),
    "redirects": answers(answer(302, b"", [("Location", "/seed")])),
    "unavailable": answers(answer(503, {}, [("Retry-After", "60")])),
    "closes": close,
    "closes at random": close_at_random,
    "dies": dies,
    "is fine": answers(answer(200, [])),
}
