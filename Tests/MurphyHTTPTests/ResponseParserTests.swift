import MurphyHTTP
import MurphyModel
import Testing

@Suite struct ResponseParserTests {
  /// What a parser made of bytes that came in pieces.
  struct Reading: Equatable {
    var progress: ResponseParser.Progress = .needsMore
    var status = 0
    var header = ""
    var body = ""
    var keepsAlive = true
  }

  private func read(_ text: String, cuts: [Int] = [], isHead: Bool = false, limit: Int = 1000) -> Reading {
    var parser = ResponseParser(isHead: isHead, limit: limit)
    var reading = Reading()
    var header = GrowingBytes()
    var body = GrowingBytes()
    var line = 0
    let bytes = Array(text.utf8)
    var start = 0
    for end in cuts + [bytes.count] where reading.progress == .needsMore {
      reading.progress = bytes[start..<end].withUnsafeBytes { piece in
        parser.feed(
          piece, status: &reading.status, statusLine: &line, header: &header, fields: FieldTable(), body: &body)
      }
      if case .complete(let consumed) = reading.progress { reading.progress = .complete(consumed: start + consumed) }
      start = end
    }
    reading.header = String(decoding: header.bytes.dropFirst(line), as: UTF8.self)
    reading.body = String(decoding: body.bytes, as: UTF8.self)
    reading.keepsAlive = parser.keepsAlive
    return reading
  }

  static let responses = [
    "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX-A: b\r\n\r\nhello",
    "HTTP/1.1 200 OK\nContent-Length: 5\n\nhello",
    "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201 Created\r\ncontent-length: 0\r\n\r\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;x=y\r\nhello\r\nA\r\n0123456789\r\n0\r\nX-T: 1\r\n\r\n",
    "HTTP/1.1 204 No Content\r\n\r\n", "HTTP/1.0 200 OK\r\nContent-Length: 1\r\nConnection: keep-alive\r\n\r\n1",
  ]

  @Test(arguments: 0..<60) func `however a response is cut into pieces, it reads the same`(_ seed: UInt64) {
    var random = RandomSource(seed: seed)
    for response in Self.responses {
      let whole = read(response)
      #expect(whole.progress == .complete(consumed: response.utf8.count), "\(response)")
      let cuts = (0..<Int.random(in: 0...8, using: &random)).map { _ in
        Int.random(in: 0...response.utf8.count, using: &random)
      }
      #expect(read(response, cuts: cuts.sorted()) == whole, "seed \(seed), \(response)")
    }
  }

  @Test func `head, body and what may come next are told apart`() {
    let plain = read(Self.responses[0] + "HTTP/1.1 500")
    #expect(plain.progress == .complete(consumed: Self.responses[0].utf8.count))
    #expect(plain.header == "Content-Length: 5\r\nX-A: b\r\n")
    #expect(plain.body == "hello")
    #expect(read(Self.responses[2]).status == 201)
    #expect(read(Self.responses[3]).body == "hello0123456789")
    #expect(read("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n", isHead: true).progress == .complete(consumed: 38))
    #expect(!read("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n").keepsAlive)
    #expect(!read("HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n").keepsAlive)
    #expect(read(Self.responses[5]).keepsAlive)
    #expect(read(Self.responses[4]).keepsAlive)
  }

  @Test(arguments: [
    "SSH-2.0-OpenSSH_9.2\r\n", "HTTP/2 200\r\n\r\n", "HTTP/1.1 2x0 OK\r\n\r\n",
    "HTTP/1.3 200 OK\r\n\r\n", "HTTP/1.1 2000 OK\r\n\r\n", "HTTP/1.1\t200 OK\r\n\r\n",
  ]) func `what breaks the protocol is malformed`(_ text: String) {
    guard case .malformed = read(text).progress else {
      return #expect(Bool(false), "\(text) read as \(read(text).progress)")
    }
  }

  @Test(arguments: ["xyz\r\n", "\r\nabc\r\n", "2\r\nabc\r\n"]) func `chunks that cannot be read are a finding`(
    _ chunks: String
  ) {
    let text = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\(chunks)"
    #expect(read(text).progress == .broken(.chunks), "\(chunks)")
  }

  @Test func `a body over the limit is cut there`() {
    #expect(read(Self.responses[0], limit: 5).body == "hello")
    let cut = read(Self.responses[0], limit: 4)
    #expect(cut.progress == .cutOff)
    #expect(cut.body == "hell")
    #expect(read(Self.responses[3], limit: 7).body == "hello01")
  }

  @Test(arguments: 0..<200) func `random bytes never crash the parser`(_ seed: UInt64) {
    var random = RandomSource(seed: seed)
    var text = Array(Self.responses.randomElement(using: &random)!.unicodeScalars)
    for _ in 0..<Int.random(in: 1...6, using: &random) {
      text[Int.random(in: text.indices, using: &random)] = "\r\n0:;gF -".unicodeScalars.randomElement(using: &random)!
    }
    let mutant = String(String.UnicodeScalarView(text))
    #expect(read(mutant).body.utf8.count <= 1000, "seed \(seed)")
  }
}
