import MurphyJudge
import MurphyModel
import Testing

@Suite struct BehaviourJudgeTests {
  /// One session that reads a list, with a body for each run.
  private static func run(
    _ bodies: [String], status: Int = 200, headers: [HeaderField] = [], at port: Int = 1
  ) -> RecordedRun {
    RecordedRun(
      bodies.enumerated().map { number, body in
        SessionExchanges("read", calls: [call("GET", "/laws", body, status: status, headers: headers, at: port)])
      })
  }

  private static func call(
    _ method: String, _ target: String, _ body: String, status: Int = 200, headers: [HeaderField] = [],
    at port: Int = 1,
    sends: String? = nil, step: String = "1", received: Duration = .seconds(1_700_000_000)
  ) -> RecordedCall {
    RecordedCall(
      operation: method == "GET" ? "read" : "write", step: step,
      exchange: Exchange(
        method: method, url: "http://localhost:\(port)\(target)", requestHeaders: [], requestBody: sends,
        status: status,
        responseHeaders: headers, responseBody: body.isEmpty ? nil : body, responseSize: body.utf8.count, sent: .zero,
        took: .zero), received: received)
  }

  private static func judge(
    _ base: [RecordedRun], _ candidate: RecordedRun, ignored: [String] = []
  ) -> BehaviourResult {
    var judge = BehaviourJudge(base: base, candidate: [candidate], ignored: ignored)
    let side = CompareSide(sources: ["http://localhost"])
    var result = BehaviourResult(scenario: "x", base: side, candidate: side, seed: 1, sessions: 1, restarts: false)
    judge.judge(&result)
    return result
  }

  private static func changes(_ old: String, _ new: String) -> [String] {
    judge([run([old]), run([old])], run([new])).changes.map { "\($0.finding.kind.name) \($0.place)" }
  }

