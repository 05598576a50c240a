/// One budget: `listLaws p95 ≤ 300ms`.
public struct BudgetRow: Sendable, Codable, Hashable {
  /// The operationId, or `*` for all together.
  public var operation: String
  /// What is bounded.
  public var metric: Budget.Metric
  /// The bound, as the scenario gives it.
  public var limit: Measure
  /// What was measured, in the limit's unit. Nil without samples.
  public var observed: MeasuredRange?
  /// Requests that came due, answered or not.
  public var samples: Int
  /// The fewest samples that can decide this budget.
  package var samplesNeeded: Int
  /// How it came out.
  public private(set) var verdict: RowVerdict
  /// Samples in which a violation would have been visible: responses that no rate limit rejected, and requests without
  /// a response. Nil in results of earlier versions.
  public private(set) var trials: Int?
  /// Those of the samples that got no answer; nil where the metric does not count them.
  package var unanswered: Int?
  /// Surely over the limit, or surely errors; nil for means and throughput.
  package var over: Int?
  /// Perhaps over the limit, or perhaps errors: no answer said.
  package var maybe: Int?
  /// When the row was decided over those requests alone that the person let wait for longer than the limit: how many.
  package var patient: Int?
  /// Of the samples of a budget that only fails with them: responses that a rate limit rejected.
  package var rejected: Int?
  /// Of a kept error budget: the share of errors, from 0 to 1, that the samples exclude with 95 %, for the API as it
  /// was in this run.
  package var shareAtMost: Double?
  /// Which slowdown would have broken it; nil for a row that is not a kept percentile or maximum.
  package var strength: BudgetStrength?
  /// Why there is no verdict; nil for a row that has one.
  package var undecided: Undecided?
  /// Fingerprints of the findings that tell why it is broken.
  public var findings: [String] = []

  /// Why a budget is neither broken nor kept.
  package struct Undecided: Sendable, Codable, Hashable {
    /// What kept the row from a verdict.
    package enum Cause: String, Sendable, Codable {
      case nothingMeasured = "nothing-measured"
      case tooFewSamples = "too-few-samples"
      /// No request of the operation succeeded.
      case nothingSucceeded = "nothing-succeeded"
      /// Requests without an answer could break it or keep it.
      case unanswered
      /// Murphy's own lateness, and requests that it did not send, could break it or keep it.
      case generator
      /// It was kept, and the traffic could not have broken it as `expect: strength:` asks.
      case tooWeak = "too-weak"
    }

    /// What kept the row from a verdict.
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

  /// How it came out, with its trials.
  package var state: CheckState {
    get { CheckState(verdict, trials: trials) }
    set { (verdict, trials) = (newValue.verdict, newValue.trials) }
  }
}

extension BudgetRow {
  /// Whether more is better.
  package var isFloor: Bool { metric == .throughput }

  /// `400ms`, `0.9901% (1 of 101)`, `12% .. 30% (12 to 30 of 100)`; nil without samples.
  package var observedText: String? {
    guard let observed else { return nil }
    guard metric == .errors, let over else { return observed.text }
    let most = over + (maybe ?? 0)
    return "\(observed.text) (\(most == over ? "\(over)" : "\(over) to \(most)") of \(samples))"
  }
}

/// One promise about the run's own traffic: that its sessions end as scripted and that nothing it names stays
/// untested. Every run makes these promises; a scenario changes them or switches them off.
package struct TrafficRow: Sendable, Codable, Hashable {
  /// What is promised.
  package enum Rule: String, Sendable, Codable, Hashable, CaseIterable {
    /// The share of the sessions that ended which ended as scripted.
    case completed
    /// Every operation that a step of the run's sessions names is called and succeeds at least once.
    case called
    /// Every kind of session of the run completes at least once.
    case sessions
    /// The share of the requests that found the connection of an earlier answer still open.
    case connections
  }

  /// What is promised.
  package var kind: Rule
  /// As the scenario says it: `99%` for `completed` and `connections`, `all` or the names for the others.
  package var limit: String
  /// How many of `samples` kept it: sessions, operations, kinds of session, or requests.
  package var met: Int
  /// Sessions that ended, operations named, kinds of session, or requests that could take over a connection.
  package var samples: Int
  /// What did not keep it, most frequent first: the reasons of sessions that ended early with their counts, operations
  /// that were never called (0) or never succeeded (requests), or kinds of session that never completed with the sessions of it that began.
  package var exceptions: [ReasonCount]
  /// What was seen, for people, without a full stop.
  package var sentence: String
  /// How it came out.
  package private(set) var verdict: RowVerdict
  /// Of the samples, those that could have failed it; nil in results of earlier versions.
  package private(set) var trials: Int?
  /// Fingerprints of the findings that tell why it is broken.
  package var findings: [String] = []

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

  /// How it came out, with its trials.
  package var state: CheckState {
    get { CheckState(verdict, trials: trials) }
    set { (verdict, trials) = (newValue.verdict, newValue.trials) }
  }
}

/// One invariant over sessions.
public struct StateRow: Sendable, Codable, Hashable {
  /// Its name in the scenario, or the thing's in the contract.
  public var name: String
  /// What was seen, for people.
  public var sentence: String
  /// How many observations it rests on.
  public var samples: Int
  /// How it came out.
  public private(set) var verdict: RowVerdict
  /// Responses that a wrong server could have failed; nil in results of earlier versions.
  public private(set) var trials: Int?
  /// Fingerprints of the findings that tell why it is broken.
  public var findings: [String] = []
  /// What it says: ledger, counter, versions, register, set, delivery, session or formula.
  package var kind: String?
  /// What was judged, in numbers; nil in results of earlier versions.
  package var test: StateTest?

