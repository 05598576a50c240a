import MurphyModel
import MurphyScenario
import Testing

/// Laws of the arrivals, over drawn stages.
@Suite struct ArrivalClockTests {
  private static let seeds: [UInt64] = Array(1...60)

  private static func stages(_ random: inout RandomSource) -> [ArrivalStage] {
    (0...random.index(below: 4)).map { _ in
      let rates = (0..<2).map { _ in random.index(below: 4) == 0 ? 0 : random.unit() * 300 }
      return ArrivalStage(
        from: Rate(perSecond: rates[0]), to: Rate(perSecond: random.index(below: 3) == 0 ? rates[0] : rates[1]),
        duration: .milliseconds(1 + random.index(below: 20_000)))
    }
  }

  /// Λ(t) by the formula of the area, stage by stage.
  private static func integral(_ stages: [ArrivalStage], _ nanoseconds: Int64) -> Double {
    var left = Double(nanoseconds) / 1e9
    var sum = 0.0
    for stage in stages {
      let length = stage.duration.inSeconds
      let t = min(max(left, 0), length)
      sum += stage.from.perSecond * t + (stage.to.perSecond - stage.from.perSecond) * t * t / (2 * length)
      left -= length
    }
    return sum
  }

  @Test(arguments: seeds) func `arrival k falls where the integral of the rate reaches k`(seed: UInt64) {
    var random = RandomSource(seed: seed)
    let stages = Self.stages(&random)
    let clock = ArrivalClock(stages: stages)
    let total = stages.reduce(0) { $0 + $1.arrivals }
    #expect(abs(Double(clock.count) - total) <= 1, "seed \(seed): \(clock.count) arrivals for \(total)")
    var last: Int64 = 0
    for index in stride(from: 0, to: clock.count, by: max(clock.count / 500, 1)) {
      let due = clock.due(index)
      #expect(due >= last, "seed \(seed): arrival \(index) comes before the one before it")
      #expect(abs(Self.integral(stages, due) - Double(index)) < 1e-3, "seed \(seed): arrival \(index) at \(due) ns")
      last = due
    }
  }

  @Test func `errors never add up`() {
    let clock = ArrivalClock(stages: [.hold(Rate(perSecond: 3), for: .seconds(1_000_000))])
    #expect(clock.count == 3_000_000)
    #expect(clock.due(2_999_999) == 999_999_666_666_667)
  }

  @Test func `nobody arrives in a pause`() {
    let clock = ArrivalClock(stages: [
      .hold(Rate(perSecond: 0), for: .seconds(2)), .hold(Rate(perSecond: 10), for: .seconds(1)),
      .hold(Rate(perSecond: 0), for: .seconds(5)), .hold(Rate(perSecond: 10), for: .seconds(1)),
    ])
    let times = (0..<clock.count).map { Double(clock.due($0)) / 1e9 }
    #expect(times.count == 20)
    #expect(times.allSatisfy { (2..<3).contains($0) || (8..<9).contains($0) })
  }

  @Test func `the designs load brings seven hundred sessions`() {
    let clock = ArrivalClock(stages: [
      ArrivalStage(from: Rate(perSecond: 0), to: Rate(perSecond: 20), duration: .seconds(10)),
      .hold(Rate(perSecond: 20), for: .seconds(30)),
    ])
    #expect(clock.count == 700)
    #expect(clock.due(0) == 0)
    #expect(clock.due(100) == 10_000_000_000)
    #expect(clock.due(102) == 10_100_000_000)
  }

  @Test(arguments: [1, 2, 3] as [UInt64]) func `poisson arrivals are as many and as irregular as they should`(
    seed: UInt64
  ) {
    let clock = ArrivalClock(
      stages: [.hold(Rate(perSecond: 100), for: .seconds(100))], pattern: .poisson, seed: seed)
    #expect(abs(Double(clock.count) - 10_000) < 400, "seed \(seed): \(clock.count) arrivals")
    let gaps = (1..<clock.count).map { Double(clock.due($0) - clock.due($0 - 1)) / 1e9 }
    let mean = gaps.reduce(0, +) / Double(gaps.count)
    let variance = gaps.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(gaps.count)
    // An exponential's deviation is its mean.
    #expect(abs(variance.squareRoot() / mean - 1) < 0.06, "seed \(seed)")
  }
}
