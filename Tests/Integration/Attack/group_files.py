"""Each verb and each place of a file, with what is no such file (section 4 and points 15 and 16)."""

import gzip
import os
import random
import subprocess
from functools import cache, partial

import documents
from kit import Group, Skip
from servers import bomb_of

SHOP = documents.telling()


def empty(case, name):
    case.write(name, b"")


def folder(case, name):
    os.makedirs(case.path(name))


def noise(case, name):
    case.write(name, random.Random(29).randbytes(200_000))


def text_noise(case, name):
    case.write(name, "".join(random.Random(29).choices("{}[]\",:\\ \n\t-#&*!|>'%@`ab01é\u0301", k=100_000)))


def brackets(case, name):
    with open(case.path(name), "wb") as file:
        for _ in range(50):
            file.write(b"[" * 1_000_000)


def objects(case, name):
    case.write(name, b'{"a":' * 2_000_000)


def indents(case, name):
    case.write(name, "".join(" " * depth + "a:\n" for depth in range(5000)))


def quotes(case, name):
    case.write(name, b'{"a": "' + b"\\" * 10_000_000)


def keys(case, name):
    case.write(name, "{" + ",".join(f'"k{number}": {number}' for number in range(500_000)) + "}")


def same_keys(case, name):
    case.write(name, "{" + ",".join('"openapi": "3.1.0"' for _ in range(200_000)) + "}")


def number(case, name):
    case.write(name, b'{"openapi": ' + b"9" * 5_000_000 + b"}")


def truncated(case, name):
    case.write(name, SHOP[:-200])


@cache
def zipped(begin, byte, count):
    return bomb_of(begin, byte, count)


def bomb(case, name):
    case.write(name, zipped(b"", b"\0", 1_000_000_000))


def json_bomb(case, name):
    case.write(name, zipped(b'{"a":', b" ", 300_000_000))


def half_gzip(case, name):
    case.write(name, gzip.compress(random.Random(1).randbytes(100_000))[:50_000])


def itself(case, name):
    os.symlink(name, case.path(name))


def missing(case, name):
    os.symlink("/nonexistent", case.path(name))


def zero(case, name):
    os.symlink("/dev/zero", case.path(name))


def memory(case, name):
    os.symlink("/proc/self/mem", case.path(name))


def fifo(case, name):
    os.mkfifo(case.path(name))


def closed(case, name):
    os.symlink("/dev/stdin", case.path(name))


def sixteen(case, name):
    case.write(name, SHOP.encode("utf-16"))


def latin(case, name):
    case.write(name, SHOP.replace('"T"', '"T\u00e9"').encode("latin-1"))


def unreadable(case, name):
    case.write(name, SHOP)
    os.chmod(case.path(name), 0)
    if os.access(case.path(name), os.R_OK):
        raise Skip("this user may read everything")


ODD = [
    empty,
    folder,
    noise,
    text_noise,
    brackets,
    objects,
    indents,
    quotes,
    keys,
    same_keys,
    number,
    truncated,
    bomb,
    json_bomb,
    half_gzip,
    itself,
    missing,
    zero,
    memory,
    fifo,
    closed,
    sixteen,
    latin,
    unreadable,
]