  package init(name: String, sentence: String, samples: Int, state: CheckState) {
    self.name = name
    self.sentence = sentence
    self.samples = samples
    verdict = state.verdict
    trials = state.trials
  }

  /// How it came out, with its trials.
  package var state: CheckState {
    get { CheckState(verdict, trials: trials) }
    set { (verdict, trials) = (newValue.verdict, newValue.trials) }
  }
}

/// What an invariant was judged by.
package struct StateTest: Sendable, Codable, Hashable {
  /// Things that the run wrote to or read.
  package var keys: Int
  /// Those of them of which at least one answer could have shown a contradiction, and none did.
  package var tested: Int
  /// Those that contradict the invariant.
  package var violated: Int
  /// Those of which nothing can be said, with the reasons.
  package var inconclusive: [ReasonCount]
  /// Changes that the run asked for.
  package var writes: Int
  /// Answers that show a thing.
  package var reads: Int
  /// Those of them that a wrong server could have failed.
  package var sharp: Int
  /// How many other values each of those would have let pass, on average.
  package var slack: Double
  /// Answers that do not hold what the invariant reads.
  package var unread: Int
  /// Requests that murphy sent on its own to read things once more behind the load.
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

/// What of the contract the run saw.
public struct Coverage: Sendable, Codable, Hashable {
  /// Every coverable thing, in the contract's order.
  package var items: [CoverageItem]
  /// The gate from the scenario, per cent, and its row.
  package var required: Double?
  /// How it came out.
  public private(set) var verdict: RowVerdict?
  /// Elements of the contract that could be covered; nil where nothing was asked for, and in results of earlier versions.
  public private(set) var trials: Int?
  /// Fingerprints of the findings that tell what is missing.
  package var findings: [String] = []

  package init(items: [CoverageItem] = [], required: Double? = nil, state: CheckState? = nil) {
    self.items = items
    self.required = required
    verdict = state?.verdict
    trials = state?.trials
  }

  /// How it came out, with its trials; not tested where nothing was asked for.
  package var state: CheckState {
    get { verdict.map { CheckState($0, trials: trials) } ?? .notTested }
    set { (verdict, trials) = (newValue.verdict, newValue.trials) }
  }

  /// Items that some answer showed.
  public var seen: Int { items.count { $0.count > 0 } }
  /// Seen over all, per cent; nil when nothing can be covered.
  public var percent: Double? { items.isEmpty ? nil : Double(seen) * 100 / Double(items.count) }
}

/// One coverable thing of the contract.
package struct CoverageItem: Sendable, Codable, Hashable {
  /// `operation`, `status`, `media-type`, `header`, `branch`, `enum`, `property`.
  package var kind: String
  /// The operationId.
  package var operation: String
  /// `200`, `application/json`, `/data/0/title` …
  package var name: String
  /// How many answers showed it; of properties, enum values and branches, how many of the answers that were sampled.
  package var count: Int

  package init(kind: String, operation: String, name: String, count: Int) {
    self.kind = kind
    self.operation = operation
    self.name = name
    self.count = count
  }
}
