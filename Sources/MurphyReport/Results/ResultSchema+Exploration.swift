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
            "cases": { "type": "array", "items": { "$ref": "#/$defs/explored_case" }, "description": "The cases that showed something, for `murphy explore --replay`." },
            "skipped": { "type": "array", "items": { "$ref": "#/$defs/skipped_operation" }, "description": "Operations of which no request was sent, because it might change what murphy did not create." },
            "writes": { "$ref": "#/$defs/sent_writes" },
            "deleted": { "$ref": "#/$defs/count_of", "description": "How many of the items that it created it deleted at its end." },
            "remaining": { "type": "array", "items": { "type": "string" }, "description": "Paths of items that it created and could not delete, each with the reason." },
            "addresses": { "$ref": "#/$defs/count", "description": "How many addresses of this machine requests came from, because a rate limit rejected them; absent for one." }
          }
        },
        "skipped_operation": {
          "type": "object",
          "required": ["operation", "reason"],
          "additionalProperties": false,
          "properties": { "operation": { "type": "string" }, "reason": { "type": "string" } }
        },
        "sent_writes": {
          "description": "Requests that may have changed something: the first 1,000, and the totals of all.",
          "type": "object",
          "required": ["list", "totals"],
          "additionalProperties": false,
          "properties": {
            "list": {
              "type": "array",
              "items": {
                "type": "object",
                "required": ["operation", "method", "path", "status"],
                "additionalProperties": false,
                "properties": {
                  "operation": { "type": "string" },
                  "method": { "type": "string" },
                  "path": { "type": "string", "description": "Percent-encoded, without the query." },
                  "status": { "$ref": "#/$defs/count", "description": "0 without a response." },
                  "item": { "type": "string", "description": "The identifier of what the request created." }
                }
              }
            },
            "totals": {
              "type": "array",
              "items": {
                "type": "object",
                "required": ["operation", "method", "status", "count"],
                "additionalProperties": false,
                "properties": {
                  "operation": { "type": "string" },
                  "method": { "type": "string" },
                  "status": { "$ref": "#/$defs/count" },
                  "count": { "$ref": "#/$defs/count" }
                }
              }
            }
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
