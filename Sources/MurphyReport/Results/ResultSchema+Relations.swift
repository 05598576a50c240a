import MurphyModel

extension ResultSchema {
  static let relations = """
        "relation": {
          "description": "What holds between the requests and answers of an operation; docs/relations.md names all.",
          "type": "object",
          "required": ["operation", "relation", "promise", "outcome", "reason", "samples", "findings"],
          "additionalProperties": false,
          "properties": {
            "operation": { "type": "string", "description": "The operationId." },
            "relation": { "enum": [\(RelationRule.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", "))] },
            "promise": { "type": "string", "description": "What it promises, for people." },
            "outcome": { "enum": ["kept", "broken", "untested", "off"], "description": "untested: the contract shows it, and nothing of the run could have broken it. off: the contract does not show it, or the scenario switches it off." },
            "reason": { "type": "string", "description": "What in the contract or the scenario says so." },
            "samples": { "$ref": "#/$defs/count", "description": "Answers that could have broken it." },
            "findings": { "type": "array", "items": { "type": "string" }, "description": "Fingerprints of the findings that tell why it is broken." }
          }
        }
    """
}
