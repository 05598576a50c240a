import MurphyJudge
import MurphyModel
import Simulation
import TestSupport
import Testing

/// A million requests on one key, as `sim_conformance.py speed` has them. Printed, not asserted: machines differ.
@Suite struct LimitJudgeSpeedTests {
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

  /// What the strength of a limit costs beside its verdict: 100,000 requests on 200 keys.
  @Test(arguments: LimitAlgorithm.concrete + [.any], [0.4, 1.5])
  func `the strength of a long log`(_ algorithm: LimitAlgorithm, _ load: Double) {
    let count = SimulationSize.count(100_000, least: 10_000)
    var random = RandomSource(seed: 2)
    var builder = LogBuilder()
    var limiters: [LimiterModel] = (0..<200).map { _ in LimiterModel(algorithm, allowance: 30, window: 10, phase: 3) }
    var moment = 0.0
    for _ in 0..<count {
      moment += random.exponential(mean: 10.0 / 30 / load / 200)
      let key = Int(random.next() % 200)
      let isAdmitted = limiters[key].admits(at: moment + 0.008)
      builder.add(moment, moment + 0.016, isAdmitted ? 200 : 429, device: "device-\(key)")
    }
    let policy = LimitPolicy(
      name: "voteLaw", operations: ["voteLaw"], algorithm: algorithm, allowance: 30, window: .seconds(10),
      key: .header("x-device-id"), tick: .milliseconds(1))
    var options = LimitJudgeOptions(startsQuiet: true, sharesClock: true)
    let clock = ContinuousClock()
    let plain = clock.measure { _ = LimitJudge.judge(log: builder.log, policies: [policy], options: options) }
    options.measuresStrength = true
    var row: LimitRow?
    let whole = clock.measure {
      row = LimitJudge.judge(log: builder.log, policies: [policy], options: options).rows.first
    }
    print(
      "strength \(algorithm.rawValue), load \(load): \(count) requests judged in \(plain.text), with strength in \(whole.text): "
        + (row?.strength?.mutants.map { "\($0.limiter.rawValue) \($0.exposure.rawValue)" }.joined(separator: ", ") ?? "")
    )
    #expect(row?.strength?.keys ?? 0 > 0)
  }
}
