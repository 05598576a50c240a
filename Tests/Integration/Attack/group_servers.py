"""Hostile answers, over bare sockets: every verb that talks to a server ends, and says something (point 14)."""

import time
from functools import partial

import documents
from answers import ONCE
from kit import Group
from servers import RawServer, read_request


def contract():
    """Bodies that are read: any JSON with a value, or any XML."""
    schema = {
        "type": "object",
        "required": ["v"],
        "properties": {"v": {"type": "string", "maxLength": 5}},
        "additionalProperties": {"type": "string"},
    }
    fine = {
        "200": {
            "description": "fine",
            "content": {"application/json": {"schema": schema}, "application/xml": {"schema": {"type": "object"}}},
        }
    }
    return documents.contract(
        {
            "/seed": {
                "get": {"operationId": "seed", "responses": fine},
                "post": {
                    "operationId": "add",
                    "requestBody": {"content": {"application/json": {"schema": schema}}},
                    "responses": {"201": fine["200"]},
                },
            },
            "/seed/{id}": {
                "get": {"operationId": "one", "parameters": [documents.parameter("id", "path")], "responses": fine}
            },
        }
    )


COMMANDS = {
    "run": ["run", "s.yaml", "--report", "r"],
    "try": ["try", "s.yaml", "--max-seconds", "4"],
    "explore": ["explore", "api.json", "--max-seconds", "2", "--max-requests", "40", "--timeout", "500ms"],
    "init": ["init", "api.json", "-o", "d.yaml"],
    "limits": ["limits", "s.yaml", "--operation", "seed", "--quick", "--max-seconds", "2", "--max-requests", "20"],
    "contract": ["check", "fetched.yaml"],
    "shard": ["merge"],
}


def attacked(verb, data, case):
    def handle(connection, server):
        rest = b""
        while not server.stopped.is_set():
            request, rest = read_request(connection, rest)
            if request is None:
                return
            connection.sendall(data)
            if len(data) < 40 or b"Content-Length: 9" in data:
                time.sleep(0.05)
                return

    with RawServer(handle) as server:
        case.write("api.json", contract())
        case.write(
            "s.yaml",
            documents.scenario(server.url, "- { call: seed, save: { v: $.v } }\n- call: seed")
            .replace("timeout: 5s", "timeout: 1s, redirects: 5")
            .replace("grace: 2s", "grace: 1s"),
        )
        case.write(
            "fetched.yaml", case.read("s.yaml").decode().replace("contract: api.json", "contract: /openapi.json")
        )
        words = list(COMMANDS[verb])
        words += [server.url + "/shard.json.gz"] if verb == "shard" else ["--target", server.url]
        ended = case.murphy(*words)
        case.require(ended.text.strip(), f"status {ended.status} without a word")
        case.require("\x1b[2J" not in ended.text, "control characters reach the terminal")
        case.require("root:" not in ended.text, "shows /etc/passwd")
        case.require(verb not in ("contract", "shard") or ended.status != 0, "accepts a hostile document")


def hostile_servers():
    for verb in ("run", "try", "contract", "shard"):
        for label, data in ONCE.items():
            yield f"{verb}: {label}", partial(attacked, verb, data)
    for verb in ("explore", "limits", "init"):
        for label in list(ONCE)[{"explore": 0, "limits": 1, "init": 2}[verb] :: 15 if verb == "init" else 5]:
            yield f"{verb}: {label}", partial(attacked, verb, ONCE[label])


GROUPS = [Group("servers", 45, 700, hostile_servers, jobs=2)]
