import MurphyModel

/// The clock that all times are read from.
package struct ClockFigures: Sendable, Codable, Hashable {
  /// The smallest step between two readings, nanoseconds.
  package var resolution: Int64
  /// What a reading takes, nanoseconds.
  package var reading: Double
  /// How late an idle loop wakes from a sleep of 1 ms, microseconds.
  package var timerP50: Double
  package var timerP99: Double
  package var timerMax: Double

  /// - Parameters:
  ///   - steps: between consecutive readings, nanoseconds.
  ///   - late: of each wake-up, nanoseconds.
  package init(steps: [Int64], late: [Int64]) {
    resolution = steps.filter { $0 > 0 }.min() ?? 0
    reading = steps.isEmpty ? 0 : Double(steps.reduce(0, +)) / Double(steps.count)
    let late = OrderStatistics(late)
    timerP50 = late.microseconds(50)
    timerP99 = late.microseconds(99)
    timerMax = late.microseconds(100)
  }
}

/// How punctual sends were while the delays were measured.
package struct SendingFigures: Sendable, Codable, Hashable {
  /// Requests per second that were planned and sent.
  package var offered: Double
  package var achieved: Double
  /// Lateness of sends, microseconds.
  package var p50: Double
  package var p99: Double
  package var max: Double
  /// The share of the time that the stalls of the worst loop took, per cent.
  package var stalledPercent: Double
  /// Microseconds.
  package var longestStall: Double
  /// The share of the time in which the worst loop had no core though it was ready, per cent.
  package var waitingPercent: Double?
  /// Of the machine's CPU time, what the hypervisor gave to others, per cent.
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

/// How many requests this machine can offer.
package struct RateFigures: Sendable, Codable, Hashable {
  /// Answers per second, judged against their schema, with the server on the same cores.
  package var answered: Double
  package var users: Int
  /// CPU time of murphy's loops for one request, microseconds.
  package var cpu: Double
  /// Requests per second that one loop could make with a core of its own.
  package var perLoop: Double
  /// Descriptors that may be open at once, and ports for connections to one target.
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

/// A server that stood still while requests came due.
package struct FreezeFigures: Sendable, Codable, Hashable {
  /// Seconds that the server stood still, by its own clock.
  package var length: Double
  /// Requests that came due meanwhile, and all.
  package var dueMeanwhile: Int
  package var row: DistributionRow
  /// Whether murphy reported that the target stood still.
  package var isFound: Bool

  package init(length: Double, dueMeanwhile: Int, row: DistributionRow, isFound: Bool) {
    self.length = length
    self.dueMeanwhile = dueMeanwhile
    self.row = row
    self.isFound = isFound
  }
}

/// What murphy said of a limit and of a schema that the server provably kept or broke.
package struct JudgementFigures: Sendable, Hashable {
  /// The verdict on the limit that the server keeps, and on the one of which it admits one request too many.
  package var kept: LimitRow.Verdict?
  package var exceeded: LimitRow.Verdict?
  /// Answers that broke the schema, and those that murphy called violating.
  package var broken: Int
  package var violating: Int
  /// Answers that were judged in all.
  package var judged: Int

  package init(kept: LimitRow.Verdict?, exceeded: LimitRow.Verdict?, broken: Int, violating: Int, judged: Int) {
    self.kept = kept
    self.exceeded = exceeded
    self.broken = broken
    self.violating = violating
    self.judged = judged
  }
}
