import Foundation
import MurphyJudge
import MurphyModel
import Simulation

extension LatencyWorld {
  /// What the judge sees of the world, as one operation.
  func groups(_ operation: String, seed: UInt64, _ slowdown: Slowdown = .none, errors: (Double, Double) = (0, 0))
    -> [GroupSample]
  {
    var random = RandomSource(seed: seed, stream: 1)
    return sample(seed: seed, slowdown).map { group in
      // Errors come in spells that both arms of a group share.
      let spell = exp(0.8 * random.normal() - 0.32)
      func arm(_ latencies: [Int64], _ share: Double) -> ArmSample {
        var sample = ArmSample()
        sample.latencies = latencies.map { LatencyHistogram.Bucket(value: $0, count: 1) }
        sample.requests = latencies.count
        sample.succeeded = latencies.count
        sample.responses = latencies.count
        let expected = share * spell * Double(latencies.count)
        sample.errors = share == 0 ? 0 : max(Int((expected + expected.squareRoot() * random.normal()).rounded()), 0)
        return sample
      }
      return GroupSample(
        base: [operation: arm(group.base, errors.0)], candidate: [operation: arm(group.candidate, errors.1)])
    }
  }
}

/// Several operations as the groups of one comparison.
func joined(_ operations: [[GroupSample]]) -> [GroupSample] {
  operations[0].indices.map { index in
    operations.reduce(into: GroupSample()) { whole, groups in
      whole.base.merge(groups[index].base) { first, _ in first }
      whole.candidate.merge(groups[index].candidate) { first, _ in first }
    }
  }
}

extension LiveJudge {
  /// The verdict of all looks, and the groups of the last one.
  func compare(_ groups: [GroupSample]) -> (verdict: Verdict, decision: LookDecision?) {
    var last: LookDecision?
    for look in Look.usual where look.groups <= groups.count {
      let decision = decide(Array(groups.prefix(look.groups)), at: look)
      if decision.verdict != .noData { return (decision.verdict, decision) }
      last = decision
    }
    if Look.due(at: groups.count) == nil, let look = Look.last(at: groups.count) {
      last = decide(groups, at: look)
    }
    return (last?.verdict ?? .noData, last)
  }
}
