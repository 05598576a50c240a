"""Hostile texts, by name, and the notations in which a secret must not appear."""

import base64
import html
import json
import urllib.parse

# Commands that a shell executes outside of quotes; the canary is a file of this name.
CANARY = "PWN"
_MARKS = {
    "acute": "\u0301",
    "variation selector": "\ufe0f",
    "keycap": "\u20e3",
    "joiner": "\u200d",
    "virama": "\u094d",
    "enclosing circle": "\u20dd",
    "tag": "\U000e0061",
    "skin tone": "\U0001f3fb",
    "spacing mark": "\u0903",
    "zero width non-joiner": "\u200c",
    "half mark": "\ufe20",
}
_PREPENDS = {"arabic number sign": "\u0600", "malayalam reph": "\u0d4e", "kaithi": "\U000110bd", "syriac": "\u070f"}

SHELL = {f"quote and {name}": f"v'{mark};touch {CANARY};'{mark}" for name, mark in _MARKS.items()}
SHELL |= {f"{name} and quote": f"v{sign}';touch {CANARY};{sign}'" for name, sign in _PREPENDS.items()}
SHELL |= {
    "many marks": "v'" + "\u0301" * 40 + f";touch {CANARY};'",
    "mark between quotes": f"''\u0301'\u0301;touch {CANARY};'",
    "substitution": f"v$(touch {CANARY})`touch {CANARY}`${{IFS}}",
    "double quote": f'v";touch {CANARY};"',
    "backslash quote": f"v\\';touch {CANARY};\\'",
    "escaped already": f"v'\\'';touch {CANARY};'\\''",
    "line break": f"v'\ntouch {CANARY}\n'",
    "carriage return": f"v'\r\ntouch {CANARY}\r\n'",
    "control characters": f"v'\x1b[2J\x07\x08;touch {CANARY};'",
    "nul": f"v'\0;touch {CANARY};'",
    "c1 controls": f"v'\x85touch {CANARY}\x9b;'",
    "line separator": f"v'\u2028touch {CANARY}\u2029'",
    "direction": f"v'\u202e;touch {CANARY};\u2066'",
    "file of curl": "@/etc/passwd",
    "redirected file": "</etc/passwd",
    "type of curl": f"v;type=text/x;filename={CANARY}",
    "options": f"-o {CANARY}",
    "history": f"!!v'!;touch {CANARY}",
    "globs": "[1-3]{a,b}*?~",
    "printf": "%n%s\\c\\0101'%c",
    "noncharacter": f"v'\ufffe;touch {CANARY};'\uffff",
    "variable of a script": "$MURPHY_TOKEN'\"$1\"'",
    "comment": f"v'#\n;touch {CANARY}",
    "emoji": "v'\U0001f468\u200d\U0001f469",
}

# Strings of a document that try to add keys or lines to a generated file.
DOCUMENT = {
    "line breaks": "x\ntarget: http://evil.test\nclient: { headers: { A: b } }\nsetup:\n  - call: a",
    "carriage return": "x\rtarget: http://evil.test\rsetup: []",
    "both": "x\r\nclient: {}\r\nsetup: []",
    "comment": "a # b",
    "colon": "a: b: c",
    "colon at the end": ":",
    "double quotes": 'a" , target: "b',
    "single quotes": "it's 'it'\n' target: x",
    "tab": "\ta\tb: c",
    "next line": "a\x85target: http://evil.test\x85setup: []",
    "line separator": "a\u2028target: x\u2028setup: []",
    "paragraph separator": "a\u2029client: {}",
    "expression": "${env(HOME)}",
    "expression with mark": "${\u0301env(HOME)}",
    "escaped expression": "$${env(HOME)}",
    "dollar before": '$$${env(HOME)}${file("/etc/passwd")}',
    "tag": "!!python/object:os.system a",
    "anchor": "&a *a",
    "directive": "%YAML 1.2\n---\ntarget: x",
    "document end": "...\n---\ntarget: x",
    "sequence": "- a: b",
    "block": "|\n a: b",
    "map": "{target: x}",
    "list": "[a, b",
    "null": "~",
    "true": "true",
    "number": "1e3",
    "merge": "<<",
    "empty": "",
    "blank": "   ",
    "nul": "nul\0l",
    "escape": "\x1b[31mred\x07",
    "bidi": "a\u202eb\u2066",
    "byte order mark": "\ufeffa",
    "marks": 'e\u0301\ufe0f"\u0301: \u20e3',
    "moustache": "{{name}}",
    "long": "x" * 20_000,
    "backslashes": '\\" \\n \\x',
    "noncharacter": "\ufffe\uffff",
    "astral": "\U0001f600\U0010ffff",
    "question": "? a\n: b",
    "at": "@a `b` %c",
}

# Secrets that a shell, a quotation or a search could cut.
SECRETS = {
    "two quotes": "''B7Q9zzKK",
    "quote and command": f"A'B7Q9zz; touch {CANARY}; #",
    "closing": f"'B7Q9zz';touch {CANARY};'",
    "quote and mark": f"B7Q9'\u0301;touch {CANARY};'\u0301zz",
    "double quotes": f'B7Q9"$(touch {CANARY})"zz',
    "backquotes": f"B7Q9`touch {CANARY}`zz",
    "escaped quote": "'\\''B7Q9zz'\\''",
    "backslashes": "B7Q9\\'\\\\zz\"",
    "percent": "B7Q9%27%22+/=zz",
    "html": "B7Q9<b>&amp;'\"zz",
    "words of the command": "curl -g -sS -i'",
    "url": "http://127.0.0.1",
    "one quote": "'",
    "quotes alone": "''''''''",
    "space": "B7Q9 zz  yy",
}


def forms(secret):
    """A secret as it stands, and as JSON, HTML, URLs and base64 say it; short ones only as they stand."""
    as_json = json.dumps(secret)[1:-1]
    found = {
        secret,
        as_json,
        json.dumps(secret, ensure_ascii=False)[1:-1],
        html.escape(secret),
        html.escape(secret, False),
        urllib.parse.quote(secret, safe=""),
        urllib.parse.quote_plus(secret),
        json.dumps(as_json)[1:-1],
    }
    for shift in range(3):
        data = b"\0" * shift + secret.encode()
        core = base64.b64encode(data).decode()[: len(data) * 8 // 6][(0, 2, 3)[shift] :]
        if len(core) >= 10:
            found |= {core, core.replace("+", "-").replace("/", "_")}
    return {form.encode() for form in found}


def leaks(secret, outputs):
    """Where outputs (bytes by name) hold a secret in any form."""
    found = []
    for name, data in outputs.items():
        for form in forms(secret):
            at = data.find(form)
            if at >= 0:
                found.append(f"{name} holds {form!r}: {data[max(0, at - 80):at + len(form) + 20]!r}")
                break
    return found
