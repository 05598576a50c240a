"""Inputs that once took work without bound: each is done soon, or refused with a sentence (point 13)."""

import gzip
import json
import os
from functools import partial

import documents
from kit import Group
from servers import RawServer, read_request


def paths(count):
    return {
        f"/p{n}/{{id}}": {
            "get": {
                "operationId": f"o{n}",
                "parameters": [documents.parameter("id", "path")],
                "responses": documents.FINE,
            }
        }
        for n in range(count)
    }


def deep(count, key="items"):
    return '{"%s":' % key * count + "true" + "}" * count


def with_schema(text):
    document = documents.contract(
        {
            "/a": {
                "get": {
                    "operationId": "a",
                    "responses": {"200": {"description": "x", "content": {"application/json": {"schema": "SCHEMA"}}}},
                }
            }
        }
    )
    return document.replace('"SCHEMA"', text)


DOCUMENTS = {
    "20,000 operations": lambda: documents.contract(paths(20_000)),
    "schema depth 400": lambda: with_schema(deep(400)),
    "schema depth 5000": lambda: with_schema(deep(5000)),
    "allOf depth 400": lambda: with_schema('{"allOf":[' * 400 + "true" + "]}" * 400),
    "20,000 schemas in a chain": lambda: documents.contract(
        {}, components={"schemas": {f"s{n}": {"$ref": f"#/components/schemas/s{n + 1}"} for n in range(20_000)}}
    ),
    "cycle": lambda: documents.contract(
        {}, components={"schemas": {"a": {"$ref": "#/components/schemas/b"}, "b": {"$ref": "#/components/schemas/a"}}}
    ),
    "patterns": lambda: with_schema(json.dumps({"pattern": "(" * 5000 + ")" * 5000})),
    "long pattern": lambda: with_schema(json.dumps({"pattern": "a{1,1000}{1,1000}{1,1000}"})),
    "enum of 200,000": lambda: with_schema(json.dumps({"enum": list(range(200_000))})),
    "required of 100,000": lambda: with_schema(json.dumps({"required": [f"k{n}" for n in range(100_000)]})),
    "tags": lambda: documents.contract({}, tags=[{"name": f"t{n}"} for n in range(100_000)]),
    "parameters": lambda: documents.contract(
        {
            "/a": {
                "get": {
                    "operationId": "a",
                    "parameters": [documents.parameter(f"q{n}", "query") for n in range(10_000)],
                    "responses": documents.FINE,
                }
            }
        }
    ),
    "templates": lambda: documents.contract(
        {"/" + "/".join(f"{{a{n}}}" for n in range(3000)): {"get": {"operationId": "a", "responses": documents.FINE}}}
    ),
    "same paths": lambda: documents.contract(
        {f"/{{a{n}}}/b": {"get": {"operationId": f"o{n}", "responses": documents.FINE}} for n in range(5000)}
    ),
}


def checked(verb, make, case):
    case.write("api.json", make())
    words = {
        "check": ["check", "api.json"],
        "init": ["init", "api.json", "-o", "-"],
        "explore": ["explore", "api.json", "--target", "http://127.0.0.1:1", "--max-seconds", "3"],
    }[verb]
    case.murphy(*words)


def har(entries):
    return json.dumps({"log": {"entries": entries}})


def entry(body, reply="{}", url="http://127.0.0.1:9/seed"):
    return {
        "startedDateTime": "2026-01-01T00:00:00.000Z",
        "time": 1,
        "request": {
            "method": "POST",
            "url": url,
            "headers": [{"name": "Authorization", "value": "Bearer Zq9kkLmWx77aa"}],
            "postData": {"mimeType": "text/plain", "text": body},
        },
        "response": {"status": 200, "headers": [], "content": {"mimeType": "application/json", "text": reply}},
    }


K6 = "import http from 'k6/http'\nimport { group } from 'k6'\nexport default function () { %s }\n"
FILES = {
    "HAR with an 8 KB word": ("f.har", lambda: har([entry("x" * 8192)] * 200)),
    "HAR with words of 8 KB": (
        "f.har",
        lambda: har([entry("password=" + ("aB3" * 2700)), *[entry(("aB3" * 2700) + str(n)) for n in range(100)]]),
    ),
    "HAR of 20,000": ("f.har", lambda: har([entry(f"a={n}", json.dumps({"id": f"value{n}"})) for n in range(20_000)])),
    "HAR with many secrets": (
        "f.har",
        lambda: har([entry(f"password=Zq9kk{n}LmWx", f'{{"token": "Zq9kk{n}LmWy"}}') for n in range(3000)]),
    ),
    "HAR with backslashes": ("f.har", lambda: har([entry("\\" * 100_000)])),
    "HAR with one body of 20 MB": ("f.har", lambda: har([entry("ab " * 7_000_000)])),
    "HAR with nested JSON": ("f.har", lambda: har([entry("[" * 5000 + "]" * 5000)])),
    "k6 groups": ("f.js", lambda: K6 % ("group('a', () => { " * 8000 + "})" * 8000)),
    "k6 parentheses": (
        "f.js",
        lambda: K6 % ("http.get(" + "(" * 20_000 + "'http://127.0.0.1:9/'" + ")" * 20_000 + ")"),
    ),
    "k6 plus": ("f.js", lambda: K6 % ("http.get('http://127.0.0.1:9/' + " + "'a' + " * 50_000 + "'b')")),
    "k6 arrays": ("f.js", lambda: K6 % ("x(" + "[" * 50_000)),
    "k6 templates": ("f.js", lambda: K6 % ("http.get(`" + "${`" * 10_000)),
    "k6 one line": ("f.js", lambda: K6 % ("a;" * 500_000)),
    "k6 constants": (
        "f.js",
        lambda: "".join(f"const a{n + 1} = a{n} + a{n}\n" for n in range(60)).replace("a0 + a0", "'x'")
        + K6 % "http.get(a60)",
    ),
    "postman folders": (
        "f.json",
        lambda: '{"info":{"name":"a","schema":"v2.1.0"},"item":'
        + '[{"name":"a","item":' * 400
        + "[]"
        + "}]" * 400
        + "}",
    ),
    "postman variables": (
        "f.json",
        lambda: json.dumps(
            {
                "info": {"name": "a", "schema": "v2.1.0"},
                "variable": [{"key": f"a{n + 1}", "value": f"{{{{a{n}}}}}{{{{a{n}}}}}"} for n in range(60)],
                "item": [{"name": "b", "request": {"method": "GET", "url": "http://127.0.0.1:9/seed?q={{a60}}"}}],
            }
        ),
    ),
    "jmx depth": (
        "f.jmx",
        lambda: "<jmeterTestPlan>" + "<hashTree>" * 8000 + "</hashTree>" * 8000 + "</jmeterTestPlan>",
    ),
    "jmx attributes": ("f.jmx", lambda: "<jmeterTestPlan " + " ".join(f'a{n}="1"' for n in range(60_000)) + "/>"),
    "jmx dashes": ("f.jmx", lambda: "<jmeterTestPlan><!--" + "- " * 2_000_000 + "--></jmeterTestPlan>"),
    "jmx entities": (
        "f.jmx",
        lambda: "<!DOCTYPE a [" + "".join(f'<!ENTITY a{n + 1} "&a{n};&a{n};">' for n in range(60)) + "]><a>&a60;</a>",
    ),
}


