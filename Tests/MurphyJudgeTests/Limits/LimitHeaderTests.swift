import MurphyJudge
import MurphyModel
import Simulation
import Testing

@Suite struct LimitHeaderTests {
  @Test func `HTTP dates in all three forms are one moment`() {
    for text in [
      "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
    ] {
      #expect(HTTPDate.seconds(text) == 784_111_777, "\(text)")
    }
    for text in ["06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37", "Sun, 32 Nov 1994 08:49:37 GMT", "soon", ""] {
      #expect(HTTPDate.seconds(text) == nil, "\(text)")
    }
    #expect(HTTPDate.seconds(iso: "1994-11-06T08:49:37Z") == 784_111_777)
    #expect(HTTPDate.seconds(iso: "1994-11-06T09:49:37.5+01:00") == 784_111_777.5)
    for fraction in [".", ".٣", ".x"] { #expect(HTTPDate.seconds(iso: "1994-11-06T08:49:37\(fraction)Z") == nil) }
  }

  @Test func `Retry-After is whole seconds or a date and nothing else`() {
    #expect(RetryAfter("120") == .seconds(120))
    #expect(RetryAfter("Sun, 06 Nov 1994 08:49:37 GMT") == .date(784_111_777))
    for text in ["1.5", "-1", "60s", "", "+5"] { #expect(RetryAfter(text) == nil, "\(text)") }
  }

  @Test func `structured fields parse as RFC 9651 says`() throws {
    let members = try StructuredField.list(#""burst";q=100;w=60,"daily";q=1000;w=86400;pk=:YWJj:"#)
    #expect(members.map(\.item) == [.string("burst"), .string("daily")])
    #expect(members[1].parameters == ["q": .integer(1000), "w": .integer(86400), "pk": .bytes("YWJj")])
    let keys = try StructuredField.dictionary("limit=100, remaining=50, reset=30").map(\.key)
    #expect(keys == ["limit", "remaining", "reset"])
    #expect(try StructuredField.list(#"a;b;c=1.5, "x\"y", ?1, @1659578233"#).count == 4)
  }

  @Test(arguments: [
    (#""open"#, "a string is not closed, or contains characters that must be escaped"),
    ("1,", "a comma is missing between two members, or is the last character"),
    ("100;w=60 200;w=3600", "a comma is missing between two members, or is the last character"),
    ("1.2345", "a number is malformed, or has more than 15 digits (a decimal: 12 before and 3 after the point)"),
    (
      "1234567890123456",
      "a number is malformed, or has more than 15 digits (a decimal: 12 before and 3 after the point)"
    ),
    (";q=1", "a value is missing, or begins with an invalid character"),
    ("\u{e9}", "a value is missing, or begins with an invalid character"),
    ("1;Q=1", "a name is missing, or does not begin with a lower-case letter"),
    ("?2", "a boolean is neither ?0 nor ?1"), ("@1.5", "a date is not @ with whole seconds"),
    ("(1 2)", "it contains an inner list, but rate-limit fields have none"),
  ])
  func `a field that is not structured is told what is wrong with it`(text: String, reason: String) {
    let mistake = #expect(throws: StructuredField.Mistake.self) { try StructuredField.list(text) }
    #expect(mistake?.reason == reason)
    let answer = LimitResponse([HeaderField("ratelimit-policy", text), HeaderField("ratelimit", text)])
    #expect(
      answer.mistakes == [
        "RateLimit-Policy is `\(text)`, which is not a structured field list (RFC 9651): \(reason)",
        "RateLimit is `\(text)`, which is not a structured field of any draft (\(reason)); clients must ignore it",
      ])
  }

  @Test func `every dialect says the same`() {
    let date = HeaderField("date", "Sun, 06 Nov 1994 08:49:37 GMT")
    let draft = LimitResponse([HeaderField("ratelimit", #""default";r=50;t=30"#)])
    #expect(draft.statements == [statement(.draft, nil, 50, .delta(30), name: "default")])
    let draft7 = LimitResponse([HeaderField("ratelimit", "limit=100, remaining=50, reset=30")])
    #expect(draft7.statements == [statement(.draft7, 100, 50, .delta(30))])
    let draft6 = LimitResponse([
      HeaderField("ratelimit-limit", "100, 100;w=60"), HeaderField("ratelimit-remaining", "50"),
      HeaderField("ratelimit-reset", "30"),
    ])
    #expect(draft6.statements == [statement(.draft6, 100, 50, .delta(30))])
    for (value, reset) in [
      ("30", LimitStatement.Reset.delta(30)), ("1784111777", .epoch(1_784_111_777)),
      ("1784111777250", .epoch(1_784_111_777.25)), ("1994-11-06T08:49:37Z", .epoch(784_111_777)),
    ] {
      let answer = LimitResponse([
        date, HeaderField("x-ratelimit-limit", "100"), HeaderField("x-ratelimit-remaining", "50"),
        HeaderField("x-ratelimit-reset", value),
      ])
      #expect(answer.statements == [statement(.vendor, 100, 50, reset)], "\(value)")
      #expect(answer.mistakes.isEmpty)
    }
    #expect(
      LimitResponse([HeaderField("ratelimit-policy", #""burst";q=100;w=60"#)]).quotas == [quota(100, 60, name: "burst")]
    )
    #expect(LimitResponse([HeaderField("ratelimit-policy", "100;w=60")]).quotas == [quota(100, 60)])
  }

  @Test(arguments: [
    HeaderField("retry-after", "1.5"), HeaderField("ratelimit", "50 left"), HeaderField("ratelimit", #""x";t=3"#),
    HeaderField("ratelimit-policy", #""x";w=60"#), HeaderField("ratelimit-policy", #""x";q=1;w=0"#),
    HeaderField("ratelimit-policy", #""x";q=1;qu=2"#), HeaderField("ratelimit-policy", #""x";q=1;pk="abc""#),
    HeaderField("ratelimit", #""x";r=1;pk=7"#), HeaderField("x-shopify-shop-api-call-limit", "40"),
    HeaderField("x-ms-retry-after-ms", "soon"), HeaderField("anthropic-ratelimit-requests-reset", "12"),
    HeaderField("x-ratelimit-reset-tokens", "6q"), HeaderField("ratelimit-resettime", "noon"),
    HeaderField("x-ratelimit-remaining", "many"), HeaderField("x-ratelimit-reset", "soon"),
    HeaderField("ratelimit-reset", "1795302192"), HeaderField("ratelimit-reset", "1795302192000"),
    HeaderField("ratelimit-limit", "100, 100;w=abc"), HeaderField("x-ratelimit-limit", "100, soon;"),
  ])
  func `malformed headers are mistakes that name what was expected`(_ field: HeaderField) throws {
    let mistake = try #require(LimitResponse([field]).mistakes.first)
    #expect(mistake.contains(field.value))
  }

  @Test func `only in Azure's form is -1 no limit`() {
    func limits(_ prefix: String) -> [Int?] {
      let fields = [HeaderField(prefix + "limit", "-1"), HeaderField(prefix + "remaining", "7")]
      return LimitResponse(fields).statements.map(\.limit)
    }
    for prefix in ["ratelimit-", "x-ratelimit-", "x-rate-limit-"] { #expect(limits(prefix) == [-1], "\(prefix)") }
    #expect(limits("x-ms-ratelimit-").isEmpty)
  }

  @Test func `Date headers narrow the clock's offset`() throws {
    var random = RandomSource(seed: 3)
    for _ in 0..<200 {
      var clock = ServerClock()
      let offset = random.uniform(-50, 50)
      for _ in 0..<300 {
        let sent = random.uniform(0, 30)
        let decided = sent + random.exponential(mean: 0.01)
        clock.observe(
          date: (decided + offset).rounded(.down), sent: sent, answered: decided + random.exponential(mean: 0.01))
      }
      let found = try #require(clock.offset)
      #expect((found - offset).magnitude <= clock.uncertainty + 1e-9)
      #expect(clock.uncertainty < 0.1)
    }
  }

  private func statement(
    _ dialect: LimitStatement.Dialect, _ limit: Int?, _ remaining: Int?, _ reset: LimitStatement.Reset?,
    name: String? = nil
  ) -> LimitStatement {
    var statement = LimitResponse([HeaderField("x-ratelimit-limit", "1")]).statements[0]
    (statement.dialect, statement.limit, statement.remaining, statement.reset) = (dialect, limit, remaining, reset)
    statement.name = name
    return statement
  }

  private func quota(_ quota: Int, _ window: Int, name: String? = nil) -> LimitQuota {
    var value = LimitResponse([HeaderField("ratelimit-policy", "1;w=1")]).quotas[0]
    (value.name, value.quota, value.window) = (name, quota, window)
    return value
  }
}
