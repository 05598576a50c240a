import MurphyJSON
import MurphyModel

/// Findings in SARIF 2.1.0 (OASIS, 2020), pointing at the line of the OpenAPI document that was broken.
public struct SARIFReport: Sendable {
  public let result: RunResult

  public init(_ result: RunResult) { self.result = result }

  /// GitHub takes 25,000 results of a run and shows 5,000.
  private static let resultsKept = 5_000

  public var text: String { JSONLayout.text(document) + "\n" }

  private var document: JSONValue {
    .object([
      "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
      "version": "2.1.0",
      "runs": .array([run]),
    ])
  }

  private var run: JSONValue {
    let findings = Array(result.findings.prefix(Self.resultsKept))
    let kinds = FindingKind.allCases.filter(Set(findings.map(\.kind)).contains)
    return .object([
      "tool": .object(["driver": driver(kinds)]),
      "automationDetails": .object(["id": .string("murphy/\(result.run.scenario)/")]),
      "invocations": .array([
        .object([
          "executionSuccessful": .bool(result.verdict != .invalid),
          "exitCode": .number(JSONNumber(Int(result.exitStatus.rawValue))),
          "startTimeUtc": .string(result.run.started),
        ])
      ]),
      "columnKind": "unicodeCodePoints",
      "results": .array(findings.map { finding in SARIFResult(finding: finding, run: result.run, kinds: kinds).value }),
    ])
  }

  private func driver(_ kinds: [FindingKind]) -> JSONValue {
    .object([
      "name": "murphy",
      "semanticVersion": .string(result.run.murphy),
      "rules": .array(kinds.map(rule)),
    ])
  }

  private func rule(_ kind: FindingKind) -> JSONValue {
    .object([
      "id": .string(kind.rawValue),
      "shortDescription": .object(["text": .string(kind.rule.sentence)]),
      "defaultConfiguration": .object(["level": .string(kind.rule.severity.rawValue)]),
    ])
  }
}
