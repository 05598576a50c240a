/// The published JSON Schema (2020-12) of `compare.json`. Closed: a key that it does not name is a mistake.
package enum CompareSchema {
  package static let text = """
    {
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "$id": "urn:murphy:compare:1",
      "title": "The result of murphy compare",
      "type": "object",
      "required": ["format", "mode", "verdict", "reasons", "scenario", "base", "candidate", "operations", "findings", "coverage_lost", "limits_changed"],
      "additionalProperties": false,
      "properties": {
        "format": { "const": "murphy-compare/1", "description": "Which schema this file follows." },
        "mode": { "enum": ["live", "stored"], "description": "live: both arms were loaded in turns, in an order drawn by coin. stored: runs that were made before." },
        "verdict": { "enum": ["pass", "fail", "invalid", "no-data"] },
        "reasons": { "type": "array", "items": { "type": "string" }, "description": "Why, in sentences, the most important first." },
        "scenario": { "type": "string" },
        "base": { "$ref": "#/$defs/side" },
        "candidate": { "$ref": "#/$defs/side" },
        "operations": { "type": "array", "items": { "$ref": "#/$defs/operation" } },
        "findings": {
          "type": "object",
          "required": ["new", "gone", "still"],
          "additionalProperties": false,
          "properties": {
            "new": { "type": "array", "items": { "$ref": "#/$defs/finding" }, "description": "Only the candidate shows them." },
            "gone": { "type": "array", "items": { "$ref": "#/$defs/finding" }, "description": "Only the base showed them." },
            "still": { "type": "array", "items": { "$ref": "#/$defs/finding" } }
          }
        },
        "coverage_lost": {
          "type": "array",
          "description": "What of the contract some run or group of the base saw, and none of the candidate.",
          "items": {
            "type": "object",
            "required": ["kind", "operation", "name", "count"],
            "properties": { "kind": { "type": "string" }, "operation": { "type": "string" }, "name": { "type": "string" }, "count": { "$ref": "#/$defs/count" } }
          }
        },
        "limits_changed": {
          "type": "array",
          "items": {
            "type": "object",
            "required": ["name"],
            "additionalProperties": false,
            "properties": { "name": { "type": "string" }, "base": { "type": "string" }, "candidate": { "type": "string" } }
          }
        },
        "design": { "$ref": "#/$defs/design" }
      },
      "$defs": {
        "count": { "type": "integer", "minimum": 0 },
        "arm": { "enum": ["base", "candidate"] },
        "levels": { "type": "array", "items": { "type": "number" } },
        "buckets": { "type": "array", "items": { "type": "integer" }, "description": "Value and count of each bucket, ascending: [value, count, value, count …]." },
        "side": {
          "type": "object",
          "required": ["sources", "requests", "sessions"],
          "additionalProperties": false,
          "properties": {
            "sources": { "type": "array", "items": { "type": "string" }, "description": "The target, or the stored results." },
            "requests": { "$ref": "#/$defs/count" },
            "sessions": { "$ref": "#/$defs/count" },
            "machine": { "type": "string" }
          }
        },
        "operation": {
          "type": "object",
          "required": ["operation", "rows"],
          "additionalProperties": false,
          "properties": {
            "operation": { "type": "string", "description": "The operationId." },
            "rows": { "type": "array", "items": { "$ref": "#/$defs/row" } },
            "latencies": {
              "type": "object",
              "description": "From the intended starts, over all groups or runs; requests that were given up with the time that they waited.",
              "required": ["unit", "base", "candidate"],
              "additionalProperties": false,
              "properties": { "unit": { "const": "ns" }, "base": { "$ref": "#/$defs/buckets" }, "candidate": { "$ref": "#/$defs/buckets" } }
            }
          }
        },
        "row": {
          "type": "object",
          "description": "One metric. Changes are ratios less one, or differences of shares; positive where the candidate is worse.",
          "required": ["metric", "decides", "requests", "margin", "floor", "differences", "base_runs", "candidate_runs"],
          "additionalProperties": false,
          "properties": {
            "metric": { "enum": ["p50", "p95", "p99", "errors", "limited", "throughput", "bytes", "requests_per_session"] },
            "decides": { "type": "boolean", "description": "Whether it takes part in the verdict." },
            "verdict": { "enum": ["pass", "fail", "no-data", "not-tested"] },
            "gap": { "type": "string", "description": "Why nothing can be said; absent where something can." },
            "requests": { "$ref": "#/$defs/count", "description": "Of the arm with fewer of them." },
            "base": { "type": "number", "description": "Microseconds, a share, answers per second, bytes or requests." },
            "candidate": { "type": "number" },
            "change": { "type": "number" },
            "low": { "type": "number", "description": "With high: where the true change lies with 90 %." },
            "high": { "type": "number" },
            "p_value": { "type": "number", "minimum": 0, "maximum": 1, "description": "One-sided, of this row alone." },
            "corrected_p_value": { "type": "number", "minimum": 0, "maximum": 1, "description": "Corrected for all rows that decide." },
            "margin": { "type": "number", "description": "The slowdown that must be ruled out for a pass." },
            "floor": { "type": "number", "description": "The slowdown from which on a row fails." },
            "smallest_effect": { "type": "number", "description": "The smallest slowdown that would have been found with 95 %." },
            "differences": { "$ref": "#/$defs/levels", "description": "Live: by group, logarithms of ratios or differences of shares." },
            "base_runs": { "$ref": "#/$defs/levels", "description": "Stored: by run, logarithms or shares." },
            "candidate_runs": { "$ref": "#/$defs/levels" },
            "control_slope": { "type": "number", "description": "Stored: what one unit of the control's level does to this one." }
          }
        },
        "finding": {
          "type": "object",
          "required": ["kind", "severity", "message", "fingerprint", "base_count", "candidate_count", "is_certain"],
          "additionalProperties": false,
          "properties": {
            "kind": { "type": "string" },
            "severity": { "enum": ["error", "warning", "note"] },
            "operation": { "type": "string" },
            "message": { "type": "string" },
            "fingerprint": { "type": "string" },
            "reproduction": { "type": "string", "description": "The command that reproduces it." },
            "base_count": { "$ref": "#/$defs/count" },
            "candidate_count": { "$ref": "#/$defs/count" },
            "base_units": { "type": "array", "items": { "$ref": "#/$defs/count" }, "description": "Runs or groups that show it, and all of them." },
            "candidate_units": { "type": "array", "items": { "$ref": "#/$defs/count" } },
            "is_certain": { "type": "boolean", "description": "Chance is ruled out as the reason why only the candidate shows it." }
          }
        },
        "design": {
          "type": "object",
          "description": "How a live comparison was made: enough to make it again, and to compute its p-values.",
          "required": ["coins", "seed", "restarts", "slice", "settling", "groups", "looks", "duration"],
          "additionalProperties": false,
          "properties": {
            "coins": { "type": "integer", "description": "The seed of all coins." },
            "seed": { "type": "integer", "description": "The seed of the sessions, alike in both arms of a pair of slices." },
            "restarts": { "type": "boolean", "description": "Both targets were started again for each group." },
            "slice": { "type": "number", "description": "Seconds." },
            "settling": { "type": "number", "description": "Seconds at the beginning of a slice whose latency is not counted." },
            "duration": { "type": "number", "description": "Seconds, restarts included." },
            "groups": {
              "type": "array",
              "items": {
                "type": "object",
                "required": ["started_first", "blocks"],
                "additionalProperties": false,
                "properties": { "started_first": { "$ref": "#/$defs/arm" }, "blocks": { "type": "array", "items": { "$ref": "#/$defs/arm" } } }
              }
            },
            "looks": {
              "type": "array",
              "items": {
                "type": "object",
                "required": ["groups", "alarm", "pass", "verdict"],
                "additionalProperties": false,
                "properties": {
                  "groups": { "$ref": "#/$defs/count" },
                  "alarm": { "type": "number", "description": "The share of the 1 % that is spent by this look." },
                  "pass": { "type": "number" },
                  "verdict": { "enum": ["pass", "fail", "no-data"] }
                }
              }
            }
          }
        }
      }
    }

    """
}
