"""Nothing that a document or a recording says becomes a key, a line or an expression of a draft (point 7)."""

import json
import re
from functools import partial

import texts
from kit import Group
from tools import arazzo, har, jmeter, k6, postman

FIELDS = (
    "title",
    "description",
    "version",
    "server url",
    "server description",
    "server variable",
    "tag",
    "operationId",
    "summary",
    "query name",
    "header name",
    "cookie name",
    "path name",
    "path",
    "example",
    "enum",
    "default",
    "const",
    "scheme name",
    "key name",
    "oauth url",
    "property",
    "response",
    "media type",
    "link",
    "server extension",
)
RAW = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]")
TERMINAL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def document(field, text):
    """An OpenAPI document with a text at one field, and plain texts elsewhere."""

    def at(name, plain):
        return text if name == field else plain

    property_name = at("property", "name")
    schema = {
        "type": "object",
        "required": [property_name],
        "properties": {
            property_name: {"type": "string", "example": at("example", "a")},
            "kind": {"enum": [at("enum", "b")]},
            "c": {"const": at("const", "c")},
        },
    }
    parameters = [
        {
            "name": at("query name", "q"),
            "in": "query",
            "required": True,
            "example": at("example", "e"),
            "schema": {"type": "string"},
        },
        {"name": "k", "in": "query", "required": True, "schema": {"enum": [at("enum", "b")]}},
        {"name": "d", "in": "query", "required": True, "schema": {"type": "string", "default": at("default", "d")}},
        {
            "name": at("header name", "X-A"),
            "in": "header",
            "required": True,
            "schema": {"type": "string", "example": "a"},
        },
        {
            "name": at("cookie name", "c"),
            "in": "cookie",
            "required": True,
            "schema": {"type": "string", "example": "a"},
        },
    ]
    body = {"required": True, "content": {at("media type", "application/json"): {"schema": schema}}}
    responses = {
        "200": {
            "description": at("response", "fine"),
            "content": {
                "application/json": {
                    "schema": {"type": "array", "items": {"type": "object", "properties": {"id": {"type": "string"}}}}
                }
            },
            "links": {at("link", "next"): {"operationId": "one", "parameters": {"id": "$response.body#/0/id"}}},
        }
    }
    name, extra = at("path name", "id"), at("path", "things")
    return json.dumps(
        {
            "openapi": "3.1.0",
            "info": {"title": at("title", "T"), "version": at("version", "1"), "description": at("description", "D")},
            "servers": [
                {
                    "url": at("server url", "http://127.0.0.1:9"),
                    "description": at("server description", "S"),
                    "variables": {"v": {"default": at("server variable", "v")}},
                    "x-a": at("server extension", "x"),
                }
            ],
            "tags": [{"name": at("tag", "t")}],
            "security": [{at("scheme name", "key"): []}, {"flow": []}],
            "components": {
                "securitySchemes": {
                    at("scheme name", "key"): {"type": "apiKey", "in": "header", "name": at("key name", "X-Key")},
                    "flow": {
                        "type": "oauth2",
                        "flows": {"clientCredentials": {"tokenUrl": at("oauth url", "/token"), "scopes": {}}},
                    },
                }
            },
            "paths": {
                f"/{extra}": {
                    "get": {
                        "operationId": at("operationId", "list"),
                        "summary": at("summary", "s"),
                        "tags": [at("tag", "t")],
                        "description": at("description", "d"),
                        "parameters": parameters,
                        "responses": responses,
                    },
                    "post": {
                        "operationId": "add",
                        "summary": at("summary", "Creates"),
                        "requestBody": body,
                        "responses": {"201": responses["200"]},
                    },
                },
                f"/{extra}/{{{name}}}": {
                    "get": {
                        "operationId": "one",
                        "summary": at("summary", "s"),
                        "parameters": [{"name": name, "in": "path", "required": True, "schema": {"type": "string"}}],
                        "responses": responses,
                    }
                },
            },
        },
        ensure_ascii=len(text) % 2 == 0,
    )


