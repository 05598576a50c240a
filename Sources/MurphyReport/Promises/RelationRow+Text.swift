import MurphyModel

extension RunResult {
  /// A promise for each broken relation, and for each operation one for those that held and one for those that nothing
  /// tested.
  func relationPromises(_ list: FindingList) -> [Promise] {
    var operations: [String] = []
    for row in relations ?? [] where !operations.contains(row.operation) { operations.append(row.operation) }
    return operations.flatMap { operation -> [Promise] in
      let rows = (relations ?? []).filter { $0.operation == operation }
      let broken = rows.filter { $0.outcome == .broken }.map { row in
        Promise(
          .relation, "\(operation): \(row.promise)", .broken, counted(row.samples, "answer"), subject: operation,
          findings: list.numbers(row.findings))
      }
      let kept = rows.filter { $0.outcome == .kept }
      let untested = rows.filter { $0.outcome == .untested }
      return broken
        + (kept.isEmpty
          ? []
          : [
            Promise(
              .relation, "\(operation): answers fit what was asked for", .kept,
              "\(kept.map(\.relation).joined(separator: ", ")); \(counted(kept.map(\.samples).max() ?? 0, "answer"))",
              subject: operation)
          ])
        + (untested.isEmpty
          ? []
          : [
            Promise(
              .relation, "\(operation): further relations", .untested,
              untested.map(\.relation).joined(separator: ", "), subject: operation)
          ])
    }
  }
}

extension RelationRow {
  var state: Promise.State {
    switch outcome {
    case .kept: .kept
    case .broken: .broken
    case .untested, .off: .untested
    }
  }
}
