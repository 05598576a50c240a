import MurphyContract
import MurphyModel

/// The checks that decide the verdict of a run, in addition to the contract.
package struct Expectations: Sendable {
  package var budgets: [Budget] = []
  /// The positions of the budgets' limits in the scenario.
  package var budgetMarks: [Budget: SourceMark] = [:]
  package var traffic = TrafficExpectation()
  /// The limits that the scenario declares, without those of the contract.
  package var limits: [LimitExpectation] = []
  /// Nil if the scenario requires none.
  package var coverage: CoverageExpectation?
  package var strictness = Strictness()
  /// True if an unchecked response fails the run.
  package var failOnUnchecked = false
  /// The invariants over sessions.
  package var state: [StateExpectation] = []
  package var relations = RelationExpectation()
  /// The longest time after a disturbance of the load until the goodput is back; nil if the scenario requires none.
  package var recovery: Duration?
  package var strength = StrengthExpectation()
  /// Its position; nil for a scenario without it.
  package var strengthMark: SourceMark?

  package init() {}
}

/// `expect: coverage:` the minimum part of the contract that a run must exercise.
package struct CoverageExpectation: Sendable, Hashable {
  /// Per cent of the coverable elements.
  package var atLeast: Double?
  /// A file with the coverage of an earlier run: all of it must be covered again (a ratchet).
  package var baseline: String?
  /// Kinds that count; empty for all: `operation`, `status`, `media-type`, `header`, `branch`, `enum`, `property`.
  package var kinds: [String] = []

  /// The kinds of items that the contract's coverage counts.
  package static let knownKinds = ["operation", "status", "media-type", "header", "branch", "enum", "property"]
}

/// A rate limit that the scenario expects, and the requirements for its rejections.
package struct LimitExpectation: Sendable, Hashable {
  package var policy: LimitPolicy
  /// The maximum service time of a rejection, from the actual send.
  package var refusalBudget: Duration?
  /// The longest wait that a rejection may request.
  package var longestWait: Duration?
  /// The expression of `policy.cost`.
  package var cost: Formula?
  /// It holds in addition to the contract's limits of the same operations, and does not replace them.
  package var isAlso = false
  /// Its position in the scenario; nil if it was not read from a file.
  package var mark: SourceMark?

  package init(
    policy: LimitPolicy, refusalBudget: Duration? = nil, longestWait: Duration? = nil, isAlso: Bool = false,
    mark: SourceMark? = nil
  ) {
    (self.policy, self.refusalBudget, self.longestWait) = (policy, refusalBudget, longestWait)
    (self.isAlso, self.mark) = (isAlso, mark)
  }
}

/// `expect: strength:` the minimum test strength before a check counts as passed. A check that passed with less has no
/// verdict, and the message names the load that would suffice.
package struct StrengthExpectation: Sendable, Hashable {
  /// A fault in this share of an operation's responses must be detected with 95 %.
  package var contract: Double?
  /// The same for the different items that its paths name.
  package var entities: Double?
  /// A higher share of errors must be excluded with 95 %, for every budget on errors.
  package var errors: Double?
  /// A slowdown by this share must have failed every percentile budget with 95 %: 0.25 is 25 % slower.
  package var latency: Double?
  /// A freeze of the API of this duration must have failed every percentile budget with 95 %.
  package var stall: Duration?
  /// Faulty limiters that the run must have distinguished from every passed limit.
  package var limits: [LimitStrength.Aspect] = []

  package init() {}
}

/// `expect: strict:` prohibitions in addition to the contract.
package struct Strictness: Sendable, Hashable {
  /// What `strict:` may prohibit.
  package enum Rule: String, Sendable, Hashable, CaseIterable {
    case undocumentedFields = "undocumented-fields"
  }

  /// Empty if nothing is prohibited.
  package var rules: Set<Rule> = []
  /// JSON Pointers (RFC 6901) into bodies, `*` for any one token: fields that may be undocumented.
  package var allow: [String] = []
}

