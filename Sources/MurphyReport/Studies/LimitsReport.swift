import MurphyModel

/// The page of `murphy limits`: the declared and the measured properties of each limit, with their certainty.
package struct LimitsReport: Sendable {
  /// A probed limit.
  package struct Limit: Sendable {
    var name: String
    /// The declared policy; nil for none.
    var policy: LimitPolicy?
    var report: ProbeReport
    /// The proof from the probe's own log; nil without a declaration.
    var row: LimitRow?
    var findings: [Finding]
    var verdict: Verdict

    package init(
      _ name: String, _ policy: LimitPolicy?, _ report: ProbeReport, _ row: LimitRow?, _ findings: [Finding],
      _ verdict: Verdict
    ) {
      (self.name, self.policy, self.report) = (name, policy, report)
      (self.row, self.findings, self.verdict) = (row, findings, verdict)
    }
  }

  private let scenario: String
  private let target: String
  private let version: String
  private let verdict: Verdict
  private let reasons: [String]
  package let limits: [Limit]

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
          .init("probe time, summed", Figure.time(limits.reduce(.zero) { $0 + $1.report.duration }).text),
        ],
      sections: [.init("summary", "Summary", in: [.page, .terminal]) { if limits.count > 1 { Block.table(summary) } }]
        + limits.enumerated().map { index, limit in
          let before = limits[..<index].reduce(0) { $0 + $1.findings.count }
          return .init("limit-\(index + 1)", limit.name) { content(limit, after: before) }
        },
      footer: "murphy \(version) · the same numbers are in limits.json")
  }

  /// The measured properties of each limit, in a line.
  private var summary: ReportTable {
    ReportTable(
      "Measured limits",
      [.text("limit"), .text("result"), .text("quota"), .text("window"), .text("algorithm"), .text("key", spare: 0)],
      limits.map { limit in
        [.name(limit.name), .text(limit.result)]
          + ProbeTable(limit.policy, limit.report).measured.map { .text($0 ?? "–") }
      }, noun: "limit")
  }

  private var answer: String {
    switch verdict {
    case .pass: "All limiters match their declared limits."
    case .fail: "At least one limiter differs from its declared limit."
    case .noData: "No data: for at least one limit, murphy collected too little data."
    case .invalid, .shard: "No verdict on the limits."
    }
  }

  @BlockBuilder private func content(_ limit: Limit, after count: Int) -> [Block] {
    let report = limit.report
    Block.lead(
      "\(counted(report.requests, "request")) to \(report.operation) in \(Figure.time(report.duration).text)"
        + (limit.policy.map { "; declared \($0.text)" } ?? "; no declared limit") + ".")
    ProbeTable(limit.policy, report).table(of: limit.name)
    Block.lines(report.sentences.isEmpty ? [limit.row?.sentence].compactMap(\.self) : report.sentences)
    limit.findings.enumerated().map { index, finding in
      var article = FindingArticle(finding, number: count + index + 1)
      (article.unfolded, article.followsSection) = (true, true)
      article.details = finding.details
      return Block.finding(article)
    }
  }
}

extension LimitsReport.Limit {
  fileprivate var result: String {
    switch verdict {
    case .pass: policy == nil ? "identified" : "confirmed"
    case .fail: "contradicted"
    case .noData, .invalid, .shard: "no data"
    }
  }

  /// The output at the end of its probe.
  ///
  /// - Parameter isVerbose: true for every sentence and command instead of only the first ones.
  package func document(isVerbose: Bool) -> ReportDocument {
    let proof = row.flatMap { $0.verdict == .inconclusive ? nil : $0.sentence }
    let sentences = report.sentences + [proof].compactMap(\.self).filter { !report.sentences.contains($0) }
    let reproduced = findings.firstIndex { $0.evidence?.curl != nil }
    return ReportDocument(
      title: name, kicker: "rate limits", name: "\(name): \(policy.map { "declared \($0.text)" } ?? "black box")",
      sections: [
        .init("limit", name, in: [.terminal]) {
          ProbeTable(policy, report).table(of: name)
          for sentence in sentences.prefix(isVerbose ? sentences.count : 1) { Block.text(Phrase(sentence)) }
          for (index, finding) in findings.enumerated() {
            Block.finding(FindingArticle(finding, number: index + 1))
            if isVerbose { Block.lines(finding.details) }
            if let curl = finding.evidence?.curl, isVerbose || index == reproduced {
              Block.code("Reproduce \(index + 1)   \(curl.text)")
            }
          }
          Block.text("\(counted(report.requests, "request")) in \(Figure.time(report.duration).text)")
        }
      ])
  }
}

