import MurphyModel

/// The log of one key that only accepted writes increase, each by one.
package struct CounterHistory: Sendable {
  /// An accepted write.
  package struct Increment: Sendable {
    /// The possible time of the increment.
    package var change: Change
    /// The count in its own response.
    package var shown: Int64?

    package init(_ change: Change, shown: Int64? = nil) {
      self.change = change
      self.shown = shown
    }
  }

  /// The count in a response.
  package typealias View = Sighting<Int64>

  /// The accepted writes.
  package var increments: [Increment] = []
  /// The counts in responses.
  package var views: [View] = []

  package init() {}

  init(_ indices: ArraySlice<Int>, of log: StateLog, _ terms: StateTerms) {
    var repeats = Repeats()
    for index in indices {
      let exchange = log.exchanges[index]
      switch exchange.role {
      case .write:
        guard let change = terms.change(exchange, index: index) else { continue }
        if let first = repeats.first(exchange, at: increments.count) {
          increments[first].change.merge(change)
        } else {
          increments.append(Increment(change))
        }
      case .response:
        if let last = increments.indices.last, increments[last].change.index == index - 1, terms.isFresh {
          increments[last].shown = exchange.value(\.a)
        }
      case .read:
        if let count = exchange.value(\.a) {
          views.append(View(terms.view(exchange), value: count, index: index))
        }
      default: break
      }
    }
    for place in repeats.repeated { increments[place].shown = nil }
  }
}

