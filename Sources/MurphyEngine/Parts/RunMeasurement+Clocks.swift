import MurphyModel

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

extension AnswerLog {
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
