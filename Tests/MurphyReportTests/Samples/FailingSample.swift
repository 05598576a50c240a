import MurphyModel

/// A run in which each judge but the generator's finds something.
enum FailingSample {
  static let result = make()

  private static func make() -> RunResult {
    var result = SampleRun(seconds: 40).result(.fail)
    result.findings = findings
    result.reasons = [
      "listLaws violated the contract in 214 of 9,120 responses: /data/3/score is a string instead of a number.",
      "listLaws p99 is 1.34 s, over the budget of 800 ms.",
      "3 of 1,204 accepted votes were counted twice.",
      "12 requests had no complete response.",
    ]
    result.ledger.conformant -= 235
    result.ledger.violating = 214
    result.ledger.answered -= 12
    result.ledger.transport = 12
    result.ledger.unchecked = [ReasonCount(reason: "the body was cut off at the size limit of 8 MB", count: 9)]
    result.operations[0].outcomes.ok -= 60
    result.operations[0].outcomes.serverError = 48
    result.operations[0].outcomes.transport = 12
    result.operations[3].outcomes.ok -= 300
    result.operations[3].outcomes.limited = 288
    result.operations[3].outcomes.clientError = 12
    let (ok, admitted) = (result.operations[0].outcomes.ok, result.operations[3].outcomes.ok)
    result.operations[0].statuses = [StatusCount(status: 200, count: ok), StatusCount(status: 503, count: 48)]
    result.operations[3].statuses = [(200, admitted), (400, 12), (429, 288)].map(StatusCount.init)
    for index in [0, 3] {
      let answers = result.operations[index].outcomes.answered
      let violating = index == 0 ? 214 : 0
      result.operations[index].conformance = Conformance(conformant: answers - violating, violating: violating)
    }
    slowDown(&result)
    result.budgets[1].observed = MeasuredRange(1_340_000, .microseconds)
    result.budgets[1].state = .failed(trials: result.budgets[1].samples)
    result.budgets[1].findings = findings.filter { $0.kind == .budgetLatency }.map(\.fingerprint)
    result.budgets[3].observed = MeasuredRange(0.0037, .share)
    result.budgets[3].state = .failed(trials: result.budgets[3].samples)
    result.state[0].sentence = "1,204 votes were accepted, but 1,207 were counted"
    result.state[0].state = .failed(trials: 1_204)
    result.state[0].findings = [findings[1].fingerprint]
    return result
  }

  /// From second 26 the server stalls for two seconds, and everybody waits.
  private static func slowDown(_ result: inout RunResult) {
    var latency = result.operations[0].latency.histogram
    for index in 0..<480 { latency.record(Int64(2_000_000_000 - index * 4_000_000)) }
    result.operations[0].latency = LatencySummary(latency)
    for second in 26..<29 {
      result.timeline[second].p50 = .milliseconds(900 - (second - 26) * 250)
      result.timeline[second].p95 = .milliseconds(1_800 - (second - 26) * 300)
      result.timeline[second].p99 = .milliseconds(1_940 - (second - 26) * 310)
      result.timeline[second].max = .milliseconds(2_000 - (second - 26) * 310)
      result.timeline[second].outcomes.serverError = 16
      result.timeline[second].outcomes.transport = 4
      result.timeline[second].outcomes.ok -= 20
      result.timeline[second].outcomes.limited = 96
      result.timeline[second].buckets += [SampleRun.bound(22), 80, SampleRun.bound(23), 110, SampleRun.bound(24), 90]
      result.timeline[second].findings = 20
    }
  }

  private static let findings: [Finding] = [
    Finding(
      kind: .contractBody, severity: .error, operation: "listLaws",
      message: "/data/3/score is \"17\" (a string), but the schema requires a number",
      details: ["Of the 4 schemas in oneOf, schema 1 is the closest match: it fails only at this property."],
      count: 214,
      firstSeen: .milliseconds(21400),
      lastSeen: .milliseconds(40020), discriminator: "listLaws 200 /data/*/score type",
      evidence: Evidence(
        exchange: exchange,
        curl:
          "curl -sS -X GET 'http://127.0.0.1:40123/api/v1/laws?limit=25&offset=50' -H 'X-Device-ID: 7d1f3f0e-6f4d-4a58-9df1-1f2c4f6f7a10' -H 'Authorization: ***'",
        instancePointer: "/data/3/score", schemaPointer: "openapi.yaml#/components/schemas/Law/properties/score/type",
        source: SourceMark(file: "scenarios/murphys-laws/openapi.yaml", line: 214, column: 11)),
      load: [
        LoadOccurrence(stage: 0, requests: 820, occurrences: 0, rate: 96),
        LoadOccurrence(stage: 1, requests: 6_160, occurrences: 214, rate: 412),
        LoadOccurrence(stage: 2, requests: 2_140, occurrences: 0, rate: 180),
      ]),
    miscounted,
    Finding(
      kind: .transportTimeout, severity: .error, operation: "listLaws",
      message: "the request got no complete response within 10 s", count: 12, firstSeen: .milliseconds(26100),
      lastSeen: .milliseconds(28400),
      evidence: Evidence(
        exchange: Exchange(
          method: "GET", url: "http://127.0.0.1:40123/api/v1/laws?q=toast",
          requestHeaders: [HeaderField("accept", "application/json")],
          requestBody: nil, status: nil, responseHeaders: [], responseBody: nil, responseSize: 0,
          sent: .milliseconds(26100),
          took: .seconds(10)), curl: "curl -sS 'http://127.0.0.1:40123/api/v1/laws?q=toast'")),
    Finding(
      kind: .budgetLatency, severity: .error, operation: "listLaws",
      message: "p99 is 1.34 s, over the budget of 800 ms",
      firstSeen: .zero, lastSeen: .milliseconds(40200), discriminator: "p99 800ms"),
    Finding(
      kind: .contractHeader, severity: .warning, operation: "voteLaw",
      message: "the documented header Retry-After is missing from a 429 response", count: 288,
      firstSeen: .milliseconds(12800),
      lastSeen: .milliseconds(40100)),
    Finding(
      kind: .contractVacuous, severity: .note, operation: "getLaw",
      message: "the schema of the 404 response accepts every body, so no body can violate it"),
    drift,
  ]

