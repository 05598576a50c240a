#!/usr/bin/env python3
"""Runs the commands of the documentation as they are, and compares their exit statuses with what the page says.

    Tests/Integration/Guides/guides.py MURPHY [PAGE...]

Every block ```sh of docs/*.md is one script. The blocks of a page run in their order in one fresh folder, which has the
repository's `scenarios`. A comment on the line before a block says what is expected:

    <!-- status: 0 1 -->        one of these exit statuses; without the comment 0
    <!-- background: 8080 -->   the block runs until the page ends; the next one begins when the port accepts connections

The blocks ```yaml of docs/language.md are parts of one scenario, which `murphy check` must accept.

Each page has a network of its own where the system permits it (root), so that its ports are free.
"""
import ctypes
import fcntl
import multiprocessing
import os
import pathlib
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[3]
BLOCK = re.compile(r"(?:^<!-- (status|background): ([\d ]+) -->\n)?^```(sh|yaml)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
LONGEST = 600


class Loader(yaml.SafeLoader):
    """Reads `on` and `off` as strings, as YAML 1.2 does."""


class Dumper(yaml.SafeDumper):
    """Writes the strings `on` and `off` without quotes."""


for side in Loader, Dumper:
    side.yaml_implicit_resolvers = {
        first: [rule for rule in rules if rule[0] != "tag:yaml.org,2002:bool"]
        for first, rules in side.yaml_implicit_resolvers.items()}
    side.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile("^(?:true|false)$"), "tf")


def use_own_network():
    """A network with the loopback alone; the shared one where this is not permitted."""
    new_network, set_flags, is_up = 0x40000000, 0x8914, 0x1
    if ctypes.CDLL(None).unshare(new_network) == 0:
        with socket.socket() as any_socket:
            fcntl.ioctl(any_socket, set_flags, struct.pack("16sH14x", b"lo", is_up))


def wait_for(port, process):
    for _ in range(100):
        with socket.socket() as client:
            if client.connect_ex(("127.0.0.1", port)) == 0:
                return
        if process.poll() is not None:
            break
        time.sleep(0.1)
    raise RuntimeError(f"nothing listens on port {port}")


def merged(into, part):
    """The mapping with the entries of another one, mappings within it merged too."""
    for key, value in part.items():
        into[key] = merged(into[key], value) if isinstance(value, dict) and key in into else value
    return into


def run_page(page, murphy, mistakes):
    use_own_network()
    background = []
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder, "work")
        shutil.copytree(ROOT / "scenarios", place / "scenarios")
        programs = pathlib.Path(folder, "bin")
        programs.mkdir()
        (programs / "murphy").symlink_to(murphy)
        environment = {"PATH": f"{programs}:{os.environ['PATH']}", "HOME": folder, "LANG": "C.UTF-8"}

        def start(script):
            return subprocess.Popen(
                ["bash", "-euo", "pipefail", "-c", script], cwd=place, env=environment, start_new_session=True,
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")

        def expect(script, statuses, line):
            began, process = time.monotonic(), start(script)
            try:
                output, _ = process.communicate(timeout=LONGEST)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                output, _ = process.communicate()
            print(f"{page.name}:{line}: {process.returncode} after {time.monotonic() - began:.0f} s", flush=True)
            if process.returncode not in statuses:
                mistakes.put(f"{page.name}:{line}: exit status {process.returncode}, expected {statuses}\n{script}{output}")

        text, scenario = page.read_text(), {}
        for block in BLOCK.finditer(text):
            kind, numbers, language, script = block.groups()
            line = text.count("\n", 0, block.start(4))
            if language == "yaml":
                scenario = merged(scenario, yaml.load(script, Loader)) if page.name == "language.md" else {}
            elif kind == "background":
                background.append(start(script))
                wait_for(int(numbers), background[-1])
            else:
                expect(script, [int(number) for number in (numbers or "0").split()], line)
        if scenario:
            shutil.copy(ROOT / "scenarios/murphys-laws/openapi.yaml", place)
            (place / "page.yaml").write_text(yaml.dump(scenario, Dumper=Dumper, sort_keys=False))
            expect("murphy check page.yaml\n", [0], 1)
        for process in background:
            os.killpg(process.pid, signal.SIGTERM)
            process.communicate()


def main():
    murphy = pathlib.Path(sys.argv[1]).resolve()
    wanted = sys.argv[2:]
    pages = [page for page in sorted((ROOT / "docs").glob("*.md")) if not wanted or page.name in wanted]
    pages = [page for page in pages if "```sh\n" in page.read_text() or page.name == "language.md"]
    mistakes = multiprocessing.Queue()
    found = []
    for page in pages:
        process = multiprocessing.Process(target=run_page, args=(page, murphy, mistakes))
        process.start()
        process.join()
        while not mistakes.empty():
            found.append(mistakes.get())
        if process.exitcode != 0:
            found.append(f"{page.name}: its commands did not run to their end")
    print("\n".join(found) or f"{len(pages)} pages, no mistakes")
    sys.exit(1 if found or not pages else 0)


if __name__ == "__main__":
    main()
