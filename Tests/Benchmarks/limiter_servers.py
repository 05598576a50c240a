"""Rate limiters of other projects, as packages of PyPI and Debian: how each is installed and started, and what is true of it.

A command and a file may contain @bin@ (the programs of the limiter's environment), @folder@ (an empty folder), @port@ and
the names of the limiter's `values`. What is true is a limit as a scenario declares it.
"""
import dataclasses
import os
import shutil
import socket
import subprocess
import sys
import time

import limiter_apps as apps

PORT = 8000
KEY = "X-API-Key"
# Headers of a client with a key of its own, and of one that shares its key, by the key of the limit.
IDENTITIES = {KEY: {KEY: ("${uuid()}", "shared")},
              "token": {"Authorization": ("Token limiter-token-${int(1, 59)}", "Token limiter-token-0")}}


@dataclasses.dataclass
class Limiter:
    name: str
    # The environment, which limiters may share, and the arguments of its `pip install`.
    environment: str
    packages: list
    files: dict
    command: list
    # The name of each limit with its declaration; the bench changes the first one.
    truth: dict
    values: dict = dataclasses.field(default_factory=dict)
    debian: list = dataclasses.field(default_factory=list)
    # Commands that prepare the folder and end, and those that run beside the server.
    prepare: list = dataclasses.field(default_factory=list)
    beside: list = dataclasses.field(default_factory=list)
    path: str = "/words/{number}"
    query: dict = dataclasses.field(default_factory=dict)
    # A declaration that no request could tell from the truth, with the reason.
    equal: dict = dataclasses.field(default_factory=dict)
    # Why the limiter itself breaks what it declares: the right declaration must not pass.
    fault: str = ""
    # The longest time until it responds, in seconds.
    patience: int = 30


def limit(algorithm, allow=10, per="2s", key="ip", tick="10ms", **more):
    return {"word": {"allow": allow, "per": per, "algorithm": algorithm, "key": key, "tick": tick, **more}}


def bucket(rate, burst, tick="10ms", **more):
    return {"word": {"rate": rate, "burst": burst, "algorithm": "token-bucket", "key": "ip", "tick": tick, **more}}


GUNICORN = ["@bin@/gunicorn", "--threads", "8", "--backlog", "2048", "--bind", "127.0.0.1:@port@"]
UVICORN = ["@bin@/uvicorn", "--port", "@port@", "--log-level", "warning", "--no-access-log", "app:app"]
# Without the option, uvicorn takes the client's address from X-Forwarded-For, because its peer is on loopback.
ALONE = UVICORN + ["--no-proxy-headers"]
REDIS = [["redis-server", "--port", "6379", "--bind", "127.0.0.1", "--save", ""]]


def flask(name, truth, strategy="fixed-window", limits="10/2second", storage="memory://", key="get_remote_address", more=(),
          **rest):
    values = {"strategy": strategy, "limit": limits, "storage": storage, "key": key}
    return Limiter(f"flask-limiter {name}", "flask-limiter", ["flask-limiter", "gunicorn", "redis"], {"app.py": apps.FLASK},
                   [*GUNICORN, *more, "app:app"], truth, values, **rest)


def slowapi(name, truth, strategy="fixed-window", command=ALONE, key="get_remote_address", **rest):
    return Limiter(f"slowapi {name}", "slowapi", ["slowapi", "fastapi", "uvicorn"], {"app.py": apps.SLOWAPI}, command, truth,
                   {"strategy": strategy, "limit": "10/2second", "key": key}, **rest)


def starlette(name, setup, truth, key="request.client.host", command=ALONE, values=None, **rest):
    environment = "throttled-py" if name.startswith("throttled") else "limits"
    packages = {"throttled-py": ["throttled-py"], "limits": ["limits", "redis", "aiolimiter", "pyrate-limiter"]}[environment]
    return Limiter(name, environment, [*packages, "starlette", "uvicorn"],
                   {"app.py": apps.STARLETTE.replace("@setup@", setup)}, command, truth, {"key": key, **(values or {})}, **rest)


def throttled(using, truth, limits=10, seconds=3, **rest):
    return starlette(f"throttled-py {using}", apps.THROTTLED, truth,
                     values={"using": using, "limit": str(limits), "seconds": str(seconds)}, **rest)


def django(name, setup, truth, proxies="0", command=None, **values):
    known = {"proxies": proxies, "authentication": "", "throttle": "AnonRateThrottle", **values}
    rest = {name: known.pop(name) for name in ("fault", "equal") if name in known}
    command = command or ["@bin@/gunicorn", "--backlog", "2048", "--bind", "127.0.0.1:@port@"]
    return Limiter(name, "django", ["djangorestframework", "django-ratelimit", "django-ninja", "gunicorn"],
                   {"app.py": apps.DJANGO.replace("@setup@", setup)}, [*command, "app:app"], truth, known,
                   prepare=[["@bin@/python", "app.py"]], **rest)


