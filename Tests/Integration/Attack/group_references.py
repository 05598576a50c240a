"""References that leave the folder of a contract are refused before anything is opened (point 15)."""

import os
from functools import partial

import documents
from kit import Group

FOLDERS = {
    "zero": "/dev/zero",
    "passwd": "/etc/passwd",
    "above": "../../../../../../etc/passwd",
    "FIFO": "FIFO",
    "url": "http://127.0.0.1:1/a",
    "file url": "file:///etc/passwd",
    "proc": "/proc/self/environ",
    "random": "/dev/urandom",
    "link": "link.json",
    "itself": "api.json",
    "folder": ".",
    "stdin": "/dev/stdin",
    "percent": "%2e%2e/%2e%2e/etc/passwd",
    "nul": "a%00b",
    "network": "//127.0.0.1/share/a",
    "tty": "/dev/tty",
}
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
    get = {
        "operationId": "a",
        "parameters": [ref] if use == "parameter" else [],
        "responses": {
            "200": (
                ref
                if use == "response"
                else {"description": "x", "content": {"application/json": {"schema": ref if use == "schema" else {}}}}
            )
        },
    }
    case.write("api.json", documents.contract({"/a": ref if use == "path" else {"get": get}}))
    case.write("s.yaml", documents.scenario("http://127.0.0.1:1", "- { call: a }"))
    words = {"check": ["check", "api.json"], "run": ["run", "s.yaml"], "init": ["init", "api.json", "-o", "-"]}[verb]
    ended = case.murphy(*words)
    case.require("root:" not in ended.text, "shows /etc/passwd")
    case.require("PATH=" not in ended.text, "shows the environment")
    # `init` and `check` may leave out an operation that cannot be used, and report it.
    case.require(ended.text.strip(), "no word")
    case.require(verb != "run" or ended.status != 0, "the reference is accepted")


def references():
    for use in USES:
        for label in FOLDERS:
            for verb in ("check", "run", "init"):
                yield f"{verb}: {use} refers to {label}", partial(referred, use, label, verb)


GROUPS = [Group("references", 15, 300, references)]
