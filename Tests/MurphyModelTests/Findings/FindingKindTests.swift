import Foundation
import MurphyModel
import Testing

@Suite struct FindingKindTests {
  @Test(arguments: FindingKind.allCases)
  func `an id is its family and its name, and its rule is a sentence`(_ kind: FindingKind) {
    #expect(kind.rawValue == "\(kind.family.rawValue).\(kind.name)")
    #expect(kind.rawValue.allSatisfy { $0.isLowercase || $0 == "." || $0 == "-" })
    #expect(kind.rule.sentence.hasSuffix(".") && kind.rule.sentence.first?.isUppercase == true)
  }

  @Test func `every way to walk around a limiter is found by its own kind`() {
    let kinds = ProbeDimension.allCases.map(\.keyKind) + ProbeDimension.allCases.compactMap(\.bypassKind)
    #expect(Set(kinds).count == kinds.count)
    for dimension in ProbeDimension.allCases {
      let slug = dimension.rawValue.lowercased().replacing(" ", with: "-")
      #expect(dimension.keyKind.name == "key.\(slug)")
      #expect(dimension.bypassKind.map { $0.name == "bypass.\(slug)" } ?? true)
    }
  }

  /// `docs/findings.md` is written from the table; `MURPHY_RECORD=1` writes it anew, and the run fails.
  @Test func `the documentation names every kind`() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
    let file = root.appending(path: "docs/findings.md")
    if ProcessInfo.processInfo.environment["MURPHY_RECORD"] != nil {
      try Self.page.write(to: file, atomically: true, encoding: .utf8)
      Issue.record("recorded docs/findings.md: run again without MURPHY_RECORD")
      return
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == Self.page, "MURPHY_RECORD=1 writes docs/findings.md anew")
  }

  private static var page: String {
    var lines = [
      "# Findings", "",
      "Every kind of finding, as reports, `junit.xml`, SARIF and `result.json` name it. The severity is the usual one; an",
      "occurrence can be milder. A kind that *rests on timing* decides nothing in a run in which murphy itself was the",
      "bottleneck. This page is written from `FindingRule` by a test.", "",
    ]
    for family in FindingRule.Family.allCases {
      lines += [
        "## \(family.rawValue)", "", "| kind | severity | rests on timing | what is wrong |", "|---|---|---|---|",
      ]
      for kind in FindingKind.allCases where kind.family == family {
        let timing = kind.rule.restsOnTiming ? "yes" : ""
        lines.append("| `\(kind.rawValue)` | \(kind.rule.severity.rawValue) | \(timing) | \(kind.rule.sentence) |")
      }
      lines.append("")
    }
    return lines.joined(separator: "\n")
  }
}
