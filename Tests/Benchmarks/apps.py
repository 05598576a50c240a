"""Schemathesis's own test servers, out of its source distribution: `apps.py SOURCES NAME DOCUMENT` serves one.

Writes its document and prints one line `listening on URL`. Each of the apps was made to show one defect; `SIGN` is what the
finding of it speaks of, because many have other deviations too.
"""
import importlib
import json
import socket
import sys

SERVER_ERROR = r"\b5\d\d\b|[Ss]erver.?[Ee]rror"
GATED = "500 behind checks that the document does not tell, only the messages of 400"
USERS = "stateful.stateful_users"

# Name with the defect, and its sign. A name after `+` is a modifier of stateful_users.
APPS = {
    "basic.failure": ("500 always", SERVER_ERROR),
    "basic.multiple_failures": ("500 for id 0, 504 above", SERVER_ERROR),
    "basic.flaky": ("500 the first time", SERVER_ERROR),
    "basic.write_only": ("500 for other bodies than it wants", SERVER_ERROR),
    "basic.ignored_auth": ("credentials are not asked for", ""),
    "basic.basic": ("401 is not documented", ""),
    "basic.always_incorrect": ("400 for every valid request", ""),
    "basic.invalid_response": ("the answer does not conform", ""),
    "basic.conformance": ("the answer is not the constant", ""),
    "basic.text": ("text where JSON is documented", ""),
    "basic.teapot": ("418 is not documented", ""),
    "basic.malformed_json": ("the answer is not JSON", ""),
    "basic.crash_closes_connection": ("500, and the connection is closed", SERVER_ERROR),
    "basic.collection_with_planted_bug": ("500 for a token that a list shows", SERVER_ERROR),
    "basic.undocumented_collection_with_planted_bug": ("500 for a tag that a list shows", SERVER_ERROR),
    "basic.vocabulary_path_with_planted_bug": ("500 for a genre that a list shows", SERVER_ERROR),
    "nested.deep_leaf_bug": ("the innermost object is not checked", ""),
    "nested.header_constraint_bug": ("a header is not checked", ""),
    "nested.one_of_branch_bug": ("a branch of oneOf is not checked", ""),
    "nested.additional_properties_bug": ("the values of additional properties are not checked", ""),
    "users.crud": ("500 for a read after a change to null", SERVER_ERROR),
    "users.crud_asgi": ("500 for a read after a change to null", SERVER_ERROR),
    "restler.planted_bug": (GATED, SERVER_ERROR),
    "confluent.planted_bug": (GATED, SERVER_ERROR),
    **{f"error_feedback.{name}planted_bug": (GATED, SERVER_ERROR) for name in (
        "", "two_stage_", "nested_", "size_bound_", "format_", "numeric_bound_", "positive_numeric_gate_", "pattern_",
        "jackson_typed_", "jackson_overflow_", "jackson_enum_", "missing_request_body_", "missing_query_param_", "pydantic_")},
    f"{USERS}+UseAfterFree": ("what was deleted can be read", r"[Uu]se.?[Aa]fter|delet"),
    f"{USERS}+EnsureResourceAvailability": ("what was created cannot be read", r"[Aa]vailab|creat"),
    f"{USERS}+IndependentInternalError": ("500 for changes and deletions", SERVER_ERROR),
    f"{USERS}+FailureBehindFailure": ("500 for names of odd length", SERVER_ERROR),
    f"{USERS}+MultipleConformanceIssues": ("an answer that does not conform, without its type", ""),
    f"{USERS}+IgnoredAuth": ("tokens are not asked for", r"[Aa]uth|token|credential"),
}
# Without a defect.
CLEAN = "basic.success"


def main():
    sources, name, document = sys.argv[1:]
    sys.path.insert(0, sources)
    module, factory, *modifiers = name.replace("+", ".").split(".")
    make = getattr(importlib.import_module(f"test.apps.catalog.openapi.{module}"), factory)
    changes = importlib.import_module("test.apps.catalog.openapi.modifiers.stateful")
    app = make(*[getattr(changes, modifier)() for modifier in modifiers])
    with open(document, "w") as file:
        json.dump(app.spec, file)
    listener = socket.create_server(("127.0.0.1", 0))
    print(f"listening on http://127.0.0.1:{listener.getsockname()[1]}", flush=True)
    if app.kind == "fastapi":
        import uvicorn
        uvicorn.Server(uvicorn.Config(app.server, log_level="critical")).run(sockets=[listener])
    else:
        from werkzeug.serving import make_server
        make_server("127.0.0.1", 0, app.server, threaded=True, fd=listener.fileno()).serve_forever()


if __name__ == "__main__":
    main()
