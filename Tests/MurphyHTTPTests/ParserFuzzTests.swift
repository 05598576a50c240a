import Foundation
import MurphyHTTP
import MurphyModel
import Testing

/// Random and mutated answers: the parser neither crashes nor reads beyond its bytes nor takes more than it may.
@Suite struct ParserFuzzTests {
  /// `MURPHY_FUZZ=10000000` for a long run.
  static let inputs = ProcessInfo.processInfo.environment["MURPHY_FUZZ"].flatMap { Int($0) } ?? 100_000

  private static let words: [[UInt8]] = [
    "HTTP/1.1 200 OK\r\n", "HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.0 404 \r\n", "Content-Length: 5\r\n",
    "Content-Length: 99999999999999999\r\n", "Transfer-Encoding: chunked\r\n", "Content-Encoding: gzip\r\n",
    "Keep-Alive: timeout=99999999999, max=1\r\n", "Connection: close\r\n", "\r\n", "\n", "\r", " ", ":", "\0",
    "5\r\nhello\r\n",
    "0\r\n\r\n", "FFFFFFFFFFFFFFF\r\n", ";x", "X: y\r\n z\r\n", "hello",
  ].map { Array($0.utf8) }

  /// Bytes that end where unreadable memory begins: a read beyond them ends the process.
  private final class Fence {
    private let page = Int(getpagesize())
    private let start: UnsafeMutableRawPointer

    init() {
      start = mmap(nil, page * 3, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
      mprotect(start + page * 2, page, PROT_NONE)
    }

    deinit { munmap(start, page * 3) }

    func put(_ bytes: ArraySlice<UInt8>) -> UnsafeRawBufferPointer {
      let place = start + page * 2 - bytes.count
      bytes.withUnsafeBytes { if let source = $0.baseAddress { memcpy(place, source, bytes.count) } }
      return UnsafeRawBufferPointer(start: place, count: bytes.count)
    }
  }

  @Test func `no response crashes the parser, leads it out of its bytes or over its limit`() {
    let seed = UInt64.random(in: 1...1 << 40)
    var random = RandomSource(seed: seed)
    let fence = Fence()
    var kinds: Set<String> = []
    for number in 0..<Self.inputs {
      var input: [UInt8] = random.next() % 4 == 0 ? [] : Self.words[0]
      for _ in 0..<Int(random.next() % 12) { input += Self.words[Int(random.next() % UInt64(Self.words.count))] }
      for _ in 0..<Int(random.next() % 4) where !input.isEmpty {
        input[Int(random.next() % UInt64(input.count))] = UInt8(truncatingIfNeeded: random.next())
      }
      let limit = Int(random.next() % 40)
      var parser = ResponseParser(isHead: random.next() % 16 == 0, limit: limit)
      var (status, line) = (0, 0)
      var header = GrowingBytes()
      var body = GrowingBytes()
      var rest = input[...]
      var progress = ResponseParser.Progress.needsMore
      while !rest.isEmpty, progress == .needsMore {
        let count = 1 + Int(random.next() % UInt64(rest.count))
        progress = parser.feed(
          fence.put(rest.prefix(count)), status: &status, statusLine: &line, header: &header, fields: FieldTable(),
          body: &body)
        if case .complete(let consumed) = progress { #expect((0...count).contains(consumed), "seed \(seed) \(number)") }
        rest = rest.dropFirst(count)
      }
      if body.bytes.count > limit || header.bytes.count > input.count || line > header.bytes.count {
        Issue.record("seed \(seed), input \(number): \(String(decoding: input, as: UTF8.self).debugDescription)")
      }
      kinds.insert("\(progress)".prefix { $0 != "(" }.description)
    }
    #expect(kinds == ["needsMore", "complete", "cutOff", "malformed", "broken"], "seed \(seed)")
  }
}
