/// One rate-limit policy and the result of the run for it.
public struct LimitRow: Sendable, Codable, Hashable {
  /// The result of the run for a policy.
  public enum Verdict: String, Sendable, Codable {
    /// More was admitted than the policy allows.
    case overAdmission = "over-admission"
    /// A request was rejected that the policy allows.
    case overThrottling = "over-throttling"
    /// Admissions and rejections are each possible, but not together: another algorithm or window.
    case contradictory
    /// Nothing contradicts the policy, and the traffic tested all required aspects.
    case consistent
    /// Nothing contradicts the policy, but the traffic did not test all required aspects.
    case inconclusive

    /// The finding that proves the violation; nil for a limit that is not broken.
    package var finding: FindingKind? {
      switch self {
      case .overAdmission: .limitOverAdmission
      case .overThrottling: .limitOverThrottling
      case .contradictory: .limitContradictory
      case .consistent, .inconclusive: nil
      }
    }
  }

  /// The scenario's name for it, an operationId or a group.
  public var name: String
  /// The operationIds that share the counter; empty for the whole API.
  package var operations: [String]
  /// `30 per 60 s, fixed window, key X-Device-ID`.
  package var policy: String
  /// The source of the declaration.
  package var declaredBy: LimitPolicy.Source
  /// The result of the run.
  public private(set) var verdict: Verdict
  /// Samples that could have revealed another limiter: rejections that this policy alone explains, keys that got its
  /// whole quota before, and keys that were admitted again. Nil in results of earlier versions.
  public private(set) var trials: Int?
  /// The explanation, for people.
  public var sentence: String
  /// The number of different values of the policy's key.
  package var keys: Int
  /// Requests with the policy's key to its operations.
  package var requests: Int
  /// Requests that the limiter admitted, whatever the API responded then.
  package var admitted: Int
  /// Requests that were rejected as the policy defines, by any limiter.
  package var refused: Int
  /// Requests with an unknown decision, because no response was received.
  package var unknown: Int
  /// The allowance per window.
  package var allowance: Double?
  /// The length of a window, in seconds.
  package var window: Double?
  /// The largest server clock tick at which the verdict still holds, in seconds.
  package var tick: Double?
  /// The range of policies that the witness refutes, in a sentence.
  package var refutes: String?
  /// The few requests that prove a violation.
  package var witness: [WitnessRequest]
  /// The busiest and the violating keys, at most a few, as the report charts them.
  package var strips: [KeyStrip]
  /// The tests of whether the limit was reached, held and renewed; nil for a limit that was not judged.
  package var tests: [LimitTest]?
  /// The sensitivity of the result that nothing contradicts it; nil for a broken limit and for one without traffic.
  package var strength: LimitStrength?
  /// Fingerprints of the findings that prove it broken.
  public var findings: [String] = []

  package init(
    name: String, operations: [String], policy: String, declaredBy: LimitPolicy.Source, sentence: String, keys: Int,
    requests: Int, admitted: Int, refused: Int, unknown: Int, allowance: Double? = nil,
    window: Double? = nil, tick: Double? = nil, refutes: String? = nil, witness: [WitnessRequest] = [],
    strips: [KeyStrip] = []
  ) {
    self.name = name
    self.operations = operations
    self.policy = policy
    self.declaredBy = declaredBy
    verdict = .inconclusive
    self.sentence = sentence
    self.keys = keys
    self.requests = requests
    self.admitted = admitted
    self.refused = refused
    self.unknown = unknown
    self.allowance = allowance
    self.window = window
    self.tick = tick
    self.refutes = refutes
    self.witness = witness
    self.strips = strips
  }

  /// Sets the result. Without a trial no policy is consistent: it is inconclusive.
  package mutating func conclude(_ verdict: Verdict, trials: Int) {
    self.trials = trials
    self.verdict = verdict == .consistent && Trials(trials) == nil ? .inconclusive : verdict
  }

  /// The result as a check.
  package var state: CheckState {
    let trials = trials ?? requests
    return switch verdict {
    case .overAdmission, .overThrottling, .contradictory: .failed(trials: trials)
    case .consistent: CheckState(trials: trials)
    case .inconclusive: CheckState(trials: trials, isOpen: true)
    }
  }
}

/// The decision of a limiter on one request, as the client observed it.
package enum LimitDecision: String, Sendable, Codable {
  case admitted, refused, unknown
}

/// One request of a proof; seconds since the run's start.
package struct WitnessRequest: Sendable, Codable, Hashable {
  /// The operationId.
  package var operation: String
  /// The time when it was sent.
  package var sent: Double
  /// Nil if no response was received.
  package var answered: Double?
  /// The decision of the limiter on it.
  package var decision: LimitDecision
  /// The status of its response; 0 without one.
  package var status: Int

  package init(operation: String, sent: Double, answered: Double?, decision: LimitDecision, status: Int) {
    self.operation = operation
    self.sent = sent
    self.answered = answered
    self.decision = decision
    self.status = status
  }
}

/// Every request of one key, as ticks over time.
package struct KeyStrip: Sendable, Codable, Hashable {
  /// The key's value, shortened.
  package var key: String
  /// Its requests, in the order of sending.
  package var requests: [Tick]
  /// Proven or declared window starts in seconds, for the chart.
  package var windows: [Double]
  /// Indices into `requests` of the witness.
  package var witness: [Int]

  package init(key: String, requests: [Tick], windows: [Double], witness: [Int]) {
    self.key = key
    self.requests = requests
    self.windows = windows
    self.witness = witness
  }

  /// One request of a key.
  package struct Tick: Sendable, Codable, Hashable {
    /// The time when it was sent, in seconds since the run's start.
    package var at: Double
    /// The decision of the limiter on it.
    package var decision: LimitDecision

    package init(at: Double, decision: LimitDecision) {
      self.at = at
      self.decision = decision
    }
  }
}
