import MurphyJudge
import MurphyModel
import Testing

/// Bodies of rejections in the problem types of draft-ietf-httpapi-ratelimit-headers-10.
@Suite struct LimitProblemTests {
  private static func body(_ kind: String, _ violated: String? = nil) -> String {
    #"{"type": "https://iana.org/assignments/http-problem-types#\#(kind)", "title": "no""#
      + (violated.map { #", "violated-policies": \#($0)"# } ?? "") + "}"
  }

  @Test(arguments: [
    (#"["daily","bandwidth"]"#, ["daily", "bandwidth"], false), ("[ \"a, b\" ,\n\"c\" ]", ["a, b", "c"], false),
    ("[]", [], false), (#""daily""#, [], true), ("[1]", [], true), (#"["daily", 2]"#, ["daily"], true),
    (#"["dai"#, [], false),
  ])
  func `the violated policies are read`(_ text: String, _ names: [String], _ isMalformed: Bool) throws {
    let problem = try #require(LimitProblem(Self.body("quota-exceeded", text)))
    #expect(problem.kind == .quotaExceeded && problem.violated == names && problem.isMalformed == isMalformed)
  }

  @Test func `other bodies are no such problem`() throws {
    #expect(LimitProblem(#"{"type": "about:blank"}"#) == nil)
    #expect(LimitProblem(Self.body("quota-exceeded-twice")) == nil)
    #expect(try #require(LimitProblem(Self.body("abnormal-usage-detected"))).violated == [])
  }

  /// Five requests of 60 s are used up, and two are rejected with this body; the waits are of another limit.
  private func findings(
    _ body: String, type: String = "application/problem+json", policy: String = #""burst";q=5;w=60"#
  ) -> [Finding] {
    var builder = LogBuilder()
    for number in 0..<7 {
      let sent = 1 + Double(number)
      var headers = [HeaderField("ratelimit-policy", number < 5 ? #""burst";q=5;w=60"# : policy)]
      if number > 4 { headers += [HeaderField("retry-after", "9"), HeaderField("content-type", type)] }
      builder.add(sent, sent + 0.01, number < 5 ? 200 : 429, headers: headers, body: number < 5 ? nil : body)
    }
    let limit = LimitJudgeTests.policy(.fixed, 5)
    return LimitJudge.judge(log: builder.log, policies: [limit], options: LimitJudgeTests.fresh).findings
  }

  @Test func `the wait of the declared limit is judged`() {
    let kinds = findings(Self.body("quota-exceeded", #"["burst"]"#)).map(\.kind)
    #expect(kinds == [.limitRetryAfterTooShort])
  }

  @Test(arguments: ["temporary-reduced-capacity", "abnormal-usage-detected"])
  func `the wait of another cause is not judged`(_ kind: String) {
    #expect(findings(Self.body(kind, #"["burst"]"#)).map(\.message) == [])
  }

  @Test func `a temporarily lower quota is no change of the policy`() {
    let lower = #""burst";q=2;w=60"#
    #expect(findings(Self.body("temporary-reduced-capacity"), policy: lower).map(\.message) == [])
    let kinds = findings(Self.body("abnormal-usage-detected"), policy: lower).map(\.kind)
    #expect(Set(kinds) == [.limitPolicyChanges, .limitHeaderContradictsPolicy])
  }

  @Test(arguments: [
    (#"["burst"]"#, "application/json", "instead of application/problem+json"),
    (#"["daily"]"#, "application/problem+json", #"names the violated policy "daily""#),
    (#""daily""#, "application/problem+json", "not an array of strings"),
  ])
  func `a body that contradicts its headers is a warning`(_ violated: String, _ type: String, _ words: String) {
    let found = findings(Self.body("abnormal-usage-detected", violated), type: type)
    #expect(found.map(\.kind) == [.limitBodyContradictsHeader] && found.map(\.severity) == [.warning])
    #expect(found.first?.message.contains(words) == true, "\(found.map(\.message))")
  }
}
