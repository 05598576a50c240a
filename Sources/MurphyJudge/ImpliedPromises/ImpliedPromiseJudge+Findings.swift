import MurphyModel

extension ImpliedPromiseJudge {
  /// A finding for every broken promise on the traffic: `traffic.completed`, `traffic.sessions`.
  public static func findings(_ rows: [TrafficRow]) -> [Finding] {
    rows.filter { $0.verdict == .fail }.map(finding)
  }

  static func finding(_ row: TrafficRow) -> Finding {
    Finding(
      kind: row.kind.finding, operation: nil, message: row.headline,
      details: row.exceptions.prefix(20).map { "\($0.count) × \($0.reason)" }, discriminator: row.kind.rawValue)
  }
}

extension TrafficRow.Kind {
  fileprivate var finding: FindingKind {
    switch self {
    case .completed: .trafficCompleted
    case .called: .trafficCalled
    case .sessions: .trafficSessions
    }
  }
}

extension TrafficRow {
  /// What the details of the finding do not say.
  fileprivate var headline: String {
    guard kind == .completed, samples > 0 else { return statement }
    return "at least \(limit) of the sessions should end as scripted, and \(met) of \(samples) did "
      + "(\(percentText(Double(met) / Double(samples))))"
  }

  /// What was promised and what was seen, as one sentence without its full stop.
  package var statement: String {
    switch kind {
    case .completed: "At least \(limit) of the sessions should end as scripted: \(sentence)"
    case .called: "Every operation that the scenario names should be called: \(sentence)"
    case .sessions: "Every kind of session should complete at least once: \(sentence)"
    }
  }
}
