"""Reports of runs whose server, document or scenario says markup."""

import html.parser
import json
import re
import xml.dom.minidom
from functools import partial

import documents
from kit import Group
from openmetrics import parsed
from servers import Server, answer


def outside_code(markdown):
    """Markdown without its code spans and fences, as CommonMark finds them."""
    markdown = re.sub(r"(?ms)^(`{3,})[^`\n]*\n.*?^\1`*\s*$", "", markdown)
    kept, at = "", 0
    for match in re.finditer(r"`+", markdown):
        if match.start() < at:
            continue
        close = re.compile(r"(?<!`)" + match[0] + r"(?!`)").search(markdown, match.end())
        if close:
            kept, at = kept + markdown[at : match.start()], close.end()
    return kept + markdown[at:]


MARKUP = {
    "image": "<img src=x onerror=alert(1)>",
    "script": "</script><script>alert(1)</script>",
    "closed span": "`<img src=x>`",
    "spans": "``<img src=x>```<b>",
    "marks": "`\u0301<img src=x>`\u0301",
    "fence": "\n```\n<img src=x>\n```\n",
    "link": "[a](javascript:alert(1))",
    "table": "a | <img src=x> | b",
    "comment": "--><img src=x>",
    "cdata": "]]><img src=x>",
    "entity": "&lt;img&#60;img src=x>",
    "attribute": '" onload="alert(1)',
    "controls": "\x1b<img src=x>\0",
    "workflow": "\n::error::x\n::set-env name=A::b",
    "quote": "'\u0301\"\u0301><img src=x>",
    "noncharacter": "\ufffe\uffff<img src=x>",
}


class PageReader(html.parser.HTMLParser):
    """Finds elements and attributes that no report of murphy has."""

    def __init__(self):
        super().__init__()
        self.found = []

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name.startswith("on") or (value or "").strip().lower().startswith("javascript:"):
                self.found.append((tag, name, value))
        if tag == "img" and ("src", "x") in attributes:
            self.found.append((tag, attributes))


def reported(label, place, case):
    """Each report of a run whose server, document or scenario says markup."""
    text = MARKUP[label]
    tag = text if place == "document" else "list"
    get = {
        "operationId": tag,
        "summary": text,
        "responses": {
            "200": {
                "description": text,
                "content": {
                    "application/json": {
                        "schema": {
                            "type": "object",
                            "properties": {"a": {"const": text if place == "document" else "b"}},
                        }
                    }
                },
            }
        },
    }
    case.write("api.json", documents.contract({"/seed": {"get": get}}))
    with Server(
        lambda request: answer(200, {"a": text, text: text}, [("X-A", text.replace("\n", " ").replace("\0", ""))])
    ) as server:
        plain = documents.scenario(server.url, "- { call: GET /seed }")
        if place == "scenario":
            plain = plain.replace("name: T", "name: " + json.dumps(text)).replace("  a:\n", f"  {json.dumps(text)}:\n")
        case.write("s.yaml", plain)
        ended = case.murphy(
            "run",
            "s.yaml",
            "--report",
            "r",
            "-v",
            env={"GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": case.path("step.md")},
        )
    if ended.status == 2:
        return
    case.require("\n::set-env" not in ended.text and "\n::error::x" not in ended.text, "a command for the workflow")
    for name in ("r/summary.md", "step.md"):
        case.require("<img" not in outside_code(case.read(name).decode()), f"{name} holds the markup")
    xml.dom.minidom.parse(case.path("r/junit.xml"))
    json.loads(case.read("r/findings.sarif"))
    page_reader = PageReader()
    page_reader.feed(case.read("r/report.html").decode())
    case.require(not page_reader.found, f"report.html holds {page_reader.found}")
    parsed(case, case.read("r/metrics.txt"))


def reports():
    for label in MARKUP:
        for place in ("server", "document", "scenario"):
            yield f"reports of {label} by the {place}", partial(reported, label, place)


GROUPS = [Group("reports", 20, 400, reports)]
