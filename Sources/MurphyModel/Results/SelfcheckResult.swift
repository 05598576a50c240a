/// The measured errors of murphy on this machine.
package struct SelfcheckResult: Sendable, Codable {
  /// The format and its version, as a reader of the file checks it.
  package static let currentFormat = "murphy-selfcheck/1"

  /// The format and version of the file.
  package var format = SelfcheckResult.currentFormat
  /// `pass`, or `invalid` if murphy's figures are not reliable on this machine.
  package var verdict = Verdict.pass
  /// The failures and their remedies, in sentences; empty for a pass.
  package var reasons: [String] = []
  /// The version of murphy.
  package var murphy: String
  /// System, cores and memory.
  package var machine: String
  /// Threads that generated load.
  package var loops: Int
  /// The seed of the delays and the sessions.
  package var seed: UInt64
  /// The duration of the check.
  @InSeconds package var duration = Duration.zero
  /// Random cases of recording and merging that were checked against their samples: seeds from 0 on, and their errors.
  package var trials = 0
  /// The errors of these cases, in sentences.
  package var trialMistakes: [String] = []
  package var clock: ClockFigures
  /// The punctuality of sends.
  package var sending: SendingFigures
  package var rate: RateFigures
  /// One for each distribution of delays that the server imposed. `none` has the delay 0 and shows the duration of the
  /// round trip.
  package var distributions: [DistributionRow]
  /// The result with a server that froze.
  package var freeze: FreezeFigures
  /// One for each condition.
  package var checks: [SelfcheckRow] = []

  package init(
    murphy: String, machine: String, loops: Int, seed: UInt64, clock: ClockFigures, sending: SendingFigures,
    rate: RateFigures, distributions: [DistributionRow], freeze: FreezeFigures
  ) {
    self.murphy = murphy
    self.machine = machine
    self.loops = loops
    self.seed = seed
    self.clock = clock
    self.sending = sending
    self.rate = rate
    self.distributions = distributions
    self.freeze = freeze
  }

  /// Adds the conditions, and sets the verdict.
  package mutating func conclude(_ rows: [SelfcheckRow]) {
    checks = rows
    let broken = rows.filter { $0.verdict != .pass }
    verdict = broken.isEmpty ? .pass : .invalid
    reasons = broken.map { "\($0.check.title): \($0.sentence). \($0.remedy)" }
  }
}

/// One condition under which murphy's figures are reliable here.
package struct SelfcheckRow: Sendable, Codable, Hashable {
  /// The condition that is checked.
  package enum Check: String, Sendable, Codable, CaseIterable {
    case clock, timers, recorder, latency, lateness, stalls, freeze, limiter, schema, rate

    /// For people.
    package var title: String {
      switch self {
      case .clock: "clock"
      case .timers: "timers"
      case .recorder: "percentiles"
      case .latency: "latency"
      case .lateness: "lateness"
      case .stalls: "stalls"
      case .freeze: "a freeze"
      case .limiter: "a limiter"
      case .schema: "a schema break"
      case .rate: "rate"
      }
    }
  }

  package var check: Check
  /// The decision on the condition.
  package var verdict: RowVerdict
  /// The measured value and its maximum; without a full stop.
  package var sentence: String
  /// The remedy if the condition fails.
  package var remedy: String

  package init(_ check: Check, _ holds: Bool, _ sentence: String, remedy: String) {
    self.check = check
    verdict = holds ? .pass : .fail
    self.sentence = sentence
    self.remedy = remedy
  }
}

/// The clock of all times.
package struct ClockFigures: Sendable, Codable, Hashable {
  /// The smallest step between two readings, in nanoseconds.
  package var resolution: Int64
  /// The cost of a reading, in nanoseconds.
  package var reading: Double
  /// The lateness of an idle loop after a sleep of 1 ms.
  @InMicroseconds package var timerP50: Duration
  /// The 99th percentile of the lateness.
  @InMicroseconds package var timerP99: Duration
  /// The longest lateness.
  @InMicroseconds package var timerMax: Duration

  /// - Parameters:
  ///   - steps: between consecutive readings, in nanoseconds.
  ///   - late: of each wake-up, in nanoseconds.
  package init(steps: [Int64], late: [Int64]) {
    resolution = steps.filter { $0 > 0 }.min() ?? 0
    reading = steps.isEmpty ? 0 : Double(steps.reduce(0, +)) / Double(steps.count)
    let late = OrderStatistics(late)
    timerP50 = .measured(late[50])
    timerP99 = .measured(late[99])
    timerMax = .measured(late[100])
  }
}

