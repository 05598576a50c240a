"""Programs pinned to a core, and what they cost."""
import os
import re
import resource
import subprocess
import tempfile
import time

CLIENT_CORE, SERVER_CORE = "0", "1"


def pinned(cores, command):
    words = list(map(str, command))
    return ["taskset", "-c", cores, *words] if os.cpu_count() > 1 and cores else words


def allow_files():
    """As many open files as the machine lets us have."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


class Done:
    """An ended program: what it printed, its CPU seconds, how long it took."""

    def __init__(self, command, cores=CLIENT_CORE, timeout=600, **environment):
        with tempfile.TemporaryFile() as out:
            start = time.monotonic()
            child = subprocess.Popen(
                pinned(cores, command), stdout=out, stderr=subprocess.STDOUT, env={**os.environ, **environment},
                preexec_fn=allow_files)
            status, usage = None, None
            while status is None and time.monotonic() - start < timeout:
                pid, code, usage = os.wait4(child.pid, os.WNOHANG)
                if pid:
                    status = os.waitstatus_to_exitcode(code)
                else:
                    time.sleep(0.005)
            self.seconds = time.monotonic() - start
            if status is None:
                child.kill()
                raise SystemExit(f"{command[0]} took more than {timeout} s")
            child.returncode = status
            out.seek(0)
            self.text = out.read().decode(errors="replace")
        self.status = status
        self.cpu = usage.ru_utime + usage.ru_stime
        self.memory = usage.ru_maxrss * 1024
        if status < 0 or status >= 128:
            raise SystemExit(f"{command[0]} crashed (status {status}):\n{self.text[-2000:]}")

    def number(self, pattern):
        found = re.search(pattern, self.text)
        if not found:
            raise SystemExit(f"found no figure that matches {pattern!r} in:\n{self.text[-2000:]}")
        return float(found.group(1))


class Rate:
    """Requests per second, and the client's CPU microseconds for one, its start and end included."""

    def __init__(self, done, per_second, requests):
        self.per_second = per_second
        self.cpu = done.cpu * 1e6 / max(requests, 1)
