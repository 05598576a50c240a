import MurphyModel

extension RunResult {
  /// The rows of each operation, in the contract's order; none for those that are off.
  var relationsByOperation: [(operation: String, rows: [RelationRow])] {
    let shown = (relations ?? []).filter { $0.outcome != .off }
    var seen: Set<String> = []
    return shown.map(\.operation).filter { seen.insert($0).inserted }.map { operation in
      (operation, shown.filter { $0.operation == operation })
    }
  }

  /// A promise for each broken relation, and for each operation one for those that held and one for those that nothing
  /// tested.
  func relationPromises(_ list: FindingList) -> [Promise] {
    relationsByOperation.flatMap { operation, rows -> [Promise] in
      var promises = rows.filter { $0.outcome == .broken }.map { row in
        Promise(
          .relation, "\(operation): \(row.promise)", .broken, counted(row.samples, "answer"), subject: operation,
          findings: list.numbers(row.findings))
      }
      let kept = rows.filter { $0.outcome == .kept }
      if !kept.isEmpty {
        promises.append(
          Promise(
            .relation, "\(operation): answers fit what was asked for", .kept,
            "\(kept.map(\.relation).joined(separator: ", ")); \(counted(kept.map(\.samples).max() ?? 0, "answer"))",
            subject: operation))
      }
      let untested = rows.filter { $0.outcome == .untested }
      if !untested.isEmpty {
        promises.append(
          Promise(
            .relation, "\(operation): further relations", .untested,
            untested.map(\.relation).joined(separator: ", "), subject: operation))
      }
      return promises
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
