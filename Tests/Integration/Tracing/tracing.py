#!/usr/bin/env python3
"""Receives the spans of a Flask application with the OpenTelemetry SDK, and compares the figures with the known work.

The packages come from PyPI, into .build-bench/tracing. The application has three parts with known times: a query of
4 ms (called twice for one request in two), a template of 1 ms, and a lock of 30 ms that one request in ten waits for.
"""
import argparse
import json
import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]
PACKAGES = [
    "flask==3.1.2", "opentelemetry-sdk", "opentelemetry-exporter-otlp-proto-http", "opentelemetry-instrumentation-flask",
]
CONTRACT = """openapi: 3.1.0
info: { title: Laws, version: "1" }
paths:
  /laws:
    get:
      operationId: listLaws
      responses:
        "200": { description: laws, content: { application/json: { schema: { type: object, required: [laws] } } } }
"""
SCENARIO = """name: spans of a Flask application
contract: openapi.yaml
target: http://127.0.0.1:PORT
sessions: { read: { steps: [{ call: listLaws }] } }
load: [{ hold: 20/s, for: 10s }]
expect: { budgets: { listLaws: { p95: 20ms } } }
"""
APPLICATION = """
import itertools, sys, time
from flask import Flask
from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.http import Compression
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.instrumentation.flask import FlaskInstrumentor
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

provider = TracerProvider()
provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(compression=Compression.Gzip)))
trace.set_tracer_provider(provider)
tracer = trace.get_tracer("laws")
app = Flask("laws")
FlaskInstrumentor().instrument_app(app)
numbers = itertools.count()

def work(name, seconds):
    with tracer.start_as_current_span(name):
        time.sleep(seconds)

@app.get("/laws")
def laws():
    number = next(numbers)
    work("SELECT laws", 0.004)
    if number % 2:
        work("SELECT laws", 0.004)
    if number % 10 == 0:
        work("lock", 0.030)
    work("render", 0.001)
    return {"laws": []}

app.run("127.0.0.1", int(sys.argv[1]), threaded=True)
"""


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def python():
    environment = ROOT / ".build-bench/tracing"
    program = environment / "bin/python"
    if not (environment / "installed").exists():
        subprocess.run([sys.executable, "-m", "venv", "--clear", environment], check=True)
        subprocess.run([program, "-m", "pip", "install", "-q", *PACKAGES], check=True)
        (environment / "installed").touch()
    return program


def run(murphy, folder):
    port, receiver = free_port(), free_port()
    (folder / "openapi.yaml").write_text(CONTRACT)
    (folder / "scenario.yaml").write_text(SCENARIO.replace("PORT", str(port)))
    (folder / "application.py").write_text(APPLICATION)
    environment = {**os.environ, "OTEL_EXPORTER_OTLP_ENDPOINT": f"http://127.0.0.1:{receiver}",
                   "OTEL_SERVICE_NAME": "laws"}
    with subprocess.Popen([python(), folder / "application.py", str(port)], env=environment,
                          stderr=subprocess.DEVNULL) as application:
        try:
            for _ in range(200):
                with socket.socket() as probe:
                    if probe.connect_ex(("127.0.0.1", port)) == 0:
                        break
                time.sleep(0.1)
            done = subprocess.run(
                [murphy, "run", folder / "scenario.yaml", f"--otlp={receiver}", "--report", folder / "report"],
                capture_output=True, text=True, timeout=120)
        finally:
            application.terminate()
    return done, json.loads((folder / "report/result.json").read_text())


def mistakes(done, result):
    spans = result["spans"]
    operation = spans["operations"][0]
    rows = {row["name"]: row for row in operation["spans"]}
    expected = {"GET /laws": (1, None), "SELECT laws": (1.5, 4), "render": (1, 1), "lock": (0.1, 30)}
    yield done.returncode == 1, f"the exit status is {done.returncode}, expected 1"
    yield set(rows) == set(expected), f"the spans are {sorted(rows)}"
    yield operation["traces"] == operation["requests"] >= 190, f"{operation['traces']} of {operation['requests']} joined"
    for name, (count, milliseconds) in expected.items():
        row = rows.get(name, {"per_trace": 0, "p50": 0})
        yield abs(row["per_trace"] - count) <= 0.02 * count + 0.01, f"{name}: {row['per_trace']} per request"
        if milliseconds:
            took = row["p50"] / 1000
            yield milliseconds <= took <= milliseconds + 2, f"{name}: p50 {took} ms, expected {milliseconds} ms"
    others = ["incomplete", "late", "foreign", "dropped", "rejected"]
    yield all(spans[key] == 0 for key in others), f"{ {key: spans[key] for key in others} }"
    yield '"lock"' in done.stdout, "the failed budget does not name the lock"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--murphy", type=pathlib.Path, default=ROOT / ".build-release/release/murphy")
    murphy = parser.parse_args().murphy.resolve()
    with tempfile.TemporaryDirectory() as folder:
        done, result = run(murphy, pathlib.Path(folder))
    print(done.stderr + done.stdout)
    wrong = [text for holds, text in mistakes(done, result) if not holds]
    print("\n".join(wrong) or "the spans have the known figures")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
