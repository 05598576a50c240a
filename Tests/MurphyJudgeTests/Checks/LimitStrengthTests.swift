import Foundation
import MurphyJudge
import MurphyModel
import Simulation
import Testing

/// What a kept limit is said to be worth, against wrong limiters that really stand there (docs/strength.md §4).
@Suite struct LimitStrengthTests {
  typealias Wrong = LimitStrength.WrongLimiter

  /// One scenario: who asks when, at which policy.
  struct Traffic {
    var policy: LimitPolicy
    var sends: [(sent: Double, key: Int, client: Int)] = []
    var span: Double

    init(_ random: inout RandomSource) {
      let algorithm = LimitAlgorithm.concrete[Int(random.next() % 5)]
      let allowance = 3 + Int(random.next() % 18)
      let window = random.uniform(2, 20)
      policy = LimitPolicy(
        name: "voteLaw", operations: ["voteLaw"], algorithm: algorithm, allowance: allowance, window: .seconds(window),
        key: .header("x-device-id"), tick: .milliseconds(1))
      span = window
      for key in 0...Int(random.next() % 3) {
        let clients = 1 + Int(random.next() % 3)
        var moment = random.uniform(0, window)
        for _ in 0...Int(random.next() % 4) {
          let count = Int(Double(allowance) * random.uniform(0.4, 2.2)) + 1
          let gap = random.unit() < 0.6 ? 0.002 : window / Double(allowance) * random.uniform(0.2, 0.9)
          for _ in 0..<count {
            sends.append((moment, key, Int(random.next() % UInt64(clients))))
            moment += gap
          }
          moment += random.uniform(0.05, 1.3) * window
        }
      }
      sends.sort { $0.sent < $1.sent }
    }

    /// The log of one run at a limiter.
    func log(_ random: inout RandomSource, _ admits: (_ send: Int, _ decided: Double) -> Bool) -> LimitLog {
      var builder = LogBuilder()
      let rides = sends.map { send -> (decided: Double, settled: Double) in
        let decided = send.sent + 0.004 * exp(0.5 * random.normal())
        return (decided, decided + 0.004 * exp(0.5 * random.normal()))
      }
      var admitted = [Bool](repeating: false, count: sends.count)
      for index in sends.indices.sorted(by: { rides[$0].decided < rides[$1].decided }) {
        admitted[index] = admits(index, rides[index].decided)
      }
      for (index, send) in sends.enumerated() {
        let identity = builder.identity("device-\(send.key)", address: "127.0.0.\(1 + send.client)")
        builder.log.observations.append(
          LimitObservation(
            operation: 0, identity: identity, sent: builder.log.start + Int64(send.sent * 1e9),
            answered: builder.log.start + Int64(rides[index].settled * 1e9), status: admitted[index] ? 200 : 429))
      }
      return builder.log
    }
  }

  static func judge(_ log: LimitLog, _ policy: LimitPolicy, strength: Bool) -> LimitRow {
    var options = LimitJudgeOptions(startsQuiet: true, sharesClock: true)
    options.measuresStrength = strength
    return LimitJudge.judge(log: log, policies: [policy], options: options).rows[0]
  }

  /// The real limiter, or a wrong one, written apart from the judge's.
  static func limiter(
    _ wrong: Wrong?, _ traffic: Traffic, _ random: inout RandomSource
  ) -> (_ send: Int, _ decided: Double) -> Bool {
    let policy = traffic.policy
    let window = traffic.span
    let phase = random.uniform(0, window)
    func model(_ allowance: Int, _ window: Double, _ algorithm: LimitAlgorithm = policy.algorithm) -> LimiterModel {
      LimiterModel(
        algorithm, allowance: allowance, window: window, phase: phase, countsRefused: wrong == .refusedCounted)
    }
    let made =
      switch wrong {
      case .allowanceLess: model(policy.allowance - 1, window)
      case .allowanceMore: model(policy.allowance + 1, window)
      case .windowShorter: model(policy.allowance, 0.7 * window)
      case .windowLonger: model(policy.allowance, 1.5 * window)
      case .neverResets: model(policy.allowance, 1e9, .fixed)
      case .noLimiter: model(1_000_000, window)
      case .aligned: model(policy.allowance, window, .fixedAligned)
      default: model(policy.allowance, window)
      }
    let workers = wrong == .twoWorkers ? 2 : wrong == .fourWorkers ? 4 : 1
    var routing = RandomSource(seed: random.next())
    var counters: [[Int]: LimiterModel] = [:]
    return { send, decided in
      let (_, key, client) = traffic.sends[send]
      let counter = [
        wrong == .keyTooCoarse ? 0 : key, wrong == .keyTooFine ? client : 0, Int(routing.next() % UInt64(workers)),
      ]
      return counters[counter, default: made].admits(at: decided)
    }
  }

