/// The published JSON Schema (2020-12) of `result.json`. Closed: a key that it does not name is a mistake.
package enum ResultSchema {
  package static let text = [head, definitions.joined(separator: ",\n"), "  }\n}\n"].joined(separator: "\n")

  private static let definitions = [
    run, shards, operations, latency, censoring, sessions, tags, traffic, ledger, findings, drift, evidence, rows,
    relations,
    limits, coverage, generator, timeline, regression, exploration,
  ]

  private static let head = """
    {
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "$id": "urn:murphy:result:2",
      "title": "The result of a murphy run",
      "description": "Durations are microseconds and times are seconds since the run's start, unless a description says otherwise.",
      "type": "object",
      "required": ["format", "verdict", "reasons", "run", "operations", "sessions", "ledger", "findings", "budgets", "traffic", "limits", "state", "coverage", "generator", "timeline"],
      "additionalProperties": false,
      "properties": {
        "format": { "const": "murphy-result/2", "description": "Which schema this file follows." },
        "verdict": { "enum": ["pass", "fail", "invalid", "no-data", "shard"], "description": "fail: the API broke a promise. invalid: murphy was the bottleneck, or the run was cut short. no-data: something that was asked for saw too few samples. shard: one shard of a run, without a verdict of its own." },
        "reasons": { "type": "array", "items": { "type": "string" }, "description": "Why, in sentences, the most important first; empty for a pass." },
        "run": { "$ref": "#/$defs/run" },
        "operations": { "type": "array", "items": { "$ref": "#/$defs/operation" } },
        "sessions": { "type": "array", "items": { "$ref": "#/$defs/session" } },
        "tags": { "type": "array", "items": { "$ref": "#/$defs/tag" }, "description": "One for each tag under which something was sent; absent without any." },
        "ledger": { "$ref": "#/$defs/ledger" },
        "findings": { "type": "array", "items": { "$ref": "#/$defs/finding" }, "description": "Worst first." },
        "budgets": { "type": "array", "items": { "$ref": "#/$defs/budget" } },
        "traffic": { "type": "array", "items": { "$ref": "#/$defs/traffic" }, "description": "Promises that every run makes." },
        "limits": { "type": "array", "items": { "$ref": "#/$defs/limit" } },
        "state": { "type": "array", "items": { "$ref": "#/$defs/invariant" } },
        "relations": { "type": "array", "items": { "$ref": "#/$defs/relation" }, "description": "One for each relation between answers and operation that was called; absent in older results." },
        "relation_requests": { "$ref": "#/$defs/count", "description": "Requests that murphy sent after the load to test relations, counted nowhere else." },
        "coverage": { "$ref": "#/$defs/coverage" },
        "generator": { "$ref": "#/$defs/generator" },
        "timeline": { "type": "array", "items": { "$ref": "#/$defs/second" }, "description": "One point a second, ascending." },
        "regression": { "$ref": "#/$defs/regression" },
        "explored": { "$ref": "#/$defs/exploration" }
      },
      "$defs": {
        "count": { "type": "integer", "minimum": 0 },
        "microseconds": { "type": "number", "minimum": 0 },
        "row_verdict": { "enum": ["pass", "fail", "no-data", "not-tested"], "description": "not-tested: no sample could have failed it." },
        "reason_count": {
          "type": "object",
          "required": ["reason", "count"],
          "additionalProperties": false,
          "properties": { "reason": { "type": "string" }, "count": { "$ref": "#/$defs/count" } }
        },
    """
}

