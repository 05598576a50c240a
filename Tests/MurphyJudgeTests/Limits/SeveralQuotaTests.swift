import MurphyJudge
import MurphyModel
import Testing

/// Honest servers with several quotas, partition keys and units, in the headers of the standard and of known APIs.
@Suite struct SeveralQuotaTests {
  struct Server: Sendable, CustomTestStringConvertible {
    var name: String
    /// Fields of response number n, of which the first five are admitted.
    var fields: @Sendable (_ number: Int) -> [HeaderField]
    /// The part that is not judged; nil where all of it is.
    var reason: String?

    var testDescription: String { name }
  }

  private static func standard(_ policy: String, _ state: String) -> [HeaderField] {
    [HeaderField("ratelimit-policy", policy), HeaderField("ratelimit", state)]
  }

  private static func fields(_ all: [String: String]) -> [HeaderField] {
    all.sorted { $0.key < $1.key }.map { HeaderField($0.key, $0.value) }
  }

  private static func left(_ number: Int) -> Int { max(4 - number, 0) }

  static let servers = [
    Server(
      name: "two policies",
      fields: {
        standard(
          #""burst";q=5;w=60,"daily";q=1000;w=86400"#,
          #""burst";r=\#(left($0));t=\#(60 - $0),"daily";r=\#(900 - $0)"#)
      },
      reason: #"The headers announce "daily", 1000 per 86400 s, which no limit declares"#),
    Server(
      name: "two lines",
      fields: {
        [
          HeaderField("ratelimit-policy", #""burst";q=5;w=60"#),
          HeaderField("ratelimit-policy", #""daily";q=1000;w=86400"#),
          HeaderField("ratelimit", #""daily";r=\#(900 - $0);t=400"#),
        ]
      }, reason: #"The headers announce "daily", 1000 per 86400 s, which no limit declares"#),
    Server(
      name: "another policy than the one announced",
      fields: { standard(#""burst";q=5;w=60"#, #""daily";r=\#(900 - $0);t=4000"#) },
      reason: #"The headers announce "daily", which no limit declares"#),
    Server(
      name: "a partition key",
      fields: { standard(#""p";q=5;w=60;pk=:YWJj:"#, #""p";r=\#(left($0));t=\#(60 - $0);pk=:YWJj:"#) }),
    Server(
      name: "partition keys that are finer than the declared key",
      fields: { standard(#""p";q=5;w=60;pk=:YWJ\#($0):"#, #""p";r=3;pk=:YWJ\#($0):"#) },
      reason: "The partition keys (`pk`) of RateLimit do not group clients by the key x-device-id"),
    Server(
      name: "bytes", fields: { standard(#""p";q=65535;qu="content-bytes";w=10"#, #""p";r=\#(60000 - 100 * $0);t=9"#) },
      reason: "The headers count content-bytes"),
    Server(
      name: "concurrent requests", fields: { _ in standard(#""p";q=9;qu="concurrent-requests""#, #""p";r=8"#) },
      reason: "The headers count concurrent-requests"),
    Server(
      name: "several limits of an older draft",
      fields: {
        fields([
          "ratelimit-limit": "5, 5;w=60, 1000;w=3600", "ratelimit-remaining": "\(left($0))",
          "ratelimit-reset": "\(60 - $0)",
        ])
      }, reason: "The headers announce 1000 per 3600 s, which no limit declares"),
    Server(
      name: "Envoy",
      fields: {
        fields([
          "x-ratelimit-limit": "5, 5;w=60", "x-ratelimit-remaining": "\(left($0))", "x-ratelimit-reset": "\(60 - $0)",
        ])
      }),
    Server(
      name: "Kong",
      fields: {
        fields([
          "x-ratelimit-limit-minute": "5", "x-ratelimit-remaining-minute": "\(left($0))",
          "x-ratelimit-limit-hour": "100", "x-ratelimit-remaining-hour": "\(99 - $0)", "ratelimit-limit": "5",
          "ratelimit-remaining": "\(left($0))", "ratelimit-reset": "\(60 - $0)",
        ])
      }, reason: #"The headers announce "hour", which no limit declares"#),
    Server(
      name: "OpenAI",
      fields: {
        fields([
          "x-ratelimit-limit-requests": "5", "x-ratelimit-remaining-requests": "\(left($0))",
          "x-ratelimit-reset-requests": "0m\(60 - $0)s", "x-ratelimit-limit-tokens": "150000",
          "x-ratelimit-remaining-tokens": "149984", "x-ratelimit-reset-tokens": "6m0s",
        ])
      }, reason: "The headers count tokens"),
    Server(
      name: "more tokens than their limit",
      fields: {
        fields([
          "x-ratelimit-limit-requests": "5", "x-ratelimit-remaining-requests": "\(left($0))",
          "x-ratelimit-limit-tokens": "1000", "x-ratelimit-remaining-tokens": "1200",
        ])
      }, reason: "The headers count tokens"),
    Server(
      name: "a longer limit with more requests than its quota",
      fields: {
        fields([
          "x-ratelimit-limit-minute": "5", "x-ratelimit-remaining-minute": "\(left($0))",
          "x-ratelimit-limit-hour": "100", "x-ratelimit-remaining-hour": "\(200 - $0)",
        ])
      }, reason: #"The headers announce "hour", which no limit declares"#),
    Server(
      name: "Anthropic",
      fields: {
        fields([
          "anthropic-ratelimit-requests-limit": "5", "anthropic-ratelimit-requests-remaining": "\(left($0))",
          "anthropic-ratelimit-requests-reset": "2027-01-15T08:01:00Z", "anthropic-ratelimit-input-tokens-limit": "90",
        ])
      }, reason: "The headers count input-tokens"),
    Server(
      name: "GitHub",
      fields: {
        fields([
          "x-ratelimit-limit": "5", "x-ratelimit-remaining": "\(left($0))", "x-ratelimit-used": "\(min($0 + 1, 5))",
          "x-ratelimit-reset": "1800000061", "x-ratelimit-resource": "core",
        ])
      }),
    Server(
      name: "GitLab",
      fields: {
        fields([
          "ratelimit-limit": "5", "ratelimit-observed": "\(min($0 + 1, 5))", "ratelimit-name": "throttle",
          "ratelimit-reset": "1800000061", "ratelimit-resettime": "Fri, 15 Jan 2027 08:01:01 GMT",
        ])
      }),
    Server(
      name: "Discord",
      fields: {
        fields([
          "x-ratelimit-limit": "5", "x-ratelimit-remaining": "\(left($0))", "x-ratelimit-reset": "1800000061.25",
          "x-ratelimit-reset-after": "\(60 - $0).250", "x-ratelimit-bucket": "abcd1234", "x-ratelimit-scope": "user",
        ])
      }),
    Server(
      name: "a rejection of all clients of Discord",
      fields: { number in
        fields(["x-ratelimit-remaining": "\(4 - min(number, 4) + number / 5)", "x-ratelimit-global": "\(number > 4)"])
      }),
    Server(
      name: "Azure",
      fields: { fields(["x-ms-ratelimit-remaining-subscription-reads": "\(left($0))"]) },
      reason: #"The headers announce "subscription-reads", which no limit declares"#),
    Server(
      name: "resources of Azure",
      fields: { fields(["x-ms-ratelimit-remaining-resource": "Microsoft.Compute/GetVM3Min;\(197 - $0)"]) },
      reason: #"The headers announce "Microsoft.Compute/GetVM3Min", which no limit declares"#),
    Server(name: "Stripe", fields: { _ in fields(["stripe-rate-limited-reason": "endpoint-concurrency"]) }),
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
    #expect(
      sentence.contains(", so murphy did not check the rate-limit headers.") == (server.reason != nil), "\(sentence)")
    if let reason = server.reason {
      #expect(sentence.contains(reason + ", so murphy did not check the rate-limit headers."), "\(sentence)")
    }
    // The same on an operation that no limit covers.
    let open = LimitJudge.judge(log: builder.log, policies: [], options: LimitJudgeTests.fresh)
    #expect(open.findings.isEmpty && open.rows.allSatisfy { $0.verdict == .inconclusive })
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
    #expect("\(script)".contains("X_DEVICE_ID=$(") && !"\(script)".contains("set this variable first"), "\(script)")
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
