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
      return share(node, "coverage", besides: 0, or: "leave it out").map { CoverageExpectation(atLeast: $0 * 100) }
    }
    guard let entries = entries(node, .coverage) else { return nil }
    var coverage = CoverageExpectation()
    coverage.atLeast = share(entries["at-least"], "at-least", besides: 0, or: "leave it out").map { $0 * 100 }
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
      if JSONPointer(text) == nil { report("\"\(text)\" is not a JSON Pointer; one begins with /", at: pointer) }
      return text
    }
    return strictness
  }

  private func strength(_ node: MarkedValue) -> StrengthExpectation {
    var strength = StrengthExpectation()
    guard let entries = entries(node, .strength) else { return strength }
    func share(_ key: String) -> Double? {
      guard let node = entries[key], let share = percentage(node, key) else { return nil }
      if share <= 0 { report("\(key) is a share above 0%; found \(found(node))", at: node) }
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
    report("no response can break \(what): \(unbreakable == 0 ? "0%" : "100%"); \(remedy)", at: node)
    return nil
  }
}
