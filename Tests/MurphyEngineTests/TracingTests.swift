import MurphyEngine
import MurphyHTTP
import MurphyModel
import Testing
import WildServer

@Suite struct TracingTests {
  /// A `traceparent` of version 00 (W3C Trace Context §3.2).
  private struct Parent: Hashable {
    var trace: String
    var span: String
    var flags: String

    init?(_ header: String?) {
      guard let parts = header?.split(separator: "-").map(String.init), parts.count == 4, parts[0] == "00",
        parts[1].utf8.count == 32, parts[2].utf8.count == 16, ["00", "01"].contains(parts[3]),
        parts.allSatisfy({ $0.utf8.allSatisfy("0123456789abcdef".utf8.contains) })
      else { return nil }
      (trace, span, flags) = (parts[1], parts[2], parts[3])
    }
  }

  private static func run(
    settings: String = "settings: { tracing: 1% }", steps: String = "{ call: listLaws }", sessions: Int = 50,
    seed: UInt64 = 7,
    respond: @escaping WildServer.Responder = { _, connection in connection.answer(body: EngineFixture.page) }
  ) async throws -> (record: RunRecord, requests: [WildRequest]) {
    let server = try WildServer(respond)
    defer { server.stop() }
    let record = try await EngineFixture.run(
      """
      \(settings)
      sessions: { read: { steps: [\(steps)] } }
      load: { stages: [{ users: 1, for: 60s }], iterations: \(sessions) }
      """, against: server.url, configure: { $0.seed = seed })
    return (record, server.requests)
  }

  @Test func `each request has a new trace that names run and session`() async throws {
    let (record, requests) = try await Self.run(settings: "settings: { tracing: 100% }")
    let parents = requests.compactMap { Parent($0.header("traceparent")) }
    try #require(requests.count == 50 && parents.count == 50)
    #expect(Set(parents.map(\.trace)).count == 50 && Set(parents.map(\.span)).count == 50)
    #expect(parents.allSatisfy { $0.flags == "01" })
    let states = requests.compactMap { $0.header("tracestate") }
    #expect(Set(states).count == 50, "each session has its own number")
    #expect(Set(states.map { $0.prefix(while: { $0 != "-" }) }).count == 1, "one run")
    #expect(states.allSatisfy { $0.wholeMatch(of: /murphy=[0-9a-f]{8}-[0-9a-f]{8}/) != nil })
    #expect(record.findings.allSatisfy { $0.severity == .note })
  }

  @Test func `two runs with the same seed have different traces`() async throws {
    let runs = [try await Self.run(sessions: 5), try await Self.run(sessions: 5)]
    let traces = runs.flatMap(\.requests).compactMap { Parent($0.header("traceparent"))?.trace }
    #expect(traces.count == 10 && Set(traces).count == 10)
  }

  @Test func `tracing can be off, and the scenario's own trace is sent`() async throws {
    let (_, silent) = try await Self.run(settings: "settings: { tracing: off }")
    #expect(silent.count == 50 && silent.allSatisfy { $0.headers.allSatisfy { !$0.name.hasPrefix("trace") } })
    let own = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    let (_, requests) = try await Self.run(steps: "{ call: listLaws, headers: { traceparent: \(own) } }")
    #expect(requests.count == 50)
    #expect(requests.allSatisfy { $0.headers.filter { $0.name.hasPrefix("trace") }.map(\.value) == [own] })
  }

  @Test func `a request after a redirect has a trace of its own`() async throws {
    let (_, requests) = try await Self.run(settings: "settings: { redirects: 1, tracing: 1% }", sessions: 1) {
      request, connection in
      if request.target == "/laws" {
        connection.answer(302, headers: ["Location": "/laws/7"])
      } else {
        connection.answer(body: EngineFixture.law)
      }
    }
    let parents = requests.compactMap { Parent($0.header("traceparent")) }
    #expect(requests.map(\.target) == ["/laws", "/laws/7"] && Set(parents).count == 2)
  }

  @Test func `evidence shows the trace, and its commands do not repeat it`() async throws {
    let (record, requests) = try await Self.run(sessions: 3) { _, connection in connection.answer(500) }
    let finding = try #require(record.findings.first { $0.evidence?.exchange != nil })
    let exchange = try #require(finding.evidence?.exchange)
    let traces = requests.compactMap { Parent($0.header("traceparent")) }
    let sent = try #require(traces.first { $0.trace == exchange.traceId })
    #expect(exchange.traceSampled == (sent.flags == "01"))
    let command = try #require(finding.evidence?.curl?.text)
    #expect(!command.contains("traceparent") && !command.contains(sent.trace))
  }

  @Test func `a key gets the operation from each id that it made, and from no other id`() {
    var random = RandomSource(seed: 11)
    var sampled = 0
    let all = 20_000
    for _ in 0..<all {
      let key = TraceKey(seed: random.next(), salt: random.next(), start: Int64(truncatingIfNeeded: random.next()))
      let request = TraceKey.Request(
        operation: Int(random.next() & 0xFFFF), loop: Int(random.next() & 0xFFF), number: random.next() >> 28)
      let trace = key.context(request, session: 0, sampledBelow: UInt64(0.01 * 0x1p64))
      #expect(key.request(high: trace.high, low: trace.low) == request)
      #expect(trace.parent != 0)
      #expect(key.request(high: trace.high, low: trace.low ^ 1 << (random.next() % 64)) == nil)
      #expect(key.request(high: random.next(), low: random.next()) == nil)
      let other = TraceKey(seed: random.next(), salt: 0, start: 0)
      #expect(other.request(high: trace.high, low: trace.low) == nil)
      if trace.isSampled { sampled += 1 }
    }
    // 1 %, within six standard deviations.
    let expected = 0.01 * Double(all)
    #expect(abs(Double(sampled) - expected) < 6 * expected.squareRoot())
  }
}
