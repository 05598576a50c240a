import MurphyJudge
import MurphyModel
import Testing

/// The requests of an access log under rate limits.
@Suite struct LogTunerTests {
  private static func entry(_ line: String, fields: String = "") throws -> AccessLog.Entry {
    try AccessLog(fields: fields).entry(Array(line.utf8))
  }

  @Test func `a line of nginx's format combined is read`() throws {
    let line = #"203.0.113.9 - ada [27/Nov/2026:18:19:02 +0100] "GET /laws?page=2 HTTP/1.1" 200 512 "-" "curl/8 \"x\"""#
    let expected = AccessLog.Entry(time: 1_795_799_942, key: "203.0.113.9", method: "GET", path: "/laws", status: 200)
    #expect(try Self.entry(line) == expected)
    #expect(try Self.entry(line, fields: "key=remote_user").key == "ada")
  }

  @Test(arguments: ["1795799942", "1795799942000", "\"2026-11-27T17:19:02Z\"", "\"27/Nov/2026:17:19:02 +0000\""])
  func `a line of JSON is read with each notation of time`(_ time: String) throws {
    let line = #"{"ts": \#(time), "request": {"ip": "::1", "uri": "/a?b"}, "verb": "PUT", "code": 429}"#
    let entry = try Self.entry(line, fields: "time=ts,key=request.ip,path=request.uri,method=verb,status=code")
    #expect(entry == AccessLog.Entry(time: 1_795_799_942, key: "::1", method: "PUT", path: "/a", status: 429))
  }

