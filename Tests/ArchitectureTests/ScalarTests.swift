import Foundation
import Testing

/// A quote with a combining mark after it is one `Character` and equals no quote; CR LF is one, too, and equals neither.
/// Code that escapes, splits or searches text for a machine works on bytes or scalars.
@Suite struct ScalarTests {
  /// What compares characters, and the places where that is right.
  private static let forbidden: [(pattern: String, instead: String, allowed: [String: String])] = [
    (
      #"(?<!unicodeScalars)\.replacing\(\s*#?""#, "replacingScalars(_:with:) or escaping(_:)",
      [
        "FindingRule.swift": "murphy's own text", "ResultReference.swift": "murphy's own text",
        "LanguageReference.swift": "murphy's own text", "Dialect.swift": "names of drafts",
        "Scope.swift": "base64", "CallStep.swift": "compared with paths of the contract",
        "ProbeReport.swift": "murphy's own names", "ContractFaults.swift": "the server's own times",
        "Milo.swift": "the server's own titles", "MiloFaults.swift": "a check ensures the form of the token",
        "Journal.swift": "the server's own titles", "PullFaults.swift": "the server's own times",
        "MonicaFaults.swift": "the server's own times",
      ]
    ),
    (
      #"\.replacingOccurrences\("#, "replacingScalars(_:with:)",
      [
        "Arithmetic.swift": "a function of the scenario language, for people's text",
        "Catalogue.swift": "the server's own sentences",
      ]
    ),
    (
      #"\.isNewline"#, "textLines",
      [
        "ReportDocument+Terminal.swift": "of single scalars", "YAMLReader.swift": "the width of a caret",
        "SourceText.swift": "a line of a message", "LanguageReference.swift": "murphy's own text",
        "ScenarioReader.swift": "counts lines of a message", "ScenarioReader+Steps.swift": "rejects what has one",
        "Scenario+Reading.swift": "finds keys of a broken file", "CSVReader.swift": "a line of a message",
        "FileCheck.swift": "a line of a message",
        "LimiterProduct.swift": "each character that ends a comment of some product",
      ]
    ),
  ]

  @Test func `text for machines is not compared by character`() throws {
    for file in try ArchitectureTests.swiftFiles(under: "Sources") {
      let lines = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
      for (number, line) in lines.enumerated() where !line.trimmingCharacters(in: .whitespaces).hasPrefix("//") {
        for rule in Self.forbidden where rule.allowed[file.lastPathComponent] == nil {
          #expect(
            line.range(of: rule.pattern, options: .regularExpression) == nil,
            "\(file.lastPathComponent):\(number + 1): write \(rule.instead), or give a reason in this test")
        }
      }
    }
  }

  @Test func `no exception is left without its place`() throws {
    let files = try ArchitectureTests.swiftFiles(under: "Sources")
    for rule in Self.forbidden {
      for name in rule.allowed.keys {
        let text = try files.filter { $0.lastPathComponent == name }.map { try String(contentsOf: $0, encoding: .utf8) }
        #expect(
          text.contains { $0.range(of: rule.pattern, options: .regularExpression) != nil },
          "\(name) needs no exception for \(rule.pattern)")
      }
    }
  }
}
