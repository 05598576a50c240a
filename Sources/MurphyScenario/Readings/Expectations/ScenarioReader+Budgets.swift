import MurphyDocument
import MurphyModel

extension ScenarioReader {
  /// The budgets, in the file's order, and where each stands.
  func budgets(_ node: MarkedValue?) -> [(budget: Budget, mark: SourceMark)] {
    guard let node else { return [] }
    return mapping(node, "budgets").flatMap { name, keyNode, value -> [(budget: Budget, mark: SourceMark)] in
      guard let operation = budgetedOperation(name, at: keyNode), let entries = entries(value, .budget) else {
        return []
      }
      if pairs(value).isEmpty { report("a budget needs a metric, such as p95: 300ms", at: value) }
      return pairs(value).flatMap { metric, _, limit in
        budgets(operation, metric, limit, entries).map { ($0, sourceMark(limit)) }
      }
    }
  }

  private func budgetedOperation(_ name: String, at node: MarkedValue) -> String? {
    if name == "*" { return name }
    guard let reference = operation(name, at: node) else { return nil }
    if operations != nil, !calledOperations.contains(reference.id) {
      warn("no session calls \(reference.id), so this budget will have no data", at: node)
    }
    return reference.id
  }

  private func budgets(_ operation: String, _ metric: String, _ node: MarkedValue, _ entries: Entries) -> [Budget] {
    // Unknown metrics have been reported with the unknown keys.
    guard entries.vocabulary[metric] != nil else { return [] }
    switch metric {
    case "errors":
      return percentage(node, "errors").map { [Budget(operation: operation, metric: .errors, limit: .share($0))] } ?? []
    case "throughput":
      return rate(node, "throughput").map {
        [Budget(operation: operation, metric: .throughput, limit: .atLeast($0))]
      } ?? []
    case "service":
      guard let service = self.entries(node, .service) else { return [] }
      return pairs(node).compactMap { name, _, limit in
        service.vocabulary[name] == nil ? nil : latency(operation, name, limit, service: true)
      }
    default: return latency(operation, metric, node, service: false).map { [$0] } ?? []
    }
  }

  private func latency(_ operation: String, _ metric: String, _ node: MarkedValue, service: Bool) -> Budget? {
    guard let limit = duration(node, "the budget of \(metric)", positive: true) else { return nil }
    let kind: Budget.Metric
    switch metric {
    case "mean": kind = service ? .meanService : .meanLatency
    case "max": kind = service ? .maxService : .maxLatency
    default:
      let percentile = Double(metric.dropFirst()) ?? 50
      kind = service ? .service(percentile: percentile) : .latency(percentile: percentile)
    }
    return Budget(operation: operation, metric: kind, limit: .atMost(limit))
  }
}
