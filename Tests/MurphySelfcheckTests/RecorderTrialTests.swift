import MurphySelfcheck
import Simulation
import Testing

@Suite struct RecorderTrialTests {
  /// 10,000 cases with `MURPHY_SIMULATIONS=full`; `murphy selfcheck` makes a thousand on each machine.
  @Test func `percentiles of merged shards are the exact order statistics`() {
    let cases = UInt64(SimulationSize.count(10_000, part: 0.004))
    print("percentiles of merged shards: seeds 0..<\(cases)")
    for seed in 0..<cases { #expect(RecorderTrial(seed: seed).mistakes == []) }
  }
}
