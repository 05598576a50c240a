import MurphyContract
import MurphyModel

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
    if entries.has("rate") {
      policy = bucket(name, operations ?? [], key ?? .global, algorithm, entries)
    } else {
      let allow = whole(entries["allow"], "allow", 1...LimitPolicy.mostAllowed)
      if entries["per"] == nil, entries.has("allow") {
        report("a limit with \"allow\" needs \"per\", the window's length", at: entries.node)
      }
      if let burst = entries["burst"] { report("\"burst\" belongs to \"rate\", of a token bucket", at: burst) }
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
      .compactMap { choice($0, "what must be tested", LimitAspect.self) }
    let refusalBudget = duration(entries["refusal-budget"], "refusal-budget", positive: true)
    let longestWait = duration(entries["longest-wait"], "longest-wait", positive: true)
    let isAlso = boolean(entries["also"], "also") ?? false
    guard let policy, operations != nil, key != nil else { return nil }
    var expectation = LimitExpectation(
      policy: policy, refusalBudget: refusalBudget, longestWait: longestWait, mark: sourceMark(keyNode))
    expectation.isAlso = isAlso
    return expectation
  }

  private func bucket(
    _ name: String, _ operations: [String], _ key: LimitKey, _ algorithm: LimitAlgorithm?, _ entries: Entries
  ) -> LimitPolicy? {
    if let algorithm, algorithm != .tokenBucket, let node = entries["algorithm"] {
      report("\"rate\" belongs to a token-bucket; the other algorithms take \"allow\" and \"per\"", at: node)
    }
    for key in ["per", "aligned"] where entries.has(key) {
      report("\"\(key)\" belongs to \"allow\", not to a token bucket's \"rate\"", at: entries.keyNode(key))
    }
    guard let rate = rate(entries["rate"], "rate") else { return nil }
    guard rate.perSecond > 0 else { return refuse("a limit's rate is above 0/s", at: entries["rate"] ?? entries.node) }
    let burst = whole(entries["burst"], "burst", 1...LimitPolicy.mostAllowed) ?? 1
    return LimitPolicy(name: name, operations: operations, rate: rate, burst: burst, key: key)
  }

  /// Nil after reporting an unknown operation.
  private func limitedOperations(_ name: String, _ keyNode: MarkedValue, _ entries: Entries) -> [String]? {
    if let node = entries["operations"] {
      guard let nodes = elements(node, "operations") else { return nil }
      if nodes.isEmpty {
        report("a limit needs an operation; under \"*\", leave \"operations\" out to count all", at: node)
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
