import MurphyModel

extension ProbedLimit {
  /// What a probe means: pass when the promise was confirmed (or, without one, the limiter identified), fail when it
  /// was contradicted, no data when the probe could not tell.
  static func verdict(_ report: ProbeReport, _ policy: LimitPolicy?, _ row: LimitRow?, _ findings: [Finding]) -> Verdict
  {
    if findings.contains(where: { $0.severity == .error }) { return .fail }
    if report.contradictsTerms { return .fail }
    guard policy != nil else { return report.outcome == .identified || report.outcome == .shaping ? .pass : .noData }
    if report.agreesWithDeclared == true { return .pass }
    return .noData
  }

  /// One line for people.
  package var reason: String {
    switch verdict {
    case .pass:
      "\(name): \(policy.map { "confirmed: \($0.text)" } ?? "identified: \(report.text ?? "requests are delayed")")"
    case .fail:
      "\(name): " + (findings.first { $0.severity == .error }?.message ?? "contradicted")
    case .noData, .invalid:
      "\(name): not decided (\(report.outcome.rawValue))" + (report.wasLate ? ": this machine was late" : "")
    }
  }
}

extension ProbeReport {
  /// Sends or answers were so late that questions were asked again.
  package var wasLate: Bool { facts.contains { if case .late = $0 { true } else { false } } }
}
