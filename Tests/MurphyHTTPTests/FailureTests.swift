import Foundation
import MurphyHTTP
import MurphyModel
import TestSupport
import Testing
import WildServer

@Suite(.requires(.haproxy, .openssl)) struct FailureTests {
  private var impatient: TransportOptions {
    var options = TransportOptions()
    options.timeout = .milliseconds(300)
    options.connectTimeout = .milliseconds(300)
    return options
  }

  private func failure(_ route: Route, _ responder: @escaping WildServer.Responder) async throws -> TransportError? {
    let server = try WildServer(responder)
    defer { server.stop() }
    return try await withTransport(to: server.url, by: route, options: impatient) {
      try await $0.connect().reply().failure
    }
  }

  @Test(arguments: Route.allCases) func `a server that hangs ends in a timeout`(_ route: Route) async throws {
    let error = try await failure(route) { _, connection in _ = connection.waitForClose(atMost: 5) }
    #expect(error == .timeout(.milliseconds(300), received: nil))
    #expect(error?.sentence == "no response within 300 ms")
  }

  @Test(
    arguments: [TransportOptions.Version.http1, .http2],
    [(Route.direct, 100), (.direct, 600), (.libcurl, 100), (.libcurl, 600)])
  func `a connection that does not open names the limit that expired`(
    version: TransportOptions.Version, by way: (route: Route, request: Int)
  ) async throws {
    // It does not answer the TLS handshake.
    let server = try WildServer { _, connection in _ = connection.waitForClose(atMost: 5) }
    defer { server.stop() }
    var options = TransportOptions()
    options.version = version
    options.timeout = .milliseconds(way.request)
    options.connectTimeout = .milliseconds(300)
    let url = server.url.replacing("http:", with: "https:")
    let error = try await withTransport(to: url, by: way.route, options: options) {
      await (try $0.connect()).reply().failure
    }
    #expect(error == .connectTimeout(.milliseconds(min(way.request, 300))), "\(error?.detail ?? "")")
  }

  @Test(arguments: Route.allCases) func `a response that stalls in its body ends in a timeout too`(_ route: Route)
    async throws
  {
    let error = try await failure(route) { _, connection in
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n0123456789")
      _ = connection.waitForClose(atMost: 5)
    }
    #expect(error == .timeout(.milliseconds(300), received: 10))
    #expect(error?.sentence.contains("not complete") == true)
  }

  @Test(arguments: Route.allCases) func `a response that stalls behind its header section began`(_ route: Route)
    async throws
  {
    let error = try await failure(route) { _, connection in
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n")
      _ = connection.waitForClose(atMost: 5)
    }
    #expect(error == .timeout(.milliseconds(300), received: 0))
    #expect(error?.life == .shown && error?.sentence.contains("not complete") == true)
  }

  @Test(arguments: Route.allCases) func `a body that ends before its announced end is incomplete`(_ route: Route)
    async throws
  {
    let error = try await failure(route) { _, connection in
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n0123456789")
      connection.finish()
    }
    #expect(error?.kind.name == "incomplete")
    #expect(error?.detail.contains("10 bytes") == true)
  }

  @Test func `a response that ends in its header section had no body`() async throws {
    let error = try await failure(.direct) { _, connection in
      connection.send("HTTP/1.1 200 OK\r\nContent-Ty")
      connection.finish()
    }
    #expect(error?.kind.name == "incomplete")
    #expect(error?.sentence.contains("within the header section") == true, "\(error?.sentence ?? "")")
    #expect(error?.sentence.contains("body") == false && error?.detail.contains("body") == false)
  }

  @Test(arguments: Route.allCases) func `a chunked body that ends within a chunk is incomplete`(_ route: Route)
    async throws
  {
    let error = try await failure(route) { _, connection in
      connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n10\r\n01234")
      connection.finish()
    }
    #expect(error?.kind.name == "incomplete")
  }

  @Test(arguments: Route.allCases) func `a connection that closes without a word is closed`(_ route: Route) async throws
  {
    let error = try await failure(route) { _, connection in connection.finish() }
    #expect(error?.kind.name == "closed")
  }

  @Test(
    arguments: ["220 mail.example.org ESMTP ready\r\n", "\u{0}\u{1}\u{2}\u{3}garbage garbage garbage\r\n\r\n"],
    Route.allCases)
  func `what is not HTTP is said to be so`(_ garbage: String, _ route: Route) async throws {
    let error = try await failure(route) { _, connection in
      connection.send(garbage)
      connection.finish()
    }
    #expect(error?.kind.name == "not-http")
  }

  /// libcurl calls its own limits on lines "out of memory"; the line is the server's.
  @Test(arguments: Route.allCases) func `a header of 5 MB is the server's fault, not a want of memory here`(
    _ route: Route
  ) async throws {
    let server = try WildServer { _, connection in
      connection.answer(headers: ["X-Long": String(repeating: "x", count: 5_000_000)])
    }
    defer { server.stop() }
    let error = try await withTransport(to: server.url, by: route) { try await $0.connect().reply().failure }
    #expect(error?.kind.name == "header-size")
    #expect(error?.sentence.contains("memory") == false)
  }

  @Test func `a request that libcurl does not send is neither the server's fault nor a want of memory`() async throws {
    let server = try WildServer { _, connection in connection.answer() }
    defer { server.stop() }
    let error = try await withTransport(to: server.url, by: .libcurl) { transport in
      try await transport.connect().reply(
        "GET", "/", headers: [HeaderField("X-Long", String(repeating: "x", count: 2_000_000))]
      ).failure
    }
    #expect(error?.kind.name == "other")
    #expect(error?.sentence.contains("1 MB") == true)
  }

  @Test(arguments: Route.plain) func `a port that nobody listens on rejects`(_ route: Route) async throws {
    let server = try WildServer { _, _ in }
    let url = server.url
    server.stop()
    try await Task.sleep(for: .milliseconds(100))
    let error = try await withTransport(to: url, by: route) { try await $0.connect().reply().failure }
    #expect(error?.kind.name == "refused")
    #expect(error?.isUnreachable == true)
  }

  @Test func `a name without an address is said to have none`() throws {
    let origin = try Origin("http://murphy.invalid/")
    let error = #expect(throws: TransportError.self) { try ResolvedHost(origin, TransportOptions()) }
    #expect(error?.kind.name == "unresolved")
  }

  @Test(arguments: Route.allCases) func `a source address that this machine does not have is the generator's fault`(
    _ route: Route
  ) async throws {
    let server = try WildServer { _, connection in connection.answer() }
    defer { server.stop() }
    let error = try await withTransport(to: server.url, by: route) { transport in
      try await transport.connect(sourceAddress: "192.0.2.1").reply().failure
    }
    #expect(error?.kind.name == "exhausted")
  }

  @Test(arguments: Route.allCases) func `after a failure the user's next request succeeds`(_ route: Route) async throws
  {
    let server = try WildServer { request, connection in
      if request.target == "/bad" { connection.finish() } else { connection.answer() }
    }
    defer { server.stop() }
    let statuses = try await withTransport(to: server.url, by: route) { transport in
      let connection = try transport.connect()
      return await [connection.reply().status, connection.reply("GET", "/bad").status, connection.reply().status]
    }
    #expect(statuses == [200, 0, 200])
  }

  @Test(arguments: Route.allCases)
  func `a keep-alive connection that the server closed between two requests costs no failure`(_ route: Route)
    async throws
  {
    let server = try WildServer { _, connection in
      connection.answer()
      connection.finish()
    }
    defer { server.stop() }
    let replies = try await withTransport(to: server.url, by: route) { transport in
      let connection = try transport.connect()
      let first = await connection.reply()
      _ = await transport.loop.sleep(until: .now + 100_000_000)
      return await [first, connection.reply()]
    }
    #expect(replies.map(\.status) == [200, 200])
  }
}
