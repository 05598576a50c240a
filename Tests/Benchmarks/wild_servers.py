"""Servers of other projects, as packages of PyPI and Debian: how each is installed, started and asked for its document.

A command and a file may contain {bin} (the programs of the server's environment), {folder} (an empty folder), {port} and
{key} (the credential).
"""
import dataclasses
import os
import shutil
import subprocess
import sys
import time
import urllib.error
import urllib.request

PORT = 8000
KEY = "wild-0123456789abcdef0123456789abcdef"


@dataclasses.dataclass
class WildServer:
    name: str
    # Arguments of `pip install`.
    packages: list
    command: list
    # The path of the OpenAPI document on the server, or a file of the package's source distribution.
    document: str = "/openapi.json"
    source: str = ""
    # What the target's URL has after the port.
    base: str = ""
    debian: list = dataclasses.field(default_factory=list)
    # Commands that prepare the empty folder, and files in it.
    prepare: list = dataclasses.field(default_factory=list)
    files: dict = dataclasses.field(default_factory=dict)
    environment: dict = dataclasses.field(default_factory=dict)
    # A header of every request, and the same credential for the document's security scheme, as NAME=VALUE.
    header: tuple = ()
    credential: str = ""
    # The seconds until it responds.
    patience: int = 300


HUB = """
from jupyterhub.proxy import Proxy

class NoProxy(Proxy):
    should_start = False
    async def add_route(self, routespec, target, data): pass
    async def delete_route(self, routespec): pass
    async def get_all_routes(self): return {}

c = get_config()
c.JupyterHub.proxy_class = NoProxy
c.JupyterHub.hub_ip, c.JupyterHub.hub_port = "127.0.0.1", {port}
c.JupyterHub.authenticator_class, c.JupyterHub.spawner_class = "dummy", "simple"
c.Authenticator.admin_users, c.Authenticator.allow_all = {"admin"}, True
c.JupyterHub.services = [{"name": "wild", "api_token": "{key}"}]
c.JupyterHub.load_roles = [{"name": "wild", "services": ["wild"], "scopes": [
    "admin-ui", "admin:users", "admin:servers", "admin:groups", "admin:services", "tokens", "list:users", "list:groups",
    "list:services", "read:hub", "proxy", "shares", "access:servers"]}]
"""

POWERDNS = """
launch=gsqlite3
gsqlite3-database={folder}/zones.db
local-address=127.0.0.1
local-port=5300
socket-dir={folder}
webserver=yes
webserver-address=127.0.0.1
webserver-port={port}
api=yes
api-key={key}
"""

KINTO = """
[app:main]
use = egg:kinto
kinto.includes = kinto.plugins.default_bucket kinto.plugins.history
kinto.storage_backend = kinto.core.storage.memory
kinto.cache_backend = kinto.core.cache.memory
kinto.permission_backend = kinto.core.permission.memory
kinto.userid_hmac_secret = {key}
kinto.default_bucket_hmac_secret = {key}
kinto.bucket_create_principals = system.Authenticated
multiauth.policies = basicauth
multiauth.policy.basicauth.use = kinto.core.authentication.BasicAuthAuthenticationPolicy
[server:main]
use = egg:waitress#main
host = 127.0.0.1
port = {port}
"""

BENTO = """
import bentoml, pydantic

class Word(pydantic.BaseModel):
    text: str = pydantic.Field(min_length=1, max_length=100)
    weight: float = 1

@bentoml.service
class Words:
    @bentoml.api
    def count(self, text: str) -> int:
        return len(text.split())

    @bentoml.api
    def heaviest(self, words: list[Word]) -> Word:
        return max(words, key=lambda word: word.weight)
"""

LITELLM = """
model_list:
  - {model_name: fake, litellm_params: {model: openai/fake, mock_response: "hello", api_key: none}}
general_settings: {master_key: sk-{key}}
litellm_settings: {telemetry: false}
"""

