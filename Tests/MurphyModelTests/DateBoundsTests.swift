import MurphyModel
import Testing

/// What the dates of responses say of a clock, on servers whose clock is known.
@Suite struct DateBoundsTests {
  /// - Parameters: seconds.
  ///   - staleness: how late the server makes its date anew, at most.
  private func bound(
    offset: Double, staleness: Double, answers: Int, drift: Double = 0, _ random: inout RandomSource
  ) -> ClockBound? {
    var bounds = DateBounds()
    for index in 0..<answers {
      let sent = 1_795_500_000 + Double(index) * 0.037 + random.unit() * 0.01
      let ride = 0.001 + random.unit() * 0.015
      let answered = sent + ride
      let decided = sent + ride * random.unit()
      let server = decided + offset + drift * Double(index) * 0.037
      bounds.add(date: (server - random.unit() * staleness).rounded(.down), sent: sent, answered: answered)
    }
    return bounds.bound
  }

  @Test(arguments: [0, 0.02], [30, 300, 3_000])
  func `the truth lies within the bounds`(staleness: Double, answers: Int) throws {
    var random = RandomSource(seed: 5)
    var widths: [Double] = []
    for _ in 0..<300 {
      let offset = (random.unit() - 0.5) * 100
      let bound = try #require(bound(offset: offset, staleness: staleness, answers: answers, &random))
      #expect(bound.low <= offset && offset <= bound.high)
      widths.append(bound.width)
    }
    widths.sort()
    print("staleness \(staleness) s, \(answers) answers: median width \(widths[150]) s")
    #expect(widths[150] < (answers >= 300 ? 0.08 : 0.5))
  }

  /// A date that is made anew by a timer of its own, once a second: the usual allowance does not hold, a whole second does.
  @Test func `a stale date widens the bounds`() {
    var random = RandomSource(seed: 6)
    for _ in 0..<300 {
      let offset = (random.unit() - 0.5) * 100
      guard let bound = bound(offset: offset, staleness: 1, answers: 1_000, &random) else { continue }
      #expect(bound.low <= offset && offset <= bound.high + 1e-9)
    }
  }

  @Test func `several clocks behind one name are no clock`() {
    var bounds = DateBounds()
    for index in 0..<100 {
      let sent = 1_795_500_000 + Double(index)
      bounds.add(date: (sent + (index.isMultiple(of: 2) ? 0 : 10)).rounded(.down), sent: sent, answered: sent + 0.01)
    }
    #expect(bounds.bound == nil)
    #expect(DateBounds().bound == nil)
  }
}
