import Foundation
import MurphyContract
import MurphyScenario
import MurphySchema
import Testing

/// docs/scenario.md and the pages of docs/scenario/ against the reader.
@Suite struct LanguageReferenceTests {
  private static let root = LanguageSchemaTests.root
  private static let marker = "<!-- The tests write the rest of this page. -->\n\n"
  private static let records = ProcessInfo.processInfo.environment["MURPHY_RECORD"] != nil

  @Test func `the index in the docs is the one of the reader`() throws {
    try Self.check(LanguageReference.index, "docs/scenario.md")
  }

  @Test(arguments: LanguageTopic.all)
  func `the keys of each page are those of the reader`(topic: LanguageTopic) throws {
    let written = try Self.written(topic)
    #expect(written.hasPrefix("# \(topic.title)\n\n*\(topic.question)*\n\n"), "the page begins with another question")
    let keys = try Self.reference().keys(of: topic)
    try Self.check(written + Self.marker + keys, "docs/scenario/\(topic.name).md")
    let bare = keys.split(separator: "\n").filter { $0.hasPrefix("| `") && $0.hasSuffix("|  |") }
    #expect(bare.isEmpty, "keys without an example: \(bare.joined(separator: "\n"))")
  }

  @Test func `there is no page without a topic`() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.root.appending(path: "docs/scenario").path)
    #expect(Set(files) == Set(LanguageTopic.all.map { "\($0.name).md" }))
  }

  @Test(arguments: LanguageTopic.all)
  func `the examples of each page are whole scenarios without mistake`(topic: LanguageTopic) throws {
    let blocks = try Self.written(topic).matches(of: /```yaml\n((?s).*?)```/).map { String($0.1) }
    #expect(!blocks.isEmpty, "no example")
    let schema = try Schema(LanguageSchema.document)
    let file = Self.root.appending(path: "scenarios/murphys-laws/example.yaml").path
    let contract = Self.root.appending(path: "scenarios/murphys-laws/openapi.yaml").path
    for block in blocks {
      let problems = schema.validate(try LanguageSchemaTests.value(block))
      #expect(problems.isEmpty, "\(problems.map(\.description).joined(separator: "\n"))")
      let scenario = try Scenario.parse(
        text: block, file: file, operations: Contract.load(contract).summaries, environment: ["TOKEN": "open-sesame"])
      #expect(scenario.warnings == [], "\(scenario.warnings.map(\.text))")
    }
  }

  /// The part of a page that people write.
  private static func written(_ topic: LanguageTopic) throws -> String {
    let page = try String(contentsOf: root.appending(path: "docs/scenario/\(topic.name).md"), encoding: .utf8)
    return String(try #require(page.firstRange(of: marker).map { page[..<$0.lowerBound] }, "no marker"))
  }

  static func reference() throws -> LanguageReference {
    LanguageReference(examples: try [Golden.input("everything.yaml"), closed].map(LanguageSchemaTests.value))
  }

  /// A scenario cannot have the closed model's own keys and arrivals at the same time.
  private static let closed = "load: { stages: [{ users: 0..5, for: 1m }], iterations: 3, pause: 1s..2s }\n"

  private static func check(_ text: String, _ name: String) throws {
    let file = root.appending(path: name)
    if records {
      try Data(text.utf8).write(to: file)
      Issue.record("recorded \(name): look at the difference, and run again")
      return
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == text, "MURPHY_RECORD=1 writes it anew")
  }
}

extension LanguageTopic: CustomTestStringConvertible {
  package var testDescription: String { name }
}
