"""Rate limiters of other projects, as packages of PyPI and Debian: how each is installed and started, and what is true of it.

A command and a file may contain @bin@ (the programs of the limiter's environment), @folder@ (an empty folder), @port@ and
the names of the limiter's `values`. What is true is a limit as a scenario declares it.
"""
import dataclasses
import os
import re
import shutil
import socket
import subprocess
import sys
import time

import limiter_apps as apps
import limiter_programs as programs

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
    # The wrong algorithm, if it is not the one that resembles the right one most.
    neighbour: str = ""
    # A declaration that no request could tell from the truth, with the reason.
    equal: dict = dataclasses.field(default_factory=dict)
    # What murphy calls it without a declaration, if not by its algorithm.
    found: str = ""
    # By command, why the limiter itself breaks what it declares: it must not pass. There are no wrong declarations then.
    fault: dict = dataclasses.field(default_factory=dict)
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


def slowapi(name, truth, strategy="fixed-window", command=ALONE, key="get_remote_address", style="endpoint",
            **rest):
    return Limiter(f"slowapi {name}", "slowapi", ["slowapi", "fastapi", "uvicorn"], {"app.py": apps.SLOWAPI}, command, truth,
                   {"strategy": strategy, "limit": "10/2second", "key": key, "style": style}, **rest)


def starlette(name, setup, truth, key="request.client.host", command=ALONE, values=None, **rest):
    environment = "throttled-py" if name.startswith("throttled") else "limits"
    packages = {"throttled-py": ["throttled-py"], "limits": ["limits", "redis", "aiolimiter", "pyrate-limiter"]}[environment]
    return Limiter(name, environment, [*packages, "starlette", "uvicorn"],
                   {"app.py": apps.STARLETTE.replace("@setup@", setup)}, command, truth, {"key": key, **(values or {})}, **rest)


def throttled(using, truth, limits=5, seconds=1, **rest):
    return starlette(f"throttled-py {using}", apps.THROTTLED, truth,
                     values={"using": using, "limit": str(limits), "seconds": str(seconds)}, **rest)


def django(name, setup, truth, proxies="0", **values):
    known = {"proxies": proxies, "authentication": "", "throttle": "AnonRateThrottle",
             "route": 'path("words/<int:number>", word)', **values}
    rest = {name: known.pop(name) for name in ("fault", "equal") if name in known}
    return Limiter(name, "django", ["djangorestframework", "django-ratelimit", "django-ninja", "gunicorn"],
                   {"app.py": apps.DJANGO.replace("@setup@", setup)}, ["@bin@/gunicorn", "--backlog", "2048", "--bind", "127.0.0.1:@port@", "app:app"], truth, known,
                   prepare=[["@bin@/python", "app.py"]], **rest)


def nginx(name, rule, truth, rate="5r/s", workers="1", size=20, **rest):
    files = {"nginx.conf": programs.NGINX, "word.json": '"' + size * "w" + '"'}
    return Limiter(f"nginx {name}", "", [], files, ["nginx", "-c", "@folder@/nginx.conf"], truth,
                   {"rule": rule, "rate": rate, "workers": workers}, debian=["nginx"], **rest)


def haproxy(name, store, rule, truth, **rest):
    return Limiter(f"HAProxy {name}", "", [], {"haproxy.cfg": programs.HAPROXY}, ["haproxy", "-db", "-f", "haproxy.cfg"], truth,
                   {"store": store, "rule": rule}, debian=["haproxy"], **rest)


def rack(name, truth):
    return Limiter(f"rack-attack {name}", "", [], {"config.ru": programs.RACK},
                   ["puma", "--threads", "8:8", "--bind", "tcp://127.0.0.1:@port@", "config.ru"], truth,
                   debian=["ruby-rack-attack", "ruby-activesupport", "puma"])


def go(name, package, kind, new, admit, debian, tick="10ms"):
    return Limiter(f"Go {name}", "", [], {"limiter.go": programs.GO}, ["@folder@/limiter"], bucket("5/s", 10, tick),
                   {"package": package, "type": kind, "new": new, "admit": admit}, debian=["golang-go", debian],
                   prepare=[["go", "build", "-o", "limiter", "limiter.go"]], patience=120)


def symfony(policy, truth, settings, **rest):
    values = {"policy": f"['policy' => '{policy}', {settings}]"}
    return Limiter(f"Symfony {policy}", "", [], {"app.php": programs.SYMFONY}, ["php", "-S", "127.0.0.1:@port@", "app.php"], truth,
                   values, debian=["php-cli", "php-symfony-rate-limiter", "php-symfony-cache"], **rest)


