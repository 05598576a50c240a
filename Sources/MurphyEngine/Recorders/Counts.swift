import MurphyModel

extension [String: Int] {
  mutating func count(_ reason: String, _ times: Int = 1) { self[reason, default: 0] += times }

  mutating func merge(_ other: [String: Int]) { merge(other) { $0 + $1 } }

  /// Most frequent first.
  var reasons: [ReasonCount] {
    map { ReasonCount(reason: $0.key, count: $0.value) }.sorted { ($1.count, $0.reason) < ($0.count, $1.reason) }
  }
}

extension Outcomes {
  func difference(from earlier: Outcomes) -> Outcomes {
    var change = Outcomes()
    change.ok = ok - earlier.ok
    change.limited = limited - earlier.limited
    change.clientError = clientError - earlier.clientError
    change.serverError = serverError - earlier.serverError
    change.transport = transport - earlier.transport
    change.cancelled = cancelled - earlier.cancelled
    return change
  }
}
