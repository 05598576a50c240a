"""A contract of 1 MB with 190 operations: the time and memory of each command, and the time to the first request."""
import http.server
import json
import os
import shutil
import socketserver
import statistics
import threading
import time

from process import Done

PORT = 18434
RESOURCES, SIZE = 38, 1_000_000


def field(number):
    """One of the kinds of fields that occur in documents of real APIs."""
    text = f"The field {number} of the resource, as the API returns it to its clients. It may change with a new version."
    kinds = [
        dict(type="string", maxLength=200), dict(type="integer", minimum=0), dict(type="string", format="date-time"),
        dict(type="boolean"), dict(type="string", enum=[f"STATE_{number}", "OPEN", "CLOSED"]),
        dict(type="array", items=dict(type="string")), dict(type="number"), dict(type="string", format="uri")]
    return dict(kinds[number % len(kinds)], description=text, title=f"Field {number}")


def schema(resource, fields):
    own = {f"field_{number}": field(number + resource) for number in range(fields)}
    return dict(
        type="object", required=["id", "name"], description=f"The resource {resource}.",
        properties={
            "id": dict(type="integer"), "name": dict(type="string", minLength=1), **own,
            "owner": {"$ref": "#/components/schemas/User"},
            "parent": {"$ref": f"#/components/schemas/Resource{resource // 2}"}})


def document(fields=110):
    """Five operations for each resource, with its schema shared by requests and responses."""
    def content(reference):
        return dict(description="As requested.", content={"application/json": dict(schema=reference)})

    paths, schemas = {}, {"User": dict(type="object", required=["id"], properties={
        "id": dict(type="integer"), "email": dict(type="string", format="email"), "name": dict(type="string")})}
    for number in range(RESOURCES):
        one = {"$ref": f"#/components/schemas/Resource{number}"}
        schemas[f"Resource{number}"] = schema(number, fields)
        body = dict(required=True, content={"application/json": dict(schema=one)})
        page = [dict(name=name, schema=dict(type="integer", minimum=0), **{"in": "query"}) for name in ("limit", "offset")]
        many = dict(type="object", required=["data"], properties=dict(data=dict(type="array", items=one)))
        missing = {"404": dict(description="No such resource.")}

        def operation(verb, answer, status="200", **more):
            return dict(operationId=f"{verb}Resource{number}", summary=f"{verb} the resource {number}",
                        responses={status: answer, **missing}, **more)
        paths[f"/resources{number}"] = dict(
            get=operation("list", content(many), parameters=page),
            post=operation("create", content(one), "201", requestBody=body))
        paths[f"/resources{number}/{{id}}"] = dict(
            parameters=[dict(name="id", required=True, schema=dict(type="integer"), **{"in": "path"})],
            get=operation("get", content(one)), put=operation("replace", content(one), requestBody=body),
            delete=operation("delete", dict(description="Deleted."), "204"))
    return dict(openapi="3.0.3", info=dict(title="A large API", version="1"), paths=paths,
                components=dict(schemas=schemas))


class Answers(http.server.BaseHTTPRequestHandler):
    """A list with one item, the item, or 404: enough for sessions that read lists and items."""
    protocol_version = "HTTP/1.1"
    first = None

    def answer(self):
        Answers.first = Answers.first or time.monotonic()
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        item = {"id": 1, "name": "one"}
        isList = self.path.split("?")[0].count("/") == 1
        body = json.dumps({"data": [item]} if isList and self.command == "GET" else item).encode()
        self.send_response(201 if self.command == "POST" else 204 if self.command == "DELETE" else 200)
        if self.command == "DELETE":
            body = b""
        else:
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do_HEAD = do_OPTIONS = answer

    def log_message(self, *_):
        pass


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True
    request_queue_size = 500

    def handle_error(self, *_):
        """A client that ends does not wait for responses."""


def write(folder):
    """The document with as many fields as make it 1 MB long."""
    fields = 20
    while len(text := json.dumps(document(fields))) < SIZE:
        fields += max(1, fields * (SIZE - len(text)) // len(text) // 2)
    (folder / "openapi.json").write_text(text)
    return len(text)


ONE = """name: One operation
contract: openapi.json
sessions: { reader: { steps: [{ call: listResource7 }] } }
load: [{ users: 1, for: 300ms }]
"""


def documents(peers, figures, rounds):
    """CPU time and memory of each command that reads the document, and the wait until `run` sends its first request."""
    folder = peers.work / "documents"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    size = write(folder)
    (folder / "one.yaml").write_text(ONE)
    figures.title(f"a contract of {size:,} bytes with {RESOURCES * 5} operations")
    server = Server(("127.0.0.1", PORT), Answers)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    target = f"http://127.0.0.1:{PORT}"
    commands = {
        "check": ["check", "openapi.json"],
        "init": ["init", "openapi.json", "--output", "scenario.yaml", "--writes"],
        "run": ["run", "scenario.yaml", "--target", target, "--duration", "3s", "--report", "report"],
        "run of one operation": ["run", "one.yaml", "--target", target, "--report", "report"],
        "explore": ["explore", "openapi.json", "--target", target, "--max-seconds", "5", "--report", "explored"]}
    place = os.getcwd()
    os.chdir(folder)
    try:
        starts = []
        for name, words in commands.items():
            measured = []
            for _ in range(rounds if name != "explore" else 1):
                if name == "init":
                    (folder / "scenario.yaml").unlink(missing_ok=True)
                Answers.first, begun = None, time.monotonic()
                measured.append(Done([peers.murphy, *words], cores=None))
                if name == "run of one operation":
                    starts.append((Answers.first - begun) * 1e3)
            cpu = statistics.median(done.cpu for done in measured) * 1e3
            memory = max(done.memory for done in measured) / 2**20
            figures.add("documents", f"{name}: CPU time", cpu, "ms")
            aim = dict(aim="< 150", met=memory < 150)
            figures.add("documents", f"{name}: largest memory", memory, "MiB", **aim)
        start = statistics.median(starts)
        figures.add("documents", "start to the first request", start, "ms", "<= 15", start <= 15)
    finally:
        os.chdir(place)
        server.shutdown()