extension ResultSchema {
  /// What is known of requests whose latency is not known exactly.
  static let censoring = """
        "censored_counts": {
          "description": "Samples whose latency is not known exactly, by what ended them.",
          "type": "object",
          "required": ["timeout", "reset", "end", "superseded", "cut_off", "unsent_api", "unsent_murphy", "late"],
          "additionalProperties": false,
          "properties": {
            "timeout": { "$ref": "#/$defs/count" },
            "reset": { "$ref": "#/$defs/count", "description": "Refused, reset, closed early or not HTTP." },
            "end": { "$ref": "#/$defs/count", "description": "In flight when the run ended." },
            "superseded": { "$ref": "#/$defs/count", "description": "Taken back for a newer query." },
            "cut_off": { "$ref": "#/$defs/count", "description": "The body went over the size limit." },
            "unsent_api": { "$ref": "#/$defs/count", "description": "Never sent: the API held all of the user's connections." },
            "unsent_murphy": { "$ref": "#/$defs/count", "description": "Never sent: murphy was late or stopped, or its machine had no room." },
            "late": { "$ref": "#/$defs/count", "description": "Answered, but sent or read late by murphy: known from below and above." }
          }
        },
        "interval": {
          "description": "In which a latency surely lies, microseconds.",
          "type": "object",
          "required": ["low", "high"],
          "additionalProperties": false,
          "properties": {
            "low": { "$ref": "#/$defs/microseconds" },
            "high": { "anyOf": [{ "$ref": "#/$defs/microseconds" }, { "type": "null" }], "description": "null: at least `low`." }
          }
        },
        "intervals": {
          "type": "object",
          "required": ["mean", "p50", "p75", "p90", "p95", "p99", "p999", "max"],
          "additionalProperties": false,
          "properties": {
            "mean": { "$ref": "#/$defs/interval" },
            "p50": { "$ref": "#/$defs/interval" },
            "p75": { "$ref": "#/$defs/interval" },
            "p90": { "$ref": "#/$defs/interval" },
            "p95": { "$ref": "#/$defs/interval" },
            "p99": { "$ref": "#/$defs/interval" },
            "p999": { "$ref": "#/$defs/interval", "description": "The 99.9th percentile." },
            "max": { "$ref": "#/$defs/interval" }
          }
        },
        "waited": {
          "description": "How long samples without an answer had waited from their intended start; and both bounds of the late ones.",
          "type": "object",
          "required": ["timeout", "reset", "end", "superseded", "cut_off", "unsent_api", "unsent_murphy", "late_low", "late_high", "service"],
          "additionalProperties": false,
          "properties": {
            "timeout": { "$ref": "#/$defs/histogram" },
            "reset": { "$ref": "#/$defs/histogram" },
            "end": { "$ref": "#/$defs/histogram" },
            "superseded": { "$ref": "#/$defs/histogram" },
            "cut_off": { "$ref": "#/$defs/histogram" },
            "unsent_api": { "$ref": "#/$defs/histogram" },
            "unsent_murphy": { "$ref": "#/$defs/count" },
            "late_low": { "$ref": "#/$defs/histogram", "description": "Without murphy's own delay." },
            "late_high": { "$ref": "#/$defs/histogram", "description": "As measured; also in `latency`." },
            "service": { "$ref": "#/$defs/histogram", "description": "Of all causes, from the actual send; 0 when never sent." }
          }
        }
    """
}