TARGET = ["--target", "http://127.0.0.1:1"]
# A verb and the name under which it gets the invalid file.
PLACES = {
    "run": ["run", "odd.yaml"],
    "try": ["try", "odd.yaml"],
    "check": ["check", "odd.yaml"],
    "tune": ["tune", "odd.yaml"],
    "check of JSON": ["check", "odd.json"],
    "limits": ["limits", "odd.yaml"],
    "capacity": ["capacity", "odd.yaml"],
    "compare": ["compare", "odd.json", "odd.json"],
    "compare live": ["compare", "odd.yaml", "--base", TARGET[1], "--candidate", TARGET[1]],
    "trend": ["trend", "odd.json", "--report", "t"],
    "report": ["report", "odd.json"],
    "merge": ["merge", "odd.json.gz"],
    "merge of JSON": ["merge", "odd.json"],
    "init": ["init", "odd.json", "-o", "-"],
    "explore": ["explore", "odd.yaml", *TARGET],
    "import har": ["import", "odd.har", "--contract", "api.json", "-o", "-"],
    "import postman": ["import", "odd.json", "--contract", "api.json", "-o", "-"],
    "import jmx": ["import", "odd.jmx", "--contract", "api.json", "-o", "-"],
    "import k6": ["import", "odd.js", "--contract", "api.json", "-o", "-"],
    "import contract": ["import", "f.har", "--contract", "odd.json", "-o", "-"],
    "record contract": ["record", *TARGET, "--openapi", "odd.yaml", "-o", "s.yaml", "--max-seconds", "1"],
    "jsonpath": ["jsonpath", "$..a", "odd.json"],
    "schema": ["schema", "validate", "--schema", "odd.json", "api.json"],
    "instance": ["schema", "validate", "--schema", "true.json", "odd.json"],
    "remote": ["schema", "validate", "--schema", "true.json", "--remote", "urn:x=odd.json", "api.json"],
    "env file": ["run", "s.yaml", "--env-file", "odd.env"],
    "cacert": ["run", "s.yaml", "--cacert", "odd.pem"],
    "cert": ["run", "s.yaml", "--cert", "odd.pem"],
    "key": ["run", "s.yaml", "--cert", "api.json", "--key", "odd.pem"],
    "baseline": ["run", "s.yaml", "--baseline", "odd.json"],
    "replay": ["explore", "api.json", *TARGET, "--replay", "odd.json"],
    "contract": ["check", "contract.yaml"],
    "feed csv": ["check", "csv.yaml"],
    "feed json": ["check", "rows.yaml"],
    "upload": ["check", "upload.yaml"],
    "include": ["check", "include.yaml"],
    "overlay": ["check", "overlay.yaml"],
    "database": ["serve", "murphys-laws", "--port", "0", "--database", "odd.db"],
}
# Any bytes are data here, and valid input for a place may be accepted.
LENIENT = {
    "upload",
    "feed csv",
    "instance",
    "env file",
    "jsonpath",
    "remote",
    "schema",
    "record contract",
    "database",
    "trend",
}


def files(case):
    plain = documents.scenario(TARGET[1], "- { call: tell, path: { id: a } }")
    case.write("api.json", SHOP)
    case.write("true.json", "true")
    case.write("f.har", '{"log":{"entries":[]}}')
    case.write("s.yaml", plain)
    case.write("contract.yaml", plain.replace("api.json", "odd.json"))
    case.write("overlay.yaml", plain.replace("contract: api.json", "contract: [api.json, odd.yaml]"))
    case.write("include.yaml", plain + "include: odd.yaml\n")
    case.write("csv.yaml", plain + "feeds: { rows: { file: odd.csv } }\n")
    case.write("rows.yaml", plain + "feeds: { rows: { file: odd.json } }\n")
    case.write("upload.yaml", plain.replace("path: { id: a }", "path: { id: a }, file: odd.bin, content-type: a/b"))


def odd(place, make, case):
    files(case)
    words = PLACES[place]
    names = {word.rpartition("=")[2] for word in words if "odd." in word} or {
        {
            "contract": "odd.json",
            "feed csv": "odd.csv",
            "feed json": "odd.json",
            "upload": "odd.bin",
            "include": "odd.yaml",
            "overlay": "odd.yaml",
        }[place]
    }
    for name in names:
        make(case, name)
    # A closed standard input, where the file links to it.
    with open("/dev/null", "rb") as null:
        process = case.start(*words, stdin=null if make is closed else subprocess.DEVNULL)
        if place == "database":
            process.said(b"http://", 5)
            process.send(15)
        ended = case.finish(process)
    lenient = place in LENIENT or make in (keys, same_keys, number) and place == "check of JSON"
    case.require(ended.status != 0 or lenient, f"bad input is accepted with status 0: {ended.text[:300]}")
    case.require(ended.text.strip() or lenient, "no word")
    case.require(len(ended.text) < 60_000 or lenient, f"{len(ended.text)} characters of error")


def odd_files():
    for number, place in enumerate(PLACES):
        # Each place gets every second file, and the next place the others.
        for make in ODD[number % 2 :: 2]:
            yield f"{place}: {make.__name__}", partial(odd, place, make)


GROUPS = [Group("files", 30, 1500, odd_files, jobs=2)]
