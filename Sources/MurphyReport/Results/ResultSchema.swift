/// The published JSON Schema (2020-12) of `result.json`. Closed: a key that it does not name is a mistake.
enum ResultSchema {
  static let text = [head, definitions.joined(separator: ",\n"), "  }\n}\n"].joined(separator: "\n")

  private static let definitions = [
    run, operations, latency, censoring, sessions, traffic, ledger, findings, evidence, rows, limits, coverage,
    generator, timeline,
  ]

  private static let head = """
    {
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "$id": "urn:murphy:result:1",
      "title": "The result of a murphy run",
      "description": "Durations are microseconds and times are seconds since the run's start, unless a description says otherwise.",
      "type": "object",
      "required": ["format", "verdict", "reasons", "run", "operations", "sessions", "ledger", "findings", "budgets", "limits", "state", "coverage", "generator", "timeline"],
      "additionalProperties": false,
      "properties": {
        "format": { "const": "murphy-result/2", "description": "Which schema this file follows." },
        "verdict": { "enum": ["pass", "fail", "invalid", "no-data"], "description": "fail: the API broke a promise. invalid: murphy was the bottleneck, or the run was cut short. no-data: something that was asked for saw too few samples." },
        "reasons": { "type": "array", "items": { "type": "string" }, "description": "Why, in sentences, the most important first; empty for a pass." },
        "run": { "$ref": "#/$defs/run" },
        "operations": { "type": "array", "items": { "$ref": "#/$defs/operation" } },
        "sessions": { "type": "array", "items": { "$ref": "#/$defs/session" } },
        "ledger": { "$ref": "#/$defs/ledger" },
        "findings": { "type": "array", "items": { "$ref": "#/$defs/finding" }, "description": "Worst first." },
        "budgets": { "type": "array", "items": { "$ref": "#/$defs/budget" } },
        "traffic": { "type": "array", "items": { "$ref": "#/$defs/traffic" }, "description": "Promises that every run makes; absent in results of versions before them." },
        "limits": { "type": "array", "items": { "$ref": "#/$defs/limit" } },
        "state": { "type": "array", "items": { "$ref": "#/$defs/invariant" } },
        "coverage": { "$ref": "#/$defs/coverage" },
        "generator": { "$ref": "#/$defs/generator" },
        "timeline": { "type": "array", "items": { "$ref": "#/$defs/second" }, "description": "One point a second, ascending." }
      },
      "$defs": {
        "count": { "type": "integer", "minimum": 0 },
        "microseconds": { "type": "number", "minimum": 0 },
        "row_verdict": { "enum": ["pass", "fail", "no-data"] },
        "reason_count": {
          "type": "object",
          "required": ["reason", "count"],
          "additionalProperties": false,
          "properties": { "reason": { "type": "string" }, "count": { "$ref": "#/$defs/count" } }
        },
    """
}
