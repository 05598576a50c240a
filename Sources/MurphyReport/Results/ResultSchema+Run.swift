extension ResultSchema {
  static let run = """
        "run": {
          "description": "What was run, against what, when, with which versions.",
          "type": "object",
          "required": ["scenario", "scenario_file", "contract_file", "seed", "target", "started", "duration", "cut_short", "murphy", "libcurl", "machine", "load"],
          "additionalProperties": false,
          "properties": {
            "scenario": { "type": "string", "description": "The scenario's name." },
            "scenario_file": { "type": "string" },
            "contract_file": { "type": "string" },
            "seed": { "type": "integer", "minimum": 0, "maximum": 18446744073709551615 },
            "target": { "type": "string", "description": "The target's URL, credentials masked." },
            "started": { "type": "string", "description": "RFC 3339, UTC." },
            "duration": { "type": "number", "minimum": 0, "description": "Seconds from the first planned arrival to the last answer." },
            "cut_short": { "type": "boolean", "description": "Ctrl-C or a lost target ended the load early." },
            "murphy": { "type": "string", "description": "Version." },
            "libcurl": { "type": "string", "description": "Version." },
            "machine": { "type": "string" },
            "load": { "type": "array", "items": { "type": "string" }, "description": "The stages of the load, as `hold 20/s for 30s`." }
          }
        }
    """

  static let sessions = """
        "session": {
          "description": "What one kind of session did.",
          "type": "object",
          "required": ["session", "started", "completed", "failed", "unfinished"],
          "additionalProperties": false,
          "properties": {
            "session": { "type": "string" },
            "started": { "$ref": "#/$defs/count" },
            "completed": { "$ref": "#/$defs/count" },
            "failed": { "type": "array", "items": { "$ref": "#/$defs/reason_count" }, "description": "Ended by a failed step, the most frequent reason first." },
            "unfinished": { "$ref": "#/$defs/count", "description": "Still running when the load ended." }
          }
        }
    """

  static let ledger = """
        "ledger": {
          "description": "planned = sent + dropped; sent = answered + transport + cancelled + in_flight_at_end; answered = conformant + violating + unchecked.",
          "type": "object",
          "required": ["planned", "sent", "dropped", "answered", "transport", "cancelled", "in_flight_at_end", "conformant", "violating", "unchecked", "redirects"],
          "additionalProperties": false,
          "properties": {
            "planned": { "$ref": "#/$defs/count", "description": "Requests whose moment had come." },
            "sent": { "$ref": "#/$defs/count" },
            "dropped": { "type": "array", "items": { "$ref": "#/$defs/reason_count" }, "description": "Planned and never sent." },
            "answered": { "$ref": "#/$defs/count" },
            "transport": { "$ref": "#/$defs/count", "description": "No complete answer." },
            "cancelled": { "$ref": "#/$defs/count", "description": "Given up by the client on purpose." },
            "in_flight_at_end": { "$ref": "#/$defs/count" },
            "conformant": { "$ref": "#/$defs/count" },
            "violating": { "$ref": "#/$defs/count" },
            "unchecked": { "type": "array", "items": { "$ref": "#/$defs/reason_count" } },
            "redirects": { "$ref": "#/$defs/count", "description": "Redirects among the answered; never followed." }
          }
        }
    """
}
