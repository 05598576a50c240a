/// The published JSON Schema (2020-12) of `capacity.json`. Closed: a key that it does not name is a mistake.
package enum CapacitySchema {
  package static let text = """
    {
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "$id": "urn:murphy:capacity:1",
      "title": "The result of murphy capacity",
      "description": "Latencies are microseconds and times are seconds since the search began, unless a description says otherwise. A load counts what `unit` says.",
      "type": "object",
      "required": ["format", "verdict", "ending", "reasons", "scenario", "scenario_file", "target", "started", "duration", "seed", "machine", "murphy", "unit", "bounds", "precision", "window", "untested", "steps"],
      "additionalProperties": false,
      "properties": {
        "format": { "const": "murphy-capacity/1", "description": "Which schema this file follows." },
        "verdict": { "enum": ["pass", "fail", "invalid", "no-data"] },
        "ending": { "enum": ["found", "reached-most", "nothing-held", "generator", "untested", "out-of-time", "unsteady", "not-recovered", "interrupted"], "description": "Why the search ended." },
        "reasons": { "type": "array", "items": { "type": "string" }, "description": "Why, in sentences, the most important first." },
        "scenario": { "type": "string" },
        "scenario_file": { "type": "string" },
        "target": { "type": "string", "description": "Credentials masked." },
        "started": { "type": "string", "description": "RFC 3339, UTC." },
        "duration": { "type": "number", "minimum": 0 },
        "seed": { "type": "integer", "minimum": 0 },
        "machine": { "type": "string" },
        "murphy": { "type": "string", "description": "Version." },
        "unit": { "enum": ["sessions_per_second", "users"] },
        "capacity": { "type": "number", "description": "The highest load at which every promise held, confirmed by a longer window; absent where none was confirmed." },
        "throughput": { "type": "number", "description": "Answers per second at that load." },
        "held": { "type": "number", "description": "The highest load that held; absent where none did." },
        "broke": { "type": "number", "description": "The lowest load that did not hold; absent where all did." },
        "bounds": { "type": "array", "items": { "$ref": "#/$defs/cause" }, "description": "What did not hold there, the decisive one first." },
        "precision": { "type": "number", "description": "How close the two ends should come: 0.05 for 5 %." },
        "most": { "type": "number", "description": "The load that the search was told not to exceed." },
        "required": { "type": "number", "description": "The load that was asked for." },
        "window": { "type": "number", "description": "Seconds of a window that are judged." },
        "untested": { "type": "array", "items": { "$ref": "#/$defs/cause" }, "description": "Promises that no window could test." },
        "knee": {
          "description": "The load with the most answers for its latency; absent for fewer than three loads.",
          "type": "object",
          "required": ["load", "throughput", "p95"],
          "additionalProperties": false,
          "properties": { "load": { "type": "number" }, "throughput": { "type": "number" }, "p95": { "type": "number" } }
        },
        "steps": { "type": "array", "items": { "$ref": "#/$defs/step" }, "description": "Every window of load, in order." }
      },
      "$defs": {
        "count": { "type": "integer", "minimum": 0 },
        "unit": { "enum": ["us", "share", "per_second"] },
        "step": {
          "type": "object",
          "required": ["purpose", "load", "outcome", "causes", "start", "duration", "settling", "seed", "requests", "offered", "throughput", "errors", "limited", "in_flight"],
          "additionalProperties": false,
          "properties": {
            "purpose": { "enum": ["calibrate", "raise", "narrow", "lower", "confirm", "recover"] },
            "load": { "type": "number", "minimum": 0 },
            "outcome": { "enum": ["held", "broke", "generator", "untested", "interrupted"] },
            "trials": { "type": "integer", "minimum": 0, "description": "Responses that succeeded; absent in results of earlier versions." },
            "causes": { "type": "array", "items": { "$ref": "#/$defs/cause" }, "description": "What did not hold or was not tested, the decisive one first." },
            "start": { "type": "number", "minimum": 0 },
            "duration": { "type": "number", "minimum": 0, "description": "Seconds of load, those for settling included." },
            "settling": { "type": "number", "minimum": 0, "description": "Seconds at the beginning whose latency is not counted." },
            "seed": { "type": "integer", "minimum": 0 },
            "requests": { "$ref": "#/$defs/count" },
            "offered": { "type": "number", "description": "Requests that came due in a second of the judged part." },
            "throughput": { "type": "number", "description": "Answers in a second of the judged part." },
            "p50": { "type": "number", "description": "Over all operations, of every request that came due in the judged part." },
            "p95": { "type": "number" },
            "p99": { "type": "number" },
            "errors": { "$ref": "#/$defs/count" },
            "limited": { "$ref": "#/$defs/count", "description": "Rejected by a rate limit." },
            "in_flight": { "type": "array", "items": { "type": "integer" }, "description": "Requests without an end yet, in the middle and at the end of the judged part." }
          }
        },
        "cause": {
          "type": "object",
          "required": ["kind"],
          "additionalProperties": false,
          "properties": {
            "kind": { "enum": ["generator", "limiter", "errors", "latency", "sessions", "backlog", "silence", "finding", "unanswered", "samples", "nothing-succeeded"] },
            "operation": { "type": "string", "description": "The operationId, or * for all together." },
            "metric": { "type": "string" },
            "limit": {
              "type": "object",
              "required": ["value", "unit"],
              "additionalProperties": false,
              "properties": { "value": { "type": "number" }, "unit": { "$ref": "#/$defs/unit" } }
            },
            "observed": {
              "type": "object",
              "required": ["low", "high", "unit"],
              "additionalProperties": false,
              "properties": { "low": { "type": "number" }, "high": { "type": ["number", "null"] }, "unit": { "$ref": "#/$defs/unit" } }
            },
            "finding": { "type": "string", "description": "The kind of a finding, as in docs/findings.md." },
            "reservation": { "type": "string", "description": "What murphy itself did." },
            "count": { "type": "integer", "description": "Findings, refusals, requests in flight at the end, sessions that ended as scripted, or samples." },
            "whole": { "type": "integer", "description": "Of how many answers or sessions; requests in flight in the middle; samples needed." }
          }
        }
      }
    }

    """
}