BYPASS = {"limits": "takes the address from X-Forwarded-For"}
HEADER = 'lambda request: request.headers.get("X-API-Key", "")'
TWO = {"second": limit("fixed", 8, "1s")["word"], "longer": limit("fixed", 20, "5s")["word"]}
WORKERS = "two workers count separately"
LIMITERS = [
    flask("fixed-window", limit("fixed")),
    flask("moving-window", limit("sliding-log"), "moving-window"),
    nginx("limit_req burst nodelay", "limit_req zone=words burst=9 nodelay; limit_req_status 429;", bucket("5/s", 10)),
    haproxy("http_req_rate", "http_req_rate(2s)", "http-request deny deny_status 429 if { sc_http_req_rate(0) gt 10 }",
            limit("sliding-counter", count={"refused": "yes"})),
    django("django-ratelimit", apps.RATELIMIT, limit("fixed-aligned", per="3s", refusals=[403])),
    flask("sliding-window-counter", limit("sliding-counter"), "sliding-window-counter"),
    flask("header", limit("fixed", key=KEY), key='lambda: request.headers.get("X-API-Key", "")'),
    flask("redis", limit("fixed"), storage="redis://127.0.0.1:6379", beside=REDIS),
    flask("two limits", TWO, limits="8/second;20/5second"),
    flask("two workers", limit("fixed"), more=["--workers", "2"], fault={"limits": WORKERS, "run": WORKERS}),
    flask("two workers, as 20", limit("fixed", 20), more=["--workers", "2"], fault={"limits": WORKERS, "run": WORKERS}),
    slowapi("fixed-window", limit("fixed")),
    slowapi("moving-window header", limit("sliding-log", key=KEY), "moving-window", key=HEADER),
    slowapi("default key style", limit("fixed"), style="url", fault={"limits": "counts each path"}),
    slowapi("behind uvicorn's proxy headers", limit("fixed"), command=[*UVICORN, "--forwarded-allow-ips", "*"],
            fault=BYPASS),
    Limiter("fastapi-limiter 0.1 redis", "fastapi-limiter-redis", ["fastapi-limiter<0.2", "fastapi", "uvicorn"],
            {"app.py": apps.FASTAPI_REDIS}, ALONE, limit("fixed"), {"identifier": ", identifier=address"},
            debian=["redis-server"], beside=REDIS),
    Limiter("fastapi-limiter 0.1 default identifier", "fastapi-limiter-redis", ["fastapi-limiter<0.2", "fastapi", "uvicorn"],
            {"app.py": apps.FASTAPI_REDIS}, ALONE, limit("fixed"), {"identifier": ""}, debian=["redis-server"],
            beside=REDIS, fault={"limits": "counts each path, and each X-Forwarded-For"}),
    Limiter("fastapi-limiter 0.2", "fastapi-limiter", ["fastapi-limiter", "fastapi", "uvicorn"],
            {"app.py": apps.FASTAPI_PYRATE}, ALONE, limit("sliding-log")),
    starlette("pyrate-limiter sliding log", apps.PYRATE, limit("sliding-log"),
              values={"bucket": "InMemoryBucket([Rate(10, 2000)])"}),
    starlette("pyrate-limiter FixedWindow", apps.PYRATE, limit("fixed-aligned"),
              values={"bucket": "InMemoryBucket([Rate(10, 2000)], algorithm=FixedWindow())"}),
    starlette("pyrate-limiter TokenBucket", apps.PYRATE, bucket("5/s", 10),
              values={"bucket": "StateBucket([Rate(10, 2000)], algorithm=TokenBucket())"}),
    django("Django REST anon", apps.REST, limit("sliding-log", per="3s")),
    django("Django REST anon, any proxies", apps.REST, limit("sliding-log", per="3s"), "None", fault=BYPASS),
    django("Django REST user", apps.REST, limit("sliding-log", per="3s", key="token"), throttle="UserRateThrottle",
           authentication="authentication.TokenAuthentication"),
    django("Django REST scoped", apps.REST, limit("sliding-log", per="3s"), throttle="ScopedRateThrottle"),
    django("django-ninja anon", apps.NINJA, limit("sliding-log", per="3s"), route='path("words/", api.urls)'),
    nginx("limit_req burst", "limit_req zone=words burst=9; limit_req_status 429;", bucket("5/s", 10),
          found="queue"),
    nginx("limit_req burst delay", "limit_req zone=words burst=9 delay=4; limit_req_status 429;", bucket("5/s", 10)),
    nginx("limit_req without burst", "limit_req zone=words; limit_req_status 429;", bucket("2/s", 1), rate="2r/s",
          neighbour="sliding-log", equal={"algorithm": "a bucket of one token and a log of one request admit the same"}),
    nginx("limit_req 503", "limit_req zone=words burst=9 nodelay;", bucket("5/s", 10, refusals=[503])),
    nginx("limit_conn", "limit_conn connections 3; limit_conn_status 429; limit_rate 2000;",
          {"word": {"concurrent": 3, "key": "ip"}}, size=3000),
    haproxy("gpc0_rate", "gpc0,gpc0_rate(2s)", "http-request deny deny_status 429 if { sc_gpc0_rate(0) ge 10 }\n"
            "  http-request sc-inc-gpc0(0)", limit("sliding-counter")),
    throttled("fixed_window", limit("fixed-aligned", per="3s"), 10, 3),
    throttled("sliding_window", limit("sliding-counter", per="3s"), 10, 3),
    throttled("token_bucket", bucket("5/s", 10, "1s")),
    throttled("leaking_bucket", bucket("5/s", 10, "1s")),
    throttled("gcra", bucket("5/s", 10)),
    Limiter("quart-rate-limiter", "quart", ["quart-rate-limiter", "hypercorn"], {"app.py": apps.QUART},
            ["@bin@/hypercorn", "--bind", "127.0.0.1:@port@", "--backlog", "2048", "app:app"], bucket("5/s", 10),
            {"key": ", key_function=address"}),
    Limiter("matrix-synapse", "synapse", ["matrix-synapse"], {"homeserver.yaml": programs.SYNAPSE},
            ["@bin@/python", "-m", "synapse.app.homeserver", "-c", "homeserver.yaml"], bucket("5/s", 10),
            path="/_matrix/client/v1/register/m.login.registration_token/validity", query={"token": "none"},
            prepare=[["@bin@/python", "-m", "synapse.app.homeserver", "-c", "homeserver.yaml", "--generate-keys"]],
            patience=90),
    rack("throttle", limit("fixed-aligned", per="3s")),
    starlette("aiolimiter", apps.AIOLIMITER, bucket("5/s", 10)),
    *(starlette(f"limits {name} redis", apps.LIMITS, limit(algorithm), beside=REDIS,
                values={"strategy": f"{name}RateLimiter", "storage": "redis://127.0.0.1:6379"})
      for name, algorithm in [("MovingWindow", "sliding-log"), ("SlidingWindowCounter", "sliding-counter")]),
    Limiter("Varnish vsthrottle", "", [], {"words.vcl": programs.VARNISH},
            ["varnishd", "-F", "-n", "@folder@/varnish", "-a", "127.0.0.1:@port@", "-f", "@folder@/words.vcl", "-j", "none"],
            bucket("5/s", 10), debian=["varnish", "varnish-modules"]),
    # It rejects the tenth event, and its window ends when its clock of whole seconds is past the third one.
    Limiter("Apache mod_qos", "", [], {"apache.conf": programs.APACHE, "word.json": "{}"},
            ["apache2", "-D", "FOREGROUND", "-f", "@folder@/apache.conf"], limit("fixed", 9, "4s", tick="1s"),
            {"rule": "LoadFile /usr/lib/x86_64-linux-gnu/libpcre.so.3\n"
             "LoadModule unique_id_module /usr/lib/apache2/modules/mod_unique_id.so\n"
             "LoadModule qos_module /usr/lib/apache2/modules/mod_qos.so\nSetEnvIf Request_URI ^/words/ QS_Limit=yes\n"
             "QS_ClientEventLimitCount 10 3\nQS_ErrorResponseCode 429"}, debian=["apache2", "libapache2-mod-qos"]),
    go("x/time/rate", "golang.org/x/time/rate", "*rate.Limiter", "rate.NewLimiter(5, 10)", "Allow()",
       "golang-golang-x-time-dev"),
    go("juju/ratelimit", "github.com/juju/ratelimit", "*ratelimit.Bucket", "ratelimit.NewBucketWithRate(5, 10)",
       "TakeAvailable(1) == 1", "golang-github-juju-ratelimit-dev", tick="200ms"),
    # Its cache forgets a counter after whole seconds, so up to a second too early.
    symfony("fixed_window", limit("fixed", per="3s", tick="1s"), "'limit' => 10, 'interval' => '3 seconds'"),
    symfony("sliding_window", limit("sliding-counter", per="3s", tick="1s"), "'limit' => 10, 'interval' => '3 seconds'"),
    symfony("token_bucket", bucket("5/s", 10, "1s"), "'limit' => 10, 'rate' => ['interval' => '1 second', 'amount' => 5]"),
]


class Place:
    """A limiter in the folder of the work."""

    def __init__(self, limiter, work):
        self.limiter, self.folder = limiter, work / "out" / re.sub("[^a-z0-9_.]+", "-", limiter.name.lower())
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