def keys(draft):
    """Keys at the left edge, and keys of the language with their indentation; texts in quotes are cut out."""
    found = []
    for line in draft.split("\n"):
        line = re.sub(r'"(?:[^"\\]|\\.)*"', '""', re.sub(r"'(?:[^']|'')*'", "''", line))
        line = re.sub(r"(^|\s)#.*$", "", line)
        match = re.match(r"( *)(?:- )?([A-Za-z][\w-]*):(?:\s|$)", line)
        if match and (
            not match[1] or match[2] in ("target", "client", "setup", "teardown", "login", "include", "feeds")
        ):
            found.append((len(match[1]), match[2]))
    return found


PLAIN = {}


def check_draft(case, name, plain):
    draft = case.read(name).decode()
    case.require(not RAW.search(draft), f"a raw control character in the draft: {RAW.search(draft)}")
    values = "\n".join(line for line in draft.split("\n") if not re.match(r" *(#|name:|- group:|- call: \")", line))
    # Keys are names: the language does not evaluate them.
    values = re.sub(r'"(?:[^"\\\\]|\\\\.)*":', "", values)
    unescaped = re.search(r"(?<!\$)\$\{\u0301?(?:env\(HOME|file\()", values)
    case.require(not unescaped, "an expression of the document stands unescaped in the draft")
    more = set(keys(draft)) - set(plain)
    case.require(not more, f"keys that murphy does not write: {more}")
    case.require(
        len([key for key in keys(draft) if key[0] == 0]) == len({k for k in keys(draft) if k[0] == 0}), "a key twice"
    )


def plain_keys(case, field):
    """What the draft of the same document with a harmless text looks like."""
    if "init" not in PLAIN:
        case.write("plain.json", document("none", ""))
        case.murphy("init", "plain.json", "--writes", "-o", "plain.yaml", statuses={0})
        PLAIN["init"] = keys(case.read("plain.yaml").decode())
    return PLAIN["init"]


def drafted(field, text, case):
    plain = plain_keys(case, field)
    case.write("d.json", document(field, text))
    said = case.murphy("init", "d.json", "--writes", "-o", "s.yaml", statuses={0, 2})
    case.require(not TERMINAL.search(said.text), "a raw control character on the terminal")
    if said.status == 2:
        case.require(said.text.strip(), "refused without a word")
        return
    check_draft(case, "s.yaml", plain)
    said = case.murphy("check", "s.yaml", statuses={0, 2})
    case.require(said.status == 0, f"the draft is no scenario: {said.text[:700]}")


def documents():
    for place, field in enumerate(FIELDS):
        # Each field gets every second string, and the next field the others.
        for label, text in list(texts.DOCUMENT.items())[place % 2 :: 2]:
            yield f"init {label} in {field}", partial(drafted, field, text)


FILES = {
    "har": ("f.har", har),
    "postman": ("f.json", postman),
    "k6": ("f.js", k6),
    "jmeter": ("f.jmx", jmeter),
    "arazzo": ("f.json", arazzo),
}


def imported(tool, text, case):
    name, make = FILES[tool]
    case.write("d.json", document("none", ""))
    plain = PLAIN.get(tool)
    if plain is None:
        case.write("plain-" + name, make("plain"))
        case.murphy("import", "plain-" + name, "--contract", "d.json", "-o", "plain.yaml", statuses={0, 2})
        plain = keys(case.read("plain.yaml").decode()) if case.ended.status == 0 else []
        PLAIN[tool] = plain = plain + [(0, "feeds")]
    case.write(name, make(text))
    said = case.murphy("import", name, "--contract", "d.json", "-o", "s.yaml", statuses={0, 2})
    case.require(not TERMINAL.search(said.text), "a raw control character on the terminal")
    if said.status == 0:
        check_draft(case, "s.yaml", plain)
        said = case.murphy("check", "s.yaml", statuses={0, 2})
        # Input files of the other tool may be missing here.
        fine = said.status == 0 or tool in ("jmeter", "postman") and "no such file" in said.text.lower()
        case.require(fine, f"the draft is no scenario: {said.text[:700]}")


def imports():
    for tool in FILES:
        for label, text in texts.DOCUMENT.items():
            yield f"import of {tool} with {label}", partial(imported, tool, text)


GROUPS = [Group("drafts", 20, 400, documents), Group("imported-drafts", 20, 400, imports)]
