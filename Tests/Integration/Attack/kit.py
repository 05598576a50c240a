"""Runs the program under test, measures it, and keeps what each attack case needs."""

import os
import shutil
import signal
import subprocess
import time

STATUSES = {0, 1, 2, 3, 4, 5, 64}
CRASHES = (b"Fatal error", b"murphy crashed", b"Illegal instruction", b"Segmentation fault", b"*** Signal")
PAGE = os.sysconf("SC_PAGE_SIZE")


class Failure(Exception):
    """The program did what it must not do."""


class Skip(Exception):
    """The case cannot be run on this machine."""


class Ended:
    """What came of a process: status (negative for a signal), bytes of both streams, seconds, peak memory in MB."""

    def __init__(self, status, output, errors, seconds, memory):
        self.status, self.output, self.errors = status, output, errors
        self.seconds, self.memory = seconds, memory

    @property
    def text(self):
        return (self.output + self.errors).decode("utf-8", "replace")


def quoted(word):
    """An argument as a reader can paste it into bash, whatever its bytes."""
    data = os.fsencode(word) if isinstance(word, str) else word
    if len(data) > 300:
        return f"<{len(data)} bytes>"
    if all(0x20 < byte < 0x7F and byte not in b"'\"\\$`!*?[]{}()<>|&;#~" for byte in data) and data:
        return data.decode()
    return "$'" + "".join(chr(b) if 0x20 <= b < 0x7F and b not in b"'\\" else f"\\x{b:02x}" for b in data) + "'"


