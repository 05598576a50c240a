import MurphyJudge
import MurphyModel
import Simulation
import Testing

/// A limit that several machines used together, whose clocks are known between two bounds (docs/scale.md,
/// Clocks): each request lies between its send moved by the lower bound and its response moved by the upper one.
@Suite struct ShardedClockTests {
  private static let seed: UInt64 = 1412

  private struct Clock {
    /// The true time minus what the machine shows, seconds, and between what it is known to lie.
    var offset: Double
    var low: Double
    var high: Double
  }

  private static func clocks(_ count: Int, width: Double, _ random: inout RandomSource) -> [Clock] {
    (0..<count).map { _ in
      let offset = random.uniform(-20, 20)
      let place = random.unit()
      return Clock(offset: offset, low: offset - width * place, high: offset + width * (1 - place))
    }
  }

  /// As the merge puts the requests of all machines on one clock; with `isNaive` as each machine's clock shows them.
  private static func trace(
    _ traffic: SimulatedTraffic, _ admitted: [Bool], _ clocks: [Clock], isNaive: Bool = false,
    _ random: inout RandomSource
  ) -> LimitTrace {
    LimitTrace(
      traffic.requests.indices.map { index in
        let request = traffic.requests[index]
        let clock = clocks[Int(random.unit() * Double(clocks.count))]
        let error = isNaive ? (clock.offset - (clock.low + clock.high) / 2) : nil
        return LimitTrace.Request(
          sent: request.sent - (error ?? (clock.offset - clock.low)),
          settled: request.settled - (error ?? (clock.offset - clock.high)),
          role: admitted[index] ? .certain : .refused, id: index)
      })
  }

  @Test(arguments: LimitAlgorithm.concrete, [0.001, 0.01, 0.05, 0.2])
  func `a conforming limiter is never accused, however badly clocks are known`(
    _ algorithm: LimitAlgorithm, _ share: Double
  ) {
    var random = RandomSource(seed: Self.seed, stream: UInt64(algorithm.rawValue.count) + UInt64(share * 1000))
    let logs = SimulationSize.count(600, part: 1)
    var (alarms, naive) = (0, 0)
    for _ in 0..<logs {
      let (allowance, window) = random.terms()
      let traffic = SimulatedTraffic(allowance: allowance, window: window, &random)
      var limiter = LimiterModel(algorithm, allowance: allowance, window: window, phase: random.uniform(0, window))
      let admitted = traffic.decisions { limiter.admits(at: $0) }
      let terms = LimitTerms(allowance: allowance, window: window)
      let clocks = Self.clocks(2 + Int(random.unit() * 4), width: 2 * share * window, &random)
      func isAccused(_ trace: LimitTrace) -> Bool {
        !LimitCheck.outcome(of: trace, algorithm: algorithm, terms: terms).isConsistent
      }
      if isAccused(Self.trace(traffic, admitted, clocks, &random)) { alarms += 1 }
      if isAccused(Self.trace(traffic, admitted, clocks, isNaive: true, &random)) { naive += 1 }
    }
    print(
      "clocks \(algorithm.rawValue) ± \(share) of a window: \(alarms) false alarms, \(naive) without bounds, of \(logs)"
    )
    #expect(alarms == 0)
    if share >= 0.05 { #expect(naive > 0, "the bounds are what keeps it silent") }
  }

  /// What clocks that are known to a hundredth of the window cost: nothing that shows.
  @Test func `a limiter that admits one too many is found as by one machine`() {
    var random = RandomSource(seed: Self.seed + 1)
    let logs = SimulationSize.count(600, part: 1)
    var (alone, together) = (0, 0)
    for _ in 0..<logs {
      let (allowance, window) = random.terms()
      let traffic = SimulatedTraffic(allowance: allowance, window: window, &random)
      var limiter = LimiterModel(
        .slidingLog, allowance: allowance + max(allowance / 10, 1), window: window, phase: random.uniform(0, window))
      let admitted = traffic.decisions { limiter.admits(at: $0) }
      let terms = LimitTerms(allowance: allowance, window: window)
      func isFound(_ width: Double, _ machines: Int) -> Bool {
        let trace = Self.trace(traffic, admitted, Self.clocks(machines, width: width, &random), &random)
        return !LimitCheck.outcome(of: trace, algorithm: .slidingLog, terms: terms).isConsistent
      }
      if isFound(0, 1) { alone += 1 }
      if isFound(0.02 * window, 3) { together += 1 }
    }
    print(
      "10 % too many: found in \(alone) of \(logs) by one machine, in \(together) by three whose clocks are known to 1 %"
    )
    #expect(alone > logs / 2 && Double(together) > 0.9 * Double(alone))
  }
}
