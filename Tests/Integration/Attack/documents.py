"""Scenarios and OpenAPI documents of the attack cases."""

import json

# Each place of a request that a value can reach: the operation, the keys of its step, and the scheme of its body.
PLACES = {
    "path": 'path: { id: "${v}" }',
    "query": 'query: { q: "${v}" }',
    "header": 'headers: { X-Thing: "${v}" }',
    "cookie": 'cookies: { c: "${v}" }',
    "body": 'body: { a: "${v}", "b": ["${v}"] }',
    "text": 'text: "${v}"',
    "form": 'form: { a: "${v}" }',
    "multipart": 'multipart: { a: "${v}", b: { value: "${v}", name: "${v}" } }',
    "graphql": 'graphql: { query: "query A($v: String) { a(v: $v) }", variables: { v: "${v}" } }',
    "url": 'url: "${v2}"',
}


def contract(paths=None, **more):
    """An OpenAPI document, JSON."""
    document = {"openapi": "3.1.0", "info": {"title": "T", "version": "1"}, "paths": paths or {}}
    document.update(more)
    return json.dumps(document)


FINE = {"200": {"description": "fine"}}


def parameter(name, place):
    return {"name": name, "in": place, "required": place == "path", "schema": {"type": "string"}}


def telling():
    """Operations that take a value anywhere, and one that gives it."""
    content = {
        kind: {"schema": {}}
        for kind in ("application/json", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data")
    }
    tell = {
        "operationId": "tell",
        "requestBody": {"content": content},
        "responses": FINE,
        "parameters": [parameter("q", "query"), parameter("X-Thing", "header"), parameter("c", "cookie")],
    }
    return contract(
        {
            "/seed": {
                "get": {
                    "operationId": "seed",
                    "responses": {"200": {"description": "fine", "content": {"application/json": {"schema": {}}}}},
                }
            },
            "/things/{id}": {"parameters": [parameter("id", "path")], "post": tell},
        }
    )


def scenario(url, steps, load="[{ hold: 10/s, for: 100ms }]", more=""):
    """A scenario of one session with steps, a line each."""
    lines = [
        "name: T",
        "contract: api.json",
        f"target: {url}",
        "settings: { grace: 2s, timeout: 5s }",
        "sessions:",
        "  a:",
        "    steps:",
    ]
    lines += ["      " + line for line in steps.strip("\n").split("\n")]
    return "\n".join(lines + [f"load: {load}", more]) + "\n"


def telling_steps(place, source="- { call: seed, save: { v: $.v, v2: $.u } }"):
    """Fetches a value and sends it at a place."""
    words = "" if place == "path" else "\n  path: { id: one }"
    if place == "url":
        words = ""
    return f"{source}\n- call: tell{words}\n  {PLACES[place]}"
