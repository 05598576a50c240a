import MurphyModel

/// The clock of all times.
package struct ClockFigures: Sendable, Codable, Hashable {
  /// The smallest step between two readings, in nanoseconds.
  package var resolution: Int64
  /// The cost of a reading, in nanoseconds.
  package var reading: Double
  /// The lateness of an idle loop after a sleep of 1 ms, in microseconds.
  package var timerP50: Double
  package var timerP99: Double
  package var timerMax: Double

  /// - Parameters:
  ///   - steps: between consecutive readings, in nanoseconds.
  ///   - late: of each wake-up, in nanoseconds.
  package init(steps: [Int64], late: [Int64]) {
    resolution = steps.filter { $0 > 0 }.min() ?? 0
    reading = steps.isEmpty ? 0 : Double(steps.reduce(0, +)) / Double(steps.count)
    let late = OrderStatistics(late)
    timerP50 = late.microseconds(50)
    timerP99 = late.microseconds(99)
    timerMax = late.microseconds(100)
  }
}

/// The punctuality of sends while the delays were measured.
package struct SendingFigures: Sendable, Codable, Hashable {
  /// Requests per second that were planned and sent.
  package var offered: Double
  package var achieved: Double
  /// Lateness of sends, in microseconds.
  package var p50: Double
  package var p99: Double
  package var max: Double
  /// The share of the time in stalls of the worst loop, in per cent.
  package var stalledPercent: Double
  /// In microseconds.
  package var longestStall: Double
  /// The share of the time in which the worst loop was ready but had no core, in per cent.
  package var waitingPercent: Double?
  /// The share of the machine's CPU time that the hypervisor gave to others, in per cent.
  package var stealPercent: Double?

  package init(_ generator: GeneratorReport) {
    offered = generator.offered
    achieved = generator.achieved
    p50 = generator.lateness.p50
    p99 = generator.lateness.p99
    max = generator.lateness.max
    stalledPercent = generator.perLoop?.map(\.stalledPercent).max() ?? 0
    longestStall = generator.longestStall
    waitingPercent = generator.perLoop?.compactMap(\.waitingPercent).max()
    stealPercent = generator.resources?.stealPercent
  }
}

/// The maximum request rate of this machine.
package struct RateFigures: Sendable, Codable, Hashable {
  /// Responses per second, checked against their schema, with the server on the same cores.
  package var answered: Double
  package var users: Int
  /// CPU time of murphy's loops for one request, in microseconds.
  package var cpu: Double
  /// Requests per second of one loop with a core of its own.
  package var perLoop: Double
  /// The maximum number of open descriptors, and of ports for connections to one target.
  package var descriptorLimit: Int
  package var ports: Int

  package init(answered: Double, users: Int, cpu: Double, resources: GeneratorResources?) {
    self.answered = answered
    self.users = users
    self.cpu = cpu
    perLoop = cpu > 0 ? 1_000_000 / cpu : 0
    descriptorLimit = resources?.descriptorLimit ?? 0
    ports = resources?.ports ?? 0
  }
}

/// The result with a server that froze while requests were due.
package struct FreezeFigures: Sendable, Codable, Hashable {
  /// The duration of the freeze in seconds, by the server's own clock.
  package var length: Double
  /// Requests that were due meanwhile, and all requests.
  package var dueMeanwhile: Int
  package var row: DistributionRow
  /// True if murphy reported the freeze of the target.
  package var isFound: Bool

  package init(length: Double, dueMeanwhile: Int, row: DistributionRow, isFound: Bool) {
    self.length = length
    self.dueMeanwhile = dueMeanwhile
    self.row = row
    self.isFound = isFound
  }
}

/// The result of murphy for a limit and a schema that the server provably enforced or violated.
package struct JudgementFigures: Sendable, Hashable {
  /// The verdict on the limit that the server enforces, and on the one that it exceeds by one request.
  package var kept: LimitRow.Verdict?
  package var exceeded: LimitRow.Verdict?
  /// Responses that violated the schema, and those that murphy reported as violating.
  package var broken: Int
  package var violating: Int
  /// The total number of judged responses.
  package var judged: Int

  package init(kept: LimitRow.Verdict?, exceeded: LimitRow.Verdict?, broken: Int, violating: Int, judged: Int) {
    self.kept = kept
    self.exceeded = exceeded
    self.broken = broken
    self.violating = violating
    self.judged = judged
  }
}
