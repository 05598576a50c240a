import Foundation
import MurphyModel
import MurphyReport
import MurphySchema
import Testing

/// `Sources/MurphyReport/Schemas/result.json` names every kind of finding and every relation. With `MURPHY_RECORD=1` it
/// gets those of the sources.
@Suite struct ReportSchemaTests {
  private static let lists: [(definition: String, property: String, values: [String])] = [
    ("finding", "kind", FindingKind.allCases.map(\.rawValue)),
    ("relation", "relation", RelationRule.allCases.map(\.rawValue)),
  ]

  @Test func `the schema of a result names every kind and relation of the sources`() throws {
    if ProcessInfo.processInfo.environment["MURPHY_RECORD"] == "1" { try Self.record() }
    let schema = try JSONValue.parse(Array(ReportSchema.result.utf8))
    for list in Self.lists {
      let named = schema["$defs"]?[list.definition]?["properties"]?[list.property]?["enum"]?.array
      #expect(named?.compactMap(\.string) == list.values, "\(list.definition).\(list.property)")
    }
  }

  /// Rewrites the lists in place: each is on one line.
  private static func record() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Sources/MurphyReport/Schemas/result.json")
    var text = try String(contentsOf: file, encoding: .utf8)
    for list in lists {
      let values = list.values.map { "\"\($0)\"" }.joined(separator: ", ")
      let first = list.values[0].split(separator: ".")[0]
      let known = try Regex(
        "(\"\(list.property)\": \\{ \"enum\": \\[)\"\(first)[^\\]]*\\]", as: (Substring, Substring).self)
      text = text.replacing(known) { "\($0.output.1)\(values)]" }
    }
    try text.write(to: file, atomically: true, encoding: .utf8)
  }
}
