import MurphyJudge
import MurphyModel
import Simulation
import TestSupport
import Testing

/// A million requests on one key, as `sim_conformance.py speed` has them. Printed, not asserted: machines differ.
@Suite(.timed) struct LimitJudgeSpeedTests {
  @Test(arguments: LimitAlgorithm.concrete, [0, 1])
  func `a million requests on one key`(_ algorithm: LimitAlgorithm, _ excess: Int) {
    let count = SimulationSize.count(1_000_000, least: 20_000)
    var random = RandomSource(seed: 1)
    let allowance = 100
    let window = 10.0
    var limiter = LimiterModel(algorithm, allowance: allowance + excess, window: window, phase: 3)
    var log = LimitLog(start: Instant(nanoseconds: 0))
    log.operations = ["voteLaw"]
    log.identities = [ClientIdentity(sourceAddress: "", headers: [])]
    var requests: [(sent: Double, decided: Double, settled: Double)] = []
    var moment = 0.0
    for _ in 0..<count {
      moment += random.exponential(mean: window / Double(allowance) / 1.5)
      let decided = moment + 0.008 * random.uniform(0.5, 2)
      requests.append((moment, decided, decided + 0.008 * random.uniform(0.5, 2)))
    }
    var admitted = [Bool](repeating: false, count: count)
    for index in requests.indices.sorted(by: { requests[$0].decided < requests[$1].decided }) {
      admitted[index] = limiter.admits(at: requests[index].decided)
    }
    for (index, request) in requests.enumerated() {
      log.observations.append(
        LimitObservation(
          operation: 0, identity: 0, sent: Instant(nanoseconds: Int64(request.sent * 1e9)),
          answered: Instant(nanoseconds: Int64(request.settled * 1e9)), status: admitted[index] ? 200 : 429))
    }
    let policy = LimitPolicy(
      name: "*", operations: [], algorithm: algorithm, allowance: allowance, window: .seconds(window), key: .global,
      tick: .milliseconds(1))
    let clock = ContinuousClock()
    var verdict = LimitRow.Verdict.inconclusive
    let took = clock.measure {
      verdict =
        LimitJudge.judge(log: log, policies: [policy], options: LimitJudgeOptions(startsQuiet: true)).rows[0].verdict
    }
    print(
      "speed \(algorithm.rawValue), limit + \(excess): \(count) requests judged \(verdict.rawValue) in \(took.text)")
    #expect(verdict == (excess == 0 ? .consistent : .overAdmission) || excess == 1)
  }
}
