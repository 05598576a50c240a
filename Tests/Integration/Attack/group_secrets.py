"""No secret of a recording stands in any output (point 9)."""

import base64
import json
import re
import subprocess
import urllib.parse
from functools import partial

import documents
import texts
from kit import Group
from servers import Server, answer

NAMES = (
    "password",
    "passwd",
    "pwd",
    "passcode",
    "passphrase",
    "secret",
    "client_secret",
    "token",
    "access_token",
    "refresh_token",
    "id_token",
    "api_key",
    "apiKey",
    "app_key",
    "X-Api-Key",
    "X-Auth-Key",
    "X-Functions-Key",
    "X-Master-Key",
    "DD-APPLICATION-KEY",
    "DD-API-KEY",
    "X-Session",
    "PHPSESSID",
    "JSESSIONID",
    "sessionid",
    "csrf",
    "csrf_token",
    "csrfmiddlewaretoken",
    "__RequestVerificationToken",
    "X-CSRF-Token",
    "authenticity_token",
    "private_key",
    "otp",
    "pin",
    "signature",
    "X-Amz-Signature",
    "X-Amz-Security-Token",
    "X-Vault-Token",
    "newPassword",
    "current_password",
    "user[password]",
    "Ocp-Apim-Subscription-Key",
    "X-Auth-Token",
    "PRIVATE-TOKEN",
    "credential",
    "jwt",
    "auth_token",
)
OPAQUE = ("access", "refresh", "session")
SECRET = "Zq7/x+Kw=Lm9~Rt"


def form(pairs):
    return urllib.parse.urlencode(pairs), "application/x-www-form-urlencoded"


def multipart(name, secret):
    disposition = "Content-Disposition: form-data; name="
    parts = f'--b\r\n{disposition}"a"\r\n\r\n1\r\n--b\r\n{disposition}"{name}"\r\n\r\n{secret}\r\n--b--\r\n'
    return parts, "multipart/form-data; boundary=b"


def word(name):
    """A name that XML allows."""
    return re.sub(r"[^\w.-]", "_", name)


# Notations of a name and its value in a body: text and media type.
BODIES = {
    "json": lambda n, s: (json.dumps({"a": 1, n: s}), "application/json"),
    "list": lambda n, s: (json.dumps([{"b": {n: [s]}}]), "application/json"),
    "nested twice": lambda n, s: (json.dumps({"a": json.dumps({"b": json.dumps({n: s})})}), "application/json"),
    "pair": lambda n, s: (json.dumps([{"name": n, "value": s}]), "application/json"),
    "form": lambda n, s: form([("a", "1"), (n, s)]),
    "multipart": multipart,
    "xml": lambda n, s: (f"<l><{word(n)}>{s}</{word(n)}></l>", "application/xml"),
    "cdata": lambda n, s: (f"<l><{word(n)}><![CDATA[{s}]]></{word(n)}></l>", "text/xml"),
    "namespace": lambda n, s: (f'<l xmlns:w="u"><w:{word(n)} a="b">{s}</w:{word(n)}></l>', "application/soap+xml"),
    "input": lambda n, s: (f'<form><input value="{s}" type=hidden name="{n}"></form>', "text/html"),
    "form in json": lambda n, s: (json.dumps({"a": form([(n, s)])[0]}), "application/json"),
    "json lines": lambda n, s: (json.dumps({"a": 1}) + "\n" + json.dumps({n: s}) + "\n", "application/x-ndjson"),
    "graphql": lambda n, s: (
        json.dumps({"query": "mutation A { a }", "variables": {"input": {n: s}}}),
        "application/json",
    ),
}
PLACES = ("request", "response", "header", "query", "cookie", "referer", "location")


def exchange(place, name, secret, body=None):
    """An entry of a HAR file with a secret at a place."""
    text, kind = BODIES[body](name, secret) if body else ("{}", "application/json")
    quoted = urllib.parse.quote(secret, safe="")
    fields, sent, url = [], [], "http://127.0.0.1:9/things/1"
    if place == "header":
        sent = [{"name": name, "value": secret}]
    elif place == "query":
        url += f"?a=1&{urllib.parse.quote(name)}={quoted}"
    elif place == "cookie":
        sent = [{"name": "Cookie", "value": f"a=b; {name}={quoted}"}]
        fields = [{"name": "Set-Cookie", "value": f"{name}={quoted}; Path=/"}]
    elif place == "referer":
        sent = [{"name": "Referer", "value": f"http://bob:{quoted}@h.test/a?{urllib.parse.quote(name)}={quoted}"}]
    elif place == "location":
        fields = [
            {"name": "Location", "value": f"http://h.test/cb?{urllib.parse.quote(name)}={quoted}#access_token={quoted}"}
        ]
    request = {
        "method": "POST",
        "url": url,
        "headers": sent,
        "postData": {
            "mimeType": kind if place == "request" else "application/json",
            "text": text if place == "request" else "{}",
        },
    }
    content = {
        "mimeType": kind if place == "response" else "application/json",
        "text": text if place == "response" else "{}",
    }
    return {
        "startedDateTime": "2026-01-01T00:00:00.000Z",
        "time": 1,
        "request": request,
        "response": {"status": 200, "headers": fields, "content": content},
    }


