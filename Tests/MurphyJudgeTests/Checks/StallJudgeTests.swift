import MurphyJudge
import MurphyModel
import Testing

/// A target that stands still and then answers everything late.
@Suite struct StallJudgeTests {
  private static func stalls(_ target: SimulatedTarget, _ change: (inout RunRecord) -> Void = { _ in }) -> [Stall] {
    var record = target.record()
    change(&record)
    return StallJudge.stalls(in: record, besides: OutageJudge.outages(in: record))
  }

  /// Responses nothing from 4 s to 10 s, and then all that waited.
  private static func frozen(_ rate: Double = 20) -> SimulatedTarget {
    SimulatedTarget(rate: rate, answering: { _, sent in sent < 3.95 || sent >= 10 ? 0.05 : 10 - sent + 0.01 })
  }

  @Test func `a freeze is one warning with its stretch and what waited`() throws {
    let stalls = Self.stalls(Self.frozen())
    #expect(stalls.count == 1)
    let finding = try #require(StallJudge.finding(stalls))
    #expect(finding.kind == .transportStalled && finding.severity == .warning && finding.operation == nil)
    #expect(finding.message == "no responses from 4 s to 10 s: 122 requests waited and were answered afterwards")
    #expect(finding.count == 1)
  }

  @Test func `requests that failed are told apart, and an outage is not told twice`() {
    var target = Self.frozen()
    target.loss = { index, _ in index == 90 || index == 95 ? (.transportTimeout, 8) : nil }
    let stalls = Self.stalls(target)
    #expect(stalls.map(\.answered) == [120] && stalls.map(\.failed) == [2])
    #expect(StallJudge.finding(stalls)?.message.hasSuffix("answered afterwards, 2 more waited and failed") == true)
    target.loss = { _, sent in (4..<6).contains(sent) ? (.transportTimeout, 3) : nil }
    let record = target.record()
    #expect(OutageJudge.outages(in: record).count == 1)
    #expect(Self.stalls(target).isEmpty)
  }

  @Test func `several freezes are one finding that names them`() {
    let target = SimulatedTarget(
      rate: 40, length: 30,
      answering: { _, sent in
        let phase = sent.truncatingRemainder(dividingBy: 10)
        return (5..<7).contains(phase) ? 7 - phase + 0.01 : 0.02
      })
    let finding = StallJudge.finding(Self.stalls(target))
    #expect(finding?.count == 3)
    #expect(
      finding?.message.hasPrefix("no responses from 5 s to 7 s, from 15 s to 17 s and from 25 s to 27 s: ") == true)
    #expect(finding?.details.count == 3)
  }

  @Test func `a pause of murphy itself is none`() {
    #expect(Self.stalls(Self.frozen()) { $0.responses.absences = [Absence(from: 4.02, until: 9.99)] }.isEmpty)
    // Of a longer freeze the part is told in which murphy was there.
    let told = Self.stalls(Self.frozen()) { $0.responses.absences = [Absence(from: 3.9, until: 6)] }
    #expect(told.map(\.from) == [6])
  }

  @Test func `a quiet load, slow operations and single slow requests are none`() {
    // Nothing was asked for three seconds.
    #expect(Self.stalls(SimulatedTarget(rate: 1.0 / 3, length: 60)).isEmpty)
    // Two responses a second that take eight seconds by nature.
    #expect(Self.stalls(SimulatedTarget(rate: 2, length: 60, service: 8)).isEmpty)
    // One request in flight at a time, of which one takes long.
    #expect(
      Self.stalls(SimulatedTarget(rate: 0.5, length: 60, answering: { index, _ in index == 9 ? 1.9 : 0.05 })).isEmpty)
    // Two that are slow together may be chance.
    #expect(
      Self.stalls(
        SimulatedTarget(rate: 2, length: 60, answering: { index, _ in [60, 61].contains(index) ? 1.2 : 0.05 })
      )
      .isEmpty)
  }

  @Test(arguments: 1...200 as ClosedRange<UInt64>) func `responses that take long by chance are none`(seed: UInt64) {
    // From few requests at a time to many, most of them fast and some slow, each by itself.
    var random = RandomSource(seed: seed)
    let rate = 0.5 + 8 * random.unit()
    let slow = 0.02 + 0.5 * random.unit()
    let services = (0..<1200).map { _ in random.unit() < slow ? 0.2 + 3 * random.unit() : 0.01 + 0.2 * random.unit() }
    let target = SimulatedTarget(rate: rate, length: 120, answering: { index, _ in services[index] })
    #expect(Self.stalls(target).isEmpty, "seed \(seed), \(rate)/s, share of slow ones \(slow)")
  }
}
