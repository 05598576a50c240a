import MurphyJudge
import MurphyModel
import Testing

/// A wrong header is as severe as its harm to a client that obeys it.
@Suite struct HeaderHarmTests {
  @Test(arguments: [(0.001, Finding.Severity.warning), (0.999, .warning), (1, .error), (30, .error)])
  func `a wait is an error from a second on`(_ seconds: Double, _ severity: Finding.Severity) {
    #expect(HeaderHarm.severity(ofWaitWrongBy: seconds) == severity)
  }

  @Test func `a repeated number is an error only without requests in flight together`() {
    #expect(HeaderHarm.severity(ofRepeat: true) == .warning)
    #expect(HeaderHarm.severity(ofRepeat: false) == .error)
  }

  /// Four requests of 20 s are used up at 1 s; the requests after them have these times and headers.
  private func findings(_ rest: [(sent: Double, status: UInt16, headers: [HeaderField])]) -> [Finding] {
    var builder = LogBuilder()
    for index in 0..<4 {
      let sent = 1 + Double(index) * 0.1
      builder.add(sent, sent + 0.01, 200)
    }
    for one in rest { builder.add(one.sent, one.sent + 0.01, one.status, headers: one.headers) }
    let policy = HonestyTests.policy(.fixed, 4, 20, tick: 0.001)
    return LimitJudge.judge(log: builder.log, policies: [policy]).findings
      .filter { $0.kind != .limitNoRetryHint }
  }

  @Test func `a wait that is rounded down is a warning with its numbers`() throws {
    let found = findings([
      (18.5, 429, [HeaderField("retry-after", "2")]), (20.815, 429, [HeaderField("retry-after", "0")]),
      (21.1, 200, []),
    ])
    #expect(found.map(\.kind) == [.limitRetryAfterTooShort] && found.map(\.severity) == [.warning])
    let message = try #require(found.first?.message)
    #expect(message.hasSuffix("too short by at least 305 ms and at most 610 ms."), "\(message)")
  }

  @Test func `a wait that is a second too short is an error`() {
    let found = findings([
      (18.5, 429, [HeaderField("retry-after", "1")]), (20.815, 429, []), (21.1, 200, []),
    ])
    #expect(found.map(\.kind) == [.limitRetryAfterTooShort] && found.map(\.severity) == [.error])
  }

  @Test(arguments: [(4, Finding.Severity.warning), (5, .error)])
  func `a wait that is too long beyond rounding is a warning, and an error from a second on`(
    _ seconds: Int, _ severity: Finding.Severity
  ) {
    // Quota is available at 21.3 s at the latest.
    let found = findings([(18.5, 429, [HeaderField("retry-after", "\(seconds)")])])
    #expect(found.map(\.kind) == [.limitRetryAfterTooLong] && found.map(\.severity) == [severity])
  }

  @Test func `ends of a wait that are ever further apart are one error`() {
    let found = findings([
      (5, 429, [HeaderField("retry-after", "16")]), (6.2, 429, [HeaderField("retry-after", "16")]),
      (7.4, 429, [HeaderField("retry-after", "16")]),
    ])
    let drift = found.filter { $0.kind == .limitRetryAfterDrift }
    #expect(drift.map(\.severity) == [.error] && drift.map(\.count) == [2])
    #expect(drift.first?.message.contains("at 5 s and at 7.4 s") == true, "\(drift.map(\.message))")
  }

  @Test func `a consistent rejection after a proven drift is not counted again`() {
    func wait(_ seconds: Int) -> [HeaderField] { [HeaderField("retry-after", "\(seconds)")] }
    let found = findings([
      (5, 429, wait(16)), (6.2, 429, wait(16)), (7.2, 429, wait(14)), (8.2, 429, wait(13)), (9.2, 429, wait(12)),
    ])
    #expect(found.filter { $0.kind == .limitRetryAfterDrift }.map(\.count) == [1], "\(found.map(\.message))")
  }

  @Test(arguments: [(1.1, Finding.Severity.warning), (1.3, .error)])
  func `a number that two admissions leave is a warning if they were in flight together`(
    _ sent: Double, _ severity: Finding.Severity
  ) {
    let said = [
      HeaderField("x-ratelimit-limit", "4"), HeaderField("x-ratelimit-remaining", "2"),
      HeaderField("x-ratelimit-reset", "20"),
    ]
    var builder = LogBuilder()
    builder.add(1, 1.2, 200, headers: said)
    builder.add(sent, sent + 0.2, 200, headers: said)
    let policy = HonestyTests.policy(.fixed, 4, 20, tick: 0.001)
    let found = LimitJudge.judge(log: builder.log, policies: [policy]).findings
    #expect(found.map(\.kind) == [.limitRemainingRepeats] && found.map(\.severity) == [severity])
  }

  @Test(arguments: [(1, Finding.Severity.warning), (2, .error)])
  func `a rejection with a remainder is an error if the next request proves it`(
    _ rejections: Int, _ severity: Finding.Severity
  ) {
    let said = [HeaderField("x-ratelimit-remaining", "3"), HeaderField("retry-after", "16")]
    let found = findings((0..<rejections).map { (5 + Double($0) * 0.1, 429, said) })
    #expect(found.map(\.kind) == [.limitRemainingImpossible] && found.map(\.severity) == [severity])
  }
}
