import Foundation

/// The results of `murphy limits` about one limiter, with their certainty.
package struct ProbeReport: Sendable, Codable, Hashable {
  /// How the probe ended.
  package enum End: String, Sendable, Codable, Hashable {
    /// Algorithm and terms found.
    case identified
    /// Terms found, with more than one algorithm still possible.
    case ambiguous
    /// Nothing was rejected within the budget.
    case unlimited
    /// None of the six kinds explains the observations.
    case unexplained
    /// The budget ended first, or the window is longer than the allowed wait.
    case unfinished
    /// Requests were delayed, not rejected.
    case shaping
    /// Allowance and key only: the probe did not wait for the window.
    case partial
  }

  /// The operationId of the probed operation.
  package var operation: String
  /// How the probe ended.
  package var outcome: End
  /// Best first; with the runner-up even when it is unlikely.
  package var candidates: [Candidate]
  /// The measured allowance per window; for a bucket the burst.
  package var allowance: Estimate?
  /// The window in seconds; for a bucket the time to fill.
  package var window: Estimate?
  /// Requests per second in the long run.
  package var rate: Estimate?
  /// True if the sound verifier accepts the result on all requests sent.
  package var isVerified: Bool
  /// True if rejected requests use the allowance; nil if not determined.
  package var countsRefused: Bool?
  /// True if failed requests use the allowance.
  package var countsFailed: Bool?
  /// One entry for each property that the probe varied.
  package var keys: [KeyFinding]
  /// Requests admitted beyond the allowance in a parallel volley; nil if not tried.
  package var raceExcess: Int?
  /// The number of separate counters; nil if not determined.
  package var replicas: Int?
  /// How the declared policy compares; nil without one.
  package var declared: String?
  /// Nil without a declared policy, or if the probe could not decide.
  package var agreesWithDeclared: Bool?
  /// The number of requests that the probe sent.
  package var requests: Int
  /// Requests of the base client that could have revealed another limiter: rejected ones, and those after a rejection.
  package var trials = 0
  /// The duration of the probe.
  @InSeconds package var duration: Duration
  /// The results, the most important first.
  package private(set) var facts: [ProbeFact] { didSet { sentences = facts.map(\.sentence) } }
  /// The facts as sentences.
  package private(set) var sentences: [String]

  /// One possible algorithm of the limiter.
  package struct Candidate: Sendable, Codable, Hashable {
    /// The algorithm's name as people read it.
    package var algorithm: String
    /// The posterior probability, from 0 to 1.
    package var probability: Double

    package init(algorithm: String, probability: Double) {
      self.algorithm = algorithm
      self.probability = probability
    }
  }

  /// The likeliest value, and the interval of all values that the responses permit.
  ///
  /// The limiter decided each request at an unknown time between its send and its response. No value outside the
  /// interval is possible for any such times.
  package struct Estimate: Sendable, Codable, Hashable {
    /// The smallest value that the responses permit.
    package var low: Double
    /// The likeliest value.
    package var value: Double
    /// The largest value that the responses permit.
    package var high: Double

    package init(low: Double, value: Double, high: Double) {
      self.low = low
      self.value = value
      self.high = high
    }
  }

  /// The result on whether one property of a request chooses the counter.
  package struct KeyFinding: Sendable, Codable, Hashable {
    /// The varied property of the request.
    package var dimension: ProbeDimension
    /// Nil if the windows were never stable long enough to decide.
    package var separates: Bool?
    /// Clients can choose the value freely: they can bypass the limiter.
    package var bypasses: Bool
    /// True if requests with one other value use up a quota of their own; nil if that was not tested.
    package var hasOwnCounter: Bool?

    package init(dimension: ProbeDimension, separates: Bool?, bypasses: Bool, hasOwnCounter: Bool? = nil) {
      self.dimension = dimension
      self.separates = separates
      self.bypasses = bypasses
      self.hasOwnCounter = hasOwnCounter
    }

    /// True if the limiter counts by it. At another place of the API, requests may be admitted because no limit applies.
    package var isCounted: Bool { separates == true && (!dimension.isPlace || hasOwnCounter == true) }
    /// True if it is unknown whether the limiter counts by it.
    package var isOpen: Bool { separates == nil || separates == true && !isCounted }
  }

  private enum CodingKeys: String, CodingKey {
    case operation, outcome, candidates, allowance, window, rate, isVerified, countsRefused, countsFailed, keys
    case raceExcess, replicas, declared, agreesWithDeclared, requests, trials
    case duration = "seconds"
    case facts, sentences
  }

  package init(operation: String, outcome: End) {
    self.operation = operation
    self.outcome = outcome
    candidates = []
    isVerified = false
    keys = []
    requests = 0
    duration = .zero
    facts = []
    sentences = []
  }

  /// Appends a fact. The sentences follow from it.
  package mutating func say(_ fact: ProbeFact) { facts.append(fact) }

  /// Puts a fact before all others.
  package mutating func sayFirst(_ fact: ProbeFact) { facts.insert(fact, at: 0) }

  /// Retracts the confirmation of the declaration, because the last tests contradict it.
  package mutating func contradict(_ policy: String, _ contradiction: ProbeFact.Contradiction) {
    let claimed = facts.count
    retract { fact in
      switch fact {
      case .declared(_, .confirmed), .declared(_, .otherKey), .declared(_, .open), .declared(_, .openWithOtherKey): true
      default: false
      }
    }
    agreesWithDeclared = false
    if facts.count < claimed { say(.declared(policy: policy, .contradicted(contradiction))) }
  }

  /// Retracts the contradiction of the declared terms if no request shows it.
  package mutating func leaveOpen(_ policy: String) {
    retract { if case .declared(_, .contradicted) = $0 { true } else { false } }
    agreesWithDeclared = nil
    say(.declared(policy: policy, .open(isLikely: false)))
  }

  /// Retracts facts that turned out to be unfounded.
  package mutating func retract(where isWrong: (ProbeFact) -> Bool) { facts.removeAll(where: isWrong) }
}

