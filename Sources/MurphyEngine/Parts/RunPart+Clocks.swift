import MurphyModel

extension RunPart {
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
    for row in observations.indices {
      observations[row].sent = observations[row].sent + low
      observations[row].answered = observations[row].answered.map { $0 + high }
    }
    for row in issues.indices {
      issues[row].sent = issues[row].sent + low
      issues[row].answered = issues[row].answered + high
    }
    end = end.map { $0 + low }
    clockWidth = max(clockWidth, high - low)
  }
}

extension RunPart {
  /// Says of each shard on which machine it was, where there are several: the same address, or none, is another client there.
  ///
  /// - Parameter machines: by shard.
  package mutating func tell(machines: [Int: Int]) {
    for index in logs.indices {
      guard let machine = machines[logs[index].shard] else { continue }
      logs[index].limits.spansMachines = true
      for row in logs[index].limits.identities.indices {
        let address = logs[index].limits.identities[row].sourceAddress
        logs[index].limits.identities[row].sourceAddress =
          address.isEmpty ? "machine \(machine)" : "\(address) of machine \(machine)"
      }
    }
  }
}

extension RelationLog {
  fileprivate mutating func shift(_ low: Int64, _ high: Int64) {
    clockWidth = max(clockWidth, high - low)
    for row in pages.indices {
      pages[row].sent &+= low
      pages[row].answered &+= high
    }
    for row in readings.indices {
      readings[row].sent &+= low
      readings[row].answered &+= high
    }
    for row in writes.indices {
      writes[row].sent &+= low
      if writes[row].end != .max { writes[row].end &+= high }
    }
    for row in doubts.indices {
      doubts[row].sent &+= low
      doubts[row].answered &+= high
    }
    for row in returns.indices {
      returns[row].sent &+= low
      returns[row].answered &+= high
    }
  }
}

extension AnswerLog {
  /// Gaps are looked for to a quarter of a second: what is left of a clock's error does not matter.
  fileprivate mutating func shift(by seconds: Double) {
    for row in gaps.indices {
      gaps[row].from += seconds
      gaps[row].until += seconds
      gaps[row].lastAnsweredSent += seconds
      gaps[row].resumedBySent? += seconds
    }
    for row in losses.indices {
      losses[row].sent += seconds
      losses[row].ended += seconds
    }
    for row in waits.indices {
      waits[row].sent += seconds
      waits[row].ended += seconds
    }
    for row in absences.indices {
      absences[row].from += seconds
      absences[row].until += seconds
    }
  }
}
