import MurphyContract
import MurphyModel
import MurphyScenario

extension Gate {
  /// Holds what was seen of the contract against what the scenario asks for.
  func judge(_ seen: Coverage) -> (coverage: Coverage, findings: [Finding]) {
    guard let expected = scenario.expectations.coverage else { return (seen, []) }
    var judged = seen
    let counted = Coverage(items: seen.items.filter { expected.kinds.isEmpty || expected.kinds.contains($0.kind) })
    if let required = expected.atLeast {
      judged.required = required
      judged.verdict = counted.percent.map { $0 >= required ? .pass : .fail } ?? .noData
    }
    return (judged, [])
  }
}
