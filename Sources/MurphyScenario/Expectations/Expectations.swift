import MurphyModel

/// The promises that a run is judged by, besides the contract.
package struct Expectations: Sendable {
  package var budgets: [Budget] = []
  /// Where the limits of the budgets stand that the scenario writes.
  package var budgetMarks: [Budget: SourceMark] = [:]
  package var traffic = TrafficExpectation()
  package var limits: [LimitExpectation] = []
  package var coverage: CoverageExpectation?
  package var strictness = Strictness()
  /// An answer that could not be checked fails the run.
  package var failOnUnchecked = false
  package var state: [StateExpectation] = []
  package var relations = RelationExpectation()
  package var strength = StrengthExpectation()
  /// Where it stands; nil for a scenario without it.
  package var strengthMark: SourceMark?

  package init() {}
}

/// `expect: coverage:` how much of the contract a run must see.
package struct CoverageExpectation: Sendable, Hashable {
  /// Per cent of the coverable things.
  package var atLeast: Double?
  /// A file of what an earlier run saw: nothing of it may be missing now (a ratchet).
  package var baseline: String?
  /// Kinds that count; empty for all: `operation`, `status`, `media-type`, `header`, `branch`, `enum`, `property`.
  package var kinds: [String] = []

  package static let knownKinds = ["operation", "status", "media-type", "header", "branch", "enum", "property"]
}

/// A rate limit that the scenario promises, and how its refusals must be.
package struct LimitExpectation: Sendable, Hashable {
  package var policy: LimitPolicy
  /// The slowest that a refusal may be, from the actual send.
  package var refusalBudget: Duration?
  /// The longest wait that a refusal may ask for.
  package var longestWait: Duration?
  /// It holds in addition to the contract's limits of the same operations, and does not replace them.
  package var isAlso = false
  /// Where it stands in the scenario; nil for one that was not read from a file.
  package var mark: SourceMark?

  package init(
    policy: LimitPolicy, refusalBudget: Duration? = nil, longestWait: Duration? = nil, mark: SourceMark? = nil
  ) {
    self.policy = policy
    self.refusalBudget = refusalBudget
    self.longestWait = longestWait
    self.mark = mark
  }
}

/// `expect: strength:` how much a promise must have been tested before it counts as kept. What was kept with less is
/// left without a verdict, and the sentence says which load would do.
package struct StrengthExpectation: Sendable, Hashable {
  /// A fault in so large a share of an operation's answers must have been seen with 95 %.
  package var contract: Double?
  /// The same of the different things that its paths name.
  package var entities: Double?
  /// A share of errors above this must be excluded with 95 %, of every budget on errors.
  package var errors: Double?
  /// A slowdown by this share must have broken every percentile with 95 %: 0.25 is 25 % slower.
  package var latency: Double?
  /// A freeze of the API for so long must have broken every percentile with 95 %.
  package var stall: Duration?
  /// Wrong limiters that must have been told from every limit that is kept.
  package var limits: [LimitStrength.Aspect] = []

  package init() {}
}

/// `expect: strict:` what the contract does not forbid, but the scenario does.
package struct Strictness: Sendable, Hashable {
  package enum Rule: String, Sendable, Hashable, CaseIterable {
    case undocumentedFields = "undocumented-fields"
  }

  package var rules: Set<Rule> = []
  /// JSON Pointers (RFC 6901) into bodies, `*` for any one token: fields that may be undocumented.
  package var allow: [String] = []
}

/// The promises that every run makes without being asked: `expect:` changes them or switches them off.
package struct TrafficExpectation: Sendable, Hashable {
  /// Which of the names that the scenario holds a promise is made for.
  package enum Names: Sendable, Hashable {
    case all
    case off
    case only([String])

    /// `all`, or the names.
    package var text: String {
      switch self {
      case .all: "all"
      case .off: "off"
      case .only(let names): names.joined(separator: ", ")
      }
    }

    /// Those of `names` that are meant, in their order.
    package func chosen(of names: [String]) -> [String] {
      switch self {
      case .all: names
      case .off: []
      case .only(let only): names.filter(only.contains)
      }
    }
  }

  /// `errors:` the largest share of errors over all operations; nil when switched off.
  package var errors: Double? = 0.01
  /// `completed:` the smallest share of ended sessions that ended as scripted; nil when switched off.
  package var completed: Double? = 0.99
  /// `called:` the operations that must be called at least once, of those that the run's sessions name.
  package var called = Names.all
  /// `sessions:` the kinds of session of which at least one must complete.
  package var sessions = Names.all

  /// `connections:` the smallest share of requests that find the connection of an earlier answer open; nil for none.
  package var connections: Double?
}

extension Expectations {
  /// The scenario's budgets, and the one on errors over all operations that every run has unless it is switched off
  /// or the scenario has its own.
  package var allBudgets: [Budget] {
    guard let share = traffic.errors, !budgets.contains(where: { $0.operation == "*" && $0.metric == .errors }) else {
      return budgets
    }
    return budgets + [Budget(operation: "*", metric: .errors, limit: .share(share))]
  }
}
