import MurphyModel

/// One window of load.
package struct CapacityStep: Sendable, Codable {
  package enum Purpose: String, Sendable, Codable, CaseIterable {
    /// A small load: what the target does when it has nothing else to do.
    case calibrate
    /// More than anything that held.
    case raise
    /// Between what held and what did not.
    case narrow
    /// Less than anything before, since nothing has held yet.
    case lower
    /// The load found, for twice as long.
    case confirm
    /// A second of the small load, to see whether a load that was too much has left the target; not a part of the curve.
    case recover
  }

  package enum Standing: String, Sendable, Codable, CaseIterable {
    case held
    /// A promise was broken, or the target fell behind.
    case broke
    /// Murphy itself was the bottleneck.
    case generator
    /// A promise had too few samples.
    case untested
    /// Ctrl-C ended it.
    case interrupted
  }

  package var purpose: Purpose
  /// Sessions per second, or users.
  package var load: Double
  package private(set) var outcome = Standing.interrupted
  /// Responses that succeeded: without one, no load held. Nil in results of earlier versions.
  package private(set) var trials: Int?
  /// What did not hold or was not tested, the decisive one first.
  package var causes: [CapacityCause] = []
  /// Seconds since the search began.
  package var start: Double
  /// Seconds of load, those for settling included.
  package var duration: Double
  /// Seconds at the beginning whose latency is not counted.
  package var settling: Double
  package var seed: UInt64
  package var requests = 0
  /// Requests that came due in a second, and answers in one, of the judged part.
  package var offered = 0.0
  package var throughput = 0.0
  /// Over all operations, microseconds, of every request that came due in the judged part; nil without any.
  package var p50: Double?
  package var p95: Double?
  package var p99: Double?
  package var errors = 0
  /// Rejected by a rate limit.
  package var limited = 0
  /// Requests without an end yet, in the middle and at the end of the judged part.
  package var inFlight: [Int] = []

  package init(purpose: Purpose, load: Double, start: Double, duration: Double, settling: Double, seed: UInt64) {
    self.purpose = purpose
    self.load = load
    self.start = start
    self.duration = duration
    self.settling = settling
    self.seed = seed
  }

  /// Enters how the window came out. One in which no request succeeded was not tested, whatever the rest says.
  ///
  /// - Parameter trials: responses that succeeded.
  package mutating func conclude(_ outcome: Standing, _ causes: [CapacityCause] = [], trials: Int) {
    self.trials = trials
    guard outcome != .held || trials > 0 else {
      (self.outcome, self.causes) = (.untested, [CapacityCause(.nothingSucceeded)])
      return
    }
    (self.outcome, self.causes) = (outcome, causes)
  }

  /// Whether it says how throughput and latency hang together.
  package var isOnCurve: Bool { purpose != .recover && outcome != .interrupted && outcome != .generator }
}

/// Why a window did not hold, or could not be judged.
package struct CapacityCause: Sendable, Codable, Hashable {
  package enum Reason: String, Sendable, Codable, Hashable, CaseIterable {
    /// Murphy was the bottleneck.
    case generator
    /// Documented rejections took a larger share of the answers than under the small load: a rate limit of the API
    /// ends here what its clients get, which is no error.
    case limiter
    /// Too many requests failed.
    case errors
    /// A latency budget was broken.
    case latency
    /// Too few sessions ended as scripted.
    case sessions
    /// Requests came faster than they were answered, so that no such load can last.
    case backlog
    /// The target fell silent.
    case silence
    /// A finding: an answer against the contract, a lost connection, a limiter that breaks its promise.
    case finding
    /// Requests without an answer could break the promise or keep it.
    case unanswered
    /// Too few samples.
    case samples
    /// No request succeeded.
    case nothingSucceeded = "nothing-succeeded"
  }

  package var kind: Reason
  package var operation: String?
  package var metric: Budget.Metric?
  package var limit: Measure?
  package var observed: MeasuredRange?
  package var finding: FindingKind?
  /// What murphy itself did.
  package var reservation: GeneratorReservation.Cause?
  /// How many: findings, refusals, requests in flight at the window's end, samples.
  package var count: Int?
  /// Of how many, or against how many: answers, requests in flight in its middle, samples needed.
  package var whole: Int?

  package init(_ kind: Reason) { self.kind = kind }
}

extension CapacityCause {
  /// For people, without a full stop.
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
        "requests came faster than they were answered: \(whole) in flight in the middle of the window, \(count) at "
        + "its end"
    case .silence: return "the target fell silent"
    case .finding: return "\(name): \(finding?.rule.sentence.withoutFullStop ?? "a finding") (\(count) times)"
    case .unanswered: return "\(name): requests without an answer leave \(metric?.name ?? "a budget") open"
    case .nothingSucceeded: return "no request succeeded"
    case .samples: return "\(name): \(metric?.name ?? "a promise") has \(count) samples, and \(whole) are needed"
    }
  }
}
