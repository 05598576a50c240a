"""Tools that explore an API by its document, each as a function from a server to what it found."""
import dataclasses
import json
import os
import re
import subprocess
import time

# Rules in the text of the bookshop's document: without If-Match 428, with an old one 412.
TOLERANCE = """
[checks.missing_required_header]
expected-statuses = [400, 401, 403, 406, 415, 422, 428]
[checks.positive_data_acceptance]
expected-statuses = ["2xx", 401, 403, 404, 409, 412]
"""


@dataclasses.dataclass
class Outcome:
    """`findings` are (kind, operation, seconds from the start or None, message), each of them once."""
    findings: list
    requests: int
    seconds: float
    status: int
    # The message of the tool instead of a result.
    trouble: str = ""
    # Only for schemathesis: the number of operations of the document, those that it called, and those with a 5xx response.
    operations: int = 0
    called: list = dataclasses.field(default_factory=list)
    broken: list = dataclasses.field(default_factory=list)


def run(command, folder, seconds, **environment):
    """The ended program, its output in a file of the folder; the time is up after twice the budget and a minute."""
    began = time.time()
    with open(folder / "output.txt", "w+b") as output:
        try:
            done = subprocess.run(
                [str(word) for word in command], stdout=output, stderr=subprocess.STDOUT, cwd=folder,
                timeout=2 * seconds + 60, env={**os.environ, **environment})
            status = done.returncode
        except subprocess.TimeoutExpired:
            status = -1
    return status, began, time.time() - began


class Murphy:
    name = "murphy"

    def __init__(self, program, options=()):
        self.program, self.options = program, options

    def explore(self, server, folder, seconds, seed):
        status, _, spent = run(
            [self.program, "explore", server.document, "--target", server.url, *self.users(server), "--max-seconds",
             seconds, "--seed", seed, "--format", "json", *self.options], folder, seconds)
        output = (folder / "output.txt").read_text(errors="replace")
        lines = [line for line in output.splitlines() if line.startswith('{"')]
        try:
            result = json.loads(lines[-1])
        except (IndexError, ValueError):
            return Outcome([], 0, spent, status, output[-500:] or f"no output, status {status}")
        first = {}
        for finding in result["findings"]:
            moment = finding.get("seconds")
            first.setdefault((finding["kind"], finding.get("operation") or "", finding.get("message", "")[:300]), moment)
        findings = [[kind, operation, moment, message] for (kind, operation, message), moment in first.items()]
        return Outcome(findings, result["requests"], spent, status)

    @staticmethod
    def users(server):
        """Both users' tokens, under the name of the document's scheme."""
        if not server.tokens:
            return []
        scheme = re.search(r"securitySchemes:\n +(\w+):", server.document.read_text()).group(1).upper()
        names = [f"MURPHY_AUTH_{scheme}", f"MURPHY_AUTH_{scheme}_OTHER"]
        return [word for name, token in zip(names, server.tokens) for word in ("-e", f"{name}={token}")]


class Schemathesis:
    name = "schemathesis"

    def __init__(self, program, options=(), configuration=TOLERANCE):
        self.program, self.options, self.configuration = program, options, configuration

    def explore(self, server, folder, seconds, seed):
        events = folder / "events.ndjson"
        (folder / "schemathesis.toml").write_text(self.configuration + self.users(server, folder))
        status, began, spent = run(
            [self.program, "--config-file", "schemathesis.toml", "run", server.document, "--url", server.url,
             "--checks", "all", "--max-time", seconds, "--request-timeout", 5, "--seed", seed, "--no-color",
             "--generation-database", "none", "--report", "ndjson", "--report-ndjson-path", events, *self.options],
            folder, seconds)
        try:
            outcome = self.read(events, began)
        except (OSError, ValueError) as error:
            return Outcome([], 0, spent, status, f"{error}\n{(folder / 'output.txt').read_text(errors='replace')[-500:]}")
        finally:
            events.unlink(missing_ok=True)
        outcome.status, outcome.seconds = status, spent
        return outcome

    @staticmethod
    def users(server, folder):
        """Both users, so that the check of other users' things runs too."""
        if not server.tokens:
            return ""
        users = [{"name": name, "fixedHeaders": [{"name": "Authorization", "value": f"Bearer {token}"}]}
                 for name, token in zip(("first", "second"), server.tokens)]
        (folder / "users.json").write_text(json.dumps({"auth": users}))
        return '[auth.wfc]\npath = "users.json"\nuser = "first"\npeers = ["first", "second"]\n'

    @staticmethod
    def read(path, began):
        first, requests, operations, labels, called, broken = {}, 0, 0, set(), set(), set()
        for line in path.open():
            (name, event), = json.loads(line).items()
            moment = event.get("timestamp", began) - began
            if name == "LoadingFinished":
                operations = event["statistic"]["operations"]["total"]
            if name == "NonFatalError":
                kind = event.get("title") or event.get("value", {}).get("type") or "error"
                first.setdefault((str(kind), event.get("label") or ""), moment)
            if name != "ScenarioFinished":
                continue
            recorder = event.get("recorder") or {}
            labels.add(recorder.get("label"))
            for case, exchange in (recorder.get("interactions") or {}).items():
                requests += 1
                value = recorder["cases"][case]["value"]
                operation = f"{value['method']} {value['path']}"
                called.add(operation)
                if ((exchange.get("response") or {}).get("status_code") or 0) >= 500:
                    broken.add(operation)
            for checks in (recorder.get("checks") or {}).values():
                for check in checks:
                    if check["status"] == "failure":
                        failure = check["failure_info"]["failure"]
                        first.setdefault((failure["type"], failure["operation"]), moment)
        findings = [[*key, round(moment, 1), ""] for key, moment in first.items()]
        return Outcome(findings, requests, 0, 0, operations=operations, called=sorted(called & labels), broken=sorted(broken & labels))
