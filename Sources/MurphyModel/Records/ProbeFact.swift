/// One fact that a probe established. Sentences are made from facts, never the reverse.
package enum ProbeFact: Sendable, Hashable, Codable {
  /// The kind of limiter and its terms.
  case terms(Terms)
  /// One burst had this many admissions, and later requests were rejected; the probe did not wait for the window.
  case admittedAtOnce(Int)
  case unlimited(requests: Int, seconds: Double)
  /// So many responses had this status, which may be the limiter's rejection although it is not declared as one.
  case otherStatus(Int, responses: Int)
  /// The terms are not certain, for this reason.
  case uncertain(Doubt)
  /// Requests are delayed and not rejected: one every `interval` seconds.
  case shaping(interval: ProbeReport.Estimate, admitted: Int, sent: Int)
  /// No kind of limiter with a window of up to `longest` seconds explains the observations.
  case unexplained(longest: Double)
  /// Every rejection may be one of these other declared limits.
  case otherLimits([String])
  /// The API served none of the base requests, and returned these statuses.
  case notServed(statuses: [Int])
  case declared(policy: String, Comparison)
  case key(Key)
  /// A volley of this many requests at once, on a fresh window, got `excess` more than the quota; 0 for none. Trials:
  /// its requests beyond the quota, which a race would have admitted.
  case race(excess: Int, volley: Int, trials: Int)
  /// A burst got more admissions than requests sent one after the other.
  case burstBeatsSequence(alone: Int, burst: Int)
  /// The limiter has this many separate counters.
  case replicas(count: Int, each: Int, Routing)
  /// A client got `fast` requests at once, but only `slow` within half a window: counters are synchronised late.
  case lateSync(fast: Int, slow: Int)
  /// A single counter admits so many requests, a multiple of the declared quota.
  case oneCounter(quota: Int)
  /// True if failed requests use the allowance; trials: the number of requests sent to find out.
  case countsFailed(Bool, trials: Int)
  case unfinished(Question, Reason)
  /// A wrong value of a declared property explains every response, so the property was not tested.
  case untested(NearMiss)
  /// The window was not measured. `declared` is the declared window; `announced` is the wait from `Retry-After`.
  case windowNotMeasured(declared: String?, announced: Double?)
  /// Requests were sent late, or their responses took long.
  case late(Delays)
  case ended(Ending)

  /// True if the fact is a reason why a probe has no result.
  package var leavesOpen: Bool {
    switch self {
    case .unlimited, .uncertain, .unexplained, .otherLimits, .notServed, .untested, .windowNotMeasured, .late, .ended,
      .declared(_, .otherKey), .declared(_, .openWithOtherKey):
      true
    default: false
    }
  }

  private enum CodingKeys: String, CodingKey {
    case unfinished = "notAsked"
    case terms, admittedAtOnce, unlimited, shaping, unexplained, otherLimits, notServed, declared, key
    case race, burstBeatsSequence, replicas, lateSync, oneCounter, countsFailed, untested, windowNotMeasured, late
    case ended, otherStatus, uncertain
  }

  /// A part of the trial of a result without a declaration, planned with the limiters that the earlier parts left.
  package enum TrialPart: Int, Sendable, Hashable, Codable {
    /// A silent wait, a wait with rejected requests, and a full burst after each.
    case waits
    /// A long silent wait, and more requests than the quota: some limiters collect more quota than they renew at once.
    case idle
    /// The quota in two bursts at another time of the window. A clock with long steps puts both in other windows.
    case halves
    /// More requests than the sustained rate for some windows: some limiters renew quota in steps, or lose some.
    case sustained
  }

  /// The reason why the most probable terms are not a result.
  package enum Doubt: Sendable, Hashable, Codable {
    /// Other kinds of limiters are too probable.
    case kinds
    /// No exact terms of this kind explain all responses.
    case unverified
    /// A test that distinguishes similar limiters of the kind did not pass: the part of a trial that is missing, nil
    /// for a declared limit.
    case unconfirmed(TrialPart?)
    /// The declared step of the server's clock is long compared with the window.
    case coarseClock
    /// The bounds of the window in seconds are too far apart; `permitted` is the maximum ratio.
    case wideWindow(low: Double, high: Double, permitted: Double)
    /// A response took so long, in seconds, that the time of the decision is unknown.
    case slowResponses(Double)
    /// Requests from before the probe may have used quota. The wait until the counter is empty, in seconds.
    case earlierRequests(pause: Double)
    /// Too few requests were rejected.
    case fewRejections
    /// No request was rejected, and the declared limit may admit all of them.
    case noRejection
    /// A response of the first burst took so long, in seconds, that the quota may have been renewed meanwhile.
    case slowBurst(Double)
  }

  /// How requests reach separate counters.
  package enum Routing: String, Sendable, Hashable, Codable {
    /// A connection belongs to one of them.
    case connection
    case random
    /// One request goes to each of them in turn.
    case turn
  }

  /// Delays that leave the time of a decision open.
  package struct Delays: Sendable, Hashable, Codable {
    /// The number of bursts with a late request or response.
    package var bursts = 0
    /// The longest time by which a request was sent after its planned time, in seconds.
    package var send = 0.0
    /// The longest time from a send to its response, in seconds.
    package var response = 0.0

    package init() {}

    /// In seconds.
    package var worst: Double { max(send, response) }
  }

  /// The allowance and the window; for a bucket the burst and the time to fill.
  package struct Terms: Sendable, Hashable, Codable {
    /// The operationId of the probed operation.
    package var operation: String
    /// The algorithm's name as people read it.
    package var algorithm: String
    /// In requests per window; the burst of a token bucket.
    package var allowance: ProbeReport.Estimate
    /// In seconds; for a token bucket the time to fill.
    package var window: ProbeReport.Estimate
    /// Requests per second, for a token bucket.
    package var rate: ProbeReport.Estimate?
    /// The posterior probability of the algorithm, from 0 to 1.
    package var probability: Double
    /// The second most probable algorithm; nil if there is none.
    package var runnerUp: ProbeReport.Candidate?
    /// Certain enough, and accepted by the sound verifier.
    package var isDecided: Bool

    package init(
      operation: String, algorithm: String, allowance: ProbeReport.Estimate, window: ProbeReport.Estimate,
      rate: ProbeReport.Estimate?, probability: Double, runnerUp: ProbeReport.Candidate?, isDecided: Bool
    ) {
      self.operation = operation
      self.algorithm = algorithm
      self.allowance = allowance
      self.window = window
      self.rate = rate
      self.probability = probability
      self.runnerUp = runnerUp
      self.isDecided = isDecided
    }
  }

  /// How the result compares with the declaration.
  package enum Comparison: Sendable, Hashable, Codable {
    /// Terms and key are the declared ones. Trials: requests that could have revealed others, because they were
    /// rejected or followed a rejection.
    case confirmed(trials: Int)
    /// The declared terms are impossible, whatever the delays were.
    case contradicted(Contradiction)
    /// The terms are the declared ones, the key is not.
    case otherKey
    /// Nothing contradicts it; `isLikely` if the data also supports it.
    case open(isLikely: Bool)
    /// The key is proven to be another one, and the terms are undecided.
    case openWithOtherKey
  }

  /// How the responses contradict the declared terms.
  package enum Contradiction: Sendable, Hashable, Codable {
    /// - Parameter firstBurst: the admissions in it, if they exceeded the allowance.
    case overAdmission(firstBurst: Int?)
    case overThrottling
    case together
    case countsRefused
    case countsFailed
    case race
    case unlimited
  }

  /// The result on whether one property of a request chooses the counter.
  package struct Key: Sendable, Hashable, Codable {
    /// `source address`, `device header` …
    package var dimension: String
    /// The headers that were varied; empty if none were.
    package var headers: [String]
    /// The result for this property.
    package var outcome: Outcome
    /// Requests that could have revealed the opposite.
    package var trials: Int

    /// Whether a property of a request selects the counter.
    package enum Outcome: Sendable, Hashable, Codable {
      /// Another value has another counter.
      case separate
      /// Another value has the same counter.
      case same
      /// Another value is admitted, and no request with it is rejected: two values may have one counter, or none.
      case uncounted
      /// A value that any client can spoof has a fresh counter.
      case bypass
      case open(Reason)
    }

    private enum CodingKeys: String, CodingKey { case dimension, headers, outcome = "answer", trials }

    package init(dimension: String, headers: [String] = [], outcome: Outcome, trials: Int = 0) {
      self.dimension = dimension
      self.headers = headers
      self.outcome = outcome
      self.trials = trials
    }
  }

  /// A wrong value near a declared one that no response contradicts.
  package enum NearMiss: Sendable, Hashable, Codable {
    case quota(Int, declared: Int)
    /// In seconds.
    case window(Double, declared: Double)
  }

  /// A question that a probe may have to leave open.
  package enum Question: String, Sendable, Hashable, Codable { case race, countsFailed, experiment }

  /// The reason why a question is open.
  package enum Reason: String, Sendable, Hashable, Codable {
    /// The API does not serve such requests.
    case notServed
    /// A client that was new to the API was rejected: others may be rejected for the same reason.
    case newRefused
    /// The probe had only one value for the requests.
    case noOther
    /// The limiter rejected some requests that were meant to be malformed.
    case refused
    /// Another declared limit explains the result as well.
    case otherLimit
    /// Requests were admitted although the test requires a used-up quota.
    case windowEnded
    /// Requests were sent late, or responses took long.
    case late
    /// Allowance and window are not known well enough.
    case undecidedTerms
    /// The allowed time or number of requests does not suffice.
    case budget
    /// The probe cannot send more requests at once than the quota admits.
    case volleyTooSmall
    /// The limiter delays requests instead of rejecting them.
    case queue
  }

  /// The reason why a probe ended.
  package enum Ending: Sendable, Hashable, Codable {
    case byUser
    /// The allowed time of all probes ended before this one began.
    case notBegun(allowed: Double)
    /// The limit counts costs, or requests in flight.
    case otherUnit
    case timeUsedUp
    /// Murphy renewed the token. `isDeclared` is true if the declared limit counts by token, and false if its key is unknown.
    case tokenRenewed(after: Double, isDeclared: Bool)
    case requestsUsedUp(Int)
    case serverErrors(Int)
    /// Nothing was admitted for `waited` seconds after the burst; the allowed time is shorter than the window.
    case windowTooLong(burst: Int, waited: Double, retryAfter: Double?, allowed: Double)
  }
}
