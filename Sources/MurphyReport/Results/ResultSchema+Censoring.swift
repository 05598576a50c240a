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
            "late": { "$ref": "#/$defs/count", "description": "Answered, but sent late by murphy: known from below and above." }
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
