import MurphyModel

/// The page of `murphy limits`: the declared and the measured properties of each limit, with their certainty.
package struct LimitsReport: Sendable {
  /// A probed limit.
  package struct Limit: Sendable {
    var name: String
    /// The declared policy; nil for none.
    var policy: LimitPolicy?
    var report: ProbeReport
    var findings: [Finding]
    var verdict: Verdict

    package init(
      _ name: String, _ policy: LimitPolicy?, _ report: ProbeReport, _ findings: [Finding], _ verdict: Verdict
    ) {
      (self.name, self.policy, self.report) = (name, policy, report)
      (self.findings, self.verdict) = (findings, verdict)
    }
  }

  private let scenario: String
  private let target: String
  private let version: String
  private let verdict: Verdict
  private let reasons: [String]
  private let limits: [Limit]

  package init(
    scenario: String, target: String, version: String, verdict: Verdict, reasons: [String], limits: [Limit]
  ) {
    (self.scenario, self.target, self.version) = (scenario, target, version)
    (self.verdict, self.reasons, self.limits) = (verdict, reasons, limits)
  }

  package var document: ReportDocument {
    let states = [("confirmed", Verdict.pass), ("contradicted", .fail), ("no data", .noData)]
    return ReportDocument(
      title: "\(verdict.word) · rate limits · \(scenario)", verdict: verdict, kicker: "rate limits · \(target)",
      name: scenario, answer: Phrase(answer), reasons: reasons.map { Phrase($0) },
      tiles: [.init("limits", .count(limits.count))]
        + states.map { name, verdict in .init(name, .count(limits.count { $0.verdict == verdict })) }
        + [
          .init("requests", .count(limits.reduce(0) { $0 + $1.report.requests })),
          .init("time", Figure.seconds(limits.reduce(0) { $0 + $1.report.seconds }).text),
        ],
      sections: limits.enumerated().map { index, limit in
        let before = limits[..<index].reduce(0) { $0 + $1.findings.count }
        return .init("limit-\(index + 1)", limit.name) { content(limit, after: before) }
      },
      footer: "murphy \(version) · the same numbers are in limits.json")
  }

  private var answer: String {
    switch verdict {
    case .pass: "The limiters match their declarations."
    case .fail: "A limiter contradicts its declaration."
    case .noData: "No data: the probe collected too little data on at least one limit."
    case .invalid, .shard: "No verdict on the limits."
    }
  }

  @BlockBuilder private func content(_ limit: Limit, after count: Int) -> [Block] {
    let report = limit.report
    Block.lead(
      "\(counted(report.requests, "request")) to \(report.operation) in \(Figure.seconds(report.seconds).text)"
        + (limit.policy.map { "; declared \($0.text)" } ?? "; no declared limit") + ".")
    ProbeTable(limit.policy, report).table(of: limit.name)
    Block.lines(report.sentences)
    limit.findings.enumerated().map { index, finding in
      var article = FindingArticle(finding, number: count + index + 1)
      article.unfolded = true
      article.details = finding.details
      return Block.finding(article)
    }
  }
}
