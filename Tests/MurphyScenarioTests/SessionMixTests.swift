import MurphyModel
import MurphyScenario
import Testing

@Suite struct SessionMixTests {
  @Test(arguments: [[60, 30, 10], [1, 1], [0.5, 99.5], [7, 11, 13, 2], [1]], [1, 99] as [UInt64])
  func `shares are exact in every period`(shares: [Double], seed: UInt64) {
    let mix = SessionMix(shares: shares, seed: seed)
    let period = mix.period.reduce(0, +)
    for round in 0..<20 {
      var counts = Array(repeating: 0, count: shares.count)
      for place in 0..<period { counts[mix.session(at: round * period + place)] += 1 }
      #expect(counts == mix.period, "seed \(seed), round \(round)")
    }
  }

  @Test func `shares converge`() {
    var random = RandomSource(seed: 0x5A4E)
    for _ in 0..<40 {
      let shares = (0...random.index(below: 6)).map { _ in 0.1 + random.unit() * 50 }
      let mix = SessionMix(shares: shares, seed: random.next())
      var counts = Array(repeating: 0.0, count: shares.count)
      for number in 0..<40_000 { counts[mix.session(at: number)] += 1 }
      for (count, share) in zip(counts, shares) {
        #expect(abs(count / 40_000 - share / shares.reduce(0, +)) < 0.002, "shares \(shares)")
      }
    }
  }

  @Test func `another seed gives another order`() {
    let tables = Set((0..<20).map { SessionMix(shares: [60, 30, 10], seed: $0).table })
    #expect(tables.count == 20)
  }
}
