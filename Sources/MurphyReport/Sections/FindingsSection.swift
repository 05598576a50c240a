import MurphyModel

/// What is wrong, worst first, each with its proof.
struct FindingsSection: ReportSection {
  static let id = "findings"
  static let title = "Findings"

  let result: RunResult

  /// Findings with their evidence, findings as a line, and the first ones whose evidence is unfolded.
  private static let detailed = 40
  private static let listed = 200
  private static let unfolded = 2

  var content: Markup? {
    let findings = result.findings
    if findings.isEmpty { return lead("None: nothing that murphy checks was wrong.") }
    return .group([
      lead("Equal occurrences are one finding. Each can be repeated with its curl command."),
      .group(
        findings.prefix(Self.detailed).enumerated().map { index, finding in
          FindingArticle(finding: finding, index: index, unfolded: index < Self.unfolded).markup
        }), rest,
    ])
  }

  private var rest: Markup {
    let rest = result.findings.dropFirst(Self.detailed)
    guard !rest.isEmpty else { return .nothing }
    let unlisted = rest.count - Self.listed
    return .group([
      element(.h3, text: "\(counted(rest.count, "more finding"))"),
      element(.ul, .class("plain")) {
        for finding in rest.prefix(Self.listed) {
          element(.li, text: "\(finding.kind) \(finding.operation ?? ""): \(finding.message) (\(finding.occurrence))")
        }
      },
      element(
        .p, .class("cut"),
        text: unlisted > 0
          ? "\(counted(unlisted, "finding")) not listed; all are in result.json."
          : "Their evidence is in result.json."),
    ])
  }
}
