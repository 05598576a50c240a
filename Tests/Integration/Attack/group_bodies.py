"""Bodies that once took work without bound, under load and by the validator (point 12)."""

import json
from functools import partial

import documents
from kit import Group
from servers import Server, answer

SCHEMAS = {
    "map": {"type": "object", "additionalProperties": {"type": "string"}},
    "maxLength": {"type": "string", "maxLength": 10},
    "pattern": {"type": "array", "items": {"type": "string", "pattern": "^(a|aa)+$"}},
    "wrong types": {"type": "array", "items": {"type": "string"}},
    "anyOf": {
        "anyOf": [
            {"type": "object", "required": [f"k{n}"], "properties": {f"k{n}": {"type": "integer"}}} for n in range(20)
        ]
    },
    "nested anyOf": None,
    "unevaluated": {
        "allOf": [{"patternProperties": {f"^k{n}": True}} for n in range(50)],
        "unevaluatedProperties": False,
    },
    "unique": {"type": "array", "uniqueItems": True},
    "contains": {"type": "array", "contains": {"const": -1}, "minContains": 1},
    "names": {"propertyNames": {"pattern": "^(x+x+)+y$"}},
    "dependent": {"dependentSchemas": {f"k{n}": {"required": ["z"]} for n in range(300)}},
    "format": {"type": "array", "items": {"type": "string", "format": "email"}},
    "enum": {"type": "array", "items": {"enum": list(range(5000))}},
    "multiple": {"type": "array", "items": {"multipleOf": 1e-300}},
    "recursive": {"$ref": "#/components/schemas/Node"},
}
NODE = {
    "anyOf": [
        {"type": "null"},
        {
            "type": "object",
            "properties": {"a": {"$ref": "#/components/schemas/Node"}, "b": {"$ref": "#/components/schemas/Node"}},
            "unevaluatedProperties": False,
        },
    ]
}


def doubled(depth):
    schema = {"type": "string"}
    for _ in range(depth):
        schema = {"anyOf": [schema, {"allOf": [schema]}]}
        if len(json.dumps(schema)) > 300_000:
            break
    return schema


SCHEMAS["nested anyOf"] = doubled(14)

BODIES = {
    "100,000 names": lambda: json.dumps({f"k{n}": 1 for n in range(100_000)}),
    "marks": lambda: '"e' + "\u0301" * 1_500_000 + '"',
    "2 million numbers": lambda: "[" + "1," * 2_000_000 + "1]",
    "a's": lambda: json.dumps(["a" * 40 + "b"] * 100_000),
    "long a": lambda: json.dumps(["a" * 150_000 + "b"]),
    "many objects": lambda: json.dumps([{"k1": "x"}] * 100_000),
    "deep": lambda: '{"a":' * 400 + "null" + "}" * 400,
    "wide and deep": lambda: '{"a":' * 100 + json.dumps({f"k{n}": 1 for n in range(20_000)}) + "}" * 100,
    "addresses": lambda: json.dumps(["a." * 200 + "@" + "b." * 200] * 3000),
    "backslashes": lambda: '"' + "\\\\" * 1_000_000 + '"',
    "same": lambda: json.dumps([[1, [2, {"a": 3}]]] * 100_000),
    "big numbers": lambda: "[" + "9" * 300 + ("," + "9" * 300) * 5000 + "]",
    "x's": lambda: json.dumps({"x" * 60 + str(n): 1 for n in range(5000)}),
}


def responded(schema, body, case):
    """A run at 4 requests a second: it ends in time, with its verdict."""

    def respond(request):
        return answer(200, body().encode())

    fine = {"200": {"description": "fine", "content": {"application/json": {"schema": schema}}}}
    case.write(
        "api.json",
        documents.contract(
            {"/seed": {"get": {"operationId": "seed", "responses": fine}}}, components={"schemas": {"Node": NODE}}
        ),
    )
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


def responses():
    for name, schema in SCHEMAS.items():
        for label, body in BODIES.items():
            yield f"validate {label} by {name}", partial(validated, schema, body)
    for name in ("map", "anyOf", "pattern", "unevaluated", "nested anyOf", "maxLength", "recursive"):
        for label, body in BODIES.items():
            yield f"run {label} by {name}", partial(responded, SCHEMAS[name], body)


GROUPS = [Group("work-of-responses", 30, 1200, responses, jobs=2)]
