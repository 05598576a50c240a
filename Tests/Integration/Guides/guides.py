#!/usr/bin/env python3
"""Runs the commands of the documentation as they are, and compares their exit statuses with what the page says.

    Tests/Integration/Guides/guides.py MURPHY [PAGE...]

Every block ```sh of docs/*.md is one script. The blocks of a page run in their order in one fresh folder, which has the
repository's `scenarios`. A comment on the line before a block says what is expected:

    <!-- status: 0 1 -->        one of these exit statuses; without the comment 0
    <!-- background: 8080 -->   the block runs until the page ends; the next one begins when the port accepts connections

Each page has a network of its own where the system permits it (root), so that its ports are free. Then several pages run at the
same time: most commands only wait. Otherwise one page runs after another.
"""
import contextlib
import ctypes
import fcntl
import functools
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

ROOT = pathlib.Path(__file__).resolve().parents[3]
BLOCK = re.compile(r"(?:^<!-- (status|background): ([\d ]+) -->\n)?^```sh\n(.*?)^```$", re.DOTALL | re.MULTILINE)
LONGEST = 600
NEW_NETWORK = 0x40000000


def use_own_network():
    """Gives this process a network with the loopback alone; returns False where this is not permitted."""
    set_flags, is_up = 0x8914, 0x1
    if ctypes.CDLL(None).unshare(NEW_NETWORK) != 0:
        return False
    with socket.socket() as any_socket:
        fcntl.ioctl(any_socket, set_flags, struct.pack("16sH14x", b"lo", is_up))
    return True


def wait_for(port, process):
    for _ in range(100):
        with socket.socket() as client:
            if client.connect_ex(("127.0.0.1", port)) == 0:
                return
        if process.poll() is not None:
            break
        time.sleep(0.1)
    raise RuntimeError(f"nothing listens on port {port}")


def run_page(page, murphy):
    """Runs the commands of a page, and returns its mistakes."""
    use_own_network()
    mistakes, background = [], []
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
                mistakes.append(f"{page.name}:{line}: exit status {process.returncode}, expected {statuses}\n{script}{output}")

        text = page.read_text()
        try:
            for block in BLOCK.finditer(text):
                kind, numbers, script = block.groups()
                line = text.count("\n", 0, block.start(3))
                if kind == "background":
                    background.append(start(script))
                    wait_for(int(numbers), background[-1])
                else:
                    expect(script, [int(number) for number in (numbers or "0").split()], line)
        except Exception as error:
            mistakes.append(f"{page.name}: {error!r}")
        finally:
            for process in background:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGTERM)
                process.communicate()
    return mistakes


def main():
    murphy = pathlib.Path(sys.argv[1]).resolve()
    wanted = sys.argv[2:]
    pages = [page for page in sorted((ROOT / "docs").glob("*.md")) if not wanted or page.name in wanted]
    pages = [page for page in pages if "```sh\n" in page.read_text()]
    with multiprocessing.Pool(1) as trial:
        workers = 3 * os.cpu_count() if trial.apply(use_own_network) else 1
    with multiprocessing.Pool(workers, maxtasksperchild=1) as pool:
        found = sum(pool.imap_unordered(functools.partial(run_page, murphy=murphy), pages), [])
    print("\n".join(found) or f"{len(pages)} pages, no mistakes")
    sys.exit(1 if found or not pages else 0)


if __name__ == "__main__":
    main()
