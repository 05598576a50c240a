/// What `murphy limits` found out about one limiter, with how sure it is.
package struct ProbeReport: Sendable, Codable, Hashable {
  package enum End: String, Sendable, Codable, Hashable {
    /// Algorithm and terms found.
    case identified
    /// Terms found, with more than one algorithm still possible.
    case ambiguous
    /// Nothing was refused within the budget.
    case unlimited
    /// None of the six kinds explains what was seen.
    case unexplained
    /// The budget ended first, or the window is longer than may be waited for.
    case unfinished
    /// Requests were delayed, not refused.
    case shaping
    /// Allowance and key only: the window was not waited for.
    case partial
  }

  package var operation: String
  package var outcome: End
  /// Best first; with the runner-up even when it is unlikely.
  package var candidates: [Candidate]
  /// Found allowance per window; of a bucket the burst.
  package var allowance: Estimate?
  /// Seconds; of a bucket the time to fill.
  package var window: Estimate?
  /// Requests per second in the long run.
  package var rate: Double?
  /// Whether the sound verifier accepts the answer on everything that was sent.
  package var isVerified: Bool
  /// Whether refused requests take from the allowance; nil when not found out.
  package var countsRefused: Bool?
  /// Whether failed requests do.
  package var countsFailed: Bool?
  package var keys: [KeyFinding]
  /// Requests admitted beyond the allowance in a parallel volley; nil when not tried.
  package var raceExcess: Int?
  /// How the declared policy compares; nil without one.
  package var declared: String?
  package var agreesWithDeclared: Bool?
  package var requests: Int
  /// Requests of the base client that could have shown another limiter: rejected ones, and those after a rejection.
  package var trials = 0
  package var seconds: Double
  /// What was found, the most important first.
  package private(set) var facts: [ProbeFact] { didSet { sentences = facts.map(\.sentence) } }
  /// The facts as sentences.
  package private(set) var sentences: [String]

  package struct Candidate: Sendable, Codable, Hashable {
    package var algorithm: String
    package var probability: Double

    package init(algorithm: String, probability: Double) {
      self.algorithm = algorithm
      self.probability = probability
    }
  }

  /// A value with its central 90 % interval.
  package struct Estimate: Sendable, Codable, Hashable {
    package var low: Double
    package var value: Double
    package var high: Double

    package init(low: Double, value: Double, high: Double) {
      self.low = low
      self.value = value
      self.high = high
    }
  }

  /// Whether one property of a request chooses the counter.
  package struct KeyFinding: Sendable, Codable, Hashable {
    package var dimension: ProbeDimension
    /// Nil when the windows never held still for long enough to tell.
    package var separates: Bool?
    /// Clients can choose the value freely: the limiter can be walked around.
    package var bypasses: Bool

    package init(dimension: ProbeDimension, separates: Bool?, bypasses: Bool) {
      self.dimension = dimension
      self.separates = separates
      self.bypasses = bypasses
    }
  }

  package init(operation: String, outcome: End) {
    self.operation = operation
    self.outcome = outcome
    candidates = []
    isVerified = false
    keys = []
    requests = 0
    seconds = 0
    facts = []
    sentences = []
  }

  package mutating func say(_ fact: ProbeFact) { facts.append(fact) }

  /// Puts a fact before all others.
  package mutating func sayFirst(_ fact: ProbeFact) { facts.insert(fact, at: 0) }

  /// Takes back that the declaration is confirmed, for what the last questions found.
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

  /// Takes back that the declared terms are contradicted, where no request shows it.
  package mutating func leaveOpen(_ policy: String) {
    retract { if case .declared(_, .contradicted) = $0 { true } else { false } }
    agreesWithDeclared = nil
    say(.declared(policy: policy, .open(isLikely: false)))
  }

  /// Takes back what turned out not to have been learnt.
  package mutating func retract(where isWrong: (ProbeFact) -> Bool) { facts.removeAll(where: isWrong) }
}

/// A property of a request that a limiter may count by, as a probe varies it.
package enum ProbeDimension: String, Sendable, Hashable, Codable, CaseIterable {
  /// Another local address (`127.0.0.2` …).
  case sourceAddress = "source address"
  case forwardedFor = "X-Forwarded-For"
  case realIP = "X-Real-IP"
  case forwarded = "Forwarded"
  /// The header that tells devices apart.
  case device = "device header"
  case token = "Authorization"
  /// The same operation spelt otherwise: a slash at the end, another case.
  case route
  case query
  case method

  /// A header that clients can write as they like and only a trusted proxy should set.
  package var isSpoof: Bool { bypassKind != nil }

  /// The finding that clients walk around the limiter with a made-up value; nil where none can be made up.
  package var bypassKind: FindingKind? { FindingKind(rawValue: "limit.bypass." + slug) }

  /// The finding that the limiter does not count by it as promised. A test holds that each dimension has one.
  package var keyKind: FindingKind {
    guard let kind = FindingKind(rawValue: "limit.key." + slug) else { preconditionFailure("no kind for \(rawValue)") }
    return kind
  }

  /// `source-address`
  private var slug: String { rawValue.lowercased().replacing(" ", with: "-") }
}
