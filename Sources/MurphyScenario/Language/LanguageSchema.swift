import MurphyModel
import MurphySchema

/// The JSON Schema (2020-12) of the scenario language, generated from the vocabularies that the reader checks.
package enum LanguageSchema {
  /// The `$id` of the schema. The host does not exist.
  package static let identifier = "https://murphy.invalid/scenario.schema.json"

  /// The contents of `scenarios/scenario.schema.json`.
  package static var document: JSONValue {
    var definitions = JSONObject()
    for vocabulary in Vocabulary.all where vocabulary.name != "scenario" {
      definitions[vocabulary.name] = definition(vocabulary)
    }
    definitions["step"] = step
    definitions["template"] = [
      "description": .string("Any value. Its strings can contain ${…}. \(plainScalars) " + expressions)
    ]
    definitions["text-template"] = [
      "description": .string("A string that can contain ${…}. " + expressions),
      "type": ["string", "number", "boolean", "null"],
    ]
    for (name, schema) in scalars { definitions[name] = schema }
    guard case .object(let root) = definition(.scenario) else { return .null }
    var document: JSONObject = [
      "$schema": "https://json-schema.org/draft/2020-12/schema", "$id": .string(identifier),
      "title": "A murphy scenario",
    ]
    for (key, value) in root { document[key] = value }
    document["$defs"] = .object(definitions)
    return .object(document)
  }

  /// An explanation of values without quotes.
  private static let plainScalars =
    "A value without quotes has the type of the core schema of YAML 1.2, as in a contract. For example, 1.50, 1e3, "
    + "0x1F and 0o17 are numbers, true is a boolean, and null is null. The words yes and on, and dates, are strings. "
    + "Digits after a zero (007) need quotes, because YAML reads the number 7."

  /// The language within `${` and `}`, as a paragraph.
  private static var expressions: String {
    let functions = Function.allCases.map(\.usage) + ["choose(a, b: 3, c)", "env(NAME)", "env(NAME, \"otherwise\")"]
    let names = ContextName.allCases.map { "\($0.rawValue) (\($0.summary))" }
    return
      "Functions: \(functions.joined(separator: "; ")). Names that every session has: "
      + "\(names.joined(separator: "; ")). Operators: || && == != < <= > >= + - * / % ! ?:, list[0], object.field, "
      + "and JSONPath queries for the body of the last response, such as $.data[*].id. Write $${ for a literal ${."
  }

  private static func definition(_ vocabulary: Vocabulary) -> JSONValue {
    var properties = JSONObject()
    for key in vocabulary.keys { properties[key.name] = described(schema(key.shape), key.summary) }
    var schema: JSONObject = [
      "description": .string(vocabulary.summary), "type": "object", "properties": .object(properties),
      "patternProperties": ["^x-": true, "^<<$": true], "additionalProperties": false,
    ]
    let required = vocabulary.keys.filter(\.isRequired).map { JSONValue.string($0.name) }
    if !required.isEmpty { schema["required"] = .array(required) }
    let groups = vocabulary.alternatives.map { group -> JSONValue in
      let rivals = group.filter { !vocabulary.companions.contains($0) }.map(requiring)
      let alone = group.filter { vocabulary.companions.contains($0) }.map { name -> JSONValue in
        ["required": [.string(name)], "not": ["anyOf": .array(rivals)]]
      }
      return ["oneOf": .array(rivals + alone)]
    }
    if !groups.isEmpty { schema["allOf"] = .array(groups) }
    return .object(schema)
  }

  private static func requiring(_ key: String) -> JSONValue { ["required": [.string(key)]] }

  /// A step is identified by its key. The word `end` is a step too.
  private static var step: JSONValue {
    var kinds: [JSONValue] = [["const": "end", "description": "The session ends here."]]
    var seen: Set<String> = []
    for (_, vocabulary) in Vocabulary.steps where seen.insert(vocabulary.name).inserted {
      let keys = Vocabulary.steps.filter { $0.vocabulary.name == vocabulary.name }.map(\.key)
      kinds.append([
        "allOf": [
          ["$ref": .string("#/$defs/\(vocabulary.name)")],
          ["anyOf": .array(keys.map { ["required": [.string($0)]] })],
        ]
      ])
    }
    return ["description": "One step of a session.", "anyOf": .array(kinds)]
  }

  private static func described(_ schema: JSONValue, _ summary: String) -> JSONValue {
    guard case .object(let members) = schema else { return ["description": .string(summary)] }
    var described: JSONObject = ["description": .string(summary)]
    for (key, value) in members { described[key] = value }
    return .object(described)
  }

  private static func schema(_ shape: Shape) -> JSONValue {
    switch shape {
    case .text: ["type": ["string", "number", "boolean"]]
    case .anything: true
    case .null: ["type": "null"]
    case .template: ["$ref": "#/$defs/template"]
    case .textTemplate: ["$ref": "#/$defs/text-template"]
    case .boolean: ["type": "boolean"]
    case .whole(let least): ["type": "integer", "minimum": JSONValue(least)]
    case .number: ["type": "number", "exclusiveMinimum": 0]
    case .path: ["type": "string", "pattern": "^\\$"]
    case .condition: ["type": ["string", "boolean"]]
    case .constant(let text): ["const": .string(text)]
    case .choice(let names): ["enum": .array(choiceValues(names))]
    case .vocabulary(let name): ["$ref": .string("#/$defs/\(name)")]
    case .list(let element): ["type": "array", "items": schema(element)]
    case .names(let value, let summary):
      [
        "type": "object", "propertyNames": ["description": .string(summary)],
        "additionalProperties": schema(value),
      ]
    case .either(let shapes): ["anyOf": .array(shapes.map { schema($0) })]
    case .duration, .drawnDuration, .drawnCount, .rate, .rateRange, .users, .share, .size, .status:
      ["$ref": .string("#/$defs/\(scalarName(shape))")]
    }
  }

  /// YAML reads an unquoted 2 as a number, and an unquoted yes as a boolean in some editors.
  private static func choiceValues(_ names: [String]) -> [JSONValue] {
    var values = names.map { JSONValue.string($0) }
    for name in names {
      if let number = JSONNumber(text: name) { values.append(.number(number)) }
      if name == "yes" { values.append(true) }
      if name == "no" || name == "off" { values.append(false) }
    }
    return values
  }

  private static let timeUnits = Quantity.timeUnits.map(\.name).joined(separator: "|")
  private static let sizeUnits = Quantity.sizeUnits.map(\.name).filter { !$0.isEmpty }.joined(separator: "|")
  private static let durationPart = "[0-9]+(?:\\.[0-9]+)? ?(?:\(timeUnits))"
  private static let durationPattern = "\(durationPart)(?: ?\(durationPart))*|0"
  private static let ratePattern = "[0-9]+(?:\\.[0-9]+)?/(?:\(timeUnits))"
  private static let drawPattern = "(?:uniform|normal|exponential|lognormal|pareto)\\(.*\\)|\\$\\{.*\\}"

  /// Numbers with units.
  ///
  /// - Parameter also: an alternative to the string, if a number without quotes means the same.
  static var scalars: [(String, JSONValue)] {
    func scalar(
      _ name: String, _ summary: String, _ pattern: String, _ examples: [JSONValue], also: JSONValue? = nil
    ) -> (String, JSONValue) {
      let forms = [["type": "string", "pattern": .string("^\(pattern)$")], also].compactMap(\.self)
      return (name, ["description": .string(summary), "anyOf": .array(forms), "examples": .array(examples)])
    }
    return [
      scalar("duration", "A length of time.", "(?:\(durationPattern))", ["300ms", "1.5s", "2m"], also: ["const": 0]),
      scalar(
        "drawn-duration", "A length of time, a range, a distribution, or an expression.",
        "(?:(?:\(durationPattern))(?:\\s*\\.\\.\\s*(?:\(durationPattern)))?|\(drawPattern))",
        ["2s", "1s..4s", "lognormal(3s, 0.8)"], also: ["const": 0]),
      scalar(
        "drawn-count", "A number of repetitions, a range, a distribution, or an expression.",
        "(?:[0-9]+(?:\\s*\\.\\.\\s*[0-9]+)?|\(drawPattern))", ["3", "2..5", "${count(ids)}"],
        also: ["type": "integer", "minimum": 0]),
      scalar("rate", "A number of events per unit of time.", ratePattern, ["20/s", "600/m", "1000/h"]),
      scalar(
        "rate-range", "A linear change from one rate to another.", "\(ratePattern)\\s*\\.\\.\\s*\(ratePattern)",
        ["0/s..20/s"]),
      scalar(
        "users", "A number of users, or a linear change from one number to another.",
        "[0-9]+(?:\\s*\\.\\.\\s*[0-9]+)?", ["0..50"],
        also: ["type": "integer", "minimum": 1]),
      scalar("share", "A percentage.", "[0-9]+(?:\\.[0-9]+)?%", ["0.1%", "90%"]),
      scalar(
        "size", "A number of bytes.", "[0-9]+(?:\\.[0-9]+)? ?(?:\(sizeUnits))?", ["64KB", "8MiB"],
        also: ["type": "integer", "minimum": 0]),
      scalar(
        "status", "An HTTP status, a class such as 4XX, or a range such as 200..204.",
        "(?:[1-5][0-9][0-9](?:\\.\\.[1-5][0-9][0-9])?|[1-5][xX][xX])", ["404", "4XX", "200..204"],
        also: ["type": "integer", "minimum": 100, "maximum": 599]),
    ]
  }

  static func scalarName(_ shape: Shape) -> String {
    switch shape {
    case .drawnDuration: "drawn-duration"
    case .drawnCount: "drawn-count"
    case .rate: "rate"
    case .rateRange: "rate-range"
    case .users: "users"
    case .share: "share"
    case .size: "size"
    case .status: "status"
    default: "duration"
    }
  }
}
