import MurphyJudge
import MurphyModel
import Testing

/// Honest servers that use the standard quota fields as draft-ietf-httpapi-ratelimit-headers-10 allows, beyond what
/// murphy reads of them.
@Suite struct UnreadQuotaTests {
  struct Server: Sendable, CustomTestStringConvertible {
    var name: String
    /// Fields of response number n, of which the first five are admitted.
    var fields: @Sendable (_ number: Int) -> [HeaderField]
    /// Why nothing is judged from them; nil where they are read.
    var reason: String?

    var testDescription: String { name }
  }

  private static func standard(_ policy: String, _ state: String) -> [HeaderField] {
    [HeaderField("ratelimit-policy", policy), HeaderField("ratelimit", state)]
  }

  static let servers = [
    Server(
      name: "two policies",
      fields: {
        standard(
          #""burst";q=5;w=60,"daily";q=1000;w=86400"#, #""burst";r=\#(max(4 - $0, 0));t=60,"daily";r=\#(900 - $0)"#)
      },
      reason: "RateLimit-Policy names 2 policies"),
    Server(
      name: "two lines",
      fields: {
        [
          HeaderField("ratelimit-policy", #""burst";q=5;w=60"#),
          HeaderField("ratelimit-policy", #""daily";q=1000;w=86400"#),
          HeaderField("ratelimit", #""daily";r=\#(900 - $0);t=400"#),
        ]
      }, reason: "RateLimit-Policy names 2 policies"),
    Server(
      name: "another policy than the one announced",
      fields: { standard(#""burst";q=5;w=60"#, #""daily";r=\#(900 - $0);t=4000"#) },
      reason: "RateLimit-Policy and RateLimit name different policies"),
    Server(
      name: "a partition key", fields: { standard(#""p";q=9;w=60;pk=:YWJj:"#, #""p";r=\#(8 - $0);t=60;pk=:YWJj:"#) },
      reason: "RateLimit-Policy has a partition key (`pk`)"),
    Server(
      name: "bytes", fields: { standard(#""p";q=65535;qu="content-bytes";w=10"#, #""p";r=\#(60000 - 100 * $0);t=9"#) },
      reason: "RateLimit-Policy counts content-bytes (`qu`)"),
    Server(
      name: "concurrent requests", fields: { _ in standard(#""p";q=9;qu="concurrent-requests""#, #""p";r=8"#) },
      reason: "RateLimit-Policy counts concurrent-requests (`qu`)"),
    Server(
      name: "several limits of an older draft",
      fields: {
        [
          HeaderField("ratelimit-limit", "9, 9;w=1, 1000;w=3600"), HeaderField("ratelimit-remaining", "\(8 - $0)"),
          HeaderField("ratelimit-reset", "1"),
        ]
      }, reason: "RateLimit-Limit names 2 policies"),
    // A positive `r` is no guarantee: the request after it may be rejected, and so may the one that it comes with.
    Server(name: "some remain", fields: { _ in standard(#""p";q=5;w=60;qu="requests""#, #""p";r=3;t=60"#) }),
  ]

  @Test(arguments: servers) func `an honest server is not accused of what murphy does not read`(_ server: Server) {
    var builder = LogBuilder()
    for number in 0..<7 {
      let sent = 1 + Double(number)
      builder.add(
        sent, sent + 0.01, number < 5 ? 200 : 429,
        headers: server.fields(number) + (number < 5 ? [] : [HeaderField("retry-after", "\(60 - number)")]))
    }
    let policy = LimitJudgeTests.policy(.fixed, 5)
    let judged = LimitJudge.judge(log: builder.log, policies: [policy], options: LimitJudgeTests.fresh)
    #expect(judged.findings.map(\.message) == [])
    let sentence = judged.rows[0].sentence
    #expect(sentence.contains("not understood") == (server.reason != nil), "\(sentence)")
    if let reason = server.reason { #expect(sentence.contains(reason + ": not understood"), "\(sentence)") }
    // The same on an operation that no limit covers.
    let open = LimitJudge.judge(log: builder.log, policies: [], options: LimitJudgeTests.fresh)
    #expect(open.findings.isEmpty && open.rows.allSatisfy { $0.verdict == .inconclusive })
    if let reason = server.reason, server.name != "several limits of an older draft" {
      #expect(open.rows.first?.sentence.contains(reason) == true, "\(open.rows.map(\.sentence))")
    }
  }

  /// Two limits of which one is declared, and the header is about the nearest: flask-limiter.
  @Test func `headers about several limits are one finding, and no broken promise of one of them`() {
    var builder = LogBuilder()
    for number in 0..<40 {
      let sent = 1 + 0.25 * Double(number)
      let isAdmitted = number % 10 < 5
      let isLong = number >= 20
      let limit = [
        HeaderField("x-ratelimit-limit", isLong ? "20" : "5"),
        HeaderField("x-ratelimit-remaining", isAdmitted ? "\(4 - number % 5)" : "0"),
      ]
      builder.add(
        sent, sent + 0.01, isAdmitted ? 200 : 429,
        headers: limit + (isAdmitted ? [] : [HeaderField("retry-after", isLong ? "6" : "1")]))
    }
    let policy = LimitJudgeTests.policy(.fixed, 5, window: .seconds(2.5))
    let findings = LimitJudge.judge(log: builder.log, policies: [policy], options: LimitJudgeTests.fresh).findings
    let about = findings.filter { ![.limitOverAdmission, .limitOverThrottling, .limitContradictory].contains($0.kind) }
    #expect(Set(about.map(\.kind)).isSubset(of: [.limitHeaderContradictsPolicy, .limitRetryAfterTooLong]))
    #expect(about.contains { $0.message.contains("says that the limit is 5 or 20, by the response") })
  }

  @Test func `a header of one response has a script that draws its own key`() throws {
    var builder = LogBuilder()
    builder.drawsDevices = true
    for number in 0..<3 {
      builder.add(
        1 + Double(number), 1.01 + Double(number), 200, device: "7d1f3f0e-0000-4000-8000-00000000000\(number)",
        headers: [HeaderField("x-ratelimit-limit", "9")])
    }
    let findings = LimitJudge.judge(
      log: builder.log, policies: [LimitJudgeTests.policy(.fixed, 5)], options: LimitJudgeTests.fresh
    ).findings
    let script = try #require(findings.first { $0.kind == .limitHeaderContradictsPolicy }?.evidence?.curl)
    #expect("\(script)".contains("X_DEVICE_ID=$(") && !"\(script)".contains("set it first"), "\(script)")
  }

  @Test func `what murphy reads of the fields is still judged`() {
    var builder = LogBuilder()
    for number in 0..<7 {
      let sent = 1 + Double(number)
      builder.add(
        sent, sent + 0.01, number < 5 ? 200 : 429, headers: Self.standard(#""p";q=9;w=60"#, #""p";r=0;t=900"#))
    }
    let found = LimitJudge.judge(
      log: builder.log, policies: [LimitJudgeTests.policy(.fixed, 5)], options: LimitJudgeTests.fresh
    ).findings.map(\.kind)
    #expect(Set(found) == [.limitHeaderContradictsPolicy, .limitResetImplausible])
  }
}
