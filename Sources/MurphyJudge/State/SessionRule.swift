import MurphyModel

/// Read your writes and monotonic reads: a session's later reads are at least as new as its writes and reads
/// (docs/state.md §8). Valid with other clients, too.
struct SessionRule {
  /// The value that one session saw of one key; it only grows.
  struct Event {
    var isRead: Bool
    var value: Int64
    var span: Span
    var index: Int
  }

  /// The first read that is too old; only responses that were received before the read was sent count.
  func contradiction(_ events: [Event]) -> StateViolation? {
    let ended = events.sorted { $0.span.until < $1.span.until }
    var (next, best): (Int, Event?) = (0, nil)
    for event in events.filter(\.isRead).sorted(by: { $0.span.from < $1.span.from }) {
      while next < ended.count, ended[next].span.until < event.span.from {
        if best.map({ $0.value < ended[next].value }) ?? true { best = ended[next] }
        next += 1
      }
      if let best, best.value > event.value {
        var violation = StateViolation(
          .stateSessionBack, .sessionBack(shown: event.value, known: best.value), witness: [])
        // In the order of time, which may differ from that of the log.
        violation.witness = [best.index, event.index]
        return violation
      }
    }
    return nil
  }

  /// The verdict on one key, over all sessions.
  func judge(_ sessions: [Int32: [Event]], key: Int32) -> KeyVerdict {
    var power = KeyVerdict.Power()
    var found: StateViolation?
    for (_, events) in sessions.sorted(by: { $0.key < $1.key }) {
      let reads = events.count(where: \.isRead)
      power.reads += reads
      power.writes += events.count - reads
      power.sharp += max(events.count - 1, 0) > 0 ? reads : 0
      found = found ?? contradiction(events)
    }
    return KeyVerdict(key: key, found, power: power)
  }

  static func sessions(_ indices: ArraySlice<Int>, of log: StateLog) -> [Int32: [Event]] {
    var sessions: [Int32: [Event]] = [:]
    for index in indices {
      let exchange = log.exchanges[index]
      guard exchange.outcome == .accepted, !exchange.isOwn, let value = exchange.value(\.a) else { continue }
      // One session belongs to one shard: the inexactness of its clock compared with others does not matter within it.
      let span = Span(exchange.sent, exchange.answered - (log.clockWidths[exchange.session] ?? 0))
      sessions[exchange.session, default: []].append(
        Event(isRead: exchange.role == .read, value: value, span: span, index: index))
    }
    return sessions
  }
}