  @Test func `a wrong limiter that surely shows is found, and one that cannot show is not`() {
    let seed: UInt64 = 4
    var random = RandomSource(seed: seed)
    var found: [LimitStrength.Exposure: (found: Int, of: Int)] = [:]
    var byLimiter: [String: Int] = [:]
    var (logs, pairs) = (0, 0)
    let least = SimulationSize.count(20_000, least: 1_000, part: 0.05)
    while pairs < least {
      let traffic = Traffic(&random)
      let honest = traffic.log(&random, Self.limiter(nil, traffic, &random))
      let row = Self.judge(honest, traffic.policy, strength: true)
      #expect(row.verdict == .consistent || row.verdict == .inconclusive, "a false alarm")
      guard let strength = row.strength else {
        Issue.record("a limit that nothing contradicts has no strength")
        continue
      }
      logs += 1
      for mutant in strength.mutants where mutant.limiter != .refusedCounted || traffic.policy.algorithm == .slidingLog
      {
        let planted = traffic.log(&random, Self.limiter(mutant.limiter, traffic, &random))
        let isFound = ![.consistent, .inconclusive].contains(
          Self.judge(planted, traffic.policy, strength: false).verdict)
        var entry = found[mutant.exposure] ?? (0, 0)
        entry.found += isFound ? 1 : 0
        entry.of += 1
        found[mutant.exposure] = entry
        if isFound != (mutant.exposure == .surely), mutant.exposure != .perhaps {
          byLimiter["\(mutant.limiter.rawValue) said \(mutant.exposure.rawValue)", default: 0] += 1
        }
        pairs += 1
      }
    }
    let table = found.map { "\($0.key.rawValue): \($0.value.found) of \($0.value.of)" }.sorted().joined(separator: ", ")
    print("exposure, seed \(seed), \(logs) logs, \(pairs) pairs: planted and found: \(table); wrong: \(byLimiter)")
    let (surely, not) = (found[.surely] ?? (0, 0), found[.not] ?? (0, 0))
    #expect(Double(surely.found) >= 0.95 * Double(surely.of) && surely.of > 100)
    #expect(Double(not.found) <= 0.05 * Double(not.of) && not.of > 100)
  }

  @Test func `the range that fits holds the limiter that is really there`() {
    let seed: UInt64 = 5
    var random = RandomSource(seed: seed)
    var (logs, outside, exact, unbounded) = (0, 0, 0, 0)
    let wanted = SimulationSize.count(2_000, least: 60, part: 0.03)
    for _ in 0..<10 * wanted where logs < wanted {
      var traffic = Traffic(&random)
      let declared = traffic.policy
      // A limiter that is declared nearly right, or quite right.
      var truth = declared
      let draw = random.next() % 3
      if draw == 0 { truth.allowance = max(1, declared.allowance + Int(random.next() % 5) - 2) }
      if draw == 1 { truth.window = .saturating(seconds: traffic.span * random.uniform(0.7, 1.5)) }
      traffic.policy = truth
      traffic.span = truth.window.inSeconds
      let log = traffic.log(&random, Self.limiter(nil, traffic, &random))
      guard let strength = Self.judge(log, declared, strength: true).strength else { continue }
      logs += 1
      func holds(_ range: LimitStrength.Range, _ value: Double) -> Bool {
        range.low <= value && value <= range.high ?? .infinity
      }
      let isHeld =
        draw == 1
        ? holds(strength.windows, truth.window.inSeconds) : holds(strength.allowances, Double(truth.allowance))
      if !isHeld {
        outside += 1
        print("outside:", declared.text, "really", truth.text, strength.allowances, strength.windows)
      }
      if strength.allowances.high == strength.allowances.low { exact += 1 }
      if strength.allowances.high == nil { unbounded += 1 }
    }
    print(
      "fit, seed \(seed): \(logs) logs, truth outside the range \(outside), allowance exact \(exact), unbounded \(unbounded)"
    )
    #expect(outside == 0)
    #expect(logs == wanted && exact > logs / 10)
  }

  @Test func `a limit that was never reached says so`() throws {
    var builder = LogBuilder()
    for index in 0..<12 { builder.add(Double(index), Double(index) + 0.01, 200) }
    let policy = LimitPolicy(
      name: "voteLaw", operations: ["voteLaw"], algorithm: .fixed, allowance: 30, window: .seconds(60),
      key: .header("x-device-id"))
    let strength = try #require(Self.judge(builder.log, policy, strength: true).strength)
    #expect(strength.allowances == LimitStrength.Range(low: 12, high: nil))
    #expect(strength.windows.high == nil)
    #expect(strength.exposures(.not).contains(.noLimiter))
    #expect(strength.exposures(.surely).isEmpty)
  }
}
