import MurphyModel

extension TrafficRow {
  /// Unique in a run, and the same from run to run: `sessions end as scripted ≥ 99%`.
  package var title: String {
    switch kind {
    case .completed: "sessions end as scripted ≥ \(limit)"
    case .called: limit == "all" ? "every operation that the scenario names is called" : "called: \(limit)"
    case .connections: "connections are reused ≥ \(limit)"
    case .sessions: limit == "all" ? "every kind of session completes" : "a session completes of: \(limit)"
    }
  }
}

extension OperationResult {
  /// All that requests ended with, and how often: `200 × 318, 429 × 12, lost × 3`.
  package var endings: String {
    let others = [
      ("lost", outcomes.transport), ("cancelled", outcomes.cancelled),
      ("in flight at the end", requests - outcomes.answered - outcomes.transport - outcomes.cancelled),
    ]
    let parts =
      statuses.map { "\($0.status) × \(Figure.count($0.count).text)" }
      + others.filter { $0.1 > 0 }.map { "\($0.0) × \(Figure.count($0.1).text)" }
    return parts.isEmpty ? "–" : parts.joined(separator: ", ")
  }
}

extension SessionResult {
  /// Why sessions ended before their last step, most frequent first: `12 × getLaw: status 503`.
  package var earlyEnds: [String] {
    failed.map { "\(Figure.count($0.count).text) × \($0.reason)" }
      + left.map { "\(Figure.count($0.count).text) × left as scripted, \($0.reason)" }
  }
}
