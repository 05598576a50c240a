import MurphyModel

/// Converts the zeros of shards to one clock (docs/scale.md, "Clocks").
///
/// Processes of one machine have one monotonic clock, so their zeros are exact to the nanosecond. The zeros of
/// different machines are compared by a common reference: the difference of each machine's time of day from it is
/// between two bounds, and an event is moved by both. Without such a reference the difference is unknown: events of
/// different machines may be an hour apart in either direction, and prove nothing together.
package struct ClockAlignment {
  /// The difference from a shard's zero to the common one, seconds.
  struct Span: Hashable {
    var low: Double
    var high: Double
  }

  private var spans: [Int: Span] = [:]
  private var clocks: [Int: Span] = [:]
  private var late: [Int: Double] = [:]
  /// Nil for one machine, and where no reference exists.
  package private(set) var reference: ClockBound.Reference?
  /// Half the width of the widest span; nil where it is unknown.
  package private(set) var uncertainty: Duration?

  /// The machine of each shard, numbered from 1 in the order of their first shards.
  package private(set) var machines: [Int: Int] = [:]

  /// The assumed maximum difference of two clocks without a common reference, seconds.
  private static let unknown = 3_600.0

  /// Compares the clocks of `shards` by the references that they share.
  package init(_ shards: [RunShard]) {
    for shard in shards { late[shard.number] = shard.late.inSeconds }
    let machines = Dictionary(grouping: shards) { $0.clock.machine.isEmpty ? "shard \($0.number)" : $0.clock.machine }
    for shards in machines.values.sorted(by: { ($0.map(\.number).min() ?? 0) < ($1.map(\.number).min() ?? 0) }) {
      let machine = (self.machines.values.max() ?? 0) + 1
      for shard in shards { self.machines[shard.number] = machine }
    }
    guard machines.count > 1 else {
      let zero = shards.map(\.clock.monotonic).min() ?? 0
      for shard in shards {
        let after = Double(shard.clock.monotonic - zero) / 1e9
        spans[shard.number] = Span(low: after, high: after)
      }
      uncertainty = .zero
      enterLateness()
      return
    }
    var known = ClockBound.Reference.allCases.compactMap { Self.bounds(machines, by: $0) }
    // Two references on the same two clocks must be consistent. Otherwise one of them is not a single clock: for
    // example, the dates of several hosts with one name, or a file system on which each client dates its own files.
    let contradicted = known.filter { one in known.contains { !one.agrees(with: $0) } }
    known.removeAll { one in contradicted.contains { $0.reference == one.reference } }
    guard let best = known.min(by: { $0.width < $1.width }) else {
      for shard in shards { spans[shard.number] = Span(low: -Self.unknown, high: Self.unknown) }
      return
    }
    reference = best.reference
    enter(machines, best.offsets)
    enterLateness()
  }

  private struct Known {
    var reference: ClockBound.Reference
    /// By machine: reference − machine, seconds.
    var offsets: [String: Span]
    var width: Double { offsets.values.map { $0.high - $0.low }.max() ?? 0 }

    /// True if both can be correct about the difference of every clock from the first machine's.
    func agrees(with other: Known) -> Bool {
      guard let first = offsets.keys.min(), let mine = offsets[first], let theirs = other.offsets[first] else {
        return true
      }
      return offsets.allSatisfy { machine, span in
        guard let its = other.offsets[machine] else { return true }
        return span.low - mine.high <= its.high - theirs.low && its.low - theirs.high <= span.high - mine.low
      }
    }
  }

  /// Nil where a machine has no bound to the reference, or its shards contradict each other.
  private static func bounds(_ machines: [String: [RunShard]], by reference: ClockBound.Reference) -> Known? {
    var offsets: [String: Span] = [:]
    for (machine, shards) in machines {
      let bounds = shards.flatMap(\.clock.bounds).filter { $0.reference == reference }
      guard let low = bounds.map(\.low).max(), let high = bounds.map(\.high).min(), low <= high else { return nil }
      offsets[machine] = Span(low: low, high: high)
    }
    return Known(reference: reference, offsets: offsets)
  }

  private mutating func enter(_ machines: [String: [RunShard]], _ offsets: [String: Span]) {
    // Nanoseconds since 1970 do not fit a floating-point number: they are counted from the earliest time.
    let base = machines.values.joined().map(\.clock.wall).min() ?? 0
    var zeros: [Int: Span] = [:]
    for (machine, shards) in machines {
      guard let offset = offsets[machine] else { continue }
      // One clock for all shards of a machine: a change of the clock while they waited does not matter.
      let first = shards.min { $0.clock.monotonic < $1.clock.monotonic }
      for shard in shards {
        clocks[shard.number] = offset
        let wall = Double((first?.clock.wall ?? 0) - base) / 1e9
        let after = Double(shard.clock.monotonic - (first?.clock.monotonic ?? 0)) / 1e9
        zeros[shard.number] = Span(low: wall + after + offset.low, high: wall + after + offset.high)
      }
    }
    let zero = zeros.values.map { ($0.low + $0.high) / 2 }.min() ?? 0
    for (number, span) in zeros { spans[number] = Span(low: span.low - zero, high: span.high - zero) }
    uncertainty = zeros.values.map { ($0.high - $0.low) / 2 }.max().map(Duration.saturating)
  }

  /// A shard that certainly begins after the others is late, even without an agreed start.
  private mutating func enterLateness() {
    let first = spans.values.map(\.high).min() ?? 0
    for (number, span) in spans { late[number] = max(late[number] ?? 0, span.low - first) }
  }

  /// Nanoseconds from the shard's zero to the common one.
  package func span(of shard: Int) -> (low: Int64, high: Int64) {
    guard let span = spans[shard] else { return (0, 0) }
    return (Int64(saturating: (span.low * 1e9).rounded(.down)), Int64(saturating: (span.high * 1e9).rounded(.up)))
  }

  /// The reason why there can be no verdict, as a sentence; nil where the clocks of all machines can be compared well
  /// enough.
  ///
  /// - Parameter latest: the permitted lateness of a shard.
  package func doubt(_ latest: Duration) -> String? {
    guard Set(machines.values).count > 1 else { return nil }
    let advice =
      """
      Synchronize the clocks, for example with chrony. Or start all shards with --start-at +30s@FILE, and put FILE \
      into a folder that all machines can access.
      """
    guard let uncertainty else {
      return
        "Murphy cannot compare the clocks of the machines, because the clocks have no common reference. It is unknown "
        + "whether all shards ran at the same time, and in which order events happened. \(advice)"
    }
    guard uncertainty > latest else { return nil }
    return
      "The difference between the clocks of the machines is known only to ± \(uncertainty.text(places: 0)). It is "
      + "unknown whether all shards ran at the same time. \(advice)"
  }

  /// The time that a shard certainly began after the others.
  package func lateness(of shard: Int) -> Duration { .saturating(seconds: late[shard] ?? 0) }

  /// The bounds of the reference's clock minus the shard's, seconds; nil where they are unknown.
  func clock(of shard: Int) -> Span? { clocks[shard] }
}

