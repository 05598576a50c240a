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
            "tests": {
              "type": "array",
              "description": "What must have been seen before the limit counts as kept; absent for one that was not judged.",
              "items": {
                "type": "object",
                "required": ["test", "outcome", "sentence", "required"],
                "additionalProperties": false,
                "properties": {
                  "test": { "enum": ["reached", "held", "renewed"] },
                  "outcome": { "enum": ["kept", "not-tested", "broken"] },
                  "sentence": { "type": "string" },
                  "required": { "type": "boolean", "description": "False where the scenario accepts that it was not tested." }
                }
              }
            }
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