/// The checks that every run makes by default: `expect:` changes them or switches them off.
package struct TrafficExpectation: Sendable, Hashable {
  /// The names of the scenario to which a check applies.
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

    /// The selected names of `names`, in order.
    package func chosen(of names: [String]) -> [String] {
      switch self {
      case .all: names
      case .off: []
      case .only(let only): names.filter(only.contains)
      }
    }
  }

  /// `errors:` the largest share of errors over all operations; nil if switched off.
  package var errors: Double? = 0.01
  /// `completed:` the smallest share of ended sessions that ended as scripted; nil if switched off.
  package var completed: Double? = 0.99
  /// `called:` the operations that must be called at least once, from those that the run's sessions name.
  package var called = Names.all
  /// `sessions:` the kinds of session that must complete at least once.
  package var sessions = Names.all

  /// `connections:` the smallest share of requests that reuse the open connection of an earlier response; nil for none.
  package var connections: Double?
}

extension Expectations {
  /// The scenario's budgets, and the default budget on errors over all operations. The default is omitted if it is
  /// switched off or the scenario has its own.
  package var allBudgets: [Budget] {
    guard let share = traffic.errors, !budgets.contains(where: { $0.operation == "*" && $0.metric == .errors }) else {
      return budgets
    }
    return budgets + [Budget(operation: "*", metric: .errors, limit: .share(share))]
  }
}

extension ScenarioReader {
  func limits(_ node: MarkedValue?) -> [LimitExpectation] {
    mapping(node, "limits").compactMap { name, keyNode, value in
      entries(value, .limit).flatMap { limit(name, keyNode, $0) }
    }
  }

  private func limit(_ name: String, _ keyNode: MarkedValue, _ entries: Entries) -> LimitExpectation? {
    let operations = limitedOperations(name, keyNode, entries)
    let algorithm = choice(entries["algorithm"], "algorithm", LimitAlgorithm.self)
    let key = key(entries["key"])
    var policy: LimitPolicy?
    if entries.has("concurrent") {
      policy = concurrency(name, operations ?? [], key ?? .global, entries)
    } else if entries.has("rate") {
      policy = bucket(name, operations ?? [], key ?? .global, algorithm, entries)
    } else {
      let allow = whole(entries["allow"], "allow", 1...LimitPolicy.mostAllowed)
      if entries["per"] == nil, entries.has("allow") {
        report("a limit with \"allow\" needs the key \"per\", the length of the time window", at: entries.node)
      }
      if let burst = entries["burst"] { report("\"burst\" is allowed only with \"rate\" (a token bucket)", at: burst) }
      if let allow, let window = duration(entries["per"], "per", positive: true) {
        policy = LimitPolicy(
          name: name, operations: operations ?? [], algorithm: algorithm ?? .any, allowance: allow, window: window,
          key: key ?? .global)
      }
    }
    if let count = entries["count"] { policy?.counts = counting(count) }
    if let refusals = entries["refusals"] { policy?.refusals = self.refusals(refusals) }
    policy?.tick = duration(entries["tick"], "tick", positive: true)
    if known(entries["aligned"], among: ["epoch"], "aligned") != nil { policy?.alignedToEpoch = true }
    policy?.tested = elements(entries["tested"], "tested")?
      .compactMap { choice($0, "an item of tested", LimitAspect.self) }
    let refusalBudget = duration(entries["refusal-budget"], "refusal-budget", positive: true)
    let longestWait = duration(entries["longest-wait"], "longest-wait", positive: true)
    let isAlso = boolean(entries["also"], "also") ?? false
    let cost = cost(entries["cost"])
    policy?.cost = cost.map { LimitCost(text: $0.source, isCountedLate: $0.expression.readsAnswer) }
    guard let policy, operations != nil, key != nil else { return nil }
    var expectation = LimitExpectation(
      policy: policy, refusalBudget: refusalBudget, longestWait: longestWait, mark: sourceMark(keyNode))
    expectation.isAlso = isAlso
    expectation.cost = cost
    return expectation
  }

