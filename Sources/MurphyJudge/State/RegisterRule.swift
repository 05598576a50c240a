import MurphyModel

/// One resource with GET, PUT and DELETE: decides if one order of the effects explains all reads.
///
/// Three stages (docs/state.md §6): each read alone; zones of values that were written once (Gibbons and Korach, 1997);
/// and, where values repeat or deletes exist, a search that stops at its budget.
package struct RegisterRule: Sendable {
  /// False if others may also write while the run lasts.
  package var isExclusive: Bool
  /// The maximum of states that the search checks.
  package var budget: Int

  package init(isExclusive: Bool = true, budget: Int = 200_000) {
    self.isExclusive = isExclusive
    self.budget = budget
  }

  /// - Parameter initial: the value before the log begins; nil where only the reads show it.
  package func judge(_ history: RegisterHistory, key: Int32, initial: RegisterHistory.Value? = nil) -> KeyVerdict {
    var history = history
    let initial = initial ?? history.before()
    // The earlier value is arbitrary, so that a read without a certainly earlier write proves nothing.
    if initial == RegisterHistory.initial { history.dropEarlyReads() }
    var power = KeyVerdict.Power(reads: history.reads.count, writes: history.writes.count)
    let begun = history.writes.map(\.change.span.from).min() ?? .max
    power.sharp = history.reads.count { $0.span.until > begun }
    func verdict(_ outcome: KeyVerdict.Decision) -> KeyVerdict { KeyVerdict(key: key, outcome: outcome, power: power) }
    if let violation = single(history, initial) ?? zones(history, initial) { return verdict(.violated(violation)) }
    let values = history.writes.map(\.value)
    let isPlain =
      Set(values).count == values.count && !values.contains { $0 == RegisterHistory.absent || $0 == initial }
    guard isExclusive, !isPlain else { return verdict(.consistent) }
    switch RegisterSearch(history, initial: initial, budget: budget).result {
    case .explained: return verdict(.consistent)
    case .givenUp(let together):
      return verdict(
        .inconclusive("\(together) exchanges were in flight at the same time, more than the search can process"))
    case .contradiction(let indices):
      var violation = StateViolation(.stateRegisterOrder, .noOrder, witness: [])
      violation.more = max(indices.count - StateViolation.mostNamed, 0)
      violation.witness = Array(indices.sorted().prefix(StateViolation.mostNamed))
      return verdict(.violated(violation))
    }
  }

  /// Let M(s) be the latest send of the accepted writes that ended before s. A read of v at [s, r] is possible iff a
  /// write of v was sent by r and ended no earlier than M(s).
  private func single(_ history: RegisterHistory, _ initial: RegisterHistory.Value) -> StateViolation? {
    let ended = history.writes.filter { !$0.change.isOptional }
      .sorted { $0.change.span.until < $1.change.span.until }
    let ends = ended.map(\.change.span.until)
    var latest: [RegisterHistory.Write] = []
    for write in ended {
      if let last = latest.last, last.change.span.from >= write.change.span.from {
        latest.append(last)
      } else {
        latest.append(write)
      }
    }
    var byValue: [RegisterHistory.Value: [RegisterHistory.Write]] = [:]
    for write in history.writes { byValue[write.value, default: []].append(write) }
    for value in byValue.keys { byValue[value]?.sort { $0.change.span.from < $1.change.span.from } }
    let longest = byValue.mapValues { writes in
      writes.reduce(into: [Int64]()) { $0.append(max($0.last ?? .min, $1.change.span.until)) }
    }
    for read in history.reads {
      let place = ends.prefixCount { $0 < read.span.from } - 1
      let newest = place >= 0 ? latest[place] : nil
      if read.value == initial, newest == nil { continue }
      let writes = byValue[read.value] ?? []
      let begun = writes.map(\.change.span.from).prefixCount { $0 <= read.span.until }
      if begun > 0, let end = longest[read.value]?[begun - 1], end >= newest?.change.span.from ?? .min { continue }
      if writes.isEmpty {
        guard isExclusive else { continue }
        let isStale = read.value == initial || read.value == RegisterHistory.absent
        return StateViolation(
          isStale ? .stateRegisterStale : .stateRegisterUnwritten, isStale ? .valueStale : .valueUnwritten,
          witness: [newest?.change.index, read.index])
      }
      guard isExclusive || writes.count == 1 else { continue }
      let own = writes.last { $0.change.span.from <= read.span.until } ?? writes[0]
      let isEarly = begun == 0
      return StateViolation(
        isEarly ? .stateRegisterUnwritten : .stateRegisterStale, isEarly ? .valueUnwritten : .valueStale,
        witness: [own.change.index, newest?.change.index, read.index])
    }
    return nil
  }

  /// From the first end to the last start of a value's exchanges the value was certainly present (forward). In the
  /// opposite order, it was present at some time in between (backward).
  private struct Zone {
    var first: Int64
    var last: Int64
    var firstIndex: Int
    var lastIndex: Int

    var indices: [Int] { [firstIndex, lastIndex] }

    mutating func add(_ read: RegisterHistory.Read) {
      if read.span.until < first { (first, firstIndex) = (read.span.until, read.index) }
      if read.span.from > last { (last, lastIndex) = (read.span.from, read.index) }
    }
  }

  private func zones(_ history: RegisterHistory, _ initial: RegisterHistory.Value) -> StateViolation? {
    var times: [RegisterHistory.Value: Int] = [:]
    for write in history.writes { times[write.value, default: 0] += 1 }
    // It existed before, so that its reads do not all belong to the write.
    if times[initial] != nil { times[initial, default: 0] += 1 }
    var zones: [RegisterHistory.Value: Zone] = [:]
    if initial != RegisterHistory.absent, times[initial] == nil, isExclusive {
      zones[initial] = Zone(first: .min, last: .min, firstIndex: -1, lastIndex: -1)
    }
    var single: [Zone] = []
    var unread: Set<RegisterHistory.Value> = []
    for write in history.writes {
      let (span, index) = (write.change.span, write.change.index)
      let zone = Zone(first: span.until, last: span.from, firstIndex: index, lastIndex: index)
      if write.value != RegisterHistory.absent, times[write.value] == 1 {
        zones[write.value] = zone
        if write.change.isOptional { unread.insert(write.value) }
      } else if !write.change.isOptional {
        single.append(zone)
      }
    }
    for read in history.reads {
      unread.remove(read.value)
      if zones[read.value] != nil {
        zones[read.value]?.add(read)
      } else {
        single.append(
          Zone(first: read.span.until, last: read.span.from, firstIndex: read.index, lastIndex: read.index))
      }
    }
    let known = zones.filter { !unread.contains($0.key) }.map(\.value)
    let forward = known.filter { $0.first < $0.last }.sorted { ($0.first, $0.last) < ($1.first, $1.last) }
    for (left, right) in zip(forward, forward.dropFirst()) where right.first < left.last {
      return crossing(left, right)
    }
    // The writes of other clients are unknown, so that values other than the run's own prove nothing.
    let backward = known.filter { $0.first >= $0.last } + (isExclusive ? single : [])
    let starts = forward.map(\.first)
    for zone in backward {
      let place = starts.prefixCount { $0 < zone.last } - 1
      if place >= 0, zone.first < forward[place].last { return crossing(forward[place], zone) }
    }
    return nil
  }

  private func crossing(_ left: Zone, _ right: Zone) -> StateViolation {
    StateViolation(.stateRegisterOrder, .valuesCross, witness: left.indices + right.indices)
  }
}
