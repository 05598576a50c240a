"""The validator beside jsonschema-rs and jsonschema (Python), on one law, a page and a megabyte, in one run.

usage: schemas.py SCHEMA_BENCH WORK_FOLDER
"""
import json
import pathlib
import subprocess
import sys
import time

import jsonschema
import jsonschema_rs

program, work = sys.argv[1], pathlib.Path(sys.argv[2])
LAW = {
    "type": "object", "additionalProperties": False,
    "required": ["id", "text", "title", "category_id", "upvotes", "downvotes", "created_at", "attributions"],
    "properties": {
        "id": {"type": "integer", "minimum": 1}, "text": {"type": "string", "minLength": 10, "maxLength": 1000},
        "title": {"type": ["string", "null"], "maxLength": 200}, "category_id": {"type": "integer", "minimum": 1},
        "upvotes": {"type": "integer", "minimum": 0}, "downvotes": {"type": "integer", "minimum": 0},
        "created_at": {"type": "string", "format": "date-time"},
        "attributions": {"type": "array", "items": {
            "type": "object", "additionalProperties": False, "required": ["name"],
            "properties": {"name": {"type": "string"}, "contact_type": {"enum": ["url", "email", "text"]},
                           "contact_value": {"type": "string"}}}}}}
PAGE = {
    "type": "object", "additionalProperties": False, "required": ["data", "total", "limit", "offset"],
    "properties": {"data": {"type": "array", "items": LAW}, "total": {"type": "integer"}, "limit": {"type": "integer"},
                   "offset": {"type": "integer"}}}


def timed(check, seconds=1.0):
    """Nanoseconds of the fastest round."""
    best, end = float("inf"), time.perf_counter() + seconds
    while True:
        begin = time.perf_counter_ns()
        assert check()
        best = min(best, time.perf_counter_ns() - begin)
        if time.perf_counter() > end:
            return best


def main():
    page = json.loads((work / "page.json").read_text())
    (work / "megabyte.json").write_text(json.dumps({**page, "data": page["data"] * 120}, separators=(",", ":")))
    figures = json.loads((work / "result.json").read_text())
    print("\nJSON Schema, closed objects and formats, parse included: microseconds for one validation")
    for name, schema in {"law": LAW, "page": PAGE, "megabyte": PAGE}.items():
        (work / f"{name}.schema.json").write_text(json.dumps(schema))
        file = work / f"{name}.json"
        text = file.read_text()
        line = subprocess.run(
            [program, work / f"{name}.schema.json", file], capture_output=True, text=True, check=True).stdout
        ours = json.loads(line)
        assert ours["valid"], line
        rust = jsonschema_rs.validator_for(schema, validate_formats=True)
        python = jsonschema.Draft202012Validator(schema, format_checker=jsonschema.FormatChecker())
        peers = {
            "jsonschema-rs": timed(lambda: rust.is_valid(json.loads(text))),
            "python jsonschema": timed(lambda: python.is_valid(json.loads(text)), 0.2)}
        print(f"  {name:9} {ours['bytes']:>9,} bytes  murphy {ours['nanoseconds'] / 1000:>9.2f}", end="")
        for peer, nanoseconds in peers.items():
            print(f"   {peer} {nanoseconds / 1000:>11.1f} ({nanoseconds / ours['nanoseconds']:.0f} times)", end="")
            figures["rows"].append(dict(section="schema", name=f"{name}: {peer} / murphy", unit="times",
                                        value=nanoseconds / ours["nanoseconds"]))
        print(flush=True)
    (work / "result.json").write_text(json.dumps(figures, indent=1) + "\n")


main()