  private func concurrency(
    _ name: String, _ operations: [String], _ key: LimitKey, _ entries: Entries
  ) -> LimitPolicy? {
    let others = ["per", "algorithm", "burst", "aligned", "cost", "count", "tick", "refusal-budget"]
    for key in others where entries.has(key) {
      report(
        "\"\(key)\" is not allowed with \"concurrent\", because such a limit has no time window",
        at: entries.keyNode(key))
    }
    return whole(entries["concurrent"], "concurrent", 1...LimitPolicy.mostAllowed).map {
      LimitPolicy(name: name, operations: operations, concurrent: $0, key: key)
    }
  }

  private func bucket(
    _ name: String, _ operations: [String], _ key: LimitKey, _ algorithm: LimitAlgorithm?, _ entries: Entries
  ) -> LimitPolicy? {
    if let algorithm, algorithm != .tokenBucket, let node = entries["algorithm"] {
      report(
        "with \"rate\", the algorithm must be token-bucket; the other algorithms need \"allow\" and \"per\"", at: node)
    }
    for key in ["per", "aligned"] where entries.has(key) {
      report("\"\(key)\" is allowed only with \"allow\", not with \"rate\"", at: entries.keyNode(key))
    }
    guard let rate = rate(entries["rate"], "rate") else { return nil }
    guard rate.perSecond > 0 else {
      return refuse("the rate of a limit must be above 0/s", at: entries["rate"] ?? entries.node)
    }
    let burst = whole(entries["burst"], "burst", 1...LimitPolicy.mostAllowed) ?? 1
    return LimitPolicy(name: name, operations: operations, rate: rate, burst: burst, key: key)
  }

  /// Nil after reporting an unknown operation.
  private func limitedOperations(_ name: String, _ keyNode: MarkedValue, _ entries: Entries) -> [String]? {
    if let node = entries["operations"] {
      guard let nodes = elements(node, "operations") else { return nil }
      if nodes.isEmpty {
        report(
          "\"operations\" is empty; write an operation, or under \"*\", remove the key to count all operations",
          at: node)
      }
      let references = nodes.map { node in text(node, "an operation").flatMap { operation($0, at: node) } }
      return references.contains { $0 == nil } ? nil : references.compactMap { $0?.id }
    }
    if name == "*" { return [] }
    return operation(name, at: keyNode).map { [$0.id] }
  }

  /// A key of a limit or a list of its parts, as ``LimitKey`` reads them.
  private func key(_ node: MarkedValue?) -> LimitKey? {
    guard let node else { return nil }
    let nodes = node.items
    var names: [String] = []
    for node in nodes {
      guard let name = text(node, "a key") else { return nil }
      names.append(name)
    }
    do throws(LimitKey.Mistake) {
      return try LimitKey(names: names)
    } catch { return refuse(error.message, at: nodes.indices.contains(error.part) ? nodes[error.part] : node) }
  }

  private func counting(_ node: MarkedValue) -> LimitCounting {
    var counting = LimitCounting()
    guard let entries = entries(node, .count) else { return counting }
    func counted(_ key: String) -> LimitCounting.Counted? {
      guard let value = entries[key] else { return nil }
      if case .bool(let truth)? = value.scalarValue { return truth ? .yes : .no }
      return known(value, among: ["yes", "no", "perhaps"], key).flatMap { LimitCounting.Counted(rawValue: $0) }
    }
    counting.failed = counted("failed") ?? counting.failed
    counting.refused = counted("refused") ?? counting.refused
    return counting
  }

  private func refusals(_ node: MarkedValue) -> [RefusalRule] {
    guard let nodes = elements(node, "refusals") else { return [.tooManyRequests] }
    return nodes.compactMap { node in
      guard case .object = node.content else {
        return whole(node, "a status", 100...599).map { RefusalRule(status: $0) }
      }
      guard let entries = entries(node, .refusal), let status = whole(entries["status"], "a status", 100...599) else {
        return nil
      }
      guard let header = text(entries["header"], "a header") else { return RefusalRule(status: status) }
      let value = entries["value"]?.scalarText ?? ""
      return RefusalRule(status: status, header: HeaderField(header.lowercased(), value))
    }
  }
}
