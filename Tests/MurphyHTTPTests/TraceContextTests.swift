import MurphyHTTP
import MurphyModel
import TestSupport
import Testing
import WildServer

@Suite(.requires(.nginx, .haproxy, .openssl)) struct TraceContextTests {
  private static func trace(_ number: UInt64) -> TraceContext {
    TraceContext(
      high: 0x0123_4567_89AB_CDEF, low: number, parent: 0xFEDC_BA98_7654_3210 &+ number,
      isSampled: number % 2 == 1, run: 0x0000_BEEF, session: UInt32(number))
  }

  private static func exchange(_ requests: [(HTTPRequest, TraceContext?)], on user: Connection) async -> [TraceContext?]
  {
    var traces: [TraceContext?] = []
    for (request, trace) in requests {
      let transfer = user.start(request, of: 0, trace: trace)
      await transfer.finished()
      traces.append(transfer.trace)
      transfer.release()
    }
    return traces
  }

  private static func expected(_ number: Int) -> [String?] {
    let digits = ["0", "1", "2", "3"][number]
    return [
      "00-0123456789abcdef000000000000000\(digits)-fedcba987654321\(digits)-0\(number % 2)",
      "murphy=0000beef-0000000\(digits)",
    ]
  }

  @Test(arguments: Route.allCases) func `each request carries its own trace, also if its bytes are kept`(
    _ route: Route
  ) async throws {
    let server = try WildServer { _, connection in connection.answer() }
    defer { server.stop() }
    let body = #"{"vote_type":"up"}"#
    let traces = try await withTransport(to: server.url, by: route) { transport in
      let kept = HTTPRequest(method: "POST", target: "/vote", body: Array(body.utf8))
      kept.keepBytes()
      let (first, second) = (Self.trace(1), Self.trace(2))
      return await Self.exchange([(kept, first), (kept, second), (kept, nil)], on: try transport.connect())
    }
    #expect(traces == [Self.trace(1), Self.trace(2), nil])
    let seen = server.requests
    #expect(seen.map { String(decoding: $0.body, as: UTF8.self) } == [body, body, body])
    #expect([seen[0].header("traceparent"), seen[0].header("tracestate")] == Self.expected(1))
    #expect([seen[1].header("traceparent"), seen[1].header("tracestate")] == Self.expected(2))
    #expect(seen[2].headers.allSatisfy { !$0.name.hasPrefix("trace") })
  }

  @Test(arguments: Route.allCases) func `a trace of the request itself is not replaced`(_ route: Route) async throws {
    let server = try WildServer { _, connection in connection.answer() }
    defer { server.stop() }
    let own = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    let traces = try await withTransport(to: server.url, by: route) { transport in
      let request = HTTPRequest(method: "GET", target: "/", headers: [HeaderField("TraceParent", own)])
      request.keepBytes()
      return await Self.exchange([(request, Self.trace(1)), (request, Self.trace(2))], on: try transport.connect())
    }
    #expect(traces == [nil, nil])
    for request in server.requests {
      #expect(request.headers.filter { $0.name.hasPrefix("trace") }.map(\.value) == [own])
    }
  }

  @Test func `requests over HTTP/2 carry their traces`() async throws {
    let server = try WildServer { _, connection in connection.answer() }
    defer { server.stop() }
    let nginx = try NginxFixture(backend: server.url)
    defer { nginx.stop() }
    var options = TransportOptions()
    options.authorities = nginx.authority
    let traces = try await withTransport(to: nginx.secure, options: options) { transport in
      // More headers than the first buffer holds.
      let many = (0..<40).map { HeaderField("X-\($0)", "a") }
      let kept = HTTPRequest(method: "POST", target: "/backend/", headers: many, body: Array("body".utf8))
      kept.keepBytes()
      let own = HTTPRequest(method: "GET", target: "/backend/", headers: [HeaderField("traceparent", "own")])
      own.keepBytes()
      return await Self.exchange(
        [(kept, Self.trace(1)), (kept, Self.trace(2)), (own, Self.trace(3)), (own, Self.trace(3))],
        on: try transport.connect())
    }
    #expect(traces == [Self.trace(1), Self.trace(2), nil, nil])
    let seen = server.requests
    try #require(seen.count == 4)
    #expect([seen[0].header("traceparent"), seen[0].header("tracestate")] == Self.expected(1))
    #expect([seen[1].header("traceparent"), seen[1].header("tracestate")] == Self.expected(2))
    #expect(seen[1].header("x-39") == "a" && String(decoding: seen[1].body, as: UTF8.self) == "body")
    for request in seen[2...] {
      #expect(request.headers.filter { $0.name.hasPrefix("trace") }.map(\.value) == ["own"])
    }
  }
}