/// The result of `murphy limits` for one limit next to its declaration: a row for each declared or measured property.
package struct ProbeTable {
  private let policy: LimitPolicy?
  private let report: ProbeReport

  /// - Parameter policy: the declared policy; nil for none.
  package init(_ policy: LimitPolicy?, _ report: ProbeReport) { (self.policy, self.report) = (policy, report) }

  /// A row for each property: its name, the declared value, the measured value, and the certainty.
  package func table(of limit: String) -> ReportTable {
    ReportTable(
      "Declared and measured properties of \(limit)",
      [.text("property"), .text("declared"), .text("measured"), .text("evidence", spare: 0)],
      rows.filter { $0.declared != nil || $0.found != nil }.map { row in
        [.text(row.name), .text(row.declared ?? "–"), .text(row.found ?? "–"), .text(row.certainty ?? "")]
      })
  }

  /// Quota, window, algorithm and key; nil for what was not measured.
  var measured: [String?] { [allowance, window, algorithm, key].map(\.found) }

  private typealias Row = (name: String, declared: String?, found: String?, certainty: String?)

  private var rows: [Row] {
    if let policy, policy.isConcurrent {
      return [("requests at the same time", policy.allowance.text, isConfirmed, nil), key]
    }
    let bypasses = names { $0.bypasses }
    let race = report.raceExcess.map { $0 > 0 ? "\($0) admitted above the quota" : "no request above the quota" }
    return [
      allowance, window, ("rate", policy.flatMap { isBucket ? $0.rate.text : nil }, rate, nil), algorithm, key,
      ("bypassed by", nil, bypasses.isEmpty ? nil : bypasses.joined(separator: ", "), nil),
      counting("rejections count", policy?.counts.refused, report.countsRefused),
      counting("failures count", policy?.counts.failed, report.countsFailed),
      ("concurrent requests", nil, race, nil),
      ("separate counters", nil, report.replicas.map(\.text), nil),
    ]
  }

  private var isBucket: Bool { policy?.algorithm == .tokenBucket }

  private var allowance: Row {
    (
      isBucket ? "burst" : "quota", policy.map { $0.allowance.text },
      report.allowance?.countText ?? atOnce.map { "\($0.text) in one burst" } ?? isConfirmed,
      report.allowance.flatMap { $0.low == $0.high ? "exact" : nil }
    )
  }

  /// For a declaration that a load confirmed.
  private var isConfirmed: String? { report.agreesWithDeclared == true ? "confirmed" : nil }

  /// Requests that were admitted without a pause, if the window was not measured.
  private var atOnce: Int? {
    report.facts.lazy.compactMap { if case .admittedAtOnce(let count) = $0 { count } else { nil } }.first
  }

  private var window: Row {
    (
      "window", policy.flatMap { isBucket ? nil : $0.window.text },
      report.window.map { "\($0.text) s" },
      report.window.map {
        "\(Figure.time(.saturating(seconds: $0.low)).text) to \(Figure.time(.saturating(seconds: $0.high)).text)"
      }
    )
  }

  private var rate: String? { report.rate.map { "\($0.text)/s" } }

  private var algorithm: Row {
    let best = report.candidates.first
    return (
      "algorithm", policy.map(\.algorithm.text), best?.algorithm,
      best.map { Figure.percent($0.probability).text }
    )
  }

  private var key: Row {
    let (counted, shared, open) = (names { $0.isCounted }, names { $0.separates == false }, names { $0.isOpen })
    func list(_ names: [String]) -> String { names.count > 2 ? "\(names.count) others" : names.joined(separator: ", ") }
    let found =
      !counted.isEmpty
      ? counted.joined(separator: ", ") : shared.isEmpty ? "not tested" : "none of the tested ones"
    let certainty = [
      shared.isEmpty ? nil : "not by \(list(shared))\(shared.count > 2 ? " tested" : "")",
      open.isEmpty ? nil : "not tested: \(list(open))",
    ].compactMap(\.self)
    return (
      "key", policy.map { $0.keyIsAssumed ? "not stated" : $0.key.text }, report.keys.isEmpty ? nil : found,
      certainty.isEmpty ? nil : certainty.joined(separator: "; ")
    )
  }

  private func names(_ isMeant: (ProbeReport.KeyFinding) -> Bool) -> [String] {
    report.keys.filter(isMeant).map(\.dimension.rawValue)
  }

  /// Describes whether requests with this ending count.
  private func counting(_ name: String, _ declared: LimitCounting.Counted?, _ found: Bool?) -> Row {
    (name, declared.flatMap { $0 == .perhaps ? nil : counted($0 == .yes) }, found.map(counted), nil)
  }

  private func counted(_ isCounted: Bool) -> String { isCounted ? "yes" : "no" }
}
