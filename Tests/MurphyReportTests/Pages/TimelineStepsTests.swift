import MurphyModel
import MurphyReport
import Testing

@Suite("Timeline in steps")
struct TimelineStepsTests {
  private func timeline(_ seconds: Int) -> [TimelinePoint] {
    (0..<seconds).map { second in
      var point = TimelinePoint(second: second)
      point.sent = 100
      point.p99 = second == 4_321 ? .seconds(9) : .milliseconds(1)
      point.users = second
      return point
    }
  }

  @Test func `a long run is drawn in few steps, and no spike is lost`() {
    let steps = TimelineSteps(timeline(10_000))
    #expect(steps.steps.count <= 240)
    #expect(steps.steps.compactMap(\.p99).max() == .seconds(9))
    #expect(steps.steps.map(\.users).max() == 9_999)
  }

  @Test func `rates are means over the seconds of a step, also over the shorter last one`() {
    let steps = TimelineSteps(timeline(1_000))
    #expect(steps.width == 5)
    #expect(steps.steps.allSatisfy { $0.sent == 100 })
    #expect(TimelineSteps(timeline(7), atMost: 2).steps.map(\.sent) == [100, 100])
  }

  @Test func `a run without a second has no steps`() { #expect(TimelineSteps([]).steps.isEmpty) }
}
