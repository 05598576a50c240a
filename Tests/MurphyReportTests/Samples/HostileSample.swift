import MurphyModel

/// A run against a server, and with files, that try to break out of every report.
enum HostileSample {
  static let texts = [
    "<script>document.title='broken'</script>", "\"><img src=x onerror=alert(1)>", "'; alert(1); //",
    "</style><h1>out</h1>",
    "a|b|c\n# heading\n```\nfence", "]]>&lt;", "\u{1B}[2J\u{7}bell\u{0}", "::error::injected", "\u{202E}desrever",
    "%0A::warning::x",
    "{{ mustache }} ${expression}", "javascript:alert(1)",
    // A quote, a grave accent and a backslash with a combining mark after them are each one character.
    "a\"\u{301}b` `\u{301}<b>c\\\u{301}",
  ]

  static let result = make()

  private static func make() -> RunResult {
    let all = texts.joined(separator: " ")
    var result = SampleRun(seconds: 6).result(.fail)
    result.reasons = texts
    result.run.scenario = all
    result.run.target = all
    result.run.machine = all
    result.run.load = [
      LoadStage(.users, from: .infinity, to: 0, start: .saturating(seconds: 1e300), end: .zero),
      LoadStage(
        .sessionsPerSecond, from: 0, to: 1e300, start: .saturating(seconds: 1e300), end: .saturating(seconds: 1e300)),
    ]
    result.operations[0].operation = all
    result.operations[0].path = all
    result.sessions[0].failed = texts.map { ReasonCount(reason: $0, count: 1) }
    result.ledger.dropped = [ReasonCount(reason: all, count: 0)]
    result.generator.doubts = [all]
    result.state[0].name = all
    result.coverage.items[0].name = all
    result.coverage.items[0].operation = all
    result.budgets[0].operation = all
    result.budgets[0].limit.value = .infinity
    result.findings = texts.map { finding($0, all) }
    result.limits = [
      LimitRow(
        name: all, operations: [all], policy: all, declaredBy: .scenario, sentence: all,
        keys: 1,
        requests: 1, admitted: 1, refused: 0, unknown: 0, refutes: all,
        witness: [WitnessRequest(operation: all, sent: 0, answered: nil, decision: .unknown, status: 0)],
        strips: [
          KeyStrip(
            key: all, requests: [KeyStrip.Tick(at: -3, decision: .unknown)], windows: [.greatestFiniteMagnitude],
            witness: [0, 99])
        ])
    ]
    result.limits[0].conclude(.contradictory, trials: 1)
    return result
  }

  private static func finding(_ text: String, _ all: String) -> Finding {
    Finding(
      kind: .contractBody, severity: .error, operation: text, message: text, details: [text, all],
      evidence: Evidence(
        exchange: Exchange(
          method: text, url: "javascript:alert(1)//" + text, requestHeaders: [HeaderField(text, all)], requestBody: all,
          status: 200, responseHeaders: [HeaderField(text, all)],
          responseBody: "{\"a\":[1,{\"b\":\"\(text.filter { $0 != "\"" && $0 != "\n" && $0 >= " " })\"}]}",
          responseSize: 1_000_000, sent: .seconds(1), took: .microseconds(1)), curl: ShellScript("curl '" + all + "'"),
        instancePointer: "/a/1/b",
        schemaPointer: text, source: SourceMark(file: all, line: -4, column: 0)),
      load: [
        LoadOccurrence(stage: 7, requests: 0, occurrences: 9, rate: .infinity),
        LoadOccurrence(stage: 0, requests: 10, occurrences: 9, rate: 2),
        LoadOccurrence(stage: 99, requests: 10, occurrences: 0, rate: 1),
      ])
  }
}