/// A property of a request that a limiter may count by and a probe varies.
package enum ProbeDimension: String, Sendable, Hashable, Codable, CaseIterable {
  /// Another local address (`127.0.0.2` …).
  case sourceAddress = "source address"
  case forwardedFor = "X-Forwarded-For"
  case realIP = "X-Real-IP"
  case forwarded = "Forwarded"
  /// The header that distinguishes devices.
  case device = "device header"
  case token = "Authorization"
  /// Another spelling of the same operation: a slash at the end, another case.
  case route
  case query
  case method

  /// True for a header that clients can set freely and that only a trusted proxy should set.
  package var isSpoof: Bool { bypassKind != nil }

  /// True if a variation is another place of the API, and not another client: another limit, or none, may apply there.
  package var isPlace: Bool { [.route, .query, .method].contains(self) }

  /// The finding that clients bypass the limiter with a spoofed value; nil if no value can be spoofed.
  package var bypassKind: FindingKind? { FindingKind(rawValue: "limit.bypass." + slug) }

  /// The finding that the limiter does not count by it as declared. A test checks that each dimension has one.
  package var keyKind: FindingKind {
    guard let kind = FindingKind(rawValue: "limit.key." + slug) else { preconditionFailure("no kind for \(rawValue)") }
    return kind
  }

  /// `source-address`
  private var slug: String { rawValue.lowercased().replacing(" ", with: "-") }
}

extension ProbeReport.Estimate {
  /// The ratio of the ends of an interval from which on only the lower end is a result.
  private static let open = 100.0

  /// True if the responses permit values of any size above the lower end.
  package var isOpen: Bool { high > Self.open * low }

  /// The largest value to plan with.
  package var largest: Double { isOpen ? value : high }

  /// `10` if the whole interval rounds to it in two or three digits, otherwise `9.3 to 10.7`.
  package var text: String {
    for digits in [3, 2] {
      let ends = [low, high].map { Self.rounded($0, digits, .toNearestOrAwayFromZero) }
      if ends[0] == ends[1] { return Self.number(ends[0]) }
    }
    let least = Self.number(Self.rounded(low, 3, .down))
    return isOpen ? "at least \(least)" : "\(least) to \(Self.number(Self.rounded(high, 3, .up)))"
  }

  /// The same for a number of requests: each of them is a result of its own.
  package var countText: String {
    let (least, most) = (Self.number(low.rounded()), Self.number(high.rounded()))
    return least == most ? least : isOpen ? "at least \(least)" : "\(least) to \(most)"
  }

  private static func rounded(_ value: Double, _ digits: Int, _ rule: FloatingPointRoundingRule) -> Double {
    guard value > 0, value.isFinite else { return value }
    // A power of ten is exact where a fraction is not.
    let places = digits - 1 - Int(saturating: log10(value).rounded(.down))
    let scale = pow(10, Double(places.magnitude))
    return places >= 0 ? (value * scale).rounded(rule) / scale : (value / scale).rounded(rule) * scale
  }

  private static func number(_ value: Double) -> String {
    value == value.rounded() && value.magnitude < 1e15 ? "\(Int(saturating: value))" : "\(value)"
  }
}
