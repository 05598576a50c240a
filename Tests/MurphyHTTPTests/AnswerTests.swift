import MurphyHTTP
import MurphyModel
import TestSupport
import Testing
import WildServer

@Suite(.requires(.haproxy, .openssl)) struct AnswerTests {
  @Test(arguments: Route.allCases) func `headers of the final response stand in one block without the status line`(
    _ route: Route
  ) async throws {
    let server = try WildServer { _, connection in
      connection.send("HTTP/1.1 100 Continue\r\nX-Interim: yes\r\n\r\n")
      connection.send("HTTP/1.1 201 Created\r\nX-One: 1\r\nContent-Length: 2\r\nX-Two:  2 \r\n\r\n{}")
    }
    defer { server.stop() }
    let reply = try await withTransport(to: server.url, by: route) { try await $0.connect().reply() }
    #expect(reply.status == 201)
    #expect(reply.headerBlock == "X-One: 1\r\nContent-Length: 2\r\nX-Two:  2 \r\n")
    #expect(reply.body == "{}")
  }

  @Test(arguments: Route.allCases) func `a chunked body is put together, and its trailers are not headers`(
    _ route: Route
  ) async throws {
    let server = try WildServer { _, connection in
      connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n")
      for chunk in ["4;a=b\r\n[1,2", "3\r\n,3]"] {
        connection.send(chunk + "\r\n")
        connection.pause(milliseconds: 10)
      }
      connection.send("0\r\nX-Sum: 6\r\n\r\n")
    }
    defer { server.stop() }
    let replies = try await withTransport(to: server.url, by: route) { transport in
      let connection = try transport.connect()
      return await [connection.reply(), connection.reply()]
    }
    #expect(replies.map(\.body) == ["[1,2,3]", "[1,2,3]"])
    #expect(!replies[0].headerBlock.contains("X-Sum: 6"))
    #expect(server.connections == 1)
  }

  @Test(arguments: Route.allCases) func `a body without a length ends with the connection`(_ route: Route) async throws
  {
    let server = try WildServer { _, connection in
      connection.send("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n[1]")
      connection.finish()
    }
    defer { server.stop() }
    let replies = try await withTransport(to: server.url, by: route) { transport in
      let connection = try transport.connect()
      return await [connection.reply(), connection.reply()]
    }
    #expect(replies.map(\.body) == ["[1]", "[1]"])
    #expect(server.connections == 2)
  }

  @Test(arguments: [204, 304], Route.allCases) func `a response that has no body by its status is complete`(
    _ status: Int, _ route: Route
  ) async throws {
    let server = try WildServer { _, connection in
      connection.send("HTTP/1.1 \(status) Whatever\r\nETag: \"1\"\r\n\r\n")
    }
    defer { server.stop() }
    let replies = try await withTransport(to: server.url, by: route) { transport in
      let connection = try transport.connect()
      return await [connection.reply(), connection.reply()]
    }
    #expect(replies.map(\.status) == [status, status])
    #expect(replies.allSatisfy { $0.isAnswered && $0.body.isEmpty })
  }

  @Test(arguments: Route.allCases) func `a redirect is a response and is not followed`(_ route: Route) async throws {
    let server = try WildServer { _, connection in connection.answer(302, headers: ["Location": "/elsewhere"]) }
    defer { server.stop() }
    let reply = try await withTransport(to: server.url, by: route) { try await $0.connect().reply() }
    #expect(reply.status == 302)
    #expect(server.requests.map(\.target) == ["/"])
  }

  /// The end of the declared body lies where libcurl could stop in the middle of a TLS record.
  @Test(arguments: [Route.direct, .secure], [1024, 2048, 8192, 16_384])
  func `bytes behind a response are not part of the next one`(_ route: Route, _ whole: Int) async throws {
    let server = try WildServer { request, connection in
      guard request.target == "/first" else { return connection.answer(body: "true") }
      let head = "HTTP/1.1 200 OK\r\nContent-Length: 00000\r\n\r\n"
      let length = whole - head.utf8.count
      let padded = String(repeating: "0", count: 5 - String(length).count) + String(length)
      connection.send(
        head.replacing("00000", with: padded) + String(repeating: "x", count: length)
          + "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfalse")
    }
    defer { server.stop() }
    let (first, second, strays) = try await withTransport(to: server.url, by: route) { transport in
      let connection = try transport.connect()
      let transfer = connection.start(HTTPRequest(method: "GET", target: "/first"))
      await transfer.finished()
      defer { transfer.release() }
      let first = (Reply(transfer), transfer.violations)
      // What comes in a record or segment of its own is not there yet.
      let end = Instant.now + 20_000_000_000
      while first.1.isEmpty, transport.strays.isEmpty, Instant.now < end {
        _ = await transport.loop.sleep(until: .now + 5_000_000)
      }
      return await (first, connection.reply("GET", "/second"), transport.strays.count)
    }
    #expect(first.0.bodySize == whole - 42)
    // In the response's own record or segment, or in one behind it.
    #expect(first.1.each == [.surplus] || strays == 1)
    #expect(second.body == "true")
  }

  @Test(arguments: Route.allCases) func `a body of 3 MB comes whole`(_ route: Route) async throws {
    let body = String(repeating: "0123456789abcdef", count: 196_608)
    let server = try WildServer { _, connection in connection.answer(body: body) }
    defer { server.stop() }
    let reply = try await withTransport(to: server.url, by: route) { try await $0.connect().reply() }
    #expect(reply.isAnswered && reply.bodySize == body.utf8.count)
  }

  @Test(arguments: Route.allCases) func `a body over the limit is cut off there and the exchange given up`(
    _ route: Route
  ) async throws {
    let seen = Flag()
    let piece = [UInt8](repeating: UInt8(ascii: " "), count: 1 << 20)
    let server = try WildServer { _, connection in
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 104857600\r\n\r\n")
      for _ in 0..<100 where !connection.send(piece) { return seen.raise() }
    }
    defer { server.stop() }
    var options = TransportOptions()
    options.bodyLimit = ByteCount(1_000_000)
    let (reply, next) = try await withTransport(to: server.url, by: route, options: options) { transport in
      let connection = try transport.connect()
      return await (connection.reply(), connection.reply())
    }
    #expect(reply.isAnswered)
    #expect(reply.isCutOff)
    #expect(reply.status == 200)
    #expect(reply.bodySize == 1_000_000)
    #expect(next.isCutOff)
    // The server notices at its next send, on a thread of its own.
    for _ in 0..<500 where !seen.isRaised { try await Task.sleep(for: .milliseconds(20)) }
    #expect(seen.isRaised)
  }
}
