import MurphyModel

extension RunMeasurement {
  /// Puts the events of a shard on a clock that it has in common with others. Its own clock is known to differ by no less than
  /// `low` and no more than `high`, so an event lies between its beginning moved by the one and its end moved by the other.
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
  /// Says of each shard on which machine it was, where there are several: the same address, or none, is another client there.
  ///
  /// - Parameter machines: by shard.
  package mutating func tell(machines: [Int: Int]) {
    logs.changeEach { log in
      guard let machine = machines[log.shard] else { return }
      log.limits.spansMachines = true
      log.limits.identities.changeEach {
        $0.sourceAddress =
          $0.sourceAddress.isEmpty ? "machine \(machine)" : "\($0.sourceAddress) of machine \(machine)"
      }
    }
  }

  /// Makes the judges reckon with what is not known of a run whose lost shards are tolerated.
  ///
  /// - Parameters:
  ///   - broken: shards that ended before their end, or did not begin: what they have is judged.
  ///   - isIncomplete: requests of other shards were sent, perhaps, of which nothing is known.
  package mutating func tolerate(broken: [Int], isIncomplete: Bool) {
    for index in logs.indices where broken.contains(logs[index].shard) {
      logs[index].info.cutShort = false
      logs[index].info.aborted = nil
      if logs[index].info.setup?.failed != nil { logs[index].info.setup = nil }
    }
    guard isIncomplete, !logs.isEmpty else { return }
    // A lost shard may have written something before any answer.
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

extension AnswerLog {
  /// Gaps are looked for to a quarter of a second: what is left of a clock's error does not matter.
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
