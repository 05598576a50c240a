import MurphyHTTP
import MurphyModel
import TestSupport
import Testing
import WildServer

/// Where the time of a request went. A busy machine makes phases longer and moves their borders, so lower bounds and sums
/// are held.
@Suite(.requires(.haproxy, .nginx, .openssl)) struct PhaseTests {
  struct Seen: Sendable {
    var phases: ServicePhases
    var took: Int64
  }

  private static func seen(_ user: Connection, _ target: String = "/") async -> Seen {
    let transfer = user.start(HTTPRequest(method: "GET", target: target))
    await transfer.finished()
    defer { transfer.release() }
    return Seen(phases: transfer.phases, took: transfer.ended - transfer.sent)
  }

  @Test(arguments: Route.allCases) func `each phase holds the time that it took, and together they are the whole`(
    _ route: Route
  ) async throws {
    let server = try WildServer { request, connection in
      if request.target == "/slow" { connection.pause(milliseconds: 60) }
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nhalf")
      if request.target == "/slow" { connection.pause(milliseconds: 1_500) }
      connection.send("half")
    }
    defer { server.stop() }
    let (first, second) = try await withTransport(to: server.url, by: route) { transport in
      let user = try transport.connect()
      return (await Self.seen(user, "/slow"), await Self.seen(user))
    }
    #expect(first.phases.connect ?? 0 > 0)
    #expect((first.phases.tls != nil) == (route == .secure))
    #expect(first.phases.firstByte >= 60_000_000)
    #expect(first.phases.body > 0, "the client was away for more than a second, or the phase is not measured")
    #expect(first.phases.firstByte + first.phases.body >= 1_560_000_000)
    #expect(second.phases.connect == nil && second.phases.tls == nil, "the connection was open")
    for seen in [first, second] { #expect(seen.phases.total == seen.took) }
  }

  @Test(arguments: Route.allCases) func `the time of a sending that was lost is held, not waited`(
    _ route: Route
  ) async throws {
    let seen = Counter()
    let server = try WildServer { _, connection in
      if seen.add() == 2 {
        connection.pause(milliseconds: 50)
        connection.finish()
      } else {
        connection.answer(headers: ["Keep-Alive": "timeout=60"])
      }
    }
    defer { server.stop() }
    let repeated = try await withTransport(to: server.url, by: route) { transport in
      let user = try transport.connect()
      _ = await user.reply()
      return await Self.seen(user)
    }
    #expect(repeated.phases.held >= 50_000_000)
    #expect(repeated.phases.connect ?? 0 > 0, "it was sent again over a new connection")
    #expect(repeated.phases.total == repeated.took)
  }

  @Test func `handshakes of HTTP/2 are in no time to first byte`() async throws {
    let nginx = try NginxFixture()
    defer { nginx.stop() }
    var options = TransportOptions()
    options.authorities = nginx.authority
    let (first, second) = try await withTransport(to: nginx.secure, options: options) { transport in
      let user = try transport.connect()
      return (await Self.seen(user, "/law.json"), await Self.seen(user, "/law.json"))
    }
    #expect(first.phases.connect ?? 0 > 0 && first.phases.tls ?? 0 > 0)
    #expect(second.phases.connect == nil && second.phases.tls == nil)
    for seen in [first, second] { #expect(abs(seen.phases.total - seen.took) < 2_000, "libcurl counts microseconds") }
  }

  @Test func `a name is looked up once, and an address never`() throws {
    #expect(try ResolvedHost(try Origin("http://localhost:1"), TransportOptions()).lookup != nil)
    #expect(try ResolvedHost(try Origin("http://127.0.0.1:1"), TransportOptions()).lookup == nil)
  }
}
