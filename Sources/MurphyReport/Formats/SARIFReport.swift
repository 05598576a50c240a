import MurphyModel
import MurphySchema

/// Findings in SARIF 2.1.0 (OASIS, 2020), pointing at the line of the OpenAPI document that was broken.
package struct SARIFReport: Sendable {
  package let result: RunResult

  package init(_ result: RunResult) { self.result = result }

  /// GitHub takes 25,000 results of a run and shows 5,000.
  private static let resultsKept = 5_000

  /// The whole file.
  package var text: String { JSONLayout.text(document) + "\n" }

  private var document: JSONValue {
    .object([
      "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
      "version": "2.1.0",
      "runs": .array([run]),
    ])
  }

  private var run: JSONValue {
    let findings = result.findingList.entries.prefix(Self.resultsKept).map(\.finding)
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
      "properties": .object(["checks": .array(result.checks.map(Self.check))]),
      "results": .array(findings.map { finding in SARIFResult(finding: finding, run: result.run, kinds: kinds).value }),
    ])
  }

  /// A check with the samples in which a violation would have been visible.
  private static func check(_ check: Check) -> JSONValue {
    var object: JSONObject = [
      "name": .string(check.name), "group": .string(check.family.rawValue), "state": .string(check.outcome.word),
      "seen": .string(check.sentence),
    ]
    if let trials = check.trials { object["trials"] = .number(JSONNumber(trials)) }
    return .object(object)
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
      "help": .object(["text": .string(kind.rule.plainRemedy), "markdown": .string(kind.rule.remedy)]),
      "defaultConfiguration": .object(["level": .string(kind.rule.severity.rawValue)]),
    ])
  }
}

/// One finding as a result of SARIF §3.27.
struct SARIFResult {
  let finding: Finding
  let run: RunInfo
  /// The rules' ids, in the order of the driver's list.
  let kinds: [FindingKind]

  var value: JSONValue {
    var value: JSONObject = [
      "ruleId": .string(finding.kind.rawValue),
      "ruleIndex": .number(JSONNumber(kinds.firstIndex(of: finding.kind) ?? -1)),
      "level": .string(finding.severity.rawValue),
      "message": .object(["text": .string(message)]),
      "locations": .array([location]),
      "partialFingerprints": .object(["murphyFinding/v1": .string(finding.fingerprint)]),
      "occurrenceCount": .number(JSONNumber(max(finding.count, 1))),
    ]
    if let properties { value["properties"] = properties }
    return .object(value)
  }

  private var message: String {
    let subject = finding.operation.map { "\($0): " } ?? ""
    let threshold = finding.loadThreshold.map { " The finding occurs \($0)." } ?? ""
    return ([subject + finding.message + " (\(finding.occurrence))." + threshold] + finding.details.prefix(8))
      .joined(separator: "\n")
  }

  /// The line of the contract; without one, the contract or scenario as a whole.
  private var location: JSONValue {
    var place: JSONObject = [:]
    if let source = finding.evidence?.source {
      place["artifactLocation"] = artifact(source.file)
      place["region"] = .object([
        "startLine": .number(JSONNumber(max(source.line, 1))),
        "startColumn": .number(JSONNumber(max(source.column, 1))),
      ])
    } else {
      place["artifactLocation"] = artifact(finding.kind.family == .contract ? run.contractFile : run.scenarioFile)
      place["region"] = .object(["startLine": .number(JSONNumber(1))])
    }
    var location: JSONObject = ["physicalLocation": .object(place)]
    if let operation = finding.operation {
      location["logicalLocations"] = .array([.object(["name": .string(operation), "kind": "function"])])
    }
    return .object(location)
  }

  private func artifact(_ path: String) -> JSONValue {
    .object(["uri": .string(Self.uri(path))])
  }

  /// A path as a URI reference (RFC 3986 §3.3): relative ones stay relative.
  static func uri(_ path: String) -> String {
    (path.hasPrefix("/") ? "file://" : "") + PercentEncoding.encode(path: path)
  }

  private var properties: JSONValue? {
    var properties: JSONObject = [:]
    if let curl = finding.evidence?.curl?.text { properties["curl"] = .string(curl) }
    if let pointer = finding.evidence?.instancePointer { properties["instancePointer"] = .string(pointer) }
    if let pointer = finding.evidence?.schemaPointer { properties["schemaPointer"] = .string(pointer) }
    return properties.isEmpty ? nil : .object(properties)
  }
}
