import MurphySchema

/// docs/results.md: every field of `result.json`, generated from its published schema.
package enum ResultReference {
  /// The whole page in Markdown.
  package static var text: String {
    guard let schema = try? JSONValue.parse(Array(ReportSchema.result.utf8)) else { return "" }
    var lines = head + table(of: schema)
    for (name, definition) in schema["$defs"]?.object?.members.map({ ($0.key, $0.value) }) ?? [] {
      lines += ["", "## \(name)", ""]
      if let description = definition["description"]?.string { lines += [description, ""] }
      lines += definition["properties"] == nil ? ["A value of: \(words(definition))."] : table(of: definition)
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static let head = [
    "# result.json",
    "",
    "*What does a field of a result mean?*",
    "",
    "Every field of a run's result: `murphy run` writes it into the report folder, `murphy report` generates every report from it, and",
    "`murphy schema show result` prints the JSON Schema (2020-12) that this page is made from. The schema is closed: a field that it",
    "does not name is an error. Fields that are not required are omitted without a value, and in results of earlier versions.",
    "",
    "Durations are microseconds and times are seconds since the run's start, unless a field says otherwise. For scripts that want the",
    "verdict and a few figures, `murphy run --format json` prints one line.",
    "",
    "A version of murphy reads every result of the format that it writes, also those of earlier versions: `report`, `compare`,",
    "`trend` and `run --baseline` take them. Within a format, fields and values are added, and none is removed or changes its meaning.",
    "Anything else is a new format with a new number; the error for another format names it.",
    "",
  ]

  private static func table(of schema: JSONValue) -> [String] {
    let required = Set((schema["required"]?.array ?? []).compactMap(\.string))
    let rows = (schema["properties"]?.object?.members ?? []).map { member in
      let cells = [
        "`\(member.key)`", words(member.value), required.contains(member.key) ? "yes" : "",
        member.value["description"]?.string ?? "",
      ]
      return "| " + cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " |"
    }
    return ["| field | value | always | meaning |", "|---|---|---|---|"] + rows
  }

  /// The allowed values of a field, in words.
  private static func words(_ schema: JSONValue) -> String {
    if let reference = schema["$ref"]?.string, let name = reference.split(separator: "/").last {
      return "[\(name)](#\(name))"
    }
    if let constant = schema["const"] { return "`\(constant.text)`" }
    if let values = schema["enum"]?.array { return values.map { "`\($0.string ?? $0.text)`" }.joined(separator: ", ") }
    for keyword in ["oneOf", "anyOf"] {
      if let branches = schema[keyword]?.array { return branches.map(words).joined(separator: " or ") }
    }
    let type = schema["type"]?.string ?? (schema["type"]?.array ?? []).compactMap(\.string).joined(separator: " or ")
    switch type {
    case "array": return "list of \(schema["items"].map(words) ?? "anything")"
    case "object":
      return schema["additionalProperties"].flatMap {
        $0["type"] != nil || $0["$ref"] != nil ? "names, each with \(words($0))" : nil
      } ?? "object"
    case "": return "anything"
    default: return type
    }
  }
}

/// The published JSON Schemas (2020-12) of murphy's output files, from `Schemas`. They are closed: an unknown key is an
/// error.
package enum ReportSchema {
  /// The schema of `result.json`.
  package static let result = text(PackageResources.result_json)
  /// The schema of `compare.json`.
  package static let comparison = text(PackageResources.compare_json)
  /// The schema of `capacity.json`.
  package static let capacity = text(PackageResources.capacity_json)

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
