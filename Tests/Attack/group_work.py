"""Inputs that once took work without bound: each is done soon, or refused with a sentence (points 12, 13 and 15)."""
import gzip
import json
import os
from functools import partial

import documents
from kit import Group
from servers import RawServer, Server, answer, read_request

SCHEMAS = {
    "map": {"type": "object", "additionalProperties": {"type": "string"}}, "maxLength": {"type": "string", "maxLength": 10},
    "pattern": {"type": "array", "items": {"type": "string", "pattern": "^(a|aa)+$"}}, "wrong types": {"type": "array", "items": {"type": "string"}},
    "anyOf": {"anyOf": [{"type": "object", "required": [f"k{n}"], "properties": {f"k{n}": {"type": "integer"}}} for n in range(20)]},
    "nested anyOf": None, "unevaluated": {"allOf": [{"patternProperties": {f"^k{n}": True}} for n in range(50)], "unevaluatedProperties": False},
    "unique": {"type": "array", "uniqueItems": True}, "contains": {"type": "array", "contains": {"const": -1}, "minContains": 1},
    "names": {"propertyNames": {"pattern": "^(x+x+)+y$"}}, "dependent": {"dependentSchemas": {f"k{n}": {"required": ["z"]} for n in range(300)}},
    "format": {"type": "array", "items": {"type": "string", "format": "email"}}, "enum": {"type": "array", "items": {"enum": list(range(5000))}},
    "multiple": {"type": "array", "items": {"multipleOf": 1e-300}}, "recursive": {"$ref": "#/components/schemas/Node"},
}
NODE = {"anyOf": [{"type": "null"}, {"type": "object", "properties": {"a": {"$ref": "#/components/schemas/Node"}, "b": {
    "$ref": "#/components/schemas/Node"}}, "unevaluatedProperties": False}]}


def doubled(depth):
    schema = {"type": "string"}
    for _ in range(depth):
        schema = {"anyOf": [schema, {"allOf": [schema]}]}
        if len(json.dumps(schema)) > 300_000:
            break
    return schema


SCHEMAS["nested anyOf"] = doubled(14)

BODIES = {
    "100,000 names": lambda: json.dumps({f"k{n}": 1 for n in range(100_000)}), "marks": lambda: '"e' + "\u0301" * 1_500_000 + '"',
    "2 million numbers": lambda: "[" + "1," * 2_000_000 + "1]", "a's": lambda: json.dumps(["a" * 40 + "b"] * 100_000),
    "long a": lambda: json.dumps(["a" * 150_000 + "b"]), "many objects": lambda: json.dumps([{"k1": "x"}] * 100_000),
    "deep": lambda: '{"a":' * 400 + "null" + "}" * 400, "wide and deep": lambda: '{"a":' * 100 + json.dumps({f"k{n}": 1 for n in range(20_000)}) + "}" * 100,
    "addresses": lambda: json.dumps(["a." * 200 + "@" + "b." * 200] * 3000), "backslashes": lambda: '"' + "\\\\" * 1_000_000 + '"',
    "same": lambda: json.dumps([[1, [2, {"a": 3}]]] * 100_000), "big numbers": lambda: "[" + "9" * 300 + ("," + "9" * 300) * 5000 + "]",
    "x's": lambda: json.dumps({"x" * 60 + str(n): 1 for n in range(5000)}),
}


def responded(schema, body, case):
    """A run at 4 requests a second: it ends in time, with its verdict."""
    def respond(request):
        return answer(200, body().encode())

    fine = {"200": {"description": "fine", "content": {"application/json": {"schema": schema}}}}
    case.write("api.json", documents.contract({"/seed": {"get": {"operationId": "seed", "responses": fine}}},
                                              components={"schemas": {"Node": NODE}}))
    with Server(respond) as server:
        case.write("s.yaml", documents.scenario(server.url, "- { call: seed }", load="[{ hold: 4/s, for: 500ms }]"))
        case.murphy("run", "s.yaml", "--report", "r")


