import Foundation
import MurphyModel
import Testing

@Suite struct FindingRuleTests {
  @Test(arguments: FindingKind.allCases)
  func `every kind has an example, and a remedy in one or two lines`(_ kind: FindingKind) {
    let advice = kind.rule
    // Without a row a kind would have no remedy.
    #expect(!advice.example.isEmpty && advice.example.count <= 300, "\(advice.example.count)")
    #expect(advice.remedy.hasSuffix(".") && (40...300).contains(advice.remedy.count), "\(advice.remedy.count)")
    #expect(advice.remedy.first?.isUppercase == true || advice.remedy.first == "`")
    #expect(advice.remedy != kind.rule.sentence && advice.example != kind.rule.sentence)
    for text in [advice.example, advice.remedy] {
      #expect(text.count { $0 == "`" }.isMultiple(of: 2), "code is not closed in: \(text)")
      #expect(!text.contains("  ") && !text.contains("\n"))
    }
  }

  @Test func `no two kinds have the same example or the same remedy`() {
    let kinds = FindingKind.allCases
    #expect(Set(kinds.map(\.rule.example)).count == kinds.count)
    #expect(Set(kinds.map(\.rule.remedy)).count == kinds.count)
  }

  @Test func `a kind that a remedy switches off is its own`() throws {
    let option = try Regex("`--off ([a-z.-]+)`", as: (Substring, Substring).self)
    for kind in FindingKind.allCases {
      for match in kind.rule.remedy.matches(of: option) { #expect(match.output.1 == kind.rawValue) }
    }
  }

  /// `docs/findings.md` is written from the tables; `MURPHY_RECORD=1` writes it anew, and the run fails.
  @Test func `the documentation tells of every kind`() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
    let file = root.appending(path: "docs/findings.md")
    if ProcessInfo.processInfo.environment["MURPHY_RECORD"] != nil {
      try FindingsPage.text.write(to: file, atomically: true, encoding: .utf8)
      Issue.record("recorded docs/findings.md: run again without MURPHY_RECORD")
      return
    }
    #expect(
      try String(contentsOf: file, encoding: .utf8) == FindingsPage.text, "MURPHY_RECORD=1 writes docs/findings.md anew"
    )
  }

  @Test func `every heading of the page has an anchor of its own`() {
    let headings = FindingsPage.text.split(separator: "\n").filter { $0.hasPrefix("#") }
    let anchors = headings.map(FindingsPage.anchor)
    #expect(Set(anchors).count == anchors.count)
    for kind in FindingKind.allCases {
      #expect(anchors.contains(kind.rawValue.replacing(".", with: "")), "\(kind)")
    }
  }
}
