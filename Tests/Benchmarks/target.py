"""The target of every client: one nginx worker with static bodies, over plain HTTP and over TLS."""
import pathlib
import ssl
import subprocess
import sys
import time
import urllib.request

from process import SERVER_CORE, pinned

HERE = pathlib.Path(__file__).resolve().parent
PORT, TLS_PORT = 18431, 18432
PLAIN, TLS = f"http://127.0.0.1:{PORT}", f"https://localhost:{TLS_PORT}"
PATHS = {"page": "/api/v1/laws", "varied": "/varied/api/v1/laws", "law": "/api/v1/laws/1", "big": "/big", "binary": "/binary"}


def certify(work):
    """A certificate for localhost that is its own authority."""
    if not (work / "tls.pem").exists():
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "3650", "-subj", "/CN=localhost",
             "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", work / "tls.key", "-out",
             work / "tls.pem"], check=True, capture_output=True)


def start(work):
    subprocess.run([sys.executable, HERE / "bodies.py", work], check=True)
    certify(work)
    text = (HERE / "nginx.conf").read_text()
    for word, value in [("WORK", work), ("TLS_PORT", TLS_PORT), ("PORT", PORT)]:
        text = text.replace(word, str(value))
    (work / "nginx.conf").write_text(text)
    server = subprocess.Popen(
        pinned(SERVER_CORE, ["nginx", "-p", work, "-c", work / "nginx.conf"]), stderr=subprocess.DEVNULL)
    trust = ssl.create_default_context(cafile=str(work / "tls.pem"))
    for _ in range(100):
        try:
            for path in PATHS.values():
                urllib.request.urlopen(PLAIN + path, timeout=1).read()
            urllib.request.urlopen(TLS + PATHS["law"], timeout=1, context=trust).read()
            return server
        except OSError:
            time.sleep(0.05)
    server.terminate()
    raise SystemExit(f"nginx did not answer on {PLAIN} and {TLS}; see {work}/nginx-error.log")
