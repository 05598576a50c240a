import MurphyHTTP

/// A response that breaks a rule of HTTP, and what becomes of it.
struct HostileAnswer: Sendable, CustomStringConvertible {
  var name: String
  var text: String
  /// The finding's kind, when the response is read all the same.
  var violation: ProtocolViolation?
  /// The failure's kind, when it cannot be read.
  var failure: String?
  /// The finding of the libcurl path, where it differs; nil for one that its callbacks do not show.
  var throughLibcurl: String??

  var description: String { name }

  init(
    _ name: String, _ head: String, _ body: String = "hello", violation: ProtocolViolation? = nil,
    failure: String? = nil, throughLibcurl: String?? = .none
  ) {
    self.name = name
    text = "HTTP/1.1 " + head + "\r\n\r\n" + body
    self.violation = violation
    self.failure = failure
    self.throughLibcurl = throughLibcurl
  }

  static let all: [HostileAnswer] = [
    HostileAnswer("a fair one", "200 OK\r\nContent-Length: 5"),
    HostileAnswer("equal lengths", "200 OK\r\nContent-Length: 5\r\nContent-Length: 5"),
    HostileAnswer(
      "length and chunks", "200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked", "5\r\nhello\r\n0\r\n\r\n",
      violation: .lengthAndEncoding),
    HostileAnswer(
      "two lengths", "200 OK\r\nContent-Length: 5\r\nContent-Length: 6", failure: "content-length"),
    HostileAnswer("a list of lengths", "200 OK\r\nContent-Length: 5, 5", failure: "content-length"),
    HostileAnswer("a signed length", "200 OK\r\nContent-Length: +5", failure: "content-length"),
    HostileAnswer("a length with a tail", "200 OK\r\nContent-Length: 5x", failure: "content-length"),
    HostileAnswer("an endless length", "200 OK\r\nContent-Length: 99999999999999999999", failure: "content-length"),
    HostileAnswer("an empty length", "200 OK\r\nContent-Length:", failure: "content-length"),
    HostileAnswer("surplus bytes", "200 OK\r\nContent-Length: 3", violation: .surplus, throughLibcurl: .some(nil)),
    HostileAnswer("a body after 204", "204 No Content", violation: .surplus, throughLibcurl: .some(nil)),
    HostileAnswer(
      "a second response", "200 OK\r\nContent-Length: 5", "helloHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
      violation: .surplus, throughLibcurl: .some(nil)),
    HostileAnswer(
      "another coding", "200 OK\r\nContent-Encoding: rot13\r\nContent-Length: 5", violation: .contentEncoding,
      throughLibcurl: .some("content-encoding")),
    HostileAnswer("a NUL", "200 OK\r\nX-A: a\0b\r\nContent-Length: 5", failure: "header-bytes"),
    HostileAnswer("a bare CR", "200 OK\r\nX-A: a\rb\r\nContent-Length: 5", violation: .headerBytes),
    HostileAnswer(
      "a bare CR before a field", "200 OK\r\nX-A: a\rContent-Length: 3\r\nContent-Length: 5", violation: .headerBytes),
    HostileAnswer("bare line feeds", "200 OK\nContent-Length: 5", violation: .lineEnding),
    HostileAnswer("status 600", "600 Odd\r\nContent-Length: 5", violation: .status),
    HostileAnswer("status 999", "999 Odd\r\nContent-Length: 5", violation: .status),
    HostileAnswer("status 099", "099 Odd\r\nContent-Length: 5", failure: "status"),
    HostileAnswer("a folded field", "200 OK\r\nX-A: a\r\n b\r\nContent-Length: 5", violation: .folding),
    HostileAnswer("a folded length", "200 OK\r\nContent-Length: 5\r\n 5", failure: "header-folding"),
    HostileAnswer("a fold before all fields", "200 OK\r\n X-A: b\r\nContent-Length: 5", failure: "header-folding"),
    HostileAnswer("a blank before the colon", "200 OK\r\nX-A : b\r\nContent-Length: 5", violation: .headerSyntax),
    HostileAnswer("a line without a colon", "200 OK\r\nX-A\r\nContent-Length: 5", failure: "header-syntax"),
    HostileAnswer("a nameless field", "200 OK\r\n: b\r\nContent-Length: 5", violation: .headerSyntax),
    HostileAnswer(
      "an unknown transfer coding", "200 OK\r\nTransfer-Encoding: xchunked", "5\r\nhello\r\n0\r\n\r\n",
      failure: "transfer-encoding"),
    HostileAnswer(
      "chunked twice", "200 OK\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
      "5\r\nhello\r\n0\r\n\r\n", failure: "transfer-encoding"),
    HostileAnswer(
      "a chunk without a size", "200 OK\r\nTransfer-Encoding: chunked", "\r\nhello\r\n0\r\n\r\n",
      failure: "transfer-encoding"),
    HostileAnswer(
      "a chunk size that overflows", "200 OK\r\nTransfer-Encoding: chunked", "FFFFFFFFFFFFFFFF1\r\nhello",
      failure: "transfer-encoding"),
    HostileAnswer(
      "a chunk that is longer", "200 OK\r\nTransfer-Encoding: chunked", "3\r\nhello\r\n0\r\n\r\n",
      failure: "transfer-encoding"),
    HostileAnswer(
      "a coding that the body is not in", "200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 5",
      failure: "content-encoding"),
    HostileAnswer("an upgrade", "101 Switching Protocols\r\nUpgrade: websocket", failure: "upgrade"),
    HostileAnswer("HTTP/1.7", "200 OK\r\nContent-Length: 5").version("1.7", failure: "not-http"),
    HostileAnswer("four digits", "2000 OK\r\nContent-Length: 5", failure: "not-http"),
  ]

  private func version(_ version: String, failure: String) -> HostileAnswer {
    var copy = self
    copy.text = "HTTP/" + version + text.dropFirst(8)
    copy.failure = failure
    return copy
  }
}
