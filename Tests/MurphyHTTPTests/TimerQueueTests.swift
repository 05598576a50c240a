import MurphyHTTP
import MurphyModel
import Testing

@Suite struct TimerQueueTests {
  @Test(arguments: 0..<50) func `deadlines fire in order, once, and not when taken back`(_ seed: UInt64) {
    var random = RandomSource(seed: seed)
    var queue = TimerQueue()
    let target = Target()
    var expected: [Int64] = []
    var tokens: [(deadline: Int64, token: TimerQueue.Token)] = []
    for _ in 0..<Int.random(in: 1...200, using: &random) {
      let deadline = Int64.random(in: 0...1000, using: &random)
      tokens.append((deadline, queue.set(Instant(nanoseconds: deadline), .fire(target))))
    }
    for (deadline, token) in tokens {
      if Bool.random(using: &random) {
        queue.cancel(token)
        queue.cancel(token)
      } else {
        expected.append(deadline)
      }
    }
    var fired: [Int64] = []
    for now in stride(from: Int64(0), through: 1000, by: 10) {
      while let action = queue.popDue(Instant(nanoseconds: now)) {
        if case .fire(let target) = action { target.timerFired(Instant(nanoseconds: now)) }
        fired.append(now)
      }
    }
    #expect(fired == expected.sorted().map { ($0 + 9) / 10 * 10 }, "seed \(seed)")
    #expect(queue.next == nil)
    #expect(target.count == expected.count)
  }
}

private final class Target: TimerTarget {
  var count = 0
  func timerFired(_ now: Instant) { count += 1 }
}
