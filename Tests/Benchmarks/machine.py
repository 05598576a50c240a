"""What a bench ran on, and with which versions."""
import os
import pathlib
import platform
import re
import subprocess


def first_line(*command):
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    except OSError:
        return "not installed"
    lines = (done.stdout + done.stderr).strip().splitlines()
    return lines[0].strip() if lines else "says nothing"


def version(text):
    found = re.search(r"\d+(\.\d+)+(-rc\.?\d+)?", text)
    return found.group(0) if found else text[:60]


def debian(package):
    return version(first_line("dpkg-query", "-W", "-f=${Version}", package))


def describe(work, murphy):
    """The machine and the versions of all that is compared, as a dictionary of texts."""
    cpu = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text())
    python = work / "venv/bin/python"
    packages = {
        name: first_line(python, "-c", f"import importlib.metadata as m; print(m.version('{name}'))")
        for name in ("locust", "jsonschema", "jsonschema-rs")}
    return {
        "cpu": cpu.group(1) if cpu else platform.machine(),
        "cores": str(os.cpu_count()),
        "kernel": platform.release(),
        "load before": " ".join(f"{load:.2f}" for load in os.getloadavg()),
        "murphy": version(first_line(murphy, "--version")),
        "swift": version(first_line("swift", "--version")),
        "libcurl": debian("libcurl4-openssl-dev"),
        "nginx": debian("nginx"), "wrk": debian("wrk"), "hey": debian("hey"), "h2load": debian("nghttp2-client"),
        "k6": version(first_line(work / "venv/bin/k6", "version")),
        **packages,
    }
