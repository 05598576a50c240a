import MurphyJudge
import MurphyModel
import Testing

/// Where several limits count an operation, the report says which of them made how many rejections.
@Suite struct RejectionCauseTests {
  private static let policies = [
    LimitPolicy(
      name: "device", operations: ["voteLaw"], algorithm: .fixed, allowance: 10, window: .seconds(60),
      key: .header("X-Device-ID"), tick: .milliseconds(1)),
    LimitPolicy(
      name: "everybody", operations: ["voteLaw"], algorithm: .fixed, allowance: 25, window: .seconds(60), key: .global,
      tick: .milliseconds(1)),
  ]

  /// Three devices send 12 requests each: the limit of devices ends the first two, the limit of all clients the third.
  private static func rows(sendingHeaders: Bool) -> [LimitRow] {
    var builder = LogBuilder()
    builder.drawsDevices = true
    var all = 0
    for device in 1...3 {
      var own = 0
      for number in 0..<12 {
        let isAdmitted = own < 10 && all < 25
        if isAdmitted { (own, all) = (own + 1, all + 1) }
        let sent = Double(device * 12 + number) * 0.1
        let fields = [
          HeaderField("ratelimit-policy", #""d";q=10;w=60,"e";q=25;w=60"#),
          HeaderField("ratelimit", #""d";r=\#(10 - own);t=59,"e";r=\#(25 - all);t=59"#),
          HeaderField("retry-after", "59"),
        ]
        builder.add(
          sent, sent + 0.01, isAdmitted ? 200 : 429, device: "device-\(device)",
          headers: sendingHeaders ? fields : nil)
      }
    }
    var options = LimitJudgeOptions()
    options.startsQuiet = true
    return LimitJudge.judge(log: builder.log, policies: policies, options: options).rows
  }

  @Test func `headers name the limit that rejected`() {
    let rows = Self.rows(sendingHeaders: true)
    for row in rows {
      #expect(row.sentence.contains("Of 11 rejections, device made 4, everybody made 7."), "\(row.sentence)")
      #expect(row.tests?.first { $0.test == .held }?.outcome == .kept, "\(row.sentence)")
    }
  }

  @Test func `without headers, the full counter names it`() {
    let rows = Self.rows(sendingHeaders: false)
    for row in rows {
      #expect(row.sentence.contains("Of 11 rejections, device made 4, everybody made 7."), "\(row.sentence)")
      #expect(row.sentence.contains("if rejected requests use no quota"), "\(row.sentence)")
    }
  }

  @Test func `a single limit has no such sentence`() {
    var builder = LogBuilder()
    for number in 0..<12 { builder.add(Double(number), Double(number) + 0.1, number < 10 ? 200 : 429) }
    let rows = LimitJudge.judge(log: builder.log, policies: [Self.policies[0]]).rows
    #expect(rows.allSatisfy { !$0.sentence.contains("rejections, ") })
  }
}
