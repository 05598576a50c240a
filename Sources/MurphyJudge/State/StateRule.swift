import MurphyModel

/// The definition of an invariant, with the parameters of its rule.
package enum StateRule: Sendable {
  case ledger
  /// A ledger where a second vote of the same kind cancels the first.
  case toggles
  case counter
  case versions
  case register
  case set(isSnapshot: Bool)
  case delivery(within: Int64)
  case session
  case formula(StateCondition, names: [String])
}

/// The verdict on one invariant: a pure function of the log.
package struct StateReport: Sendable {
  /// At most one for each key.
  package private(set) var violations: [(key: Int32, violation: StateViolation)] = []
  /// Keys without a contradiction.
  package private(set) var consistent = 0
  /// The number of those with at least one response that could have shown one.
  package private(set) var tested = 0
  /// By reason: the number of keys without a conclusion.
  package private(set) var inconclusive: [String: Int] = [:]
  /// The samples of all keys that could have shown a violation.
  package private(set) var power = KeyVerdict.Power()

  /// The number of judged keys.
  package var keys: Int { violations.count + consistent + inconclusive.values.reduce(0, +) }

  /// - Parameter number: the index of the invariant in the scenario, by which the log's exchanges refer to it.
  package init(_ rule: StateRule, _ terms: StateTerms, number: Int, log: StateLog) {
    let gaps = log.gaps.indices.contains(number) ? log.gaps[number] : StateGaps()
    let mine = log.exchanges.indices.filter { Int(log.exchanges[$0].invariant) == number }
    guard gaps.unreadWrites == 0, gaps.moreKeysLeftOut == 0 else {
      let keys = Set(mine.map { log.exchanges[$0].key }).count
      let reason =
        gaps.unreadWrites > 0
        ? "murphy could not read the key or the actor of \(counted(gaps.unreadWrites, "write"))"
        : "the state log is full"
      inconclusive[reason] = max(keys, 1) + gaps.moreKeysLeftOut
      return
    }
    let left = Set(gaps.keysLeftOut.compactMap { log.names.known($0) })
    if !gaps.keysLeftOut.isEmpty { inconclusive["the state log is full"] = gaps.keysLeftOut.count }
    for verdict in Self.verdicts(rule, terms, mine, log, without: left) { add(verdict) }
  }

  private mutating func add(_ verdict: KeyVerdict) {
    power += verdict.power
    switch verdict.outcome {
    case .violated(let violation): violations.append((verdict.key, violation))
    case .inconclusive(let why): inconclusive[why, default: 0] += 1
    case .consistent:
      consistent += 1
      if verdict.power.sharp > 0 { tested += 1 }
    }
  }

  private static func verdicts(
    _ rule: StateRule, _ terms: StateTerms, _ indices: [Int], _ log: StateLog, without left: Set<Int32>
  ) -> [KeyVerdict] {
    switch rule {
    case .set(let isSnapshot):
      var history = SetHistory(indices[...], of: log, terms)
      history.leaveOut(left)
      let listsAll = history.items.values.contains {
        !$0.creations.isEmpty && $0.shown.contains { history.members[$0.index] != nil }
      }
      let rule = SetRule(isExclusive: terms.isExclusive, isSnapshot: isSnapshot, listsAll: listsAll && left.isEmpty)
      return rule.judge(history)
    case .delivery(let within): return [DeliveryRule(within: within).judge(indices[...], of: log)]
    default: break
    }
    // A stable order keeps a response after its write.
    let sorted = indices.sorted { (log.exchanges[$0].key, $0) < (log.exchanges[$1].key, $1) }
    var verdicts: [KeyVerdict] = []
    var start = 0
    while start < sorted.count {
      let key = log.exchanges[sorted[start]].key
      var end = start + 1
      while end < sorted.count, log.exchanges[sorted[end]].key == key { end += 1 }
      if !left.contains(key) { verdicts.append(verdict(rule, terms, sorted[start..<end], log, key)) }
      start = end
    }
    return verdicts
  }

  private static func verdict(
    _ rule: StateRule, _ terms: StateTerms, _ indices: ArraySlice<Int>, _ log: StateLog, _ key: Int32
  ) -> KeyVerdict {
    let isExclusive = terms.isExclusive
    switch rule {
    case .ledger: return LedgerRule(isExclusive: isExclusive).judge(LedgerHistory(indices, of: log, terms), key: key)
    case .toggles:
      return LedgerRule(isExclusive: isExclusive).judge(LedgerHistory(indices, of: log, terms, toggles: true), key: key)
    case .counter: return CounterRule(isExclusive: isExclusive).judge(CounterHistory(indices, of: log, terms), key: key)
    case .versions:
      return VersionRule(isExclusive: isExclusive).judge(VersionHistory(indices, of: log, terms), key: key)
    case .register:
      return RegisterRule(isExclusive: isExclusive).judge(RegisterHistory(indices, of: log, terms), key: key)
    case .session: return SessionRule().judge(SessionRule.sessions(indices, of: log), key: key)
    case .formula(let condition, let names):
      return FormulaRule(condition: condition, names: names).judge(indices, of: log, terms, key: key)
    case .set, .delivery: preconditionFailure("judged over all keys together")
    }
  }
}

