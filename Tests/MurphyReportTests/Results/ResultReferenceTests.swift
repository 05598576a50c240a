import Foundation
import MurphyReport
import MurphySchema
import Testing

/// docs/results.md is the published schema, for people.
@Suite struct ResultReferenceTests {
  @Test func `the reference in the docs is the one of the schema`() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../docs/results.md")
      .standardizedFileURL
    let text = ResultReference.text
    if ProcessInfo.processInfo.environment["MURPHY_RECORD"] != nil {
      try Data(text.utf8).write(to: file)
      Issue.record("recorded docs/results.md: look at the difference, and run again without MURPHY_RECORD")
      return
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == text, "MURPHY_RECORD=1 writes it anew")
  }

  @Test func `every link of it leads to a section`() {
    let text = ResultReference.text
    let sections = Set(text.matches(of: /(?m)^## (\S+)$/).map { String($0.1) })
    let links = Set(text.matches(of: /\]\(#([^)]+)\)/).map { String($0.1) })
    #expect(links.count > 20 && links.subtracting(sections).isEmpty)
    #expect(!text.contains("| anything |"))
  }
}