  /// Two exchanges prove that a vote counted twice.
  private static var miscounted: Finding {
    func exchange(_ operation: String, _ session: Int, _ tells: String, _ sent: Double, isRead: Bool) -> WitnessExchange
    {
      WitnessExchange(
        operation: operation, session: session, outcome: .accepted, status: 200, tells: tells, isRead: isRead,
        sent: .saturating(seconds: sent), answered: .saturating(seconds: sent + 0.004),
        curl: "curl -sS 'http://127.0.0.1:40123/api/v1/laws/42' -H 'X-Device-ID: 7d1f3f0e-6f4d-4a58-9df1-1f2c4f6f7a10'",
        isSuspect: false)
    }
    let witness = [
      exchange("getLaw", 17, "shows up = 17, down = 4", 31.2, isRead: true),
      exchange("voteLaw", 15, "up", 31.25, isRead: false),
      exchange("getLaw", 17, "shows up = 19, down = 4", 31.31, isRead: true),
    ]
    var finding = Finding(
      kind: .stateLedgerSurplus, operation: "getLaw",
      message: "state \"votes\", key 42: a response shows 19 as \"up\", expected 17 to 18 (evidence: 3 exchanges)",
      details: Finding.lines(of: witness) + ["One explanation: repeated votes were counted again."], count: 3,
      firstSeen: .milliseconds(31200), lastSeen: .milliseconds(39700), evidence: Evidence())
    finding.evidence?.witness = witness
    return finding
  }

  /// voteLaw takes 20 ms up to 300 requests a second, and four times as long above.
  private static var drift: Finding {
    let points = (0..<40).map { second in
      let load = min(41.2 * Double(second + 1), 412)
      let value = (load > 300 ? 84_000 : 21_000) + Double(second * 7_919 % 13) * 900
      return Drift.Point(from: Double(second), until: Double(second + 1), load: load, requests: 53, value: value)
    }
    var finding = Finding(
      kind: .budgetLoadDrift, operation: "voteLaw",
      message: "latency grows with the load: 26.4 ms up to 288 requests/s, 89.4 ms above that load",
      details: ["The load grew over time in this run, so the load or the time may be the cause."],
      firstSeen: .seconds(7), lastSeen: .seconds(40), discriminator: "latency")
    finding.drift = Drift(
      measure: .latency, axis: .requests, threshold: 288.4, low: 26_400, high: 89_400, isAmbiguous: true,
      points: points)
    return finding
  }

  private static let exchange = Exchange(
    method: "GET", url: "http://127.0.0.1:40123/api/v1/laws?limit=25&offset=50",
    requestHeaders: [
      HeaderField("accept", "application/json"), HeaderField("x-device-id", "7d1f3f0e-6f4d-4a58-9df1-1f2c4f6f7a10"),
      HeaderField("authorization", "***"),
    ], requestBody: nil, status: 200,
    responseHeaders: [
      HeaderField("content-type", "application/json; charset=utf-8"), HeaderField("content-length", "8059"),
    ],
    responseBody: body, responseSize: body.utf8.count, sent: .milliseconds(21400), took: .microseconds(4_312))

  private static let body =
    "{\"data\":["
    + (0..<25).map { index in
      "{\"id\":\(51 + index),\"title\":\"Murphy's law \(index)\",\"text\":\"If anything can go wrong, it will.\","
        + "\"score\":\(index == 3 ? "\"17\"" : "\(index)"),\"upvotes\":\(20 + index),\"downvotes\":\(index)}"
    }.joined(separator: ",") + "],\"limit\":25,\"offset\":50,\"total\":1234}"
}
