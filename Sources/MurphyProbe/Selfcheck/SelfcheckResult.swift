import MurphyModel

/// The measured errors of murphy on this machine.
package struct SelfcheckResult: Sendable, Codable {
  package static let currentFormat = "murphy-selfcheck/1"

  package var format = SelfcheckResult.currentFormat
  /// `pass`, or `invalid` if murphy's figures are not reliable on this machine.
  package var verdict = Verdict.pass
  /// The failures and their remedies, in sentences; empty for a pass.
  package var reasons: [String] = []
  package var murphy: String
  package var machine: String
  /// Threads that generated load.
  package var loops: Int
  /// The seed of the delays and the sessions.
  package var seed: UInt64
  /// The duration of the check in seconds.
  package var duration = 0.0
  /// Random cases of recording and merging that were checked against their samples: seeds from 0 on, and their errors.
  package var trials = 0
  package var trialMistakes: [String] = []
  package var clock: ClockFigures
  package var sending: SendingFigures
  package var rate: RateFigures
  /// One for each distribution of delays that the server imposed. `none` has the delay 0 and shows the duration of the
  /// round trip.
  package var distributions: [DistributionRow]
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
