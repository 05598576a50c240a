"""Reads metrics with the client library of Prometheus, where it can be installed."""

import os
import subprocess
import sys
from functools import cache

from kit import Skip


@cache
def reader():
    """A Python with prometheus_client, in a folder that is kept; nothing where it cannot be installed."""
    folder = os.path.join(os.path.expanduser("~"), ".cache", "murphy-attack")
    program = os.path.join(folder, "bin", "python3")
    try:
        if not os.path.exists(program):
            subprocess.run([sys.executable, "-m", "venv", folder], check=True, capture_output=True, timeout=120)
        if subprocess.run([program, "-c", "import prometheus_client"], capture_output=True, timeout=60).returncode:
            subprocess.run(
                [program, "-m", "pip", "install", "-q", "prometheus_client"],
                check=True,
                capture_output=True,
                timeout=120,
            )
    except (OSError, subprocess.SubprocessError):
        return None
    return program


READ = (
    "import sys\nfrom prometheus_client.openmetrics.parser import text_string_to_metric_families as parse\n"
    "families = list(parse(sys.stdin.buffer.read().decode()))\nprint(len(families))\n"
    "for f in families:\n  n = {s.name for s in f.samples}\n"
    "  assert f.type != 'histogram' or f.name + '_sum' in n and f.name + '_count' in n, f.name\n"
)


def parsed(case, data):
    if reader() is None:
        raise Skip("prometheus_client cannot be installed")
    said = subprocess.run([reader(), "-c", READ], input=data, capture_output=True, timeout=60)
    case.require(said.returncode == 0, f"prometheus_client: {said.stderr.decode()[-500:]}")
    case.require(int(said.stdout.split()[0]) > 3, "no metrics")
