import MurphyModel

extension ResultSchema {
  private static let kinds = FindingKind.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")

  static let findings = """
        "finding": {
          "description": "The API is wrong, or murphy was: one row for all equal occurrences.",
          "type": "object",
          "required": ["kind", "severity", "message", "details", "count", "first_seen", "last_seen", "fingerprint", "load"],
          "additionalProperties": false,
          "properties": {
            "kind": { "enum": [\(kinds)], "description": "The judge, a point, and what it found." },
            "severity": { "enum": ["note", "warning", "error"] },
            "operation": { "type": "string", "description": "The operationId; absent for the whole run." },
            "message": { "type": "string", "description": "What failed, found and expected; `operation` is to be said before it." },
            "details": { "type": "array", "items": { "type": "string" } },
            "count": { "$ref": "#/$defs/count", "description": "Answers that show it for kinds of `contract` and `relation`, occurrences for all others." },
            "places": { "$ref": "#/$defs/count", "description": "Places of those answers that show it, where one answer shows it at several." },
            "first_seen": { "type": "number" },
            "last_seen": { "type": "number" },
            "fingerprint": { "type": "string", "pattern": "^[0-9a-f]{16}$", "description": "Equal findings have equal fingerprints, from run to run." },
            "evidence": { "$ref": "#/$defs/evidence" },
            "load": { "type": "array", "items": { "$ref": "#/$defs/load_occurrence" }, "description": "How often it came at each stage of the load; empty when not known." },
            "expectation": {
              "description": "What the scenario expects and where it says so; absent for what no step expects.",
              "type": "object",
              "required": ["session", "step", "source", "expected"],
              "additionalProperties": false,
              "properties": {
                "session": { "type": "string" },
                "step": { "type": "string", "description": "The step's number in its session, from 1 in each list of steps." },
                "source": {
                  "type": "object",
                  "required": ["file", "line", "column"],
                  "additionalProperties": false,
                  "properties": { "file": { "type": "string" }, "line": { "type": "integer" }, "column": { "type": "integer" } }
                },
                "expected": { "type": "string" }
              }
            },
            "found": {
              "description": "What was found at each place, split by value; absent where the finding is not of a value.",
              "type": "object",
              "required": ["values", "others"],
              "additionalProperties": false,
              "properties": {
                "values": {
                  "type": "array",
                  "description": "Most frequent first.",
                  "items": {
                    "type": "object",
                    "required": ["text", "count"],
                    "additionalProperties": false,
                    "properties": { "text": { "type": "string" }, "count": { "$ref": "#/$defs/count" } }
                  }
                },
                "others": { "$ref": "#/$defs/count", "description": "Occurrences with any other value." }
              }
            },
            "cause": { "type": "string", "description": "Equal for findings of one kind that one mistake explains; three or more of them are one finding." },
            "members": {
              "type": "array",
              "description": "The findings that this one groups; absent for a single one.",
              "items": {
                "type": "object",
                "required": ["message", "count", "first_seen", "fingerprint"],
                "additionalProperties": false,
                "properties": {
                  "operation": { "type": "string" },
                  "message": { "type": "string" },
                  "count": { "$ref": "#/$defs/count" },
                  "first_seen": { "type": "number" },
                  "fingerprint": { "type": "string", "pattern": "^[0-9a-f]{16}$" }
                }
              }
            },
            "drift": { "$ref": "#/$defs/drift" }
          }
        },
        "load_occurrence": {
          "type": "object",
          "required": ["stage", "requests", "occurrences", "rate"],
          "additionalProperties": false,
          "properties": {
            "stage": { "$ref": "#/$defs/count", "description": "Index in the run's `load`." },
            "requests": { "$ref": "#/$defs/count", "description": "Requests of the operation that ended in the stage, answered or failed." },
            "occurrences": { "$ref": "#/$defs/count" },
            "rate": { "type": "number", "minimum": 0, "description": "Requests per second of all operations, mean over the stage." }
          }
        }
    """

