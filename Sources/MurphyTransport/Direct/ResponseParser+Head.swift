import Glibc
import MurphyModel

extension ResponseParser {
  /// Takes the header section; `.complete` when it is whole and the body's framing is known.
  mutating func head(
    _ rest: inout Slice<UnsafeRawBufferPointer>, _ header: inout GrowingBytes, _ status: inout Int,
    _ statusLine: inout Int, _ fields: FieldTable
  ) -> Progress {
    while true {
      let had = header.count
      let piece = UnsafeRawBufferPointer(rebasing: rest)
      if let start = piece.baseAddress { header.append(start, count: piece.count) }
      guard Self.beginsLikeHTTP(header.bytes) else { return .malformed("the answer does not begin with HTTP/1.") }
      guard let end = Self.endOfHead(header.bytes, from: max(had - 3, 0)) else {
        rest = rest.dropFirst(piece.count)
        return header.count > HeaderSection.longest ? .broken(.headerSize) : .needsMore
      }
      guard end.blank <= HeaderSection.longest else { return .broken(.headerSize) }
      rest = rest.dropFirst(end.next - had)
      header.truncate(to: end.blank)
      guard let (code, line) = Self.statusLine(header.bytes) else { return .malformed("the status line is broken") }
      guard code >= 100 else { return .broken(.status) }
      guard code != 101 else { return .broken(.upgrade) }
      if code < 200 {
        header.truncate(to: 0)
        interims += 1
        guard interims <= HeaderSection.mostInterims else { return .broken(.interim) }
        continue
      }
      status = code
      statusLine = line
      fields.read(header.bytes, after: line, by: names)
      let section = HeaderSection(header.bytes, statusLine: line, asked: asked, fields)
      if section.violations.contains(ProtocolViolations(.folding)) {
        header.unfold()
        fields.read(header.bytes, after: line, by: names)
      }
      return begin(section, code)
    }
  }

  /// Takes over what the header section says of the body (RFC 9112 §6.3).
  private mutating func begin(_ section: HeaderSection, _ code: Int) -> Progress {
    violations.formUnion(section.violations)
    if code > 599 { violations.insert(.status) }
    if let fatal = section.fatal { return .broken(fatal) }
    keepsAlive = section.keepsAlive
    announced = section.announced
    codings = section.codings
    if section.isChunked {
      state = .chunkSize(value: 0, digits: 0, inExtension: false)
    } else if let length = section.length {
      state = .length(length)
    } else {
      state = .untilClose
    }
    return .complete(consumed: 0)
  }

  private static func beginsLikeHTTP(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let word: StaticString = "HTTP/1."
    return bytes.isEmpty || memcmp(bytes.baseAddress!, word.utf8Start, min(bytes.count, word.utf8CodeUnitCount)) == 0
  }

  /// Where the blank line begins and what follows it; lines may end with a bare line feed (RFC 9112 §2.2).
  private static func endOfHead(_ bytes: UnsafeRawBufferPointer, from: Int) -> (blank: Int, next: Int)? {
    guard let start = bytes.baseAddress else { return nil }
    var position = from
    while position < bytes.count, let found = memchr(start + position, 10, bytes.count - position) {
      let feed = UnsafeRawPointer(found) - start
      if feed + 1 < bytes.count, bytes[feed + 1] == 10 { return (feed + 1, feed + 2) }
      if feed + 2 < bytes.count, bytes[feed + 1] == 13, bytes[feed + 2] == 10 { return (feed + 1, feed + 3) }
      position = feed + 1
    }
    return nil
  }

  /// `HTTP/1.1 200 OK`: the code and the line's length with its end.
  private static func statusLine(_ bytes: UnsafeRawBufferPointer) -> (code: Int, length: Int)? {
    guard bytes.count >= 13, bytes[7] == 0x30 || bytes[7] == 0x31, bytes[8] == 32,
      bytes[12] == 32 || bytes[12] == 13 || bytes[12] == 10, let feed = bytes.firstIndex(of: 10), feed >= 12
    else { return nil }
    var code = 0
    for index in 9..<12 {
      guard bytes[index] >= 0x30, bytes[index] <= 0x39 else { return nil }
      code = code * 10 + Int(bytes[index]) - 0x30
    }
    return (code, feed + 1)
  }
}
