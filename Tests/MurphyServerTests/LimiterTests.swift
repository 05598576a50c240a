import MurphyServer
import Testing

/// The five algorithms on a clock of the test's own: no sleep, no network.
@Suite struct LimiterTests {
  private static let window: Int64 = 1_000_000_000

  private func rule(_ algorithm: LimiterAlgorithm, allowance: Int, burst: Int? = nil) -> LimiterRule {
    LimiterRule(algorithm: algorithm, allowance: allowance, window: Self.window, burst: burst)
  }

  /// Bursts and pauses, as nanoseconds in ascending order.
  private func arrivals(_ seed: UInt64) -> [Int64] {
    var numbers = TestNumbers(seed: seed)
    var now: Int64 = 10 * Self.window
    return (0..<400).map { _ in
      now += numbers.below(6) == 0 ? Int64(numbers.below(Int(Self.window))) : Int64(numbers.below(20_000_000))
      return now
    }
  }

  @Test(arguments: LimiterAlgorithm.allCases, 1...20)
  func `a rejected request is told the exact instant of its admission`(algorithm: LimiterAlgorithm, seed: Int) {
    let limiter = Limiter(rule: rule(algorithm, allowance: 1 + seed % 7))
    for now in arrivals(UInt64(seed)) {
      let decision = limiter.admit("key", at: now)
      if decision.isAdmitted { continue }
      let before = limiter.peek("key", at: now + decision.wait - 1)
      let after = limiter.peek("key", at: now + decision.wait)
      #expect(!before.isAdmitted && after.isAdmitted, "\(algorithm), seed \(seed): at \(now), wait \(decision.wait)")
    }
  }

  @Test(arguments: 1...20)
  func `the sliding log admits what its definition admits`(seed: Int) {
    let limiter = Limiter(rule: rule(.slidingLog, allowance: 5))
    var admitted: [Int64] = []
    for now in arrivals(UInt64(seed)) {
      let expected = admitted.count { $0 > now - Self.window } < 5
      #expect(limiter.admit("key", at: now).isAdmitted == expected, "seed \(seed)")
      if expected { admitted.append(now) }
    }
  }

  @Test(arguments: 1...20)
  func `the fixed window admits what its definition admits`(seed: Int) {
    let limiter = Limiter(rule: rule(.fixed, allowance: 5))
    var (start, count) = (Int64.min / 2, 0)
    for now in arrivals(UInt64(seed)) {
      if now >= start + Self.window { (start, count) = (now, 0) }
      #expect(limiter.admit("key", at: now).isAdmitted == (count < 5), "seed \(seed)")
      if count < 5 { count += 1 }
    }
  }

  @Test(arguments: 1...20)
  func `the aligned window admits what its definition admits`(seed: Int) {
    let limiter = Limiter(rule: rule(.fixedAligned, allowance: 5))
    var counts: [Int64: Int] = [:]
    for now in arrivals(UInt64(seed)) {
      let expected = counts[now / Self.window, default: 0] < 5
      #expect(limiter.admit("key", at: now).isAdmitted == expected, "seed \(seed)")
      if expected { counts[now / Self.window, default: 0] += 1 }
    }
  }

  @Test(arguments: 1...20)
  func `the sliding counter admits below the weighted sum of two windows`(seed: Int) {
    let limiter = Limiter(rule: rule(.slidingCounter, allowance: 5))
    var counts: [Int64: Int] = [:]
    for now in arrivals(UInt64(seed)) {
      let index = now / Self.window
      let passed = Double(now % Self.window) / Double(Self.window)
      let estimate = Double(counts[index - 1, default: 0]) * (1 - passed) + Double(counts[index, default: 0])
      #expect(limiter.admit("key", at: now).isAdmitted == (estimate < 5), "seed \(seed)")
      if estimate < 5 { counts[index, default: 0] += 1 }
    }
  }

  @Test(arguments: 1...20)
  func `the token bucket admits while its level is one or more`(seed: Int) {
    let limiter = Limiter(rule: rule(.tokenBucket, allowance: 5, burst: 8))
    // The level in units of one nanosecond's refill, so that it is exact.
    let token = Self.window / 5
    var (level, last): (Int64, Int64) = (8 * token, 0)
    for now in arrivals(UInt64(seed)) {
      level = min(8 * token, level + (now - last))
      last = now
      #expect(limiter.admit("key", at: now).isAdmitted == (level >= token), "seed \(seed)")
      if level >= token { level -= token }
    }
  }

  @Test(arguments: LimiterAlgorithm.allCases)
  func `what remains is what is admitted next`(algorithm: LimiterAlgorithm) {
    let limiter = Limiter(rule: rule(algorithm, allowance: 7))
    let now = 20 * Self.window + Self.window / 3
    for expected in (0..<7).reversed() { #expect(limiter.admit("key", at: now).remaining == expected) }
    let refused = limiter.admit("key", at: now)
    #expect(!refused.isAdmitted && refused.remaining == 0 && refused.wait > 0)
    #expect(limiter.admit("other", at: now).isAdmitted)
  }

  @Test(arguments: LimiterAlgorithm.allCases, 1...10)
  func `more remains at the instant of the reset, and not before`(algorithm: LimiterAlgorithm, seed: Int) {
    let limiter = Limiter(rule: rule(algorithm, allowance: 2 + seed % 7))
    for now in arrivals(UInt64(seed)) {
      let decision = limiter.admit("key", at: now)
      // A full counter has no more to give.
      guard decision.reset > 1 else { continue }
      let before = limiter.peek("key", at: now + decision.reset - 1).remaining
      let after = limiter.peek("key", at: now + decision.reset).remaining
      #expect(before == decision.remaining && after > before, "\(algorithm), seed \(seed), at \(now)")
    }
  }

  @Test(arguments: LimiterAlgorithm.allCases)
  func `looking and counting are one step, however many ask at once`(algorithm: LimiterAlgorithm) async {
    let limiter = Limiter(rule: rule(algorithm, allowance: 100))
    let now = 30 * Self.window + 1
    let admitted = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<8 {
        group.addTask { (0..<50).count { _ in limiter.admit("key", at: now).isAdmitted } }
      }
      return await group.reduce(0, +)
    }
    #expect(admitted == 100)
  }

  @Test func `idle keys are forgotten without changing a decision`() {
    let limiter = Limiter(rule: rule(.fixed, allowance: 1))
    for client in 0..<20_000 {
      let now = Int64(client) * Self.window / 1000
      #expect(limiter.admit("client \(client)", at: now).isAdmitted)
      #expect(!limiter.admit("client \(client)", at: now).isAdmitted)
    }
    #expect(limiter.keyCount < 10_000)
  }
}
