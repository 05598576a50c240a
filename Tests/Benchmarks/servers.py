"""Servers with one fault, for one run of a tool: the bookshop, and the reference APIs of murphy."""
import json
import pathlib
import re
import subprocess
import urllib.request

from apps import APPS, CLEAN

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent

# Faults that need concurrent requests or limits: invisible to one user who waits for each response, without limits.
MEETING = {
    "murphys-laws": {"vote-race", "preferences-mixed-up", "answers-exchanged", "refused-vote-counted"},
    "journal": {"version-twice", "pushes-mixed-up", "pulls-mixed-up", "logins-mixed-up"},
    "milo": {"tickets-mixed-up", "tokens-mixed-up", "receipts-mixed-up", "push-to-neighbour"},
    "monica": {"pages-mixed-up", "contacts-mixed-up"},
}
FAMILIES = {"contract", "state", "relation", "transport"}
# Of the faults that every system has, those that a response shows.
OF_ALL = ["bare-error"]
LOGINS = {
    "journal": ("/v1/sessions", [{"email": f"{name}@example.com"} for name in ("ada", "grace")], "token"),
    "monica": ("/oauth/login", [{"email": "ada@example.com", "password": "secret"}] * 2, "access_token"),
}


class Server:
    """A program that serves until the end of a `with`; `tokens` are of one user and of another."""

    tokens = []

    def __init__(self, *command):
        self.process = subprocess.Popen(
            [str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)

    def line(self):
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"{' '.join(map(str, self.process.args))} ended before it printed its address")
        return line

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()


class Bookshop(Server):
    """`bookshop-server --fault NAME`"""

    document = ROOT / "Tests/Support/Bookshop/bookshop.yaml"

    def __init__(self, program, fault="none"):
        super().__init__(program, "--port", 0, "--fault", fault)
        self.url, *self.tokens = (self.line().split()[-1] for _ in range(3))

    @staticmethod
    def faults(program):
        """Each fault's name with its operation and sentence."""
        done = subprocess.run([program, "--list-faults"], stdout=subprocess.PIPE, text=True, check=True)
        rows = (line.split("\t") for line in done.stdout.splitlines())
        return {name: (operation, sentence) for name, operation, sentence in rows}


class App(Server):
    """One of schemathesis's own test servers, with the Python that has what they need."""

    def __init__(self, python, sources, folder, name="none"):
        self.document = folder / "openapi.json"
        script = pathlib.Path(__file__).with_name("apps.py")
        super().__init__(python, script, sources, CLEAN if name == "none" else name, self.document)
        self.url = self.line().split()[-1]

    @staticmethod
    def faults():
        return {name: ("", sentence) for name, (sentence, _) in APPS.items()}


class Reference(Server):
    """`murphy serve SYSTEM --fault NAME`, without limits."""

    def __init__(self, murphy, system, fault="none"):
        self.document = ROOT / f"scenarios/{system}/openapi.yaml"
        faults = [] if fault == "none" else ["--fault", fault]
        super().__init__(murphy, "serve", system, "--port", 0, "--limits", "off", *faults)
        self.url = re.search(r"http://[\d.:]+", self.line()).group()
        if system in LOGINS:
            path, bodies, key = LOGINS[system]
            self.tokens = [self.log_in(path, body)[key] for body in bodies]
        elif system == "milo":
            self.tokens = ["first", "second"]

    def log_in(self, path, body):
        request = urllib.request.Request(
            self.url + path, json.dumps(body).encode(), {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=10) as answer:
            return json.load(answer)

    @staticmethod
    def faults(murphy, system):
        """Each fault that one user could see, with its operation and sentence; the operation where the sentence names one."""
        done = subprocess.run([murphy, "serve", system, "--faults"], stdout=subprocess.PIPE, text=True, check=True)
        found, owner, family = {}, None, None
        for line in done.stdout.splitlines():
            depth = len(line) - len(line.lstrip())
            if depth == 0 and line:
                owner = line.strip()
            elif depth == 2:
                family = line.strip()
            elif depth == 4:
                name, sentence = line.split(maxsplit=1)
                chosen = family in FAMILIES and name not in MEETING[system] if owner == system else name in OF_ALL
                if chosen:
                    operation = re.match(r"[a-z]+[A-Z]\w+", sentence)
                    found[name] = (operation.group() if operation else "", sentence)
        return found