extension RunMeasurement {
  /// Converts the events of a shard to a clock that is common to all shards. The difference of its own clock is at
  /// least `low` and at most `high`. So an event is between its beginning moved by the one and its end moved by the
  /// other.
  ///
  /// - Parameters: nanoseconds, from the shard's zero to the common one.
  package mutating func shift(shard: Int, low: Int64, high: Int64) {
    guard low != 0 || high != 0, let index = logs.firstIndex(where: { $0.shard == shard }) else { return }
    logs[index].limits.shift(low, high)
    logs[index].state.shift(low, high)
    logs[index].relations.shift(low, high)
    logs[index].answers.shift(by: Double(low / 2 + high / 2) / 1e9)
  }
}

extension LimitLog {
  fileprivate mutating func shift(_ low: Int64, _ high: Int64) {
    observations.changeEach {
      $0.sent = $0.sent + low
      $0.answered = $0.answered.map { $0 + high }
    }
    issues.changeEach { ($0.sent, $0.answered) = ($0.sent + low, $0.answered + high) }
    end = end.map { $0 + low }
    clockWidth = max(clockWidth, high - low)
  }
}

extension RunMeasurement {
  /// Sets the machine of each shard, where there are several: there, the same address, or none, is a different client.
  ///
  /// - Parameter machines: the numbers of the machines by shard.
  package mutating func setMachines(_ machines: [Int: Int]) {
    logs.changeEach { log in
      guard let machine = machines[log.shard] else { return }
      log.limits.spansMachines = true
      log.limits.identities.changeEach {
        $0.sourceAddress =
          $0.sourceAddress.isEmpty ? "machine \(machine)" : "\($0.sourceAddress) of machine \(machine)"
      }
    }
  }

  /// Makes the judges account for the unknown part of a run whose lost shards are tolerated.
  ///
  /// - Parameters:
  ///   - broken: shards that stopped early or did not begin. The events that they recorded are judged.
  ///   - isIncomplete: true if other shards may have sent requests that were not recorded.
  package mutating func tolerate(broken: [Int], isIncomplete: Bool) {
    for index in logs.indices where broken.contains(logs[index].shard) {
      logs[index].info.cutShort = false
      logs[index].info.aborted = nil
      if logs[index].info.setup?.failed != nil { logs[index].info.setup = nil }
    }
    guard isIncomplete, !logs.isEmpty else { return }
    // A lost shard may have written something before any response.
    for gap in logs[0].state.gaps.indices { logs[0].state.gaps[gap].unreadWrites += 1 }
    logs[0].relations.writes.append(.init(operation: -1, sent: 0, end: .max, id: 0))
    self.isIncomplete = true
  }
}

extension RelationLog {
  mutating func shift(_ low: Int64, _ high: Int64) {
    clockWidth = max(clockWidth, high - low)
    pages.changeEach { ($0.sent, $0.answered) = ($0.sent &+ low, $0.answered &+ high) }
    readings.changeEach { ($0.sent, $0.answered) = ($0.sent &+ low, $0.answered &+ high) }
    writes.changeEach {
      $0.sent &+= low
      if $0.end != .max { $0.end &+= high }
    }
    doubts.changeEach { ($0.sent, $0.answered) = ($0.sent &+ low, $0.answered &+ high) }
    returns.changeEach { ($0.sent, $0.answered) = ($0.sent &+ low, $0.answered &+ high) }
  }
}

extension ResponseLog {
  /// Gaps are detected to a quarter of a second: the remaining error of a clock does not matter.
  fileprivate mutating func shift(by seconds: Double) {
    gaps.changeEach {
      ($0.from, $0.until) = ($0.from + seconds, $0.until + seconds)
      $0.lastAnsweredSent += seconds
      $0.resumedBySent? += seconds
    }
    losses.changeEach { ($0.sent, $0.ended) = ($0.sent + seconds, $0.ended + seconds) }
    waits.changeEach { ($0.sent, $0.ended) = ($0.sent + seconds, $0.ended + seconds) }
    absences.changeEach { ($0.from, $0.until) = ($0.from + seconds, $0.until + seconds) }
  }
}