/// The punctuality of sends while the delays were measured.
package struct SendingFigures: Sendable, Codable, Hashable {
  /// Requests per second that were planned and sent.
  package var offered: Double
  /// Requests per second that were sent.
  package var achieved: Double
  /// Lateness of sends.
  @InMicroseconds package var p50: Duration
  @InMicroseconds package var p99: Duration
  @InMicroseconds package var max: Duration
  /// The share of the time in stalls of the worst loop, in per cent.
  package var stalledPercent: Double
  @InMicroseconds package var longestStall: Duration
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
  /// The duration of the freeze, by the server's own clock.
  @InSeconds package var length: Duration
  /// Requests that were due meanwhile, and all requests.
  package var dueMeanwhile: Int
  package var row: DistributionRow
  /// True if murphy reported the freeze of the target.
  package var isFound: Bool

  package init(length: Duration, dueMeanwhile: Int, row: DistributionRow, isFound: Bool) {
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

/// Durations in nanoseconds, sorted: their percentiles are samples themselves.
package struct OrderStatistics: Sendable {
  private let sorted: [Int64]

  package init(_ samples: [Int64]) { sorted = samples.sorted() }

  /// The number of durations.
  package var count: Int { sorted.count }

  /// The sample of rank ⌈p·n⌉; 0 without samples.
  package subscript(_ percentile: Double) -> Int64 {
    sorted.isEmpty ? 0 : sorted[LatencyDistribution.rank(percentile, of: sorted.count) - 1]
  }

}

/// The report of murphy on one distribution of delays, compared with the true values.
package struct DistributionRow: Sendable, Codable, Hashable {
  package var name: String
  /// In words, with its parameters.
  package var distribution: String
  /// Responses that murphy counted, and delays that the server imposed.
  package var samples: Int
  /// The delays that the server imposed.
  package var imposed: Int
  package var quantiles: [QuantileRow]

  package static let percentiles: [Double] = [50, 75, 90, 95, 99, 99.9, 100]

  /// - Parameters:
  ///   - reported: the histogram of the percentiles in the result.
  ///   - recorded: every latency as the recorder received it, in nanoseconds.
  ///   - imposed: every delay, by the server's own clock, in nanoseconds.
  package init(
    name: String, distribution: String, reported: LatencyHistogram, recorded: [Int64], imposed: [Int64]
  ) {
    self.name = name
    self.distribution = distribution
    samples = recorded.count
    self.imposed = imposed.count
    let (raw, truth) = (OrderStatistics(recorded), OrderStatistics(imposed))
    quantiles = zip(Self.percentiles, reported.percentiles(Self.percentiles)).map { percentile, value in
      QuantileRow(
        percentile: percentile, reported: .measured(value), recorded: .measured(raw[percentile]),
        imposed: .measured(truth[percentile]))
    }
  }
}

/// One percentile.
package struct QuantileRow: Sendable, Codable, Hashable {
  /// 100 for the longest.
  package var percentile: Double
  /// The value in murphy's result.
  @InMicroseconds package var reported: Duration
  /// The exact order statistic of murphy's measurements.
  @InMicroseconds package var recorded: Duration
  /// The exact order statistic of the server's delays.
  @InMicroseconds package var imposed: Duration
  /// reported − recorded: the error of the histogram and its merges.
  @InMicroseconds package var recordingError: Duration
  /// reported − imposed: that, the network round trip, and the delays of murphy and the machine.
  @InMicroseconds package var measuringError: Duration

  package init(percentile: Double, reported: Duration, recorded: Duration, imposed: Duration) {
    self.percentile = percentile
    self.reported = reported
    self.recorded = recorded
    self.imposed = imposed
    (recordingError, measuringError) = (reported - recorded, reported - imposed)
  }

  /// `p99`, `max`
  package var title: String {
    percentile == 100 ? "max" : percentile == 99.9 ? "p99.9" : "p\(Int(saturating: percentile))"
  }
}
