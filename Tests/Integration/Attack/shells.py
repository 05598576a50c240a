"""Executes the commands that a result prints, and looks for what they must not leave behind."""

import json
import os
import re
import subprocess

from texts import CANARY


def scripts(result):
    """All reproduction commands of a result.json, each once."""
    found = {}

    def walk(node):
        if isinstance(node, dict):
            for key, value in node.items():
                if key in ("curl", "reproduction", "command", "script") and isinstance(value, str):
                    found[value] = None
                walk(value)
        elif isinstance(node, list):
            for value in node:
                walk(value)

    walk(json.loads(result))
    return list(found)


def printed(text):
    """Commands that the terminal shows, as they would be pasted."""
    lines = re.findall(r"(?m)^(?:Reproduce(?: \d+)?|Re-run| {2,})\s*((?:curl|murphy|:|\() ?.*)$", text)
    return [line for line in lines if len(line) > 8]


def execute(case, commands, secret=None):
    """Runs each command by sh and by bash; no canary may appear, and no file of the machine may be read."""
    folder = case.path("shell")
    os.makedirs(folder, exist_ok=True)
    for command in commands:
        variables = re.findall(r"\$\{(\w+):\?", command)
        for shell in ("sh", "bash"):
            environment = {"PATH": os.environ["PATH"], "HOME": folder, "LANG": "C.UTF-8"}
            if secret is not None:
                environment.update({name: secret for name in variables})
            try:
                subprocess.run(
                    [shell, "-c", command.encode("utf-8", "surrogatepass").replace(b"\0", b"")],
                    cwd=folder,
                    env=environment,
                    stdin=subprocess.DEVNULL,
                    capture_output=True,
                    timeout=20,
                )
            except subprocess.TimeoutExpired:
                case.require(False, f"{shell}: a command does not end: {command[:300]}")
            case.require(CANARY not in os.listdir(folder), f"{shell} executes a text of the server: {command[:600]!r}")
            left = [name for name in os.listdir(folder) if not name.startswith(".")]
            case.require(not left, f"{shell}: a command leaves {left}: {command[:600]!r}")
