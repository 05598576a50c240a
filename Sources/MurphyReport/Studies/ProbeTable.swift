import MurphyModel

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
      [.text("property"), .text("declared"), .text("measured"), .text("certainty", spare: 0)],
      rows.filter { $0.declared != nil || $0.found != nil }.map { row in
        [.text(row.name), .text(row.declared ?? "–"), .text(row.found ?? "–"), .text(row.certainty ?? "")]
      })
  }

  private typealias Row = (name: String, declared: String?, found: String?, certainty: String?)

  private var rows: [Row] {
    let bypasses = names { $0.bypasses }
    let race = report.raceExcess.map { $0 > 0 ? "\($0) above the quota" : "none above the quota" }
    return [
      allowance, window, ("rate", policy.flatMap { isBucket ? $0.rate.text : nil }, rate, nil), algorithm, key,
      ("bypassed by", nil, bypasses.isEmpty ? nil : bypasses.joined(separator: ", "), nil),
      counting("rejected requests", policy?.counts.refused, report.countsRefused),
      counting("failed requests", policy?.counts.failed, report.countsFailed), ("concurrent requests", nil, race, nil),
    ]
  }

  private var isBucket: Bool { policy?.algorithm == .tokenBucket }

  private var allowance: Row {
    let found = report.allowance.map { Figure.decimals($0.value, 0) }
    return (
      isBucket ? "burst" : "quota", policy.map { Figure.count($0.allowance).text },
      found ?? atOnce.map { "\(Figure.count($0).text) at once" },
      report.allowance.map { range($0) { Figure.decimals($0, 0) } }
    )
  }

  /// Requests that were admitted without a pause, if the window was not measured.
  private var atOnce: Int? {
    report.facts.lazy.compactMap { if case .admittedAtOnce(let count) = $0 { count } else { nil } }.first
  }

  private var window: Row {
    (
      "window", policy.flatMap { isBucket ? nil : $0.windowText },
      report.window.map { Figure.seconds($0.value).text }, report.window.map { range($0) { Figure.seconds($0).text } }
    )
  }

  private var rate: String? { report.rate.map { Figure.rate($0).text } }

  private var algorithm: Row {
    let best = report.candidates.first
    return (
      "algorithm", policy.map(\.algorithm.text), best?.algorithm,
      best.map { Figure(Figure.decimals($0.probability * 100, 1), "%").text }
    )
  }

  private var key: Row {
    let (counted, shared) = (names { $0.separates == true }, names { $0.separates == false })
    let others = shared.count > 2 ? "\(shared.count) others tested" : shared.joined(separator: ", ")
    return (
      "key", policy.map { $0.keyIsAssumed ? "not stated" : $0.key.text },
      report.keys.isEmpty ? nil : counted.isEmpty ? "none of the tested ones" : counted.joined(separator: ", "),
      shared.isEmpty ? nil : "not by \(others)"
    )
  }

  private func names(_ isMeant: (ProbeReport.KeyFinding) -> Bool) -> [String] {
    report.keys.filter(isMeant).map(\.dimension.rawValue)
  }

  /// Describes whether requests with this ending count.
  private func counting(_ name: String, _ declared: LimitCounting.Counted?, _ found: Bool?) -> Row {
    (name, declared.flatMap { $0 == .perhaps ? nil : counted($0 == .yes) }, found.map(counted), nil)
  }

  private func counted(_ isCounted: Bool) -> String { isCounted ? "counted" : "not counted" }

  /// `exact`, or the central 90 % interval.
  private func range(_ estimate: ProbeReport.Estimate, _ text: (Double) -> String) -> String {
    let (low, high) = (text(estimate.low), text(estimate.high))
    return low == high ? "exact" : "90 %: \(low) to \(high)"
  }
}
