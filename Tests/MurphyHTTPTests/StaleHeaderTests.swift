import MurphyHTTP
import TestSupport
import Testing
import WildServer

/// A server must not be able to end the process, whatever libcurl makes of its responses.
@Suite(.requires(.haproxy, .openssl)) struct StaleHeaderTests {
  /// libcurl 7.88 appends a folded line to the last header of the response before, whose memory is free by then.
  @Test func `a response that begins with a folded line ends no process`() async throws {
    let server = try WildServer { request, connection in
      let isFolded = request.target.hasPrefix("/folded")
      let fields = (0..<200).map { "X-\($0): \(String(repeating: "v", count: 50 + $0))\r\n" }.joined()
      connection.send("HTTP/1.1 200 OK\r\n\(isFolded ? " folded\r\n" : fields)Content-Length: 2\r\n\r\n{}")
      connection.finish()
    }
    defer { server.stop() }
    try await withTransport(to: server.url, by: .libcurl) { transport in
      for number in 0..<300 {
        let reply = try await transport.connect().reply("GET", number % 2 == 0 ? "/fair" : "/folded")
        if number % 2 == 0 { #expect(reply.status == 200) }
      }
    }
  }

  /// Over HTTP/2 a handle is used again as it is, since no line of it is folded; what it points to must not be read when
  /// the server turns to HTTP/1.1.
  @Test func `a handle that was used for HTTP/2 reads no response of HTTP/1`() async throws {
    let streams = try StreamServer { $0.isMultiple(of: 2) ? .bare : .answer }
    defer { streams.stop() }
    let lines = try WildServer { _, connection in
      connection.send("HTTP/1.1 200 OK\r\n folded\r\nX-A: a\r\nContent-Length: 2\r\n\r\n{}")
      connection.finish()
    }
    defer { lines.stop() }
    let door = try SecureDoor(to: streams.port)
    defer { door.stop() }
    var options = TransportOptions()
    options.authorities = door.authority
    try await withTransport(to: door.url, options: options) { transport in
      let user = try transport.connect()
      for _ in 0..<20 {
        for _ in 0..<3 {
          let reply = await user.reply("GET", "/")
          #expect(reply.status == 200 && reply.failure == nil, "\(reply)")
        }
        try door.reopen(to: lines.port, protocols: "http/1.1")
        for _ in 0..<3 { _ = await user.reply("GET", "/") }
        try door.reopen(to: streams.port, protocols: "h2")
      }
    }
    #expect(streams.requests == 60 && !lines.requests.isEmpty)
  }
}
