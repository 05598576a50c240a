import MurphyContract
import MurphyModel
import MurphySchema

extension ScenarioReader {
  func expectations(_ node: MarkedValue?, sessions: [String]) -> Expectations {
    var expectations = Expectations()
    guard let node, let entries = entries(node, .expect) else { return expectations }
    for (budget, mark) in budgets(entries["budgets"]) {
      expectations.budgets.append(budget)
      expectations.budgetMarks[budget] = mark
    }
    expectations.traffic = traffic(entries, budgets: expectations.budgets, sessions: sessions)
    expectations.limits = limits(entries["limits"])
    expectations.coverage = coverage(entries["coverage"])
    expectations.strictness = strictness(entries["strict"])
    expectations.failOnUnchecked = boolean(entries["fail-on-unchecked"], "fail-on-unchecked") ?? false
    expectations.relations = relations(entries["relations"])
    expectations.recovery = duration(entries["recovery"], "recovery")
    if let node = entries["strength"] {
      expectations.strength = strength(node)
      expectations.strengthMark = sourceMark(node)
    }
    expectations.state = (elements(entries["state"], "state") ?? []).compactMap(invariant)
    return expectations
  }

  private func coverage(_ node: MarkedValue?) -> CoverageExpectation? {
    guard let node else { return nil }
    guard case .object = node.content else {
      return share(node, "coverage", besides: 0, or: "remove it").map { CoverageExpectation(atLeast: $0 * 100) }
    }
    guard let entries = entries(node, .coverage) else { return nil }
    var coverage = CoverageExpectation()
    coverage.atLeast = share(entries["at-least"], "at-least", besides: 0, or: "remove it").map { $0 * 100 }
    if let file = text(entries["baseline"], "baseline") {
      coverage.baseline = ScenarioFiles.path(file, relativeTo: source.file)
    }
    coverage.kinds = (elements(entries["only"], "only") ?? []).compactMap {
      known($0, among: CoverageExpectation.knownKinds, "a kind of coverage")
    }
    return coverage
  }

  private func strictness(_ node: MarkedValue?) -> Strictness {
    var strictness = Strictness()
    guard let node else { return strictness }
    guard node.isMapping else {
      strictness.rules = Set(node.items.compactMap { choice($0, "strict", Strictness.Rule.self) })
      return strictness
    }
    guard let entries = entries(node, .strict) else { return strictness }
    strictness.rules = Set(Strictness.Rule.allCases.filter { boolean(entries[$0.rawValue], $0.rawValue) == true })
    strictness.allow = (elements(entries["allow"], "allow") ?? []).compactMap { pointer in
      guard let text = text(pointer, "a pointer") else { return nil }
      if JSONPointer(text) == nil {
        report("\"\(text)\" is not a JSON Pointer; a JSON Pointer begins with /", at: pointer)
      }
      return text
    }
    return strictness
  }

  private func strength(_ node: MarkedValue) -> StrengthExpectation {
    var strength = StrengthExpectation()
    guard let entries = entries(node, .strength) else { return strength }
    func share(_ key: String) -> Double? {
      guard let node = entries[key], let share = percentage(node, key) else { return nil }
      if share <= 0 { report("\(key) must be a percentage above 0%; found \(found(node))", at: node) }
      return share > 0 ? share : nil
    }
    strength.contract = share("contract")
    strength.entities = share("contract-entities")
    strength.errors = share("errors")
    strength.latency = share("latency")
    strength.stall = duration(entries["stall"], "stall", positive: true)
    strength.limits = (elements(entries["limits"], "limits") ?? []).compactMap {
      choice($0, "an aspect of a limit", LimitStrength.Aspect.self)
    }
    return strength
  }

  /// A share that a run can fail to meet.
  ///
  /// - Parameters:
  ///   - unbreakable: the share that every run meets.
  ///   - remedy: the notation for no check.
  func share(_ node: MarkedValue?, _ what: String, besides unbreakable: Double, or remedy: String) -> Double? {
    guard let node, let share = percentage(node, what) else { return nil }
    guard share == unbreakable else { return share }
    return refuse("the check \(what): \(unbreakable == 0 ? "0%" : "100%") can never fail; \(remedy)", at: node)
  }

  /// The budgets, in the file's order, with their positions; those of `each` come last.
  func budgets(_ node: MarkedValue?) -> [(budget: Budget, mark: SourceMark)] {
    var shared: MarkedValue?
    let named = mapping(node, "budgets").flatMap { name, keyNode, value -> [(budget: Budget, mark: SourceMark)] in
      guard let operation = budgetedOperation(name, at: keyNode), entries(value, .budget) != nil else { return [] }
      if pairs(value).isEmpty { report("the budget is empty; write a metric, such as p95: 300ms", at: value) }
      return pairs(value).flatMap { metric, key, limit -> [(budget: Budget, mark: SourceMark)] in
        if metric == "each" {
          if operation == "*" {
            shared = limit
          } else {
            report("\"each\" is allowed only under \"*\", not under the operation \(operation)", at: key)
          }
          return []
        }
        return budgets(operation, metric, limit).map { ($0, sourceMark(limit)) }
      }
    }
    guard let shared else { return named }
    return named + each(shared, besides: named.map(\.budget))
  }