  @Test(arguments: [
    (#"{"a":1}"#, #"{"a":2}"#, "value /a"), (#"{"a":1}"#, #"{"a":1.0}"#, "type /a"),
    (#"{"a":"x"}"#, #"{"a":"x "}"#, "value /a"), (#"{"a":"x"}"#, #"{"a":null}"#, "type /a"),
    (#"{"a":1,"b":2}"#, #"{"a":1}"#, "presence /b"), (#"{"a":1}"#, #"{"a":1,"b":null}"#, "presence /b"),
    (#"{"a":"é"}"#, "{\"a\":\"e\u{301}\"}", "value /a"),
    (#"[{"id":1},{"id":2}]"#, #"[{"id":2},{"id":1}]"#, "order body"),
    (#"{"d":[1,2]}"#, #"{"d":[2,1]}"#, "order /d"), (#"{"d":[{"id":1}]}"#, #"{"d":[{"id":1},{"id":1}]}"#, "items /d"),
    (#"{"d":[{"id":1,"n":"x"}]}"#, #"{"d":[{"id":2,"n":"y"}]}"#, "items /d"),
    (#"{"d":[{"id":1,"n":4.25}]}"#, #"{"d":[{"id":1,"n":4.3}]}"#, "value /d/*/n"), ("a;b", "a,b", "value body"),
    (#"{"a":1}"#, "a", "type body"), (#"{"a":1}"#, "", "presence body"),
    (#"{"17":{"n":1}}"#, #"{"17":{"n":2}}"#, "value /*/n"),
  ])
  func `a difference is one finding with its place`(old: String, new: String, finding: String) {
    #expect(Self.changes(old, new) == [finding])
    #expect(Self.changes(old, old).isEmpty)
  }

  @Test func `the status and headers are compared, except those of the connection`() {
    let base = [HeaderField("Date", "now"), HeaderField("ETag", "\"1\""), HeaderField("Vary", "Accept")]
    let other = [HeaderField("date", "later"), HeaderField("etag", "\"2\""), HeaderField("X-New", "1")]
    let result = Self.judge(
      [Self.run(["{}"], headers: base), Self.run(["{}"], headers: base)],
      Self.run(["{}"], status: 201, headers: other, at: 2))
    #expect(
      result.changes.map { "\($0.finding.kind.name) \($0.place)" } == [
        "status status", "header header vary", "header header x-new",
      ])
    #expect(result.verdict == .fail)
    #expect(result.changes.first?.finding.message == "the status changed from 200 to 201, in 1 of 1 responses")
  }

  @Test func `what differs between two runs of the base is named, and does not count`() throws {
    let base = [#"{"id":1,"at":[{"t":"a"}]}"#, #"{"id":2,"at":[{"t":"b"}]}"#].map { Self.run([$0]) }
    let result = Self.judge(base, Self.run([#"{"id":3,"at":[{"t":"c"}]}"#]))
    #expect(result.verdict == .pass, "\(result.reasons)")
    #expect(result.notCompared.map(\.place) == ["/at/*/t", "/id"])
    let reason = try #require(result.notCompared.last?.reason)
    #expect(reason == "counter or id that differs between two runs of the base: 1 and 2")
  }

  @Test func `a list in random order is compared as a set`() {
    let base = [#"[{"id":1,"n":1},{"id":2,"n":2}]"#, #"[{"id":2,"n":2},{"id":1,"n":1}]"#].map { Self.run([$0]) }
    #expect(Self.judge(base, Self.run([#"[{"id":2,"n":2},{"id":1,"n":1}]"#])).verdict == .pass)
    let changed = Self.judge(base, Self.run([#"[{"id":2,"n":2},{"id":1,"n":3}]"#]))
    #expect(changed.changes.map(\.place) == ["/*/n"])
  }

  @Test func `the form of a value that is noise is still compared`() {
    func run(_ id: String) -> RecordedRun { Self.run(Array(repeating: #"{"id":"\#(id)"}"#, count: 3)) }
    let ids = ["4b1d1f0e-1111-4222-8333-444455556666", "5b1d1f0e-1111-4222-8333-444455556666"]
    let base = ids.map(run)
    #expect(Self.judge(base, run("6b1d1f0e-1111-4222-8333-444455556666")).verdict == .pass)
    let capitals = Self.judge(base, run("6B1D1F0E-1111-4222-8333-444455556666"))
    #expect(capitals.changes.map(\.place) == ["/id"])
    func times(_ hour: Int) -> RecordedRun {
      Self.run(Array(repeating: #"{"at":"2023-11-14T\#(hour):13:2\#(hour % 7)Z"}"#, count: 3))
    }
    let clock = [0, 1].map { second in Self.run(Array(repeating: #"{"at":"2023-11-14T22:13:2\#(second)Z"}"#, count: 3))
    }
    #expect(Self.judge(clock, times(23)).changes.map(\.finding.message).first?.contains("shifted") == true)
  }

  /// A session that creates an item, and reads it with its id.
  private static func creation(_ id: Int, owner: Int, name: String = "x") -> RecordedRun {
    RecordedRun([
      SessionExchanges(
        "create",
        calls: [
          call("POST", "/laws", #"{"id":\#(id)}"#, status: 201, sends: #"{"name":"x"}"#),
          call("GET", "/laws/\(id)", #"{"id":\#(id),"parent":\#(owner),"name":"\#(name)"}"#, step: "2"),
        ])
    ])
  }

  @Test func `ids that the servers issued are mapped before values are compared`() {
    let base = [Self.creation(7, owner: 7), Self.creation(8, owner: 8)]
    #expect(Self.judge(base, Self.creation(9, owner: 9)).verdict == .pass)
    #expect(Self.judge(base, Self.creation(9, owner: 8)).changes.map(\.place) == ["/parent"])
    #expect(Self.judge(base, Self.creation(9, owner: 9, name: "y")).changes.map(\.place) == ["/name"])
  }

  @Test func `an operation without a comparable pair prevents a PASS, and is named`() {
    let base = [Self.creation(7, owner: 7), Self.creation(7, owner: 7)]
    var short = Self.creation(7, owner: 7)
    short.sessions[0].calls.removeLast()
    let result = Self.judge(base, short)
    #expect(result.verdict == .noData)
    #expect(result.reasons == ["not tested: read: 1 pair: only one of the two sessions sent the request"])
    #expect(Self.judge([RecordedRun(), RecordedRun()], RecordedRun()).verdict == .noData)
    let refused = (0..<3).map { _ in Self.run([#"{"error":1}"#], status: 401) }
    #expect(Self.judge(Array(refused.dropLast()), refused[2]).verdict == .noData)
  }

  @Test func `requests for other items are not comparable`() {
    func picked(_ id: Int, order: String) -> RecordedRun {
      RecordedRun([
        SessionExchanges(
          "pick",
          calls: [
            Self.call("GET", "/laws", order), Self.call("GET", "/laws/\(id)", #"{"name":"law \#(id)"}"#, step: "2"),
          ])
      ])
    }
    let base = (0..<2).map { _ in picked(1, order: "[1,2]") }
    let result = Self.judge(base, picked(2, order: "[2,1]"))
    #expect(result.changes.map { "\($0.finding.kind.name) \($0.place)" } == ["order body"])
    #expect(result.operations.first?.incomparable == ["1 pair: the requests differ, because earlier responses differ"])
  }

  @Test func `an ignored place is listed, and does not fail`() {
    let base = (0..<2).map { _ in Self.run([#"{"a":1}"#]) }
    let result = Self.judge(base, Self.run([#"{"a":2}"#]), ignored: ["read /a"])
    #expect(result.verdict == .pass)
    #expect(result.notCompared.map(\.reason) == ["ignored by --ignore \"read /a\""])
  }
}
