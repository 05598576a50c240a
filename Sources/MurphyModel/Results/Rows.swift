/// One budget: `listLaws p95 ≤ 300ms`.
public struct BudgetRow: Sendable, Codable, Hashable {
  /// The operationId, or `*` for all together.
  public var operation: String
  /// The metric that is limited.
  public var metric: Budget.Metric
  /// The limit, as the scenario writes it.
  public var limit: Measure
  /// The measured value, in the limit's unit. Nil without samples.
  public var observed: MeasuredRange?
  /// Requests that came due, answered or not.
  public var samples: Int
  /// The minimum number of samples that can decide this budget.
  package var samplesNeeded: Int
  /// The result.
  public private(set) var verdict: RowVerdict
  /// Samples in which a violation would have been visible: responses that no rate limit rejected, and requests without
  /// a response. Nil in results of earlier versions.
  public private(set) var trials: Int?
  /// The samples without a response; nil if the metric does not count them.
  package var unanswered: Int?
  /// Certainly over the limit, or certain errors; nil for means and throughput.
  package var over: Int?
  /// Possibly over the limit, or possible errors: no response decided it.
  package var maybe: Int?
  /// The number of requests that the user let wait for longer than the limit, if only those decided the row.
  package var patient: Int?
  /// The samples of a budget that count only against it: responses that a rate limit rejected.
  package var rejected: Int?
  /// For a passed error budget: the error rate, from 0 to 1, that the samples exclude with 95 %. It applies to the API
  /// as it was in this run.
  package var shareAtMost: Double?
  /// The slowdown that would have broken it; nil for a row that is not a passed percentile or maximum.
  package var strength: BudgetStrength?
  /// Why the row has no verdict; nil for a row with a verdict.
  package var undecided: Undecided?
  /// Fingerprints of the findings that explain why it is broken.
  public var findings: [String] = []

  /// Why a budget neither failed nor passed.
  package struct Undecided: Sendable, Codable, Hashable {
    /// The reason for the missing verdict.
    package enum Cause: String, Sendable, Codable {
      case nothingMeasured = "nothing-measured"
      case tooFewSamples = "too-few-samples"
      /// No request of the operation succeeded.
      case nothingSucceeded = "nothing-succeeded"
      /// Requests without a response could fail it or pass it.
      case unanswered
      /// Murphy's own lateness, and requests that it did not send, could fail it or pass it.
      case generator
      /// It passed, but the traffic was not as sensitive as `expect: strength:` requires.
      case tooWeak = "too-weak"
    }

    /// The reason for the missing verdict.
    package var cause: Cause
    /// For people, without a full stop.
    package var sentence: String

    package init(_ cause: Cause, _ sentence: String) {
      self.cause = cause
      self.sentence = sentence
    }
  }

  package init(
    operation: String, metric: Budget.Metric, limit: Measure, observed: MeasuredRange?, samples: Int,
    samplesNeeded: Int, state: CheckState
  ) {
    self.operation = operation
    self.metric = metric
    self.limit = limit
    self.observed = observed
    self.samples = samples
    self.samplesNeeded = samplesNeeded
    verdict = state.verdict
    trials = state.trials
  }

  /// The result, with its trials.
  package var state: CheckState {
    get { CheckState(verdict, trials: trials) }
    set { (verdict, trials) = (newValue.verdict, newValue.trials) }
  }

  /// True if more is better.
  package var isFloor: Bool { metric == .throughput }

  /// `400 ms`, `0.9901% (1 of 101)`, `12% .. 30% (12 to 30 of 100)`; nil without samples.
  package var observedText: String? {
    guard let observed else { return nil }
    guard metric == .errors, let over else { return observed.text }
    let most = over + (maybe ?? 0)
    return "\(observed.text) (\(most == over ? "" : "\(over.text) to ")\(most.text) of \(samples.text))"
  }
}

/// One check of the run's own traffic: that its sessions end as scripted and that every named element is tested. Every
/// run has these checks; a scenario changes them or switches them off.
package struct TrafficRow: Sendable, Codable, Hashable {
  /// The rule that is checked.
  package enum Rule: String, Sendable, Codable, Hashable, CaseIterable {
    /// The share of the ended sessions that ended as scripted.
    case completed
    /// Every operation in a step of the run's sessions is called and succeeds at least once.
    case called
    /// Every kind of session of the run completes at least once.
    case sessions
    /// The share of the requests that found the connection of an earlier response still open.
    case connections
    /// The good responses after a disturbance of the load, as a part of the former level.
    case recovery
  }

  /// The rule that is checked.
  package var kind: Rule
  /// The limit as in the scenario: `99%` for `completed` and `connections`, `all` or the names for the others.
  package var limit: String
  /// The number of `samples` that met it: sessions, operations, kinds of session, or requests.
  package var met: Int
  /// The number of sessions that ended, operations named, kinds of session, or requests that could reuse a connection.
  package var samples: Int
  /// The exceptions, most frequent first. Reasons of sessions that ended early, with their counts; operations that were
  /// never called (0) or never succeeded (requests); or kinds of session that never completed, with the number of their
  /// sessions that began.
  package var exceptions: [ReasonCount]
  /// The observation, for people, without a full stop.
  package var sentence: String
  /// The decision on the check.
  package private(set) var verdict: RowVerdict
  /// The samples that could have failed it; nil in results of earlier versions.
  package private(set) var trials: Int?
  /// Fingerprints of the findings that explain why it is broken.
  package var findings: [String] = []
  /// The figures of `recovery`; nil for the others.
  package var recovery: RecoveryResult?

  package init(
    kind: Rule, limit: String, met: Int, samples: Int, exceptions: [ReasonCount], sentence: String,
    state: CheckState
  ) {
    self.kind = kind
    self.limit = limit
    self.met = met
    self.samples = samples
    self.exceptions = exceptions
    self.sentence = sentence
    verdict = state.verdict
    trials = state.trials
  }

  /// The result, with its trials.
  package var state: CheckState {
    get { CheckState(verdict, trials: trials) }
    set { (verdict, trials) = (newValue.verdict, newValue.trials) }
  }
}