def echoes(secret):
    """The secret again under a harmless name, in the encodings of point 9."""
    data = secret.encode()
    again = [
        secret,
        base64.b64encode(data).decode(),
        base64.urlsafe_b64encode(data).decode(),
        base64.b64encode(b"u:" + data).decode(),
        urllib.parse.quote(secret, safe=""),
        urllib.parse.quote_plus(secret),
    ]
    return json.dumps({f"seen{n}": text for n, text in enumerate(again)})


def recorded(place, name, body, case):
    entries = [exchange(place, name, SECRET, body)]
    entries.append(
        dict(
            entries[0],
            request=dict(
                entries[0]["request"],
                url="http://127.0.0.1:9/things/2",
                headers=[],
                postData={"mimeType": "application/json", "text": echoes(SECRET)},
            ),
        )
    )
    case.write("api.json", documents.telling())
    case.write("f.har", json.dumps({"log": {"entries": entries}}))
    case.murphy("import", "f.har", "--contract", "api.json", "-o", "s.yaml", "--operation", "tell", statuses={0, 2})
    found = texts.leaks(SECRET, case.files("api.json", "f.har"))
    case.require(not found, "; ".join(found)[:700])


def recordings():
    for name in NAMES + OPAQUE:
        for place in ("header", "query", "cookie", "referer", "location"):
            if name not in OPAQUE and "[" not in name:
                yield f"import: {name} in a {place}", partial(recorded, place, name, None)
    for number, name in enumerate(NAMES):
        for position, body in enumerate(BODIES):
            if (number + position) % 4 == 0 or name in ("password", "app_key", "passcode", "csrf"):
                yield f"import: {name} in a request of {body}", partial(recorded, "request", name, body)
            if (number + position) % 8 == 1:
                yield f"import: {name} in a response of {body}", partial(recorded, "response", name, body)
    for name in OPAQUE:
        yield f"import: {name} in a response of json", partial(recorded, "response", name, "json")


def proxied(body, case):
    """All names at once through the recording proxy, as HAR and as a scenario."""
    secrets = {name: f"Zq{number}k/x+Kw={number}Lm9" for number, name in enumerate(NAMES) if "[" not in name}
    heard = []

    def respond(request):
        heard.append(request)
        return answer(200, echoes(list(secrets.values())[len(heard) % len(secrets)]).encode())

    case.write("api.json", documents.telling())
    with Server(respond) as server:
        target = server.url.replace("http://", "http://bob:Zq00k%2Fx+own@")
        process = case.start(
            "record", "--target", target, "--openapi", "api.json", "-o", "o.har", "-o", "o.yaml", "--operation", "tell"
        )
        said = process.said(b"listen", 5) or process.said(b"http://127.0.0.1", 10) or ""
        ports = [port for port in re.findall(r"http://127\.0\.0\.1:(\d+)", said) if int(port) != server.port]
        case.require(ports, f"no address: {said[:300]}")
        for name, secret in secrets.items():
            text, kind = BODIES[body](name, secret)
            subprocess.run(
                [
                    "curl",
                    "-sS",
                    "-o",
                    "/dev/null",
                    "-X",
                    "POST",
                    "-H",
                    f"Content-Type: {kind}",
                    "--data-binary",
                    "@-",
                    f"http://127.0.0.1:{ports[0]}/things/1",
                ],
                input=text.encode(),
                timeout=20,
                check=False,
            )
        process.send(2)
        case.finish(process, statuses={0})
    case.require(len(heard) == len(secrets), f"{len(heard)} of {len(secrets)} requests arrived")
    found = [
        leak for secret in [*secrets.values(), "Zq00k/x+own"] for leak in texts.leaks(secret, case.files("api.json"))
    ]
    case.require(not found, f"{len(found)}: " + "; ".join(found)[:700])


def proxies():
    for body in BODIES:
        yield f"record: all names in {body}", partial(proxied, body)


GROUPS = [Group("recorded-secrets", 20, 400, recordings), Group("proxied-secrets", 60, 400, proxies)]
