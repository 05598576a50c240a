import Foundation
import MurphyHTTP
import MurphyModel
import TestSupport
import Testing
import WildServer

/// Random responses through the direct path and through libcurl: the same status and body, or murphy is the stricter one.
@Suite(.requires(.haproxy, .openssl)) struct DifferentialFuzzTests {
  /// A hundredth of `MURPHY_FUZZ`, for each response goes over two real connections; 1,000 by default.
  static let answers = ParserFuzzTests.inputs / 100

  private static let lines = [
    "Content-Length: 5", "Content-Length: 5", "Content-Length: 0", "Content-Length: 7", "Content-Length: 05",
    "Content-Length: 5 ", "content-length:5", "Content-Length: 5, 5", "Content-Length: -5", "Content-Length: 0x5",
    "Transfer-Encoding: chunked", "Transfer-Encoding: chunked", "transfer-encoding:  Chunked ",
    "Transfer-Encoding: identity",
    "Transfer-Encoding: chunked, chunked", "Transfer-Encoding: xchunked", "Connection: close", "Connection: keep-alive",
    "X-A: b", "X-A : b", "X-A", ": b", " folded", "X-A: \u{1}", "X-\0: a", "X-A: a\rb", "Content-Encoding: identity",
    "Set-Cookie: a=b", "Keep-Alive: timeout=1", "Trailer: X-T", "",
  ]
  private static let firsts = [
    "HTTP/1.1 200 OK", "HTTP/1.1 200 OK", "HTTP/1.1 200 OK", "HTTP/1.1 404 Not Found", "HTTP/1.0 200 OK",
    "HTTP/1.1 204 No",
    "HTTP/1.1 304 Not", "HTTP/1.1 200", "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK", "HTTP/1.1 099 Odd",
    "HTTP/1.1 600 Odd",
    "HTTP/1.1  200 OK", "HTTP/1.1 20 OK", "HTTP/1.1 2000 OK", "HTTP/2 200", "HTTP/1.2 200 OK", "http/1.1 200 OK",
    "ICY 200 OK",
    "\r\nHTTP/1.1 200 OK", "HTTP/1.1 200 OK\0",
  ]
  private static let bodies = [
    "hello", "hello", "", "hello world", "5\r\nhello\r\n0\r\n\r\n", "5\r\nhello\r\n0\r\n\r\n",
    "5;a=b\r\nhello\r\n0\r\nX-T: 1\r\n\r\n",
    "005\r\nhello\r\n0\r\n\r\n", "5 \r\nhello\r\n0\r\n\r\n", "5\nhello\n0\n\n", "6\r\nhello\r\n0\r\n\r\n",
    "g\r\nhello\r\n0\r\n\r\n",
    "-5\r\nhello\r\n0\r\n\r\n", "0x5\r\nhello\r\n0\r\n\r\n", "5\r\nhello\r\n", "5\r\nhello\r\n0\r\n", "\r\n",
    "5\r\nhello\r\n0\r\n\r\nmore",
  ]

  private static func answer(_ random: inout RandomSource) -> [UInt8] {
    func pick(_ texts: [String]) -> String { texts[Int(random.next() % UInt64(texts.count))] }
    var text = pick(firsts) + "\r\n"
    for _ in 0..<Int(random.next() % 4) { text += pick(lines) + (random.next() % 12 == 0 ? "\n" : "\r\n") }
    text += (random.next() % 12 == 0 ? "\n" : "\r\n") + pick(bodies)
    var bytes = Array(text.utf8)
    if random.next() % 4 == 0 {
      bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
    }
    return bytes
  }

  private struct Outcome: Sendable {
    var reply: Reply
    var violations: ProtocolViolations

    /// Without times and the address of the connection.
    var text: String {
      "\(reply.status) \(reply.headerBlock.debugDescription) \(reply.body.debugDescription) \(violations.each) "
        + (reply.failure?.kind.name ?? "answered")
    }
  }

  private static func outcomes(_ answers: [[UInt8]], _ route: Route) async throws -> [Outcome] {
    let server = try WildServer { request, connection in
      connection.send(answers[Int(request.target.dropFirst()) ?? 0])
      connection.finish()
    }
    defer { server.stop() }
    return try await withTransport(to: server.url, by: route) { transport in
      var outcomes: [Outcome] = []
      for number in answers.indices {
        let transfer = try transport.connect().start(HTTPRequest(method: "GET", target: "/\(number)"))
        await transfer.finished()
        outcomes.append(Outcome(reply: Reply(transfer), violations: transfer.violations))
        transfer.release()
      }
      return outcomes
    }
  }

  @Test func `a response is read below TLS as it is without`() async throws {
    let seed = UInt64.random(in: 1...1 << 40)
    var random = RandomSource(seed: seed)
    let answers = (0..<Self.answers).map { _ in Self.answer(&random) }
    async let plain = Self.outcomes(answers, .direct)
    async let secure = Self.outcomes(answers, .secure)
    for (answer, (one, other)) in zip(answers, zip(try await plain, try await secure)) {
      #expect(one.text == other.text, "seed \(seed): \(String(decoding: answer, as: UTF8.self).debugDescription)")
    }
  }

  @Test func `a flaw of an interim response is not passed over in silence`() async throws {
    let final = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
    let flawed = ["100 \nontinue\r\n\r\n", "103 Early Hints\r\nLink\r\n\r\n", "103 Early Hints\r\nLi nk: a\r\n\r\n"]
    let sound = ["100 Continue\r\n\r\n", "103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n"]
    let answers = (flawed + sound).map { Array("HTTP/1.1 \($0)\(final)".utf8) }
    let outcomes = try await Self.outcomes(answers, .direct)
    #expect(outcomes.map(\.reply.status) == Array(repeating: 200, count: 5))
    #expect(outcomes.map { !$0.violations.each.isEmpty } == [true, true, true, false, false])
  }

  @Test func `murphy reads a random response as libcurl does, or is stricter`() async throws {
    let seed = UInt64.random(in: 1...1 << 40)
    var random = RandomSource(seed: seed)
    let answers = (0..<Self.answers).map { _ in Self.answer(&random) }
    async let direct = Self.outcomes(answers, .direct)
    async let libcurl = Self.outcomes(answers, .libcurl)
    var counts = ["read alike": 0, "murphy stricter": 0, "refused by both": 0, "found fault with": 0]
    for (answer, (mine, theirs)) in zip(answers, zip(try await direct, try await libcurl)) {
      let text = "seed \(seed): \(String(decoding: answer, as: UTF8.self).debugDescription)"
      switch (mine.reply.isAnswered, theirs.reply.isAnswered) {
      case (true, true):
        // libcurl takes a line that begins with a bare CR for the end of the headers; murphy finds fault with it.
        let isSame = mine.reply.status == theirs.reply.status && mine.reply.body == theirs.reply.body
        #expect(isSame || !mine.violations.each.isEmpty, "\(text)")
        counts[mine.violations.each.isEmpty ? "read alike" : "found fault with", default: 0] += 1
      case (true, false):
        // Read all the same, but never in silence.
        #expect(!mine.violations.each.isEmpty, "\(text): \(theirs.reply.failure.map(String.init(describing:)) ?? "")")
        counts["found fault with", default: 0] += 1
      case (false, true): counts["murphy stricter", default: 0] += 1
      case (false, false): counts["refused by both", default: 0] += 1
      }
    }
    print("\(answers.count) responses, seed \(seed): \(counts.sorted { $0.key < $1.key })")
    #expect(counts.values.allSatisfy { $0 > 0 }, "\(counts)")
  }
}
