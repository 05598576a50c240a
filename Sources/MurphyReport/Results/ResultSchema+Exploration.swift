extension ResultSchema {
  static let exploration = """
        "exploration": {
          "description": "What `murphy explore` tried; absent for a run of a scenario.",
          "type": "object",
          "required": ["operations", "unrepeated", "untried", "cases"],
          "additionalProperties": false,
          "properties": {
            "operations": { "type": "array", "items": { "$ref": "#/$defs/explored_operation" } },
            "unrepeated": { "$ref": "#/$defs/count", "description": "Suspicions that did not come again when their requests were repeated." },
            "untried": { "type": "array", "items": { "type": "string" }, "description": "What was not tried, and why." },
            "cases": { "type": "array", "items": { "$ref": "#/$defs/explored_case" }, "description": "The cases that showed something, for `murphy explore --replay`." }
          }
        },
        "explored_case": {
          "type": "object",
          "required": ["fingerprint", "operation", "name"],
          "additionalProperties": false,
          "properties": {
            "fingerprint": { "type": "string", "description": "Of the finding." },
            "operation": { "type": "string" },
            "name": { "type": "string", "description": "What is tried, where." }
          }
        },
        "explored_operation": {
          "description": "What was tried of one operation.",
          "type": "object",
          "required": ["operation", "succeeded", "status", "cases", "constraints", "statuses"],
          "additionalProperties": false,
          "properties": {
            "operation": { "type": "string" },
            "succeeded": { "type": "boolean", "description": "Its plainest request was answered with a status of class 2 or 3." },
            "status": { "$ref": "#/$defs/count", "description": "Of the plainest request; 0 without an answer." },
            "cases": { "type": "object", "additionalProperties": { "$ref": "#/$defs/count" }, "description": "How many cases were tried, by category: positive, negative, auth, state, pairs, random." },
            "decided": { "$ref": "#/$defs/count_of", "description": "Of the planned cases, how many a response decided. Responses 429, 401 and 403 of rejected credentials, outages and missing things decide none." },
            "undecided": { "type": "object", "additionalProperties": { "$ref": "#/$defs/count" }, "description": "Cases whose responses decide nothing, by reason." },
            "constraints": { "$ref": "#/$defs/count_of", "description": "Places and constraints of the contract that a response decided." },
            "statuses": { "type": "array", "items": { "type": "integer", "minimum": 100, "maximum": 599 }, "description": "Every status that came." }
          }
        },
        "count_of": {
          "type": "object",
          "required": ["done", "of"],
          "additionalProperties": false,
          "properties": { "done": { "$ref": "#/$defs/count" }, "of": { "$ref": "#/$defs/count" } }
        }
    """
}
