"""Every option of every verb, as --help lists them, with values at the borders (points 15 and 16)."""

import os
import re
import subprocess
import sys
import time
from functools import partial

import documents
from kit import Group

VALUES = {
    "end of dates": "9999-12-31T23:59:59Z",
    "year 1": "0001-01-01T00:00:00Z",
    "leap second": "2026-12-31T23:59:60Z",
    "1e308": "1e308",
    "1e400": "1e400",
    "minus one": "-1",
    "2^63": str(2**63),
    "2^63-1": str(2**63 - 1),
    "2^64": str(2**64),
    "minus 2^63": str(-(2**63)),
    "NaN": "nan",
    "infinity": "inf",
    "empty": "",
    "blank": " ",
    "tiny": "1e-320",
    "zero": "0",
    "zero seconds": "0s",
    "long time": "9" * 30 + "d",
    "long number": "9" * 5000,
    "rate": "1e308/s",
    "users": "9223372036854775807 users",
    "share": "1e308%",
    "fraction": "1/0",
    "shard": "9223372036854775807/2",
    "text of 100 KB": "x" * 100_000,
    "no UTF-8": b"\xff\xfe\xc3(",
    "marks": "1\u0301",
    "arabic digits": "\u0661\u0662",
    "controls": "a\x1b[2J\x85\u202e",
    "equals": "=",
    "name": "A=",
    "lone name": "=b",
    "at": "@",
    "plus file": "+1e308s@/dev/null",
    "self": "../../../../etc/passwd",
    "quote": "'\u0301",
    "pattern": "(a|aa)+$",
    "url": "http://[::1",
    "url of a file": "file:///etc/passwd",
    "port": "http://127.0.0.1:99999",
    "many dots": "." * 5000,
    "parens": "(" * 20_000,
    "query": "$" + "..*" * 2000,
}
FLAGS = {"help", "version"}
POSITIONAL = {
    "run": ["s.yaml"],
    "try": ["s.yaml"],
    "init": ["api.json"],
    "explore": ["api.json"],
    "limits": ["s.yaml"],
    "import": ["f.har", "--contract", "api.json"],
    "record": ["--max-seconds", "0.2"],
    "capacity": ["s.yaml"],
    "compare": ["s.yaml"],
    "report": ["r.json"],
    "trend": ["r.json"],
    "tune": ["s.yaml", "--sessions", "50"],
    "merge": ["r.json"],
    "check": ["s.yaml"],
    "jsonpath": ["$.a", "api.json"],
    "serve": ["murphys-laws", "--port", "0"],
    "selfcheck": ["--trials", "1"],
    "schema validate": ["--schema", "api.json", "api.json"],
    "schema show": ["result"],
    "completions": ["bash"],
}
TARGETS = {"run", "try", "explore", "limits", "record", "capacity", "init"}


def options(kit, verb):
    """Options of a verb that take a value, as its help lists them."""
    said = subprocess.run([kit, "help", *verb.split()], capture_output=True, timeout=60).stdout.decode()
    # An entry is an option and its placeholder; `--live` and `--http-debug` take a value with an equals sign alone.
    found = re.findall(r"(?m)^  (?:-\w, )?--([\w-]+)(?:, --[\w-]+)? <", said)
    return found + [name for name in ("live", "http-debug") if f"--{name} " in said]


def border(verb, option, value, case):
    case.write("api.json", documents.telling())
    case.write("s.yaml", documents.scenario("http://127.0.0.1:1", "- { call: tell, path: { id: a } }"))
    case.write("f.har", '{"log":{"entries":[]}}')
    case.write("r.json", "{}")
    data = value if isinstance(value, bytes) else value.encode()
    words = [*verb.split(), *POSITIONAL[verb]]
    if option is None:
        # The value replaces the main argument of the verb.
        words = [*verb.split(), data, *POSITIONAL[verb][1:]]
    else:
        words.append(os.fsencode(f"--{option}=") + data)
    if verb in TARGETS and option != "target":
        words += ["--target", "http://127.0.0.1:1"]
    if option == "start-at":
        words += ["--shard", "1/2", "--seed", "1"]
    process = case.start(*words)
    # An accepted value may run for long: it is then interrupted.
    for number, patience in ((2, 2), (2, 6), (15, 10)):
        if process.said(b"\0never", 0) is None and not over(process, patience):
            process.send(number)
    ended = case.finish(process)
    case.require(len(ended.text) < 400_000, f"{len(ended.text)} characters")
    case.require(ended.status == 0 or ended.text.strip(), f"status {ended.status} without a word")
    case.require("\x1b[2J" not in ended.text and "\u202e" not in ended.text, "control characters reach the terminal")
    # An argument that begins with a hyphen is an option.
    is_option = option is None and data.startswith(b"-")
    case.require(is_option or "Unknown option" not in ended.text, "the option is unknown")
    case.require("root:" not in ended.text, "shows /etc/passwd")


def over(process, patience):
    """Whether the process ends within so many seconds."""
    end = process.begun + patience
    while time.monotonic() < end:
        if os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT):
            return True
        time.sleep(0.01)
    return False


def borders():
    program = next((word for word in sys.argv[1:] if os.access(word, os.X_OK) and os.path.isfile(word)), None)
    if program is None:
        return
    count = 0
    for verb in POSITIONAL:
        for option in [None, *options(program, verb)]:
            for position, (label, value) in enumerate(VALUES.items()):
                # Every twelfth pair, with another offset for each option: all values are used with all verbs.
                if (position + count) % 12 == 0:
                    name = f"--{option}" if option else "argument"
                    yield f"{verb} {name}={label}", partial(border, verb, option, value)
            count += 1


GROUPS = [Group("options", 40, 1200, borders, jobs=2)]
