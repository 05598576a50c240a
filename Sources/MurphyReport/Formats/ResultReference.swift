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
      let label = definition["enum"] == nil ? "Type" : "Allowed values"
      lines += definition["properties"] == nil ? ["\(label): \(words(definition))."] : table(of: definition)
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static let head = [
    "# result.json",
    "",
    "*What does a field of a result mean?*",
    "",
    "This page describes every field of `result.json`. `murphy run` writes this file into the report folder. `murphy report`",
    "generates every report from it.",
    "",
    "Murphy generates this page from the JSON Schema (2020-12) of the file. To print the schema, use `murphy schema show result`.",
    "The schema allows no other fields. A field that is not required is absent if it has no value. It is also absent in results",
    "of earlier versions that did not write the field.",
    "",
    "Unless a field says otherwise, durations are in microseconds, and times are in seconds since the start of the run. If a script",
    "needs only the verdict and a few figures, use `murphy run --format json`, which prints one line.",
    "",
    "`report`, `compare`, `trend` and `run --baseline` also read results that earlier versions of murphy wrote in the same format.",
    "Within a format, new versions only add fields and values. Fields and values keep their meaning. Any other change",
    "gets a new format number. If murphy cannot read the format of a result, the error message names the format.",
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
        $0["type"] != nil || $0["$ref"] != nil ? "map from a name to \(words($0))" : nil
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

  /// The schema of the output of `murphy check --against`.
  package static let changes = text(PackageResources.changes_json)

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