def validated(schema, body, case):
    if isinstance(schema, dict) and "$ref" in schema:
        schema = dict(schema, components={"schemas": {"Node": NODE}})
    case.write("schema.json", json.dumps(schema))
    case.write("i.json", body())
    ended = case.murphy("schema", "validate", "--schema", "schema.json", "i.json")
    case.require(len(ended.text) < 100_000, f"{len(ended.text)} characters")


def paths(count):
    return {f"/p{n}/{{id}}": {"get": {"operationId": f"o{n}", "parameters": [documents.parameter("id", "path")],
                                      "responses": documents.FINE}} for n in range(count)}


def deep(count, key="items"):
    return '{"%s":' % key * count + "true" + "}" * count


def with_schema(text):
    document = documents.contract({"/a": {"get": {"operationId": "a", "responses": {"200": {
        "description": "x", "content": {"application/json": {"schema": "SCHEMA"}}}}}}})
    return document.replace('"SCHEMA"', text)


DOCUMENTS = {
    "20,000 operations": lambda: documents.contract(paths(20_000)), "schema depth 400": lambda: with_schema(deep(400)),
    "schema depth 5000": lambda: with_schema(deep(5000)), "allOf depth 400": lambda: with_schema('{"allOf":[' * 400 + "true" + "]}" * 400),
    "20,000 schemas in a chain": lambda: documents.contract({}, components={"schemas": {
        f"s{n}": {"$ref": f"#/components/schemas/s{n + 1}"} for n in range(20_000)}}),
    "cycle": lambda: documents.contract({}, components={"schemas": {"a": {"$ref": "#/components/schemas/b"}, "b": {"$ref": "#/components/schemas/a"}}}),
    "patterns": lambda: with_schema(json.dumps({"pattern": "(" * 5000 + ")" * 5000})), "long pattern": lambda: with_schema(json.dumps({"pattern": "a{1,1000}{1,1000}{1,1000}"})),
    "enum of 200,000": lambda: with_schema(json.dumps({"enum": list(range(200_000))})), "required of 100,000": lambda: with_schema(
        json.dumps({"required": [f"k{n}" for n in range(100_000)]})),
    "tags": lambda: documents.contract({}, tags=[{"name": f"t{n}"} for n in range(100_000)]),
    "parameters": lambda: documents.contract({"/a": {"get": {"operationId": "a", "parameters": [
        documents.parameter(f"q{n}", "query") for n in range(10_000)], "responses": documents.FINE}}}),
    "templates": lambda: documents.contract({"/" + "/".join(f"{{a{n}}}" for n in range(3000)): {"get": {"operationId": "a", "responses": documents.FINE}}}),
    "same paths": lambda: documents.contract({f"/{{a{n}}}/b": {"get": {"operationId": f"o{n}", "responses": documents.FINE}} for n in range(5000)}),
}


def checked(verb, make, case):
    case.write("api.json", make())
    words = {"check": ["check", "api.json"], "init": ["init", "api.json", "-o", "-"], "explore": [
        "explore", "api.json", "--target", "http://127.0.0.1:1", "--max-seconds", "3"]}[verb]
    case.murphy(*words)


def har(entries):
    return json.dumps({"log": {"entries": entries}})


def entry(body, reply="{}", url="http://127.0.0.1:9/seed"):
    return {"startedDateTime": "2026-01-01T00:00:00.000Z", "time": 1, "request": {"method": "POST", "url": url, "headers": [
        {"name": "Authorization", "value": "Bearer Zq9kkLmWx77aa"}], "postData": {"mimeType": "text/plain", "text": body}},
        "response": {"status": 200, "headers": [], "content": {"mimeType": "application/json", "text": reply}}}


