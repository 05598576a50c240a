"""Commands for reproduction execute nothing that a server or a secret says (issue 29, points 4 and 5)."""

from functools import partial

import documents
import shells
import texts
from kit import Group
from servers import Server, answer


def telling(value, echo=False):
    """Gives a value at /seed, and breaks its promises elsewhere."""

    def respond(request):
        if request.target == "/seed":
            return answer(body={"v": value, "u": "/things/" + value})
        heard = request.target + str(request.fields) + request.body.decode("utf-8", "replace")
        return answer(500, {"heard": heard if echo else ""})

    return Server(respond)


def check_folder(case, server, secret=None, name="r/result.json"):
    found = shells.scripts(case.read(name))
    case.require(found, "no command for reproduction")
    before = len(server.requests)
    shells.execute(case, found + shells.printed(case.ended.output.decode("utf-8", "replace")), secret)
    stolen = [request for request in server.requests[before:] if b"root:" in request.body]
    case.require(not stolen, "a command sends /etc/passwd")
    return found


def saved(text, place, case):
    with telling(text) as server:
        case.write("api.json", documents.telling())
        case.write("s.yaml", documents.scenario(server.url, documents.telling_steps(place)))
        case.murphy("run", "s.yaml", "--report", "r", statuses={1})
        check_folder(case, server)


def masked(secret, place, case):
    source = "- { call: seed, save: { v: { path: $.v, secret: true }, v2: { path: $.u, secret: true } } }"
    with telling(secret, echo=True) as server:
        case.write("api.json", documents.telling())
        case.write("s.yaml", documents.scenario(server.url, documents.telling_steps(place, source)))
        case.murphy("run", "s.yaml", "--report", "r", "-v", statuses={1})
        check_folder(case, server, secret)
        if len(secret) >= 6 and "B7Q9" in secret:
            found = texts.leaks(secret, case.files("api.json", "s.yaml"))
            case.require(not found, "; ".join(found)[:800])


def from_environment(secret, place, case):
    with telling("x", echo=True) as server:
        steps = documents.telling_steps(place, '- { set: { v: "${env(S)}", v2: "/things/${env(S)}" } }')
        case.write("api.json", documents.telling())
        case.write("s.yaml", documents.scenario(server.url, steps))
        case.murphy("run", "s.yaml", "--report", "r", "--http-debug", env={"S": secret}, statuses={1})
        check_folder(case, server, secret)
        if "B7Q9" in secret:
            found = texts.leaks(secret, case.files("api.json", "s.yaml"))
            case.require(not found, "; ".join(found)[:800])


def explored(text, case):
    """Explore reads what the server calls a thing that it made."""
    thing = {"type": "object", "required": ["id"], "properties": {"id": {"type": "string"}, "name": {"type": "string"}}}
    content = {"application/json": {"schema": thing}}
    sent = {"content": {"application/json": {"schema": {"type": "object", "properties": {"name": {"type": "string"}}}}}}
    one = [documents.parameter("id", "path")]
    case.write(
        "api.json",
        documents.contract(
            {
                "/things": {
                    "post": {
                        "operationId": "add",
                        "requestBody": sent,
                        "responses": {"201": {"description": "made", "content": content}},
                    }
                },
                "/things/{id}": {
                    "get": {
                        "operationId": "get",
                        "parameters": one,
                        "responses": {"200": {"description": "one", "content": content}},
                    }
                },
            }
        ),
    )
    count = [0]

    def respond(request):
        if request.method == "POST":
            count[0] += 1
            return answer(201, {"id": f"{text}{count[0]}", "name": text})
        return answer(500, {"message": text})

    with Server(respond) as server:
        case.murphy(
            "explore",
            "api.json",
            "--target",
            server.url,
            "--max-seconds",
            "4",
            "--max-requests",
            "60",
            "--report",
            "r",
            "--export",
            "found.yaml",
            "--seed",
            "1",
        )
        if "r/result.json" in case.files():
            shells.execute(case, shells.scripts(case.read("r/result.json"))[:6])
        case.murphy("check", "found.yaml", statuses={0, 2})
        if b"found.yaml" in case.ended.output + case.ended.errors and case.ended.status:
            case.require(b"no such file" in case.ended.text.encode().lower(), f"export: {case.ended.text[:500]}")


def named(text, case):
    """Names of files stand in the commands, too."""
    name = text.replace("/", "_").replace("\0", "")[:80] + ".yaml"
    with telling("x") as server:
        case.write("api.json", documents.telling())
        case.write(name, documents.scenario(server.url, documents.telling_steps("path")))
        case.murphy("run", "./" + name, "--report", "r", statuses={1, 2})
        if case.ended.status == 1:
            check_folder(case, server)


def limited(text, case):
    """The probe of limits prints commands with what it saved."""

    def respond(request):
        return (
            answer(200, {"v": text, "u": ""})
            if request.target == "/seed"
            else answer(500 if len(text) % 2 else 429, {})
        )

    more = "expect: { limits: { tell: { allow: 3, per: 2s, key: X-Thing, operations: [tell] } } }"
    with Server(respond) as server:
        case.write("api.json", documents.telling())
        case.write("s.yaml", documents.scenario(server.url, documents.telling_steps("header"), more=more))
        case.murphy(
            "limits",
            "s.yaml",
            "--quick",
            "--max-requests",
            "20",
            "--max-seconds",
            "4",
            "--format",
            "json",
            "--output",
            "l.json",
        )
        if "l.json" in case.files():
            shells.execute(case, shells.scripts(case.read("l.json"))[:6])


def commands():
    for label, text in texts.SHELL.items():
        for place in documents.PLACES:
            yield f"saved {label} in {place}", partial(saved, text, place)


def masking():
    for label, secret in texts.SECRETS.items():
        for place in documents.PLACES:
            yield f"saved secret {label} in {place}", partial(masked, secret, place)
        for place in ("path", "header", "body", "multipart"):
            yield f"secret of the environment {label} in {place}", partial(from_environment, secret, place)


def others():
    for label, text in texts.SHELL.items():
        yield f"file name {label}", partial(named, text)
        yield f"explore {label}", partial(explored, text)
    for label in list(texts.SHELL)[::4]:
        yield f"limits {label}", partial(limited, texts.SHELL[label])


GROUPS = [
    Group("commands", 30, 400, commands),
    Group("masked-commands", 30, 400, masking),
    Group("commands-of-verbs", 45, 400, others),
]