  /// A budget for every called operation that has no budget of the same metric by name.
  private func each(_ node: MarkedValue, besides named: [Budget]) -> [(budget: Budget, mark: SourceMark)] {
    guard entries(node, .each) != nil else { return [] }
    if pairs(node).isEmpty { report("\"each\" is empty; write a metric, such as p95: 300ms", at: node) }
    return pairs(node).flatMap { metric, _, limit in
      // Read once, so that a mistake is reported once.
      budgets("*", metric, limit).flatMap { budget in
        calledOperations.sorted()
          .filter { operation in !named.contains { $0.operation == operation && $0.metric == budget.metric } }
          .map { (Budget(operation: $0, metric: budget.metric, limit: budget.limit), sourceMark(limit)) }
      }
    }
  }

  private func budgetedOperation(_ name: String, at node: MarkedValue) -> String? {
    if name == "*" { return name }
    guard let reference = operation(name, at: node) else { return nil }
    if operations != nil, !calledOperations.contains(reference.id) {
      warn("no session calls \(reference.id), so this budget will get no data", at: node)
    }
    return reference.id
  }

  private func budgets(_ operation: String, _ metric: String, _ node: MarkedValue) -> [Budget] {
    switch metric {
    case "errors":
      return share(node, "errors", besides: 1, or: "remove it").map {
        [Budget(operation: operation, metric: .errors, limit: .share($0))]
      } ?? []
    case "throughput":
      guard let rate = rate(node, "throughput") else { return [] }
      if rate.perSecond <= 0 { report("a throughput budget of 0 can never fail; remove it", at: node) }
      return [Budget(operation: operation, metric: .throughput, limit: .atLeast(rate))]
    case "service":
      guard entries(node, .service) != nil else { return [] }
      return pairs(node).compactMap { time(operation, $0.key, $0.value, service: true) }
    default: return [time(operation, metric, node, service: false)].compactMap(\.self)
    }
  }

  private func time(_ operation: String, _ key: String, _ node: MarkedValue, service: Bool) -> Budget? {
    // Unknown metrics have been reported with the unknown keys.
    guard let metric = Vocabulary.timeMetrics.first(where: { $0.key == key }),
      let limit = duration(node, "the budget of \(key)", positive: true)
    else { return nil }
    if limit > timeout {
      // Latency includes the time that a request waits before it is sent.
      let excess =
        service
        ? "no request can exceed \(key): \(limit.notation)"
        : "a request can exceed \(key): \(limit.notation) only by waiting before it is sent"
      report(
        "\(excess), because `settings: timeout` is \(timeout.notation); lower the budget",
        at: node, severity: service ? .error : .warning)
    }
    return Budget(operation: operation, metric: service ? metric.service : metric.latency, limit: .atMost(limit))
  }

  /// The default checks of every run, as `expect:` changes them.
  /// - Parameter sessions: the names of the scenario's sessions.
  func traffic(_ entries: Entries, budgets: [Budget], sessions: [String]) -> TrafficExpectation {
    var traffic = TrafficExpectation()
    if let node = entries["errors"] {
      traffic.errors = isOff(node) ? nil : share(node, "errors", besides: 1, or: "write off")
      if traffic.errors != nil, budgets.contains(where: { $0.operation == "*" && $0.metric == .errors }) {
        report("\"errors\" is set here and in \"budgets\" under \"*\"; remove one of them", at: node)
      }
    }
    if let node = entries["completed"] {
      traffic.completed = isOff(node) ? nil : share(node, "completed", besides: 0, or: "write off")
    }
    if let node = entries["connections"] { traffic.connections = isOff(node) ? nil : reused(node) }
    if let node = entries["called"] {
      traffic.called = names(node, "called") { name in
        guard let reference = operation(name.scalarText ?? "", at: name) else { return nil }
        if operations != nil, !calledOperations.contains(reference.id) {
          report("no session calls \(reference.id); add a call, or remove the operation from \"called\"", at: name)
        }
        return reference.id
      }
    }
    if let node = entries["sessions"] {
      traffic.sessions = names(node, "sessions") { known($0, among: sessions, "a session") }
    }
    return traffic
  }

  /// `90%`, or as a comparison: `reused >= 90%`.
  private func reused(_ node: MarkedValue) -> Double? {
    guard let text = node.scalarText, text.hasPrefix("reused") else {
      return share(node, "connections", besides: 0, or: "write off")
    }
    let words = text.split(separator: " ").map(String.init)
    if words.count == 3, [">=", "≥"].contains(words[1]), case .success(let share) = Quantity.share(words[2]) {
      if share == 0 { report("the check connections: reused >= 0% can never fail; write off", at: node) }
      return share
    }
    return refuse("connections must be a percentage such as 90%, or \"reused >= 90%\"; found \(found(node))", at: node)
  }

  /// `off` in any form into which YAML 1.1 editors may change it.
  func isOff(_ node: MarkedValue) -> Bool { node.scalarText == "off" || node.scalarValue == false }

  /// `all`, `off`, or a list of names.
  private func names(
    _ node: MarkedValue, _ what: String, _ name: (MarkedValue) -> String?
  ) -> TrafficExpectation.Names {
    if isOff(node) { return .off }
    if node.scalarText == "all" { return .all }
    guard case .array(let sequence) = node.content, !sequence.isEmpty else {
      report("\(what) must be all, off or a list of names; found \(found(node))", at: node)
      return .all
    }
    return .only(sequence.compactMap(name))
  }
}