/// A count that only grows: the k-th increment took effect at one time, and all responses together must leave one for
/// each. Exact: a matching in a convex bipartite graph, where the smallest last slot first is optimal (docs/state.md
/// §3).
package struct CounterRule: Sendable {
  /// The count before the log begins; nil where it is unknown.
  package var base: Int64?
  /// False if others may also write while the run lasts.
  package var isExclusive: Bool

  package init(base: Int64? = nil, isExclusive: Bool = true) {
    self.base = base
    self.isExclusive = isExclusive
  }

  /// The maximum of bases that are tried one by one; with more of them only decreasing counts are found.
  private static let mostBases = 64
  /// The maximum of exchanges times bases that are tried.
  private static let mostTests = 4_000_000

  /// True if this number of bases is tried one by one.
  private func tries(_ bases: ClosedRange<Int64>, _ history: CounterHistory) -> Bool {
    let (count, overflow) = bases.upperBound.subtractingReportingOverflow(bases.lowerBound)
    guard !overflow, count < Int64(Self.mostBases) else { return false }
    return (Int(count) + 1) * (history.views.count + history.increments.count) <= Self.mostTests || count == 0
  }

  /// Pure; the same history has the same verdict.
  package func judge(_ history: CounterHistory, key: Int32) -> KeyVerdict {
    let bounds = Bounds(history)
    var power = KeyVerdict.Power(reads: history.views.count, writes: history.increments.count)
    var bases = Int64.min...Int64.max
    var isPinned = base != nil
    var violation = decrease(history)
    for view in history.views {
      let counted = bounds.counted(by: view)
      if counted.count <= max(history.increments.count, 1), counted.upperBound > 0 || !isExclusive {
        if isPinned { power.sharp += 1 }
        if isPinned { power.slack += Int64(counted.count) - 1 }
        isPinned = true
      }
      let mine = bounds.bases(view)
      if bases.overlaps(mine) {
        bases = bases.clamped(to: mine)
      } else if isExclusive, violation == nil {
        violation = wrong(history, view, bases, bounds)
      }
    }
    if violation == nil, isExclusive { violation = self.violation(history, base.map { $0...$0 } ?? bases) }
    return KeyVerdict(key: key, violation, power: power)
  }

  /// A count below one whose response was received before this request was sent: also valid with other clients.
  private func decrease(_ history: CounterHistory) -> StateViolation? {
    let seen = history.views.map { SessionRule.Event(isRead: true, value: $0.value, span: $0.span, index: $0.index) }
    guard let behind = SessionRule().contradiction(seen), case .sessionBack(let shown, let known) = behind.fact else {
      return nil
    }
    var violation = behind
    (violation.kind, violation.fact) = (.stateCounterBack, .countWentBack(from: known, to: shown))
    return violation
  }

  /// Every base is refuted, or there are too many to try.
  private func violation(_ history: CounterHistory, _ bases: ClosedRange<Int64>) -> StateViolation? {
    guard tries(bases, history) else { return nil }
    var first: CounterSlots.Failure?
    for base in bases {
      guard let failure = CounterSlots(history, base: base).failure else { return nil }
      first = first ?? failure
    }
    guard let first else { return nil }
    let proof = smallest(history, bases)
    let (kind, fact): (FindingKind, StateViolation.Fact) =
      switch first {
      case .back(let slot): (.stateCounterBack, .countWentBack(from: slot, to: slot - 1))
      case .missing: (.stateCounterMissing, .countMissing)
      case .tooMany(let shown): (.stateCounterSurplus, .countTooHigh(shown: shown))
      }
    return StateViolation(
      kind, fact, witness: proof.views.map(\.index), writes: proof.increments.map(\.change.index))
  }

  /// Without the responses that the contradiction does not need.
  private func smallest(_ history: CounterHistory, _ bases: ClosedRange<Int64>) -> CounterHistory {
    func fails(_ history: CounterHistory) -> Bool {
      let bases = base.map { $0...$0 } ?? self.bases(history)
      guard let bases else { return true }
      guard tries(bases, history) else { return false }
      return bases.allSatisfy { CounterSlots(history, base: $0).failure != nil }
    }
    var history = history
    history.views.sort { $0.span.until < $1.span.until }
    // Fewer responses contradict less: the shortest beginning, and of that the shortest end.
    var (low, high) = (0, history.views.count)
    while low + 1 < high {
      let middle = (low + high) / 2
      var part = history
      part.views.removeSubrange(middle...)
      if fails(part) { high = middle } else { low = middle }
    }
    history.views.removeSubrange(high...)
    (low, high) = (0, history.views.count)
    while low + 1 < high {
      let middle = (low + high) / 2
      var part = history
      part.views.removeSubrange(..<middle)
      if fails(part) { low = middle } else { high = middle }
    }
    history.views.removeSubrange(..<low)
    guard history.views.count <= 1_000, history.increments.count <= 20_000 else { return history }
    // Halves, then quarters, then single responses are left out while it still fails.
    var size = max(history.views.count / 2, 1)
    while size >= 1, history.views.count > 1 {
      var start = 0
      while start < history.views.count, history.views.count > 1 {
        var fewer = history
        fewer.views.removeSubrange(start..<min(start + size, history.views.count))
        if fails(fewer) { history = fewer } else { start += size }
      }
      if size == 1 { break }
      size /= 2
    }
    return history
  }

  /// The number of increments that a response can have counted.
  private struct Bounds {
    private let certain: [Int64]
    private let possible: [Int64]

    init(_ history: CounterHistory) {
      certain = history.increments.filter { !$0.change.isOptional }.map(\.change.span.until).sorted()
      possible = history.increments.map(\.change.span.from).sorted()
    }

    func counted(by view: CounterHistory.View) -> ClosedRange<Int64> {
      Int64(certain.prefixCount { $0 < view.span.from })...Int64(possible.prefixCount { $0 <= view.span.until })
    }

    func bases(_ view: CounterHistory.View) -> ClosedRange<Int64> {
      let counted = counted(by: view)
      return view.value - counted.upperBound...view.value - counted.lowerBound
    }
  }

  /// The bases that are possible with all responses; nil for none.
  private func bases(_ history: CounterHistory) -> ClosedRange<Int64>? {
    let bounds = Bounds(history)
    var bases = Int64.min...Int64.max
    for view in history.views {
      let mine = bounds.bases(view)
      guard bases.overlaps(mine) else { return nil }
      bases = bases.clamped(to: mine)
    }
    return bases
  }

  /// Two responses without a common possible base.
  private func wrong(
    _ history: CounterHistory, _ view: CounterHistory.View, _ bases: ClosedRange<Int64>, _ bounds: Bounds
  ) -> StateViolation {
    let counted = bounds.counted(by: view)
    let expected = bases.lowerBound.adding(counted.lowerBound)...bases.upperBound.adding(counted.upperBound)
    let isHigh = view.value > expected.upperBound
    let other = history.views.first { other in
      let left = bounds.bases(other)
      return isHigh ? left.upperBound == bases.upperBound : left.lowerBound == bases.lowerBound
    }
    let from = other?.span.from ?? .min
    let writes = history.increments.filter { $0.change.span.from <= view.span.until && $0.change.span.until >= from }
      .map(\.change.index).sorted()
    return StateViolation(
      isHigh ? .stateCounterSurplus : .stateCounterMissing, .count(.both, shown: view.value, possible: expected),
      witness: [other?.index, view.index], writes: writes)
  }
}