  static let drift = """
        "drift": {
          "description": "How latency or the share of errors of one operation follows the load or the time; docs/drift.md.",
          "type": "object",
          "required": ["measure", "axis", "threshold", "low", "high", "is_ambiguous", "points"],
          "additionalProperties": false,
          "properties": {
            "measure": { "enum": ["latency", "errors"], "description": "latency: the geometric mean, in microseconds. errors: a share from 0 to 1." },
            "axis": { "enum": ["requests", "users", "time"], "description": "requests: per second, of all operations. users: with a session running. time: seconds since the start." },
            "threshold": { "type": "number", "description": "The highest load without it, or the moment of its beginning." },
            "low": { "type": "number", "description": "The median of the points up to the threshold." },
            "high": { "type": "number", "description": "The median of the points beyond it." },
            "is_ambiguous": { "type": "boolean", "description": "Load and time grew together: either may be the cause." },
            "points": {
              "type": "array",
              "items": {
                "type": "object",
                "required": ["from", "until", "load", "requests", "value"],
                "additionalProperties": false,
                "properties": {
                  "from": { "type": "number" },
                  "until": { "type": "number" },
                  "load": { "type": "number", "description": "Requests per second of all operations, or users." },
                  "requests": { "$ref": "#/$defs/count", "description": "Of the operation." },
                  "value": { "type": "number" }
                }
              }
            }
          }
        }
    """

  static let evidence = """
        "evidence": {
          "description": "What proves a finding. Secrets are masked.",
          "type": "object",
          "additionalProperties": false,
          "properties": {
            "exchange": { "$ref": "#/$defs/exchange" },
            "curl": { "type": "string", "description": "A command that repeats the request." },
            "instance_pointer": { "type": "string", "description": "JSON Pointer into the response body." },
            "schema_pointer": { "type": "string", "description": "JSON Pointer into the contract." },
            "witness": {
              "description": "The exchanges that together prove a finding of the state judge, in the order of their sends.",
              "type": "array",
              "items": {
                "type": "object",
                "required": ["operation", "session", "outcome", "status", "tells", "is_read", "sent", "answered", "is_suspect"],
                "additionalProperties": false,
                "properties": {
                  "operation": { "type": "string" },
                  "session": { "type": "integer", "description": "-1 for murphy's own reads." },
                  "outcome": { "enum": ["accepted", "refused", "unknown", "pending"] },
                  "status": { "$ref": "#/$defs/count", "description": "0 without an answer." },
                  "tells": { "type": "string", "description": "What it asked for or showed." },
                  "is_read": { "type": "boolean" },
                  "sent": { "type": "number", "description": "Seconds since the load began." },
                  "answered": { "type": "number", "description": "Seconds since the load began; when it was given up, without an answer." },
                  "curl": { "type": "string", "description": "The command that sends it again." },
                  "is_suspect": { "type": "boolean", "description": "An accepted write that, had it not been kept, would explain the finding." }
                }
              }
            },
            "source": {
              "description": "Where in the contract the broken promise stands.",
              "type": "object",
              "required": ["file", "line", "column"],
              "additionalProperties": false,
              "properties": { "file": { "type": "string" }, "line": { "type": "integer" }, "column": { "type": "integer" } }
            }
          }
        },
        "exchange": {
          "description": "One request and its answer as they went over the wire, cut to a size that fits a report.",
          "type": "object",
          "required": ["method", "url", "request_headers", "response_headers", "response_size", "sent", "took"],
          "additionalProperties": false,
          "properties": {
            "method": { "type": "string" },
            "url": { "type": "string" },
            "request_headers": { "type": "array", "items": { "$ref": "#/$defs/field" } },
            "request_body": { "type": "string" },
            "status": { "type": "integer", "description": "Absent when no answer came." },
            "response_headers": { "type": "array", "items": { "$ref": "#/$defs/field" } },
            "response_body": { "type": "string", "description": "The beginning of the body; bytes that are not UTF-8 are replaced." },
            "response_size": { "$ref": "#/$defs/count", "description": "The whole body, bytes." },
            "sent": { "type": "number", "description": "Seconds since the run's start." },
            "took": { "type": "number", "description": "Microseconds from send to the last byte." }
          }
        },
        "field": {
          "type": "object",
          "required": ["name", "value"],
          "additionalProperties": false,
          "properties": { "name": { "type": "string" }, "value": { "type": "string" } }
        }
    """
}
