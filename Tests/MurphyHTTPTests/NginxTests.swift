import MurphyHTTP
import MurphyModel
import TestSupport
import Testing
import WildServer

@Suite(.requires(.nginx, .haproxy, .openssl)) struct NginxTests {
  @Test func `HTTP/2 is spoken where the server offers it, and one user's requests share a connection`() async throws {
    let nginx = try NginxFixture()
    defer { nginx.stop() }
    var options = TransportOptions()
    options.authorities = nginx.authority
    try await withTransport(to: nginx.secure, options: options) { transport in
      let connection = try transport.connect()
      let reply = await connection.reply("GET", "/law.json")
      #expect(reply.status == 200, "\(reply.ending)")
      #expect(reply.headerBlock.lowercased().contains("x-protocol: http/2.0"))
      #expect(reply.body.hasPrefix("{\"text\":\"anything"))
    }
    options.version = .http1
    try await withTransport(to: nginx.secure, options: options) { transport in
      let reply = try await transport.connect().reply("GET", "/law.json")
      #expect(reply.headerBlock.contains("X-Protocol: HTTP/1.1"))
    }
  }

  @Test(arguments: [("h2,http/1.1", Negotiation.http2), ("http/1.1", .http1), ("", .http1)])
  func `the version of HTTP that a server picks is known before the first request`(
    _ offered: String, _ expected: Negotiation
  ) async throws {
    let server = try WildServer { _, connection in connection.answer() }
    defer { server.stop() }
    let door = try SecureDoor(before: server.url, protocols: offered)
    defer { door.stop() }
    var options = TransportOptions()
    #expect(try ResolvedHost(try Origin(door.url), options).negotiation == .unknown, "nobody trusts the authority")
    options.authorities = door.authority
    #expect(try ResolvedHost(try Origin(door.url), options).negotiation == expected)
    // The preface of HTTP/2 may come with the handshake; it asks for nothing.
    #expect(server.requests.allSatisfy { $0.method == "PRI" })
    // Behind the door stands a server that speaks no HTTP/2.
    if expected == .http1 {
      let reply = try await withTransport(to: door.url, options: options) { try await $0.connect().reply() }
      #expect(reply.status == 200)
      // libcurl would offer all codings that it knows.
      #expect(server.requests.first?.header("accept-encoding") == "gzip, deflate")
    }
  }

  @Test func `a certificate of an unknown authority is rejected`() async throws {
    let nginx = try NginxFixture()
    defer { nginx.stop() }
    let error = try await withTransport(to: nginx.secure) { try await $0.connect().reply("GET", "/law.json").failure }
    #expect(error?.kind.name == "encryption")
    #expect(error?.sentence.contains("authority") == true)
    var trusting = TransportOptions()
    trusting.checksCertificates = false
    let reply = try await withTransport(to: nginx.secure, options: trusting) { transport in
      try await transport.connect().reply("GET", "/law.json")
    }
    #expect(reply.status == 200)
  }

  @Test func `a certificate for another name is rejected`() async throws {
    let nginx = try NginxFixture()
    defer { nginx.stop() }
    var options = TransportOptions()
    options.authorities = nginx.authority
    let url = nginx.secure.replacing("localhost", with: "127.0.0.1")
    let error = try await withTransport(to: url, options: options) { try await $0.connect().reply().failure }
    #expect(error?.kind.name == "encryption")
  }

  @Test func `a compressed body is decoded, and asked for only when compression is wanted`() async throws {
    let nginx = try NginxFixture()
    defer { nginx.stop() }
    var options = TransportOptions()
    for compression in [true, false] {
      options.compression = compression
      let reply = try await withTransport(to: nginx.plain, options: options) { transport in
        try await transport.connect().reply("GET", "/law.json")
      }
      #expect(reply.headerBlock.contains("Content-Encoding: gzip") == compression)
      #expect(reply.body.hasPrefix("{\"text\":\"anything"))
      #expect(reply.bodySize == 5_411)
    }
  }

  @Test func `a request over HTTP/2 has its content, its fields and no fields of HTTP/1`() async throws {
    let server = try WildServer { _, connection in connection.answer() }
    defer { server.stop() }
    let nginx = try NginxFixture(backend: server.url)
    defer { nginx.stop() }
    var options = TransportOptions()
    options.authorities = nginx.authority
    let body = String(repeating: "content ", count: 40_000)
    let headers = [
      HeaderField("X-One", " two "), HeaderField("Cookie", "a=1"), HeaderField("Cookie", "b=2"),
      HeaderField("Connection", "close"), HeaderField("Accept", "text/plain"),
    ]
    let replies = try await withTransport(to: nginx.secure, options: options) { transport in
      let user = try transport.connect()
      return [
        await user.reply("POST", "/backend/?q=%20", headers: headers, body: body),
        await user.reply("HEAD", "/law.json"),
        await user.reply("GET", "/law.json"),
      ]
    }
    #expect(replies.map(\.status) == [200, 200, 200], "\(replies.map(\.ending))")
    #expect(replies[1].bodySize == 0 && replies[2].bodySize == 5_411, "gzip is decoded")
    let seen = try #require(server.requests.first)
    #expect(seen.method == "POST" && seen.target == "/backend/?q=%20")
    #expect(String(decoding: seen.body, as: UTF8.self) == body)
    #expect(seen.header("x-one") == "two" && seen.header("cookie") == "a=1; b=2")
    #expect(seen.header("accept") == "text/plain" && seen.header("user-agent") == "murphy")
    #expect(seen.header("accept-encoding") == "gzip, deflate" && seen.header("content-length") == "320000")
  }

  @Test(arguments: [TransportOptions.Version.http1, .http2])
  func `a header section of 5 MB over TLS is the server's fault`(
    _ version: TransportOptions.Version
  ) async throws {
    let fields = (0..<50).map { "X-\($0): \(String(repeating: "x", count: 105_000))\r\n" }.joined()
    let server = try WildServer { _, connection in
      connection.send("HTTP/1.1 200 OK\r\n\(fields)Content-Length: 2\r\n\r\n{}")
    }
    defer { server.stop() }
    let nginx = try NginxFixture(backend: server.url)
    defer { nginx.stop() }
    var options = TransportOptions()
    options.authorities = nginx.authority
    options.version = version
    let reply = try await withTransport(to: nginx.secure, options: options) { transport in
      try await transport.connect().reply("GET", "/backend/")
    }
    // HTTP/2 compresses headers, but not to a hundredth of their size.
    let failure = try #require(reply.failure, "\(reply.status)")
    #expect(failure.life != .unknown, "murphy's own: \(failure)")
    #expect(!failure.sentence.contains("memory"), "\(failure.sentence)")
    if version == .http1 { #expect(failure.kind.name == "header-size", "\(failure)") }
    let next = try await withTransport(to: nginx.secure, options: options) {
      try await $0.connect().reply("GET", "/law.json")
    }
    #expect(next.status == 200)
  }
}
