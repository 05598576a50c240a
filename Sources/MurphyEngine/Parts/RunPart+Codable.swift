import MurphyModel

extension RunPart {
  /// What adds up, to be written; the logs are written by themselves.
  package var coded: some Codable { sums }

  /// - Throws: a `DecodingError` for what is not such a part.
  package init(sumsFrom decoder: any Decoder) throws {
    sums = try RunSums(from: decoder)
    logs = []
  }

  /// Whether figures and events are of a run of that contract and scenario.
  package func fits(_ frame: RunFrame) -> Bool {
    sums.operations.count == frame.contract.operations.count && sums.stages.count == frame.contract.operations.count
      && sums.sessions.count == frame.scenario.sessions.count && sums.tags.count == frame.scenario.tags.count
      && sums.stages.allSatisfy { $0.map { $0.count == max(frame.stages.count, 1) } ?? true }
      && sums.rows.allSatisfy { $0.byStage.count == max(frame.stages.count, 1) }
      && sums.traffic.fits(operations: frame.contract.operations.count) && logs.allSatisfy { $0.fits(frame) }
  }
}

extension ProcessLog {
  /// Whether all numbers of operations and invariants are those of the contract and the scenario.
  fileprivate func fits(_ frame: RunFrame) -> Bool {
    let names = frame.contract.operations.map(\.id)
    return limits.operations == names && state.operations == names
      && state.gaps.count == frame.scenario.expectations.state.count && Int(relations.operations) < names.count
      && answers.losses.allSatisfy { names.indices.contains($0.operation) }
      && answers.waits.allSatisfy { names.indices.contains($0.operation) }
  }
}