SERVERS = [
    WildServer(
        "httpbin", ["httpbin", "flasgger", "gunicorn"],
        ["{bin}/gunicorn", "--bind", "127.0.0.1:{port}", "--workers", "2", "--threads", "4", "httpbin:app"],
        document="/spec.json"),
    WildServer(
        "jupyter-server", ["jupyter-server", "ipykernel"],
        ["{bin}/jupyter-server", "--allow-root", "--no-browser", "--ServerApp.ip=127.0.0.1", "--ServerApp.port={port}",
         "--ServerApp.root_dir={folder}", "--IdentityProvider.token={key}"],
        document="/api/spec.yaml", header=("Authorization", "token {key}")),
    WildServer(
        "jupyterhub", ["jupyterhub", "jupyter-server"],
        ["{bin}/jupyterhub", "--config", "{folder}/hub.py"],
        source="docs/source/_static/rest-api.yml", base="/hub/api", files={"hub.py": HUB},
        header=("Authorization", "token {key}"), credential="MURPHY_AUTH_OAUTH2={key}"),
    WildServer(
        "pdns-server", [], ["pdns_server", "--config-dir={folder}", "--guardian=no", "--daemon=no"],
        debian=["pdns-server", "pdns-backend-sqlite3", "sqlite3"], document="/api/docs", base="/api/v1",
        prepare=[["sh", "-c", "sqlite3 {folder}/zones.db < /usr/share/pdns-backend-sqlite3/schema/schema.sqlite3.sql"]],
        files={"pdns.conf": POWERDNS}, header=("X-API-Key", "{key}"), credential="MURPHY_AUTH_APIKEYHEADER={key}"),
    WildServer(
        "kinto", ["kinto"], ["{bin}/kinto", "start", "--ini", "{folder}/kinto.ini", "--port", "{port}"],
        document="/v1/__api__", base="/v1", files={"kinto.ini": KINTO}, header=("Authorization", "Basic d2lsZDp3aWxk"),
        credential="MURPHY_AUTH_BASICAUTH=wild:wild"),
    WildServer(
        "prefect", ["prefect"], ["{bin}/prefect", "server", "start", "--host", "127.0.0.1", "--port", "{port}"],
        base="/api", environment={"PREFECT_HOME": "{folder}", "PREFECT_SERVER_ANALYTICS_ENABLED": "false"}),
    WildServer(
        "arize-phoenix", ["arize-phoenix"], ["{bin}/phoenix", "serve"],
        environment={"PHOENIX_WORKING_DIR": "{folder}", "PHOENIX_HOST": "127.0.0.1", "PHOENIX_PORT": "{port}",
                     "PHOENIX_TELEMETRY_ENABLED": "false"}),
    WildServer(
        "label-studio", ["label-studio"],
        ["{bin}/label-studio", "start", "--no-browser", "--internal-host", "127.0.0.1", "--port", "{port}", "--data-dir",
         "{folder}", "--username", "wild@example.com", "--password", "wild-password", "--user-token", "{key}",
         "--enable-legacy-api-token"],
        document="/docs/api/schema/?format=json", header=("Authorization", "Token {key}"),
        environment={"COLLECT_ANALYTICS": "0"}, patience=600),
    WildServer(
        "bentoml", ["bentoml"], ["{bin}/bentoml", "serve", "words:Words", "--host", "127.0.0.1", "--port", "{port}"],
        document="/docs.json", files={"words.py": BENTO},
        environment={"BENTOML_HOME": "{folder}", "BENTOML_DO_NOT_TRACK": "true"}),
    WildServer(
        "litellm", ["litellm[proxy]"],
        ["{bin}/litellm", "--config", "{folder}/litellm.yaml", "--host", "127.0.0.1", "--port", "{port}"],
        files={"litellm.yaml": LITELLM}, header=("Authorization", "Bearer sk-{key}"),
        environment={"LITELLM_LOCAL_MODEL_COST_MAP": "True"}),
    WildServer("chromadb", ["chromadb"], ["{bin}/chroma", "run", "--path", "{folder}", "--port", "{port}"]),
]