K6 = "import http from 'k6/http'\nimport { group } from 'k6'\nexport default function () { %s }\n"
FILES = {
    "HAR with an 8 KB word": ("f.har", lambda: har([entry("x" * 8192)] * 200)), "HAR with words of 8 KB": ("f.har", lambda: har(
        [entry("password=" + ("aB3" * 2700)), *[entry(("aB3" * 2700) + str(n)) for n in range(100)]])),
    "HAR of 20,000": ("f.har", lambda: har([entry(f"a={n}", json.dumps({"id": f"value{n}"})) for n in range(20_000)])),
    "HAR with many secrets": ("f.har", lambda: har([entry(f"password=Zq9kk{n}LmWx", f'{{"token": "Zq9kk{n}LmWy"}}') for n in range(3000)])),
    "HAR with backslashes": ("f.har", lambda: har([entry("\\" * 100_000)])), "HAR with one body of 20 MB": ("f.har", lambda: har([entry("ab " * 7_000_000)])),
    "HAR with nested JSON": ("f.har", lambda: har([entry("[" * 5000 + "]" * 5000)])),
    "k6 groups": ("f.js", lambda: K6 % ("group('a', () => { " * 8000 + "})" * 8000)), "k6 parentheses": ("f.js", lambda: K6 % (
        "http.get(" + "(" * 20_000 + "'http://127.0.0.1:9/'" + ")" * 20_000 + ")")), "k6 plus": ("f.js", lambda: K6 % (
            "http.get('http://127.0.0.1:9/' + " + "'a' + " * 50_000 + "'b')")), "k6 arrays": ("f.js", lambda: K6 % ("x(" + "[" * 50_000)),
    "k6 templates": ("f.js", lambda: K6 % ("http.get(`" + "${`" * 10_000)), "k6 one line": ("f.js", lambda: K6 % ("a;" * 500_000)),
    "k6 constants": ("f.js", lambda: "".join(f"const a{n + 1} = a{n} + a{n}\n" for n in range(60)).replace("a0 + a0", "'x'") + K6 % "http.get(a60)"),
    "postman folders": ("f.json", lambda: '{"info":{"name":"a","schema":"v2.1.0"},"item":' + '[{"name":"a","item":' * 400 + "[]" + "}]" * 400 + "}"),
    "postman variables": ("f.json", lambda: json.dumps({"info": {"name": "a", "schema": "v2.1.0"}, "variable": [
        {"key": f"a{n + 1}", "value": f"{{{{a{n}}}}}{{{{a{n}}}}}"} for n in range(60)], "item": [
            {"name": "b", "request": {"method": "GET", "url": "http://127.0.0.1:9/seed?q={{a60}}"}}]})),
    "jmx depth": ("f.jmx", lambda: "<jmeterTestPlan>" + "<hashTree>" * 8000 + "</hashTree>" * 8000 + "</jmeterTestPlan>"),
    "jmx attributes": ("f.jmx", lambda: "<jmeterTestPlan " + " ".join(f'a{n}="1"' for n in range(60_000)) + "/>"),
    "jmx dashes": ("f.jmx", lambda: "<jmeterTestPlan><!--" + "- " * 2_000_000 + "--></jmeterTestPlan>"),
    "jmx entities": ("f.jmx", lambda: "<!DOCTYPE a [" + "".join(f'<!ENTITY a{n + 1} "&a{n};&a{n};">' for n in range(60)) + "]><a>&a60;</a>"),
}


def imported(name, make, case):
    case.write("api.json", documents.telling())
    case.write(name, make())
    case.murphy("import", name, "--contract", "api.json", "-o", "s.yaml")


