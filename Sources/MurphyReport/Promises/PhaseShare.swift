import MurphyModel

/// The part that a phase has in the service time of answers.
package struct PhaseShare {
  package let phase: PhaseSummary.Phase
  /// 0 to 1.
  package let share: Double

  /// Of all answers of the operations, in the order in which the phases pass; none without answers.
  package static func shares(of operations: [OperationResult]) -> [PhaseShare] {
    let times = PhaseSummary.Phase.allCases.map { phase in
      operations.reduce(0.0) { sum, operation in
        guard let summary = operation.phases?.all.first(where: { $0.phase == phase })?.summary else { return sum }
        return sum + summary.mean * Double(summary.count)
      }
    }
    let total = times.reduce(0, +)
    guard total > 0 else { return [] }
    return zip(PhaseSummary.Phase.allCases, times).map { PhaseShare(phase: $0, share: $1 / total) }
  }

  /// `first byte 93 %, body 4 %`: those that take at least one in a hundred, the largest first.
  package static func words(of operations: [OperationResult], most: Int = 5) -> String {
    shares(of: operations).filter { $0.share >= 0.01 }.sorted { $0.share > $1.share }.prefix(most)
      .map { "\($0.phase.words) \(Figure.decimals($0.share * 100, 0))%" }.joined(separator: ", ")
  }
}