class Place:
    """A server's folders and texts."""

    def __init__(self, server, work):
        self.server, self.folder, self.environment = server, work / server.name, work / "envs" / server.name
        self.url = f"http://127.0.0.1:{PORT}{server.base}"

    def fill(self, text):
        for name, value in {"bin": self.environment / "bin", "folder": self.folder / "data", "port": PORT, "key": KEY}.items():
            text = text.replace("{" + name + "}", str(value))
        return text

    def install(self):
        """The environment; the document, where the server does not serve it."""
        if self.environment.exists():
            return
        print(f"Installing {self.server.name}", file=sys.stderr, flush=True)
        if self.server.debian:
            subprocess.run(["apt-get", "install", "-q", "-y", "--no-install-recommends", *self.server.debian],
                           check=True, stdout=subprocess.DEVNULL)
        subprocess.run([sys.executable, "-m", "venv", self.environment], check=True)
        try:
            pip = self.environment / "bin/pip"
            if self.server.packages:
                subprocess.run([pip, "install", "-q", *self.server.packages], check=True)
            if self.server.source:
                self.unpack(pip)
        except BaseException:
            shutil.rmtree(self.environment)
            raise

    def unpack(self, pip):
        name, folder = self.server.packages[0], self.environment / "source"
        subprocess.run([pip, "download", "-q", "--no-deps", "--no-binary", name, "--dest", folder, name], check=True)
        archive, = folder.glob("*.tar.gz")
        shutil.unpack_archive(archive, folder, filter="data")

    def start(self, output):
        """The process, when it responds; its data is new."""
        data = self.folder / "data"
        shutil.rmtree(data, ignore_errors=True)
        data.mkdir(parents=True)
        for name, text in self.server.files.items():
            (data / name).write_text(self.fill(text))
        environment = {**os.environ, "HOME": str(data),
                       **{name: self.fill(text) for name, text in self.server.environment.items()}}
        with open(output, "ab") as log:
            for command in self.server.prepare:
                subprocess.run([self.fill(word) for word in command], check=True, stdout=log, stderr=log, env=environment)
            process = subprocess.Popen([self.fill(word) for word in self.server.command], stdin=subprocess.DEVNULL, stdout=log,
                                       stderr=log, cwd=data, env=environment, start_new_session=True)
        end = time.monotonic() + self.server.patience
        while time.monotonic() < end and process.poll() is None:
            try:
                self.fetch(self.server.document)
                return process
            except urllib.error.HTTPError as error:
                if error.code < 500:
                    return process
            except OSError:
                pass
            time.sleep(0.5)
        self.stop(process)
        raise RuntimeError(f"the server did not start; see {output}")

    @staticmethod
    def stop(process):
        try:
            os.killpg(process.pid, 9)
        except ProcessLookupError:
            pass
        process.wait()

    def headers(self):
        return [self.fill(text) for text in self.server.header]

    def fetch(self, path):
        headers = dict([self.headers()]) if self.server.header else {}
        request = urllib.request.Request(f"http://127.0.0.1:{PORT}{path}", headers=headers)
        with urllib.request.urlopen(request, timeout=30) as response:
            return response.read()

    def save_document(self, folder):
        if self.server.source:
            path, = (self.environment / "source").glob("*/" + self.server.source)
            text = path.read_bytes()
        else:
            text = self.fetch(self.server.document)
        self.document = folder / ("openapi.json" if text.lstrip().startswith(b"{") else "openapi.yaml")
        self.document.write_bytes(text)

    def options(self):
        """The credential for murphy: as a security scheme of the document, or as a header."""
        if self.server.credential:
            return ["-e", self.fill(self.server.credential)]
        return ["--header", "=".join(self.headers())] if self.server.header else []
