import MurphyHTTP
import MurphyModel
import TestSupport
import Testing
import WildServer

/// The direct path's parser beside libcurl on responses that break rules of HTTP.
@Suite(.requires(.haproxy, .openssl)) struct HostileAnswerTests {
  struct Outcome: Sendable {
    var reply: Reply
    var violations: ProtocolViolations
  }

  private func outcome(_ answer: HostileAnswer, _ route: Route) async throws -> Outcome {
    let server = try WildServer { _, connection in
      connection.send(answer.text)
      connection.finish()
    }
    defer { server.stop() }
    return try await withTransport(to: server.url, by: route) { transport in
      let transfer = try transport.connect().start(HTTPRequest(method: "GET", target: "/"))
      await transfer.finished()
      defer { transfer.release() }
      return Outcome(reply: Reply(transfer), violations: transfer.violations)
    }
  }

  @Test(arguments: HostileAnswer.all) func `what breaks a rule is a finding or a failure, never silence`(
    _ answer: HostileAnswer
  ) async throws {
    let direct = try await outcome(answer, .direct)
    #expect(direct.reply.failure?.kind.name == answer.failure)
    #expect(direct.violations.each == [answer.violation].compactMap { $0 })
  }

  @Test(arguments: HostileAnswer.all) func `murphy reads a response as libcurl does, or rejects it`(
    _ answer: HostileAnswer
  ) async throws {
    let direct = try await outcome(answer, .direct)
    let libcurl = try await outcome(answer, .libcurl)
    // What murphy reads libcurl reads, but where the table says otherwise; what murphy refuses libcurl may read.
    let isRefused = answer.throughLibcurl != .none && answer.throughLibcurl != .some(nil)
    #expect(!direct.reply.isAnswered || libcurl.reply.isAnswered || isRefused)
    if direct.reply.isAnswered, libcurl.reply.isAnswered {
      #expect(direct.reply.status == libcurl.reply.status)
      #expect(direct.reply.body == libcurl.reply.body)
    }
  }

  @Test(arguments: HostileAnswer.all) func `through libcurl the same is found, as far as its callbacks show it`(
    _ answer: HostileAnswer
  ) async throws {
    let libcurl = try await outcome(answer, .libcurl)
    let found = libcurl.reply.failure?.kind.name ?? libcurl.violations.each.first?.kind.name
    switch answer.throughLibcurl {
    case .some(let expected): #expect(found == expected)
    case .none where answer.failure != nil: #expect(libcurl.reply.failure != nil, "\(libcurl.reply.status)")
    case .none: #expect(found == answer.violation?.kind.name)
    }
  }

  @Test(arguments: Route.allCases) func `endless interim responses, headers and trailers end soon`(_ route: Route)
    async throws
  {
    let floods = [
      ("", "HTTP/1.1 100 Continue\r\n\r\n"), ("HTTP/1.1 200 OK\r\n", "X-A: b\r\n"),
      ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n", "X-A: b\r\n"),
      ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5", ";x=y"),
    ]
    var options = TransportOptions()
    options.timeout = .seconds(5)
    for (begin, more) in floods {
      let server = try WildServer { _, connection in
        connection.send(begin)
        let flood = Array(String(repeating: more, count: 4000).utf8)
        while connection.send(flood) {}
      }
      defer { server.stop() }
      let reply = try await withTransport(to: server.url, by: route, options: options) {
        try await $0.connect().reply()
      }
      #expect(reply.failure != nil, "\(begin)\(more)")
      if route == .direct {
        #expect(["interim", "header-size"].contains(reply.failure?.kind.name ?? ""), "\(begin)\(more)")
      }
    }
  }

  @Test func `a flood from one server keeps nobody else from their deadlines`() async throws {
    let server = try WildServer { request, connection in
      connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
      // One byte of body in a kilobyte of chunk extension: never over a limit of bytes.
      let chunk = Array(String(repeating: "1;" + String(repeating: "x", count: 1000) + "\r\na\r\n", count: 100).utf8)
      while connection.send(chunk) {}
    }
    defer { server.stop() }
    var options = TransportOptions()
    options.timeout = .milliseconds(500)
    let (failure, woke) = try await withTransport(to: server.url, options: options) { transport in
      let transfer = try transport.connect().start(HTTPRequest(method: "GET", target: "/"))
      let due = Instant.now + 100_000_000
      _ = await transport.loop.sleep(until: due)
      let woke = Instant.now < transfer.sent + 30_000_000_000
      await transfer.finished()
      defer { transfer.release() }
      return (Reply(transfer).failure, woke)
    }
    #expect(woke)
    #expect(failure?.kind.name == "timeout")
  }

  @Test(arguments: [Route.direct, .secure])
  func `bytes on an idle connection are a finding of the request before them`(_ route: Route) async throws {
    let server = try WildServer { request, connection in
      connection.answer()
      connection.pause(milliseconds: 50)
      connection.send(request.target == "/polite" ? "HTTP/1.1 408 Request Timeout\r\n\r\n" : "more")
    }
    defer { server.stop() }
    let labels = try await withTransport(to: server.url, by: route) { transport in
      for (label, target) in ["/rude", "/polite", "/rude"].enumerated() {
        var request = HTTPRequest(method: "GET", target: target)
        request.label = label
        let transfer = try transport.connect().start(request)
        await transfer.finished()
        _ = await transport.loop.sleep(until: .now + 300_000_000)
        transfer.release()
      }
      return transport.strays.map(\.label)
    }
    #expect(labels == [0, 2])
  }
}
