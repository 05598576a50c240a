import MurphyModel

extension TrafficJudge {
  /// A finding for every broken promise on the traffic: `traffic.completed`, `traffic.sessions`.
  public static func findings(_ rows: [TrafficRow]) -> [Finding] {
    rows.filter { $0.verdict == .fail }.map { row in
      Finding(
        kind: "traffic.\(row.kind.rawValue)", severity: .error, operation: nil, message: row.statement,
        details: row.exceptions.prefix(20).map { "\($0.count) × \($0.reason)" }, discriminator: row.kind.rawValue)
    }
  }
}

extension TrafficRow {
  /// What was promised and what was seen, as one sentence without its full stop.
  package var statement: String {
    switch kind {
    case .completed: "At least \(limit) of the sessions should end as scripted: \(sentence)"
    case .called: "Every operation that the scenario names should be called: \(sentence)"
    case .sessions: "Every kind of session should complete at least once: \(sentence)"
    }
  }
}