  @Test(arguments: [
    ("hello", "neither"), ("{", "not JSON"), (#"{"time": 1}"#, "the field \"remote_addr\" (key) is missing"),
    (#"{"time": "noon", "remote_addr": "::1"}"#, "\"noon\" is not a time"),
    (#"::1 - - [27/Nov/2026] "GET / HTTP/1.1" 200 1"#, "no time"),
    (#"::1 - - [27/Nov/2026:25:00:00 +0000] "GET / HTTP/1.1" 200 1"#, "no time"),
    (#"::1 - - [27/Nov/9999:17:00:00 +0000] "GET / HTTP/1.1" 200 1"#, "the time is not between 1970 and 2099"),
    (#"{"time": 1e300, "remote_addr": "::1"}"#, "the time is not between 1970 and 2099"),
    (#"{"time": -5, "remote_addr": "::1"}"#, "the time is not between 1970 and 2099"),
  ])
  func `a line that cannot be read says why`(_ line: String, _ part: String) {
    #expect { try Self.entry(line) } throws: { "\($0)".contains(part) }
  }

  @Test(arguments: [
    #"::1 - - [27/Nov/2026:17:00:00 +0000] "GET / HTTP/1.1" 200 1"#, #"{"time": 1, "remote_user": "-"}"#,
    #"{"time": 1, "remote_user": ""}"#, #"{"time": 1, "remote_user": null}"#,
  ])
  func `clients without a name are no common client`(_ line: String) throws {
    let entry = try Self.entry(line, fields: "key=remote_user")
    #expect(entry.key == nil)
    var tuner = try Self.tuner([])
    let before = tuner.result().log
    for _ in 0..<500 { tuner.add(entry) }
    let result = tuner.result()
    #expect(result.log.unkeyed == 500 && result.log.keys == before.keys && result.log.requests == before.requests)
    #expect(result.sentences.contains("Not counted: 500 requests without a value of remote_addr."))
  }

  @Test(
    arguments: [
      ("remote_addr", LimitKey.sourceAddress), ("ip", .sourceAddress), ("token", .token), ("remote_user", nil),
      ("client.id", nil), ("global", nil),
    ] as [(String, LimitKey?)])
  func `the name of a field says which part of a request it is, or not`(_ name: String, _ key: LimitKey?) throws {
    #expect(try AccessLog(fields: "key=\(name)").knownKey == key)
  }

  /// The lines have 0.5 s between them; some of them have an earlier time.
  @Test(
    arguments: [
      ([:], false), ([100: 30.0], false), ([100: 61], true), ([50: 30, 100: 30, 150: 30], true),
      ([3: 1e8], true), (Dictionary(uniqueKeysWithValues: (1..<200).map { ($0, Double($0 % 3) / 2) }), false),
    ] as [([Int: Double], Bool)])
  func `a log that is not in the order of time is told apart`(_ earlier: [Int: Double], _ isDisorder: Bool) {
    var tuner = LogTuner(
      file: "access.log", keyName: "ip", key: .sourceAddress, asked: [],
      options: TunerOptions(windows: [], allowances: []))
    for line in 0..<200 {
      let time = 1_795_800_000 + Double(line) / 2 - (earlier[line] ?? 0)
      tuner.add(AccessLog.Entry(time: time, key: "a"))
    }
    #expect((tuner.disorder != nil) == isDisorder, "\(tuner.disorder ?? "none")")
  }

  @Test func `an unknown field is a mistake`() {
    #expect(throws: GateError.self) { try AccessLog(fields: "user=ip") }
  }

  /// 20 quiet clients send 2 requests a minute, and one sends 200 in the first minute.
  private static func tuner(_ asked: [String], mostKeys: Int = 1000) throws -> LogTuner {
    var tuner = LogTuner(
      file: "access.log", keyName: "remote_addr", key: .sourceAddress, asked: try asked.map { try WhatIf($0).policy },
      options: TunerOptions(windows: [60], allowances: [10, 100]), mostKeys: mostKeys)
    for second in 0..<600 {
      let time = 1_795_800_000 + Double(second)
      if second.isMultiple(of: 30) {
        for client in 0..<20 { tuner.add(AccessLog.Entry(time: time, key: "quiet-\(client)", status: 200)) }
      }
      if second < 50 {
        for _ in 0..<4 { tuner.add(AccessLog.Entry(time: time, key: "loud", status: second == 7 ? 429 : 200)) }
      }
    }
    return tuner
  }

  @Test func `a policy rejects exactly the requests above it, and names the client`() throws {
    let result = try Self.tuner(["30/60s key=address", "1/60s key=address"]).result(abuse: 100)
    #expect(result.log.requests == 600 && result.log.keys == 21 && result.log.rejected == 4)
    #expect(result.log.abusiveKeys == 1 && result.log.abusiveRequests == 200)
    let loose = result.rows[0]
    #expect(loose.stoppedRequests == 170 && loose.legitimateKeys == 0)
    let client = try #require(loose.clients.first)
    #expect(client.key == "loud" && client.requests == 200 && client.rejected == 170 && client.isAbusive)
    // 4 a second: the 31st comes after 7 s.
    #expect(client.first == "2026-11-27T17:20:07Z")
    let tight = result.rows[1]
    #expect(tight.legitimateKeys == 20 && tight.legitimateRequests == 200 && tight.stoppedRequests == 199)
  }

  @Test func `the recommendation stops abuse and rejects no legitimate client`() throws {
    let result = try Self.tuner([]).result(abuse: 100)
    let best = try #require(result.recommended)
    #expect(best.policy.allowance == 10 && best.legitimateKeys == 0)
    #expect(best.stoppedRequests == result.rows.map(\.stoppedRequests).max())
  }

  @Test func `clients above the limit of the memory are counted and reported`() throws {
    let result = try Self.tuner([], mostKeys: 5).result()
    #expect(result.log.keys == 5 && result.log.untracked > 0)
    #expect(result.sentences.contains { $0.contains("because murphy counts only the first 5 clients") })
  }

  @Test func `a quiet client has full quota again`() throws {
    var tuner = LogTuner(
      file: "access.log", keyName: "ip", key: .sourceAddress, asked: [try WhatIf("1/60s algorithm=sliding-log").policy],
      options: TunerOptions(windows: [], allowances: []))
    for time in [0.0, 1, 59, 61, 100_000, 100_001] { tuner.add(AccessLog.Entry(time: time, key: "a")) }
    // 1, 59 and 100,001 come within 60 s of an admission.
    #expect(tuner.result().rows[0].legitimateRequests == 3)
  }

  @Test func `a log without abuse gives no recommendation`() throws {
    let result = try Self.tuner(["30/60s key=address"]).result(abuse: 1000)
    #expect(result.log.abusiveKeys == 0 && result.recommended == nil)
    #expect(result.sentences.contains("The log contains no abuse, so murphy cannot recommend a policy."))
    // The description of the chart consists of the last sentences.
    #expect(result.sentences.last?.hasPrefix("30 per 60 s") == true, "\(result.sentences)")
  }
}