extension ResultSchema {
  static let limits = """
        "limit": {
          "description": "One rate-limit policy and what the run proved about it.",
          "type": "object",
          "required": ["name", "operations", "policy", "declared_by", "verdict", "sentence", "keys", "requests", "admitted", "refused", "unknown", "witness", "strips", "findings"],
          "additionalProperties": false,
          "properties": {
            "name": { "type": "string" },
            "operations": { "type": "array", "items": { "type": "string" } },
            "policy": { "type": "string", "description": "`30 per 60s, fixed window, key X-Device-ID`." },
            "declared_by": { "enum": ["scenario", "contract", "headers", "probe"] },
            "verdict": { "enum": ["over-admission", "over-throttling", "contradictory", "consistent", "inconclusive"] },
            "trials": { "$ref": "#/$defs/count", "description": "Samples that could have shown another limiter." },
            "sentence": { "type": "string" },
            "keys": { "$ref": "#/$defs/count", "description": "Different values of the policy's key." },
            "requests": { "$ref": "#/$defs/count", "description": "Requests with a key to the policy's operations." },
            "admitted": { "$ref": "#/$defs/count", "description": "Requests that were let through, whatever the API answered then." },
            "refused": { "$ref": "#/$defs/count", "description": "Requests that were refused as the policy says, by whichever limiter." },
            "unknown": { "$ref": "#/$defs/count", "description": "Requests whose decision was never learnt." },
            "allowance": { "type": "number" },
            "window": { "type": "number", "description": "Seconds." },
            "tick": { "type": "number", "description": "The largest clock tick of the server at which the verdict still holds, seconds." },
            "refutes": { "type": "string", "description": "The policies that the witness refutes." },
            "witness": { "type": "array", "items": { "$ref": "#/$defs/witness_request" }, "description": "The few requests that prove a violation." },
            "strips": { "type": "array", "items": { "$ref": "#/$defs/key_strip" } },
            "findings": { "type": "array", "items": { "type": "string" }, "description": "Fingerprints of the findings that tell why it is broken." },
            "strength": { "$ref": "#/$defs/limit_strength" },
            "tests": {
              "type": "array",
              "description": "What must have been seen before the limit counts as kept; absent for one that was not judged.",
              "items": {
                "type": "object",
                "required": ["test", "outcome", "sentence", "required"],
                "additionalProperties": false,
                "properties": {
                  "test": { "enum": [
                    "reached", "held", "renewed", "window-not-shorter", "window-not-longer", "key-not-coarser",
                    "key-not-finer", "algorithm"
                  ] },
                  "outcome": { "enum": ["kept", "not-tested", "broken"] },
                  "sentence": { "type": "string" },
                  "required": { "type": "boolean", "description": "False where the scenario accepts that it was not tested." }
                }
              }
            }
          }
        },
        "limit_strength": {
          "description": "What it is worth that nothing contradicts the limit.",
          "type": "object",
          "required": ["mutants", "allowances", "windows", "also_fits", "keys", "keys_of"],
          "additionalProperties": false,
          "properties": {
            "mutants": {
              "type": "array",
              "description": "Wrong limiters, each put in the real one's place in possible runs of the same requests.",
              "items": {
                "type": "object",
                "required": ["limiter", "exposure", "refuted", "tried"],
                "additionalProperties": false,
                "properties": {
                  "limiter": { "enum": ["allowance-less", "allowance-more", "window-shorter", "window-longer", "key-too-coarse", "key-too-fine", "two-workers", "four-workers", "refused-counted", "aligned", "never-resets", "no-limiter"] },
                  "exposure": { "enum": ["surely", "perhaps", "not"], "description": "Whether the judge refutes it in all, some or none of the runs." },
                  "refuted": { "$ref": "#/$defs/count" },
                  "tried": { "$ref": "#/$defs/count" }
                }
              }
            },
            "allowances": { "$ref": "#/$defs/fitting", "description": "Requests a window that the log does not refute." },
            "windows": { "$ref": "#/$defs/fitting", "description": "Seconds." },
            "also_fits": { "type": "array", "items": { "enum": ["fixed", "fixed-aligned", "sliding-log", "sliding-counter", "token-bucket"] }, "description": "Other algorithms." },
            "keys": { "$ref": "#/$defs/count", "description": "Keys that were replayed, the busiest." },
            "keys_of": { "$ref": "#/$defs/count", "description": "Keys of the policy." },
            "shortfall": { "type": "string", "description": "What `expect: strength:` asks for beyond this." }
          }
        },
        "fitting": {
          "type": "object",
          "required": ["low"],
          "additionalProperties": false,
          "properties": {
            "low": { "type": "number", "minimum": 0 },
            "high": { "type": "number", "minimum": 0, "description": "Absent: nothing larger is refuted." }
          }
        },
        "decision": { "enum": ["admitted", "refused", "unknown"] },
        "witness_request": {
          "type": "object",
          "required": ["operation", "sent", "decision", "status"],
          "additionalProperties": false,
          "properties": {
            "operation": { "type": "string" },
            "sent": { "type": "number" },
            "answered": { "type": "number", "description": "Absent for an answer that never came." },
            "decision": { "$ref": "#/$defs/decision" },
            "status": { "type": "integer" }
          }
        },
        "key_strip": {
          "description": "Every request of one key.",
          "type": "object",
          "required": ["key", "requests", "windows", "witness"],
          "additionalProperties": false,
          "properties": {
            "key": { "type": "string", "description": "Shortened." },
            "requests": {
              "type": "array",
              "items": {
                "type": "object",
                "required": ["at", "decision"],
                "additionalProperties": false,
                "properties": { "at": { "type": "number" }, "decision": { "$ref": "#/$defs/decision" } }
              }
            },
            "windows": { "type": "array", "items": { "type": "number" }, "description": "Starts, seconds." },
            "witness": { "type": "array", "items": { "$ref": "#/$defs/count" }, "description": "Indices into requests." }
          }
        }
    """
}