def imported(name, make, case):
    case.write("api.json", documents.telling())
    case.write(name, make())
    case.murphy("import", name, "--contract", "api.json", "-o", "s.yaml")


SCENARIOS = {
    "steps": lambda plain: plain.replace("load:", "".join("      - { call: seed }\n" for _ in range(50_000)) + "load:"),
    "sessions": lambda plain: plain.replace(
        "load:", "".join(f"  s{n}: {{ steps: [{{ call: seed }}] }}\n" for n in range(20_000)) + "load:"
    ),
    "groups": lambda plain: plain.replace("load:", "      - " + "{ group: a, steps: [" * 400 + "]}" * 400 + "\nload:"),
    "expression": lambda plain: plain.replace(
        "load:", '      - { set: { a: "${' + "(" * 20_000 + "1" + ")" * 20_000 + '}" } }\nload:'
    ),
    "plus": lambda plain: plain.replace("load:", '      - { set: { a: "${' + "1 + " * 50_000 + '1}" } }\nload:'),
    "ternary": lambda plain: plain.replace(
        "load:", '      - { set: { a: "${' + "1 ? " * 5000 + "1" + " : 1" * 5000 + '}" } }\nload:'
    ),
    "stages": lambda plain: plain.replace(
        "[{ hold: 10/s, for: 100ms }]", "[" + "{ hold: 1/s, for: 1ms }," * 50_000 + "]"
    ),
    "jsonpath": lambda plain: plain.replace(
        "load:", '      - { call: seed, save: { a: "$' + "..*" * 3000 + '" } }\nload:'
    ),
    "wide CSV": lambda plain: plain + "feeds: { rows: { file: wide.csv } }\n",
    "long CSV": lambda plain: plain + "feeds: { rows: { file: long.csv } }\n",
    "CSV of quotes": lambda plain: plain + "feeds: { rows: { file: quotes.csv } }\n",
    "overlays": lambda plain: plain.replace("contract: api.json", "contract: [big.json, overlay.yaml]"),
}


def read(label, verb, case):
    case.write("api.json", documents.telling())
    case.write("s.yaml", SCENARIOS[label](documents.scenario("http://127.0.0.1:1", "- { call: seed }")))
    if "CSV" in label:
        case.write("wide.csv", ",".join(f"c{n}" for n in range(80_000)) + "\n" + ",".join("1" * 80_000) + "\n")
        case.write("long.csv", "a,b\n" + "1,2\n" * 2_000_000)
        case.write("quotes.csv", "a\n" + '"' * 5_000_001)
    if label == "overlays":
        case.write("big.json", documents.contract(paths(2000)))
        update = '  - { target: "$..*", update: { x-a: { b: { c: d } } } }\n'
        case.write("overlay.yaml", "overlay: 1.0.0\ninfo: { title: a, version: '1' }\nactions:\n" + update * 10)
    case.murphy(*verb.split(), "s.yaml")


def endless(kind, case):
    """A store whose answer never ends."""

    def handle(connection, server):
        read_request(connection)
        data = gzip.compress(os.urandom(1000)) + os.urandom(1_000_000)
        connection.sendall(
            b"HTTP/1.1 200 OK\r\n" + (b"" if kind == "close" else b"Content-Length: 99999999999\r\n") + b"\r\n"
        )
        while not server.stopped.is_set():
            connection.sendall(data)

    with RawServer(handle) as server:
        ended = case.murphy("merge", server.url + "/shard.json.gz")
        case.require(ended.status == 2, f"status {ended.status}")


def inputs():
    for label, make in DOCUMENTS.items():
        for verb in ("check", "init", "explore"):
            yield f"{verb} {label}", partial(checked, verb, make)
    for label, (name, make) in FILES.items():
        yield f"import {label}", partial(imported, name, make)
    for label in SCENARIOS:
        for verb in ("check", "run", "tune --sessions 50"):
            yield f"{verb} {label}", partial(read, label, verb)
    yield "merge of an endless answer", partial(endless, "close")
    yield "merge of an endless length", partial(endless, "length")


GROUPS = [Group("work-of-files", 30, 1200, inputs, jobs=2)]
