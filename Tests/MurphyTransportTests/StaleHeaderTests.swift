import MurphyTransport
import Testing
import WildServer

/// A server must not be able to end the process, whatever libcurl makes of its answers.
@Suite struct StaleHeaderTests {
  /// libcurl 7.88 appends a folded line to the last header of the answer before, whose memory is free by then.
  @Test func `an answer that begins with a folded line ends no process`() async throws {
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
}