def nginx(name, rule, truth, rate="5r/s", workers="1", size=20, **rest):
    files = {"nginx.conf": apps.NGINX, "word.json": '"' + size * "w" + '"'}
    return Limiter(f"nginx {name}", "", [], files, ["nginx", "-c", "@folder@/nginx.conf"], truth,
                   {"rule": rule, "rate": rate, "workers": workers}, debian=["nginx"], **rest)


def haproxy(name, store, rule, truth, **rest):
    return Limiter(f"HAProxy {name}", "", [], {"haproxy.cfg": apps.HAPROXY}, ["haproxy", "-db", "-f", "haproxy.cfg"], truth,
                   {"store": store, "rule": rule}, debian=["haproxy"], **rest)


def rack(name, truth, key="request.ip", setup="", **rest):
    return Limiter(f"rack-attack {name}", "", [], {"config.ru": apps.RACK},
                   ["puma", "--threads", "8:8", "--bind", "tcp://127.0.0.1:@port@", "config.ru"], truth,
                   {"key": key, "setup": setup}, debian=["ruby-rack-attack", "ruby-activesupport", "puma"], **rest)


def go(name, package, kind, new, admit, debian):
    return Limiter(f"Go {name}", "", [], {"limiter.go": apps.GO}, ["@folder@/limiter"], bucket("5/s", 10),
                   {"package": package, "type": kind, "new": new, "admit": admit}, debian=["golang-go", debian],
                   prepare=[["go", "build", "-o", "limiter", "limiter.go"]], patience=120)


def symfony(policy, truth, settings, **rest):
    values = {"policy": f"['policy' => '{policy}', {settings}]"}
    return Limiter(f"Symfony {policy}", "", [], {"app.php": apps.SYMFONY}, ["php", "-S", "127.0.0.1:@port@", "app.php"], truth,
                   values, debian=["php-cli", "php-symfony-rate-limiter", "php-symfony-cache"], **rest)


LIMITERS = [
    flask("fixed-window", limit("fixed")),
    flask("moving-window", limit("sliding-log"), "moving-window"),
    nginx("limit_req burst nodelay", "limit_req zone=words burst=9 nodelay; limit_req_status 429;", bucket("5/s", 10)),
    haproxy("http_req_rate", "http_req_rate(2s)", "http-request deny deny_status 429 if { sc_http_req_rate(0) gt 10 }",
            limit("sliding-counter", count={"refused": "yes"})),
    django("django-ratelimit", apps.RATELIMIT, limit("fixed-aligned", per="3s", tick="1s", refusals=[403])),
]


class Place:
    """A limiter in the folder of the work."""

    def __init__(self, limiter, work):
        self.limiter, self.folder = limiter, work / "out" / limiter.name.replace(" ", "-")
        self.environment = work / "env" / (limiter.environment or "none")
        self.processes = []

    def fill(self, text):
        places = {**self.limiter.values, "bin": self.environment / "bin", "folder": self.folder / "data", "port": PORT}
        for name, value in places.items():
            text = text.replace(f"@{name}@", str(value))
        return text

    def install(self):
        if self.limiter.debian:
            subprocess.run(["apt-get", "install", "-q", "-y", "--no-install-recommends", *self.limiter.debian],
                           check=True, stdout=subprocess.DEVNULL)
        if not self.limiter.packages or (self.environment / "complete").exists():
            return
        print(f"Installing {self.limiter.environment}", file=sys.stderr, flush=True)
        subprocess.run([sys.executable, "-m", "venv", "--clear", self.environment], check=True)
        subprocess.run([self.environment / "bin/pip", "install", "-q", *self.limiter.packages], check=True)
        (self.environment / "complete").touch()

    def start(self, output):
        """Returns when the server responds; its counters are new."""
        data = self.folder / "data"
        shutil.rmtree(data, ignore_errors=True)
        data.mkdir(parents=True)
        for name, text in self.limiter.files.items():
            (data / name).write_text(self.fill(text))
        environment = {**os.environ, "HOME": str(data), "GOPATH": "/usr/share/gocode", "GO111MODULE": "off"}
        with open(output, "wb") as log:
            options = {"stdout": log, "stderr": log, "cwd": data, "env": environment, "stdin": subprocess.DEVNULL}
            for command in self.limiter.prepare:
                subprocess.run([self.fill(word) for word in command], check=True, **options)
            for command in [*self.limiter.beside, self.limiter.command]:
                self.processes.append(subprocess.Popen([self.fill(word) for word in command], **options))
        end = time.monotonic() + self.limiter.patience
        while time.monotonic() < end and all(process.poll() is None for process in self.processes):
            try:
                # A connection without a request: no limiter counts it.
                socket.create_connection(("127.0.0.1", PORT), 5).close()
                time.sleep(1)
                return
            except OSError:
                time.sleep(0.2)
        raise RuntimeError(f"the server did not start; see {output}")

    def stop(self):
        for process in self.processes:
            process.kill()
            process.wait()