/// The declarations of a scenario on one invariant, in addition to its rule.
package struct StateTerms: Sendable {
  /// True if only this run changes its keys.
  package var isExclusive = false
  /// The maximum time until a write without a response takes effect, or never does, nanoseconds; ``Span/forever`` when
  /// it is not declared.
  package var settle = Span.forever
  /// The maximum time until a write with status 202 takes effect, nanoseconds.
  package var within: Int64 = 0
  /// By operation: the maximum age of its responses, nanoseconds.
  package var lags: [Int: Int64] = [:]
  /// True if no actor of the run did anything before it, as at a target that was started for the run.
  package var startsQuiet = false

  package init() {}

  /// The possible time of a write's effect; nil for one that was rejected.
  func change(_ exchange: StateExchange, index: Int) -> Change? {
    let (from, until) = (exchange.sent, exchange.answered)
    return switch exchange.outcome {
    case .accepted: Change(Span(from, until), index: index)
    case .pending: Change(Span(from, until.adding(within)), index: index)
    case .unknown: Change(Span(from, from.adding(settle)), isOptional: true, index: index)
    case .refused: nil
    }
  }

  /// The possible time of the state in a response.
  func view(_ exchange: StateExchange) -> Span {
    Span(exchange.sent.adding(-(lags[Int(exchange.operation)] ?? 0)), exchange.answered)
  }

  /// True if all responses show the state of their own time.
  var isFresh: Bool { lags.values.allSatisfy { $0 == 0 } }
}

/// The possible time of an exchange's effect: one time between both ends. Nanoseconds since the load began.
package struct Span: Sendable, Hashable {
  /// Nanoseconds since the load began.
  package var from: Int64
  /// Nanoseconds since the load began.
  package var until: Int64

  package init(_ from: Int64, _ until: Int64) {
    self.from = from
    self.until = until
  }

  /// The end is unknown.
  package static let forever = Int64.max
  /// The beginning is unknown.
  package static let always = Int64.min
}

/// A change of a key, from the client's observations.
package struct Change: Sendable, Hashable {
  /// The possible time of its effect.
  package var span: Span
  /// True if it may never have taken effect.
  package var isOptional: Bool
  /// The index of the exchange in the log.
  package var index: Int

  package init(_ span: Span, isOptional: Bool = false, index: Int) {
    self.span = span
    self.isOptional = isOptional
    self.index = index
  }
}

/// The value of a key in a response, and the possible time of that value.
package struct Sighting<Value: Sendable>: Sendable {
  /// The possible time of the value.
  package var span: Span
  /// The value in the response.
  package var value: Value
  /// The index of the exchange in the log.
  package var index: Int

  package init(_ span: Span, value: Value, index: Int) {
    self.span = span
    self.value = value
    self.index = index
  }
}

/// Requests with one idempotency key: one write, with any results.
struct Repeats {
  private var places: [Int32: Int] = [:]
  /// Writes that were sent more than once. Their responses may show any of their times.
  private(set) var repeated: Set<Int> = []

  /// The index of the write that a request repeats; nil for the first one with its key, whose index is `place`.
  mutating func first(_ exchange: StateExchange, at place: Int) -> Int? {
    guard exchange.once >= 0 else { return nil }
    guard let known = places[exchange.once] else {
      places[exchange.once] = place
      return nil
    }
    repeated.insert(known)
    return known
  }
}

extension Change {
  /// The same write, sent again: it takes effect once, after its first send and before its first accepting response.
  mutating func merge(_ again: Change) {
    span.from = min(span.from, again.span.from)
    switch (isOptional, again.isOptional) {
    case (true, true): span.until = max(span.until, again.span.until)
    case (false, true): break
    case (false, false) where span.until <= again.span.until: break
    case (_, false): (span.until, isOptional, index) = (again.span.until, false, again.index)
    }
  }
}
