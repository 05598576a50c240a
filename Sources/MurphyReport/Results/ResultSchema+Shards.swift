extension ResultSchema {
  static let shards = """
        "run_shard": {
          "description": "Which shard of a run one process made, and how its clock stood.",
          "type": "object",
          "required": ["number", "of", "plan", "texts", "load", "sessions", "sessions_of_all", "late", "clock"],
          "additionalProperties": false,
          "properties": {
            "number": { "type": "integer", "minimum": 1 },
            "of": { "type": "integer", "minimum": 1, "description": "How many shards the run has." },
            "plan": { "type": "string", "description": "A fingerprint of the plan of the whole run." },
            "texts": { "type": "string", "description": "A fingerprint of the texts of scenario, contract and the files that they name." },
            "load": {
              "description": "How options changed the load of the scenario.",
              "type": "object",
              "required": ["factor", "only"],
              "additionalProperties": false,
              "properties": {
                "factor": { "type": "number", "minimum": 0, "description": "On rates and users." },
                "duration": { "type": "number", "minimum": 0, "description": "Seconds; absent for the scenario's own." },
                "users": { "$ref": "#/$defs/count" },
                "iterations": { "$ref": "#/$defs/count" },
                "only": { "type": "array", "items": { "type": "string" }, "description": "Sessions of these names; empty for all." }
              }
            },
            "sessions": { "$ref": "#/$defs/count", "description": "Sessions of the plan that are this shard's: arrivals of an open load, users of a closed one." },
            "sessions_of_all": { "$ref": "#/$defs/count", "description": "Those of the whole plan." },
            "wanted": { "type": "string", "description": "When all shards were to begin, RFC 3339; absent where nothing was said." },
            "late": { "type": "number", "minimum": 0, "description": "How long after that this one began, seconds." },
            "corrected": { "type": "number", "description": "By how much it moved that moment on its own clock, which a reference disagrees with, seconds; absent where it did not." },
            "clock": {
              "description": "When the load began, by the clocks of the machine that made it.",
              "type": "object",
              "required": ["machine", "monotonic", "wall", "bounds"],
              "additionalProperties": false,
              "properties": {
                "machine": { "type": "string", "description": "Equal on one machine until it is started again." },
                "monotonic": { "type": "integer", "description": "CLOCK_MONOTONIC, nanoseconds." },
                "wall": { "type": "integer", "description": "Nanoseconds since 1970, UTC." },
                "bounds": {
                  "type": "array",
                  "items": {
                    "description": "Between which values the difference between a reference's time of day and this machine's lies, seconds.",
                    "type": "object",
                    "required": ["reference", "low", "high"],
                    "additionalProperties": false,
                    "properties": {
                      "reference": { "enum": ["chrony", "folder", "target"], "description": "The time service that chrony follows, the clock of a folder that all shards write to, or the Date of the target's answers." },
                      "low": { "type": "number" },
                      "high": { "type": "number" }
                    }
                  }
                }
              }
            }
          }
        },
        "merged_shards": {
          "description": "The shards of a merged run.",
          "type": "object",
          "required": ["of", "plan", "shards", "missing", "impaired", "doubts", "tolerated", "sessions", "sessions_of_all"],
          "additionalProperties": false,
          "properties": {
            "of": { "type": "integer", "minimum": 1, "description": "How many the run has." },
            "plan": { "type": "string", "description": "A fingerprint of its plan." },
            "shards": { "type": "array", "items": { "$ref": "#/$defs/shard_result" }, "description": "Those that were merged, by number." },
            "missing": { "type": "array", "items": { "type": "integer", "minimum": 1 }, "description": "Numbers of shards of which nothing was merged." },
            "impaired": { "type": "array", "items": { "type": "integer", "minimum": 1 }, "description": "Numbers of shards that began late, or ended before their end." },
            "doubts": { "type": "array", "items": { "type": "string" }, "description": "Why there is no verdict on the whole; empty where there is one." },
            "tolerated": { "type": "array", "items": { "type": "string" }, "description": "What went wrong with shards and was tolerated." },
            "sessions": { "$ref": "#/$defs/count", "description": "Sessions of the plan that were judged: arrivals of an open load, users of a closed one." },
            "sessions_of_all": { "$ref": "#/$defs/count", "description": "Those of the whole plan." },
            "reference": { "enum": ["chrony", "folder", "target"], "description": "By what clock events of different machines were compared; absent for one machine, and where there is none." },
            "uncertainty": { "type": "number", "minimum": 0, "description": "Each event's moment is known to this, milliseconds; absent where nothing is known, so that events of different machines prove nothing together." }
          }
        },
        "shard_result": {
          "description": "One shard of a merged run.",
          "type": "object",
          "required": ["number", "machine", "started", "late", "sessions", "requests", "offered", "rate", "lateness", "latest", "loops", "cpu_percent", "longest_stall", "peak_memory", "course", "cut_short", "doubts"],
          "additionalProperties": false,
          "properties": {
            "number": { "type": "integer", "minimum": 1 },
            "machine": { "type": "string" },
            "started": { "type": "string", "description": "RFC 3339, UTC, by its own clock." },
            "late": { "type": "number", "minimum": 0, "description": "How long after the common start it began, seconds." },
            "clock_low": { "type": "number", "description": "The reference's clock minus its own is at least this, milliseconds; absent where that is not known." },
            "clock_high": { "type": "number" },
            "corrected": { "type": "number", "description": "By how much it moved the common start on its own clock, seconds; absent where it did not." },
            "sessions": { "$ref": "#/$defs/count", "description": "Sessions of the plan that were its own." },
            "requests": { "$ref": "#/$defs/count", "description": "Requests that it sent." },
            "offered": { "type": "number", "minimum": 0, "description": "Requests that it was to send, per second." },
            "rate": { "type": "number", "minimum": 0, "description": "Requests sent per second." },
            "lateness": { "$ref": "#/$defs/microseconds", "description": "How late the latest 1 % of its sends were." },
            "latest": { "$ref": "#/$defs/microseconds", "description": "How late its latest send was." },
            "loops": { "$ref": "#/$defs/count" },
            "cpu_percent": { "type": "number", "minimum": 0, "description": "CPU time over elapsed time, its busiest loop." },
            "longest_stall": { "$ref": "#/$defs/microseconds" },
            "peak_memory": { "$ref": "#/$defs/count", "description": "Resident memory at its highest, bytes." },
            "course": {
              "description": "Requests sent over its time.",
              "type": "object",
              "required": ["step", "sent"],
              "additionalProperties": false,
              "properties": {
                "step": { "type": "integer", "minimum": 1, "description": "Seconds of a step." },
                "sent": { "type": "array", "items": { "$ref": "#/$defs/count" }, "description": "Requests in each step." }
              }
            },
            "cut_short": { "type": "boolean" },
            "doubts": { "type": "array", "items": { "type": "string" }, "description": "Why its numbers cannot carry a verdict; empty when they can." }
          }
        }
    """
}
