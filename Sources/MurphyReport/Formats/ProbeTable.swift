import MurphyModel

/// What `murphy limits` found of one limit next to what is declared: a row for each property that was declared or found.
package struct ProbeTable {
  private let policy: LimitPolicy?
  private let report: ProbeReport

  /// - Parameter policy: what is declared; nil for nothing.
  package init(_ policy: LimitPolicy?, _ report: ProbeReport) { (self.policy, self.report) = (policy, report) }

  /// A row for each property: its name, what is declared, what was found, how certain that is.
  package func table(of limit: String) -> ReportTable {
    ReportTable(
      "What was declared and found of \(limit)",
      [.text("property"), .text("declared"), .text("found"), .text("certainty", spare: 0)],
      rows.map { row in
        [.text(row.name), .text(row.declared ?? "–"), .text(row.found ?? "–"), .text(row.certainty ?? "")]
      })
  }

  private struct Row {
    let name: String
    var declared: String?
    var found: String?
    var certainty: String?
  }

  private var rows: [Row] {
    [allowance, window, rate, algorithm, key, bypass, rejected, failed, race].filter {
      $0.declared != nil || $0.found != nil
    }
  }

  private var isBucket: Bool { policy?.algorithm == .tokenBucket }

  private var allowance: Row {
    Row(
      name: isBucket ? "burst" : "allowance", declared: policy.map { Figure.count($0.allowance).text },
      found: report.allowance.map { Figure.decimals($0.value, 0) } ?? atOnce.map { "\(Figure.count($0).text) at once" },
      certainty: report.allowance.map { range($0) { Figure.decimals($0, 0) } })
  }

  /// Requests that were admitted without a pause, where the window was not measured.
  private var atOnce: Int? {
    report.facts.lazy.compactMap { if case .admittedAtOnce(let count) = $0 { count } else { nil } }.first
  }

  private var window: Row {
    Row(
      name: "window", declared: policy.flatMap { isBucket ? nil : $0.windowText },
      found: report.window.map { Figure.seconds($0.value).text },
      certainty: report.window.map { range($0) { Figure.seconds($0).text } })
  }

  private var rate: Row {
    Row(
      name: "rate", declared: policy.flatMap { isBucket ? $0.rate.text : nil },
      found: report.rate.map { Figure.rate($0).text })
  }

  private var algorithm: Row {
    let best = report.candidates.first
    return Row(
      name: "algorithm", declared: policy.map(\.algorithm.text), found: best?.algorithm,
      certainty: best.map { Figure(Figure.decimals($0.probability * 100, 1), "%").text })
  }

  private var key: Row {
    let (counted, shared) = (names { $0.separates == true }, names { $0.separates == false })
    return Row(
      name: "key", declared: policy.map { $0.keyIsAssumed ? "not stated" : $0.key.text },
      found: report.keys.isEmpty ? nil : counted.isEmpty ? "none of those tried" : counted.joined(separator: ", "),
      certainty: shared.isEmpty
        ? nil : "not by \(shared.count > 2 ? "\(shared.count) others tried" : shared.joined(separator: ", "))")
  }

  private var bypass: Row {
    let found = names { $0.bypasses }
    return Row(name: "avoided by", found: found.isEmpty ? nil : found.joined(separator: ", "))
  }

  private func names(_ isMeant: (ProbeReport.KeyFinding) -> Bool) -> [String] {
    report.keys.filter(isMeant).map(\.dimension.rawValue)
  }

  private var rejected: Row {
    Row(
      name: "rejected requests", declared: policy.flatMap { counted($0.counts.refused) },
      found: report.countsRefused.map(counted))
  }

  private var failed: Row {
    Row(
      name: "failed requests", declared: policy.flatMap { counted($0.counts.failed) },
      found: report.countsFailed.map(counted))
  }

  private var race: Row {
    Row(
      name: "sent at once",
      found: report.raceExcess.map { $0 > 0 ? "\($0) beyond the allowance" : "none beyond the allowance" })
  }

  private func counted(_ isCounted: Bool) -> String { isCounted ? "counted" : "not counted" }

  private func counted(_ promise: LimitCounting.Counted) -> String? {
    promise == .perhaps ? nil : counted(promise == .yes)
  }

  /// `exact`, or the central 90 % interval.
  private func range(_ estimate: ProbeReport.Estimate, _ text: (Double) -> String) -> String {
    let (low, high) = (text(estimate.low), text(estimate.high))
    return low == high ? "exact" : "90 %: \(low) to \(high)"
  }
}