/// One invariant over sessions.
public struct StateRow: Sendable, Codable, Hashable {
  /// Its name in the scenario, or the resource's name in the contract.
  public var name: String
  /// The observation, for people.
  public var sentence: String
  /// The number of observations that it is based on.
  public var samples: Int
  /// The result.
  public private(set) var verdict: RowVerdict
  /// Responses that could have revealed a faulty server; nil in results of earlier versions.
  public private(set) var trials: Int?
  /// Fingerprints of the findings that explain why it is broken.
  public var findings: [String] = []
  /// The kind of invariant: ledger, counter, versions, register, set, delivery, session or formula.
  package var kind: String?
  /// The judged data, in numbers; nil in results of earlier versions.
  package var test: StateTest?

  package init(name: String, sentence: String, samples: Int, state: CheckState) {
    self.name = name
    self.sentence = sentence
    self.samples = samples
    verdict = state.verdict
    trials = state.trials
  }

  /// The result, with its trials.
  package var state: CheckState {
    get { CheckState(verdict, trials: trials) }
    set { (verdict, trials) = (newValue.verdict, newValue.trials) }
  }
}

/// The data by which an invariant was judged.
package struct StateTest: Sendable, Codable, Hashable {
  /// Resources that the run wrote or read.
  package var keys: Int
  /// The resources for which at least one response could have shown a contradiction, and none did.
  package var tested: Int
  /// The resources that contradict the invariant.
  package var violated: Int
  /// The undecided resources, by reason.
  package var inconclusive: [ReasonCount]
  /// Changes that the run requested.
  package var writes: Int
  /// Responses that show a resource.
  package var reads: Int
  /// The responses that could have revealed a faulty server.
  package var sharp: Int
  /// The number of other values that each of those would have accepted, on average.
  package var slack: Double
  /// Responses without the values that the invariant reads.
  package var unread: Int
  /// Requests that murphy sent on its own to read resources again after the load.
  package var ownRequests: Int

  package init(
    keys: Int, tested: Int, violated: Int, inconclusive: [ReasonCount], writes: Int, reads: Int, sharp: Int,
    slack: Double, unread: Int, ownRequests: Int
  ) {
    self.keys = keys
    self.tested = tested
    self.violated = violated
    self.inconclusive = inconclusive
    self.writes = writes
    self.reads = reads
    self.sharp = sharp
    self.slack = slack
    self.unread = unread
    self.ownRequests = ownRequests
  }
}

/// The part of the contract that the run covered.
public struct Coverage: Sendable, Codable, Hashable {
  /// Every coverable element, in the contract's order.
  package var items: [CoverageItem]
  /// The required coverage from the scenario, in percent, and its row.
  package var required: Double?
  /// The result.
  public private(set) var verdict: RowVerdict?
  /// Elements of the contract that could be covered; nil if no coverage was required, and in results of earlier
  /// versions.
  public private(set) var trials: Int?
  /// Fingerprints of the findings that name the missing elements.
  package var findings: [String] = []

  package init(items: [CoverageItem] = [], required: Double? = nil, state: CheckState? = nil) {
    self.items = items
    self.required = required
    verdict = state?.verdict
    trials = state?.trials
  }

  /// The result, with its trials; not tested if no coverage was required.
  package var state: CheckState {
    get { verdict.map { CheckState($0, trials: trials) } ?? .notTested }
    set { (verdict, trials) = (newValue.verdict, newValue.trials) }
  }

  /// Items that some response showed.
  public var seen: Int { items.count { $0.count > 0 } }
  /// Seen items divided by all items, in percent; nil if nothing can be covered.
  public var percent: Double? { items.isEmpty ? nil : Double(seen) * 100 / Double(items.count) }
}

/// One coverable element of the contract.
package struct CoverageItem: Sendable, Codable, Hashable {
  /// `operation`, `status`, `media-type`, `header`, `branch`, `enum`, `property`.
  package var kind: String
  /// The operationId.
  package var operation: String
  /// `200`, `application/json`, `/data/0/title` …
  package var name: String
  /// The number of responses that showed it; for properties, enum values and branches, the number of sampled responses.
  package var count: Int

  package init(kind: String, operation: String, name: String, count: Int) {
    self.kind = kind
    self.operation = operation
    self.name = name
    self.count = count
  }
}