class Case:
    """One attack: a folder of its own, and the program with the bounds of the group."""

    def __init__(self, kit, group, number, name):
        self.kit, self.group, self.name = kit, group, name
        self.folder = os.path.join(kit.folder, group.name, str(number))
        self.lines, self.ended, self.processes = [], None, set()
        os.makedirs(self.folder)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, data):
        """Writes a file into the folder of the case, and returns its path."""
        path = self.path(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data)
        return path

    def read(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def files(self, *but):
        """Bytes of all files that the program wrote, by path; `but` names those that the case wrote."""
        found = {}
        for folder, _, names in os.walk(self.folder):
            for name in names:
                path = os.path.join(folder, name)
                relative = os.path.relpath(path, self.folder)
                if relative not in but and os.path.isfile(path):
                    with open(path, "rb") as file:
                        found[relative] = file.read()
        return found

    def require(self, condition, message):
        if not condition:
            raise Failure(message)

    def start(self, *arguments, env=None, stdin=subprocess.DEVNULL, stdout=None):
        """Starts the program in the folder of the case; `finish` waits for it."""
        words = [self.kit.program, *arguments]
        self.lines.append("murphy " + " ".join(quoted(word) for word in arguments))
        environment = {"PATH": os.environ["PATH"], "HOME": self.folder, "TMPDIR": self.folder, "LANG": "C.UTF-8"}
        environment.update(env or {})
        number = len(self.lines)
        process = Running(
            words, self.folder, environment, stdin, stdout, self.path(f".out{number}"), self.path(f".err{number}")
        )
        self.processes.add(process)
        return process

    def finish(self, process, limit=None, memory=None, statuses=STATUSES):
        """Waits, and holds status, time, memory and text against what every case promises."""
        limit, memory = limit or self.group.limit, memory or self.group.memory
        ended = process.wait(limit, memory)
        self.processes.discard(process)
        self.ended = ended
        self.require(not process.killed, f"{process.killed} ({ended.seconds:.1f} s, {ended.memory:.0f} MB)")
        self.require(ended.status in statuses, f"exit status {ended.status}: {ended.text[-600:]}")
        for word in CRASHES:
            self.require(word not in ended.errors and word not in ended.output, f"says {word.decode()}")
        self.require(ended.memory <= memory, f"peak memory {ended.memory:.0f} MB of {memory}")
        return ended

    def murphy(self, *arguments, env=None, stdin=subprocess.DEVNULL, stdout=None, **bounds):
        return self.finish(self.start(*arguments, env=env, stdin=stdin, stdout=stdout), **bounds)

    def clean(self):
        """Ends what the case has started and not waited for."""
        for process in self.processes:
            try:
                os.killpg(process.pid, signal.SIGKILL)
                os.waitpid(process.pid, 0)
            except (ProcessLookupError, ChildProcessError):
                pass

    def refused(self, *arguments, **bounds):
        """Bad input: status 2 or 64 (or another one that is named), with a sentence that is not endless."""
        ended = self.murphy(*arguments, **bounds)
        self.require(ended.status != 0, "bad input is accepted with status 0")
        self.require(ended.text.strip(), f"status {ended.status} without a word")
        self.require(len(ended.text) < 40_000, f"{len(ended.text)} characters of error")
        return ended


class Running:
    """A process whose peak memory is watched while it runs."""

    def __init__(self, words, folder, environment, stdin, stdout, output, errors):
        self.output, self.errors, self.killed = output, errors, None
        self.begun = time.monotonic()
        with open(output, "wb") as out, open(errors, "wb") as err:
            self.process = subprocess.Popen(
                words,
                cwd=folder,
                env=environment,
                stdin=stdin,
                stdout=stdout or out,
                stderr=err,
                start_new_session=True,
            )
        self.pid = self.process.pid

    def resident(self):
        try:
            with open(f"/proc/{self.pid}/statm") as file:
                return int(file.read().split()[1]) * PAGE / 1e6
        except (OSError, IndexError, ValueError):
            return 0

    def send(self, number):
        try:
            os.kill(self.pid, number)
        except ProcessLookupError:
            pass

    def wait(self, limit, memory):
        pause, status, usage = 0.002, None, None
        while status is None:
            pid, code, usage = os.wait4(self.pid, os.WNOHANG)
            if pid:
                status = os.waitstatus_to_exitcode(code)
                break
            if time.monotonic() - self.begun > limit:
                self.killed = f"does not end within {limit} s"
            elif self.resident() > memory * 1.5:
                self.killed = f"takes more than {memory} MB"
            if self.killed:
                # Its own session: its child processes end with it.
                os.killpg(self.pid, signal.SIGKILL)
                pid, code, usage = os.wait4(self.pid, 0)
                status = os.waitstatus_to_exitcode(code)
                break
            time.sleep(pause)
            pause = min(pause * 1.3, 0.05)
        self.process.returncode = status
        seconds = time.monotonic() - self.begun
        return Ended(status, self.bytes(self.output), self.bytes(self.errors), seconds, usage.ru_maxrss / 1e3)

    @staticmethod
    def bytes(path):
        with open(path, "rb") as file:
            return file.read(60_000_000)

    def said(self, word, limit=20):
        """Waits until standard error or output holds a word; the text, or nothing."""
        end = time.monotonic() + limit
        while time.monotonic() < end:
            text = self.bytes(self.errors) + self.bytes(self.output)
            if word in text:
                return text.decode("utf-8", "replace")
            time.sleep(0.02)
        return None


class Group:
    """Cases of one kind: `cases` yields pairs of a name and what runs it; seconds and MB bound each process.

    Cases that wait most of their time run several at once.
    """

    def __init__(self, name, limit, memory, cases, jobs=1):
        self.name, self.limit, self.memory, self.cases, self.jobs = name, limit, memory, cases, jobs


class Kit:
    def __init__(self, program, folder):
        self.program, self.folder = os.path.abspath(program), folder

    def perform(self, group, number, name, run):
        """Runs one case: 'passed', 'failed' or 'skipped', and why."""
        case = Case(self, group, number, name)
        try:
            run(case)
            outcome, why = "passed", ""
        except Failure as failure:
            outcome, why = "failed", str(failure)
        except Skip as skip:
            outcome, why = "skipped", str(skip)
        except Exception as error:  # A mistake of the case itself must not end the others.
            outcome, why = "failed", f"the case itself: {type(error).__name__}: {error}"
        case.clean()
        if outcome != "failed":
            for folder, names, _ in os.walk(case.folder):
                os.chmod(folder, 0o700)
            shutil.rmtree(case.folder, ignore_errors=True)
        return outcome, why, case
