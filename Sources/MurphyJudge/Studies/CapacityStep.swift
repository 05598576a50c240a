import MurphyModel

/// One window of load.
package struct CapacityStep: Sendable, Codable {
  /// The reason why this load was selected.
  package enum Purpose: String, Sendable, Codable, CaseIterable {
    /// A small load: the behaviour of the target without other work.
    case calibrate
    /// Above every load that passed.
    case raise
    /// Between the loads that passed and those that failed.
    case narrow
    /// Below every earlier load, since none has passed yet.
    case lower
    /// The load that was found, for twice as long.
    case confirm
    /// A second of the small load, to check that the target has recovered from an excessive load; excluded from the
    /// curve.
    case recover
  }

  /// The outcome of a window.
  package enum Standing: String, Sendable, Codable, CaseIterable {
    case held
    /// A check failed, or the target's queue grew.
    case broke
    /// Murphy itself was the bottleneck.
    case generator
    /// A check had too few samples.
    case untested
    /// Ctrl-C ended it.
    case interrupted
  }

  /// The reason why this load was tried.
  package var purpose: Purpose
  /// Sessions per second, or users.
  package var load: Double
  /// Interrupted until the window was judged.
  package private(set) var outcome = Standing.interrupted
  /// The number of responses that succeeded: without one, no load passes. Nil in results of earlier versions.
  package private(set) var trials: Int?
  /// The checks that failed or were not tested, the decisive one first.
  package var causes: [CapacityCause] = []
  /// Since the search began.
  @InSeconds package var start: Duration
  /// The length of the load, including the settling time.
  @InSeconds package var duration: Duration
  /// The part at the beginning without recorded latency.
  @InSeconds package var settling: Duration
  /// The seed of the window's sessions.
  package var seed: UInt64
  /// The requests of the judged part.
  package var requests = 0
  /// The requests that came due per second, and the responses per second, in the judged part.
  package var offered = 0.0
  /// Responses per second in the judged part.
  package var throughput = 0.0
  /// Over all operations, of every request that came due in the judged part; nil without any.
  @InMicroseconds package var p50: Duration?
  /// Nil without a request.
  @InMicroseconds package var p95: Duration?
  /// Nil without a request.
  @InMicroseconds package var p99: Duration?
  /// The errors among the requests.
  package var errors = 0
  /// Rejected by a rate limit.
  package var limited = 0
  /// The requests in flight in the middle and at the end of the judged part.
  package var inFlight: [Int] = []

  package init(purpose: Purpose, load: Double, start: Duration, duration: Duration, settling: Duration, seed: UInt64) {
    self.purpose = purpose
    self.load = load
    self.start = start
    self.duration = duration
    self.settling = settling
    self.seed = seed
  }

  /// Sets the outcome of the window. A window in which no request succeeded was not tested, whatever the other checks
  /// show.
  ///
  /// - Parameter trials: the number of responses that succeeded.
  package mutating func conclude(_ outcome: Standing, _ causes: [CapacityCause] = [], trials: Int) {
    self.trials = trials
    guard outcome != .held || trials > 0 else {
      (self.outcome, self.causes) = (.untested, [CapacityCause(.nothingSucceeded)])
      return
    }
    (self.outcome, self.causes) = (outcome, causes)
  }

  /// Throughput over latency; 0 without a latency.
  var power: Double { p95.map { throughput / $0.inSeconds } ?? 0 }

  /// True if the window shows the relation of throughput and latency.
  package var isOnCurve: Bool { purpose != .recover && outcome != .interrupted && outcome != .generator }
}

/// The reason why a window failed, or could not be judged.
package struct CapacityCause: Sendable, Codable, Hashable {
  /// The check that failed, or could not decide.
  package enum Reason: String, Sendable, Codable, Hashable, CaseIterable {
    /// Murphy was the bottleneck.
    case generator
    /// Documented rejections were a larger share of the responses than under the small load. Here a rate limit of the
    /// API limits its clients, which does not count as an error.
    case limiter
    /// Too many requests failed.
    case errors
    /// A latency budget was exceeded.
    case latency
    /// Too few sessions completed their steps.
    case sessions
    /// Requests arrived faster than the responses, so that the load is not sustainable.
    case backlog
    /// The target stopped responding.
    case silence
    /// A finding: a response that violates the contract, a lost connection, a limiter that violates its policy.
    case finding
    /// Requests without a response could decide the check in either way.
    case unanswered
    /// Too few samples.
    case samples
    /// No request succeeded.
    case nothingSucceeded = "nothing-succeeded"
  }

  /// The check that failed or could not decide.
  package var kind: Reason
  /// Nil if the cause concerns all operations.
  package var operation: String?
  /// Nil for a cause without a budget.
  package var metric: Budget.Metric?
  /// The limit of the budget; nil for a cause without one.
  package var limit: Measure?
  /// The measured value; nil if there is none.
  package var observed: MeasuredRange?
  /// Nil unless a finding is the cause.
  package var finding: FindingKind?
  /// The effect of murphy itself.
  package var reservation: GeneratorReservation.Cause?
  /// The count: findings, rejections, requests in flight at the window's end, samples.
  package var count: Int?
  /// The total or the value for comparison: responses, requests in flight in its middle, required samples.
  package var whole: Int?

  package init(_ kind: Reason) { self.kind = kind }

  /// A readable sentence, without a full stop.
  package var sentence: String {
    let name = operation.map { $0 == "*" ? "all operations" : $0 } ?? "the API"
    let (count, whole) = (count ?? 0, whole ?? 0)
    func budget(_ verb: String) -> String {
      "\(name): \(metric?.name ?? "") \(verb) \(observed?.text ?? "unknown"), over \(limit?.text ?? "its budget")"
    }
    switch kind {
    case .generator: return "murphy itself was the bottleneck (\(reservation?.rawValue ?? "lateness"))"
    case .limiter: return "a documented rate limit rejected \(count) of \(whole) requests"
    case .errors: return budget("are")
    case .latency: return budget("is")
    case .sessions: return "only \(count) of \(whole) sessions ended as scripted"
    case .backlog:
      return
        "requests were sent faster than they were answered: \(whole) requests were in flight in the middle of the "
        + "window, and \(count) at its end"
    case .silence: return "the target stopped responding"
    case .finding: return "\(name): \(finding?.rule.sentence.withoutFullStop ?? "a finding") (\(count) times)"
    case .unanswered: return "\(name): \(metric?.name ?? "a budget") has no data, because requests got no response"
    case .nothingSucceeded: return "no request succeeded"
    case .samples: return "\(name): \(metric?.name ?? "a check") has \(count) samples, but \(whole) are needed"
    }
  }
}
