"""Credentials of a target that is rejected stand in no output (point 10)."""

import json
from functools import partial

import documents
from kit import Group

TARGETS = (
    "http://bob:Zq9-pw@h/?x=1",
    "http://bob:Zq9-pw@h/#x",
    "http://bob:Zq9-pw@h:99999/",
    "ftp://bob:Zq9-pw@h/",
    "bob:Zq9-pw@h",
    "http://bob:Zq9/pw@h",
    "http://h/?token=Zq9-pw",
    "http://bob:Zq9-pw@127.0.0.1:1",
    "http://Zq9-pw@127.0.0.1:1",
    "http://bob:Zq9 pw@h",
    "http://bob:Zq9%00@h",
    "http://bob:Zq9\u0301@h:x",
    "//bob:Zq9@h",
    "http:bob:Zq9@h",
    "HTTP://bob:Zq9@h:-1",
    "http://bob:Zq9@@h",
    "http://bob:Zq9@[::1",
    "embedded:Zq9@h?password=Zq9",
    "http://bob:Zq9@h\\@x",
    "http://b:Zq9@h?api_key=Zq9#a",
    "\thttp://bob:Zq9@h/ ",
    "http://h/p?X-Amz-Signature=Zq9",
)
VERBS = {
    "run": ["run", "s.yaml"],
    "try": ["try", "s.yaml"],
    "limits": ["limits", "s.yaml"],
    "capacity": ["capacity", "s.yaml"],
    "init": ["init", "api.json", "-o", "d.yaml"],
    "explore": ["explore", "api.json"],
    "record": ["record", "--max-seconds", "0.2"],
    "check": ["check", "s.yaml"],
}


def rejected(verb, target, case):
    case.write("api.json", documents.telling())
    case.write("s.yaml", documents.scenario("http://127.0.0.1:1", "- { call: seed }"))
    if verb == "compare":
        ended = case.murphy("compare", "s.yaml", "--base", target, "--candidate", target)
    elif verb == "upload":
        ended = case.murphy("run", "s.yaml", "--target", "http://127.0.0.1:1", "--shard", "1/1", "--upload", target)
    elif verb == "merge":
        ended = case.murphy("merge", target)
    elif verb == "scenario":
        case.write("t.yaml", documents.scenario(json.dumps(target), "- { call: seed }"))
        ended = case.murphy("run", "t.yaml")
    else:
        ended = case.murphy(*VERBS[verb], f"--target={target}")
    case.require("Zq9" not in ended.text, f"shows the credentials: {ended.text[:300]}")
    for name, data in case.files("api.json", "s.yaml", "t.yaml").items():
        case.require(b"Zq9" not in data, f"{name} holds the credentials")


def targets():
    for verb in [*VERBS, "compare", "upload", "merge", "scenario"]:
        for target in TARGETS:
            if verb in ("check", "record") and "127.0.0.1" in target:
                continue
            yield f"{verb} of {target!r}", partial(rejected, verb, target)


GROUPS = [Group("targets", 30, 400, targets)]
