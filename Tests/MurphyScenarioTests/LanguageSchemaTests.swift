import Foundation
import MurphyContract
import MurphyScenario
import MurphySchema
import Testing

/// The published schema against the reader and the shipped scenarios.
@Suite struct LanguageSchemaTests {
  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().resolvingSymlinksInPath()
  static let scenarios: [String] =
    (try? FileManager.default.subpathsOfDirectory(
      atPath: root.appending(path: "scenarios").resolvingSymlinksInPath().path))?
    .filter { $0.hasSuffix(".yaml") && !$0.hasSuffix("openapi.yaml") && !parts.contains($0) }.sorted() ?? []
  /// What scenarios include.
  static let parts = ["monica/app.yaml"]

  @Test func `the schema in the file is the one of the reader`() throws {
    let file = Self.root.appending(path: "scenarios/scenario.schema.json")
    let text = LanguageSchema.document.pretty + "\n"
    if ProcessInfo.processInfo.environment["MURPHY_RECORD"] != nil {
      try Data(text.utf8).write(to: file)
      Issue.record("recorded scenario.schema.json: look at the difference, and run again")
      return
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == text, "MURPHY_RECORD=1 writes it anew")
  }

  @Test func `there are scenarios`() { #expect(Self.scenarios.count >= 7) }

  @Test(arguments: scenarios) func `every shipped scenario is valid and without mistake`(name: String) throws {
    let file = Self.root.appending(path: "scenarios/\(name)")
    let text = try String(contentsOf: file, encoding: .utf8)
    #expect(text.hasPrefix("# Shows "), "\(name) does not begin with what it shows")
    let schema = try Schema(LanguageSchema.document)
    let problems = schema.validate(try Self.value(text))
    #expect(problems.isEmpty, "\(name): \(problems.map(\.description).joined(separator: "\n"))")
    let contract = try #require(Scenario.outline(text: text, file: file.path).contracts.first).name
    let operations = try Contract.load(ScenarioFiles.path(contract, relativeTo: file.path)).summaries
    let scenario = try Scenario.parse(text: text, file: file.path, operations: operations)
    #expect(scenario.warnings == [], "\(name): \(scenario.warnings.map(\.text))")
  }

  @Test(arguments: parts) func `every shipped part is valid and without mistake`(name: String) throws {
    let file = Self.root.appending(path: "scenarios/\(name)")
    let text = try String(contentsOf: file, encoding: .utf8)
    #expect(text.hasPrefix("# "))
    #expect(
      Scenario.outline(text: text, file: file.path).isPart && Scenario.checkPart(text: text, file: file.path) == [])
    guard case .object(var document) = LanguageSchema.document else { return #expect(Bool(false), "no schema") }
    document = ["$schema": document["$schema"] ?? .null, "$ref": "#/$defs/part", "$defs": document["$defs"] ?? .null]
    let problems = try Schema(.object(document)).validate(try Self.value(text))
    #expect(problems.isEmpty, "\(name): \(problems.map(\.description).joined(separator: "\n"))")
  }

  @Test(arguments: ["names", "values", "promises", "state"])
  func `what the reader rejects the schema rejects`(name: String)
    throws
  {
    let schema = try Schema(LanguageSchema.document)
    #expect(!schema.validate(try Self.value(Golden.input("\(name).yaml"))).isEmpty)
  }

  static func value(_ text: String) throws -> JSONValue {
    try #require(MarkedDocument(SourceText(file: "scenario.yaml", text: text), as: .yaml).contents).value
  }
}
