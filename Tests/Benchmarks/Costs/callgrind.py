"""Reads what `valgrind --tool=callgrind` writes: for each function its own instructions, and how often it was called.

Format: https://valgrind.org/docs/manual/cl-format.html
"""
import collections
import re

POSITION = re.compile(r"^(\+|-|\*|0x|\d)")
NAMED = re.compile(r"^(c?fn)=\((\d+)\)(?: (.*))?$")


class Profile:
    """Own instructions and calls by function, and the system calls of the whole."""

    def __init__(self, path):
        self.instructions = collections.Counter()
        self.calls = collections.Counter()
        self.systemCalls = 0
        names = {}
        function = callee = None
        isCall = False
        events = ["Ir"]
        with open(path, errors="replace") as lines:
            for line in lines:
                if line.startswith("events:"):
                    events = line.split()[1:]
                elif found := NAMED.match(line.rstrip("\n")):
                    kind, number, name = found.groups()
                    if name is not None:
                        names[number] = name
                    if kind == "fn":
                        function = names[number]
                    else:
                        callee = names[number]
                elif line.startswith("calls="):
                    self.calls[callee] += int(line[6:].split()[0])
                    isCall = True
                elif POSITION.match(line):
                    # The line after `calls=` has the cost of the callee.
                    if not isCall:
                        counts = dict(zip(events, map(int, line.split()[1:])))
                        self.instructions[function] += counts.get("Ir", 0)
                        self.systemCalls += counts.get("sysCount", 0)
                    isCall = False