SCENARIOS = {
    "steps": lambda plain: plain.replace("load:", "".join("      - { call: seed }\n" for _ in range(50_000)) + "load:"),
    "sessions": lambda plain: plain.replace("load:", "".join(f"  s{n}: {{ steps: [{{ call: seed }}] }}\n" for n in range(20_000)) + "load:"),
    "groups": lambda plain: plain.replace("load:", "      - " + "{ group: a, steps: [" * 400 + "]}" * 400 + "\nload:"),
    "expression": lambda plain: plain.replace("load:", '      - { set: { a: "${' + "(" * 20_000 + "1" + ")" * 20_000 + '}" } }\nload:'),
    "plus": lambda plain: plain.replace("load:", '      - { set: { a: "${' + "1 + " * 50_000 + '1}" } }\nload:'),
    "ternary": lambda plain: plain.replace("load:", '      - { set: { a: "${' + "1 ? " * 5000 + "1" + " : 1" * 5000 + '}" } }\nload:'),
    "stages": lambda plain: plain.replace("[{ hold: 10/s, for: 100ms }]", "[" + "{ hold: 1/s, for: 1ms }," * 50_000 + "]"),
    "jsonpath": lambda plain: plain.replace("load:", "      - { call: seed, save: { a: \"$" + "..*" * 3000 + '" } }\nload:'),
    "wide CSV": lambda plain: plain + "feeds: { rows: { file: wide.csv } }\n", "long CSV": lambda plain: plain + "feeds: { rows: { file: long.csv } }\n",
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
        connection.sendall(b"HTTP/1.1 200 OK\r\n" + (b"" if kind == "close" else b"Content-Length: 99999999999\r\n") + b"\r\n")
        while not server.stopped.is_set():
            connection.sendall(data)

    with RawServer(handle) as server:
        ended = case.murphy("merge", server.url + "/shard.json.gz")
        case.require(ended.status == 2, f"status {ended.status}")


FOLDERS = {"zero": "/dev/zero", "passwd": "/etc/passwd", "above": "../../../../../../etc/passwd", "FIFO": "FIFO", "url": "http://127.0.0.1:1/a",
           "file url": "file:///etc/passwd", "proc": "/proc/self/environ", "random": "/dev/urandom", "link": "link.json", "itself": "api.json", "folder": ".",
           "stdin": "/dev/stdin", "percent": "%2e%2e/%2e%2e/etc/passwd", "nul": "a%00b", "network": "//127.0.0.1/share/a", "tty": "/dev/tty"}
USES = {"schema": '{"schema": {"$ref": "REF"}}', "parameter": "parameter", "path": "path", "response": "response"}


def referred(use, label, verb, case):
    reference = FOLDERS[label]
    if label == "FIFO":
        folder = case.path("../fifo-" + os.path.basename(case.folder))
        os.mkfifo(folder)
        reference = "../" + os.path.basename(folder)
    if label == "link":
        os.symlink("/dev/zero", case.path("link.json"))
    ref = {"$ref": reference + "#/a"}
    get = {"operationId": "a", "parameters": [ref] if use == "parameter" else [], "responses": {
        "200": ref if use == "response" else {"description": "x", "content": {"application/json": {"schema": ref if use == "schema" else {}}}}}}
    case.write("api.json", documents.contract({"/a": ref if use == "path" else {"get": get}}))
    case.write("s.yaml", documents.scenario("http://127.0.0.1:1", "- { call: a }"))
    words = {"check": ["check", "api.json"], "run": ["run", "s.yaml"], "init": ["init", "api.json", "-o", "-"]}[verb]
    ended = case.murphy(*words)
    case.require("root:" not in ended.text, "shows /etc/passwd")
    case.require("PATH=" not in ended.text, "shows the environment")
    # `init` and `check` may leave out an operation that cannot be used, and say so.
    case.require(ended.text.strip(), "no word")
    case.require(verb != "run" or ended.status != 0, "the reference is accepted")


def references():
    for use in USES:
        for label in FOLDERS:
            for verb in ("check", "run", "init"):
                yield f"{verb}: {use} refers to {label}", partial(referred, use, label, verb)


def responses():
    for name, schema in SCHEMAS.items():
        for label, body in BODIES.items():
            yield f"validate {label} by {name}", partial(validated, schema, body)
    for name in ("map", "anyOf", "pattern", "unevaluated", "nested anyOf", "maxLength", "recursive"):
        for label, body in BODIES.items():
            yield f"run {label} by {name}", partial(responded, SCHEMAS[name], body)


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


GROUPS = [Group("references", 15, 300, references), Group("work-of-responses", 20, 1200, responses),
          Group("work-of-files", 30, 1200, inputs, jobs=2)]
