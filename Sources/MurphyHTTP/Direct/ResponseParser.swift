import Glibc
import MurphyModel

/// Reads one HTTP/1.1 response from pieces of bytes (RFC 9112).
///
/// Interim responses (1xx) are skipped. Header and body are written to the transfer's buffers.
package struct ResponseParser {
  /// The state after a piece.
  package enum Progress: Equatable {
    case needsMore
    /// The response is complete; this number of bytes of the piece belongs to it.
    case complete(consumed: Int)
    /// The body exceeded the limit.
    case cutOff
    case malformed(String)
    /// A broken rule makes the response unreadable.
    case broken(ProtocolViolation)
  }

  enum State: Equatable {
    case head
    case length(Int)
    case chunkSize(value: Int, digits: Int, inExtension: Bool)
    case chunk(Int)
    case chunkEnd
    /// Trailer lines; the number of bytes in the current one.
    case trailers(Int)
    case untilClose
  }

  var state = State.head
  private let isHead: Bool
  private let limit: Int
  let acceptedCodings: String
  let names: FieldNames
  var interims = 0
  /// The bytes of the chunked coding's own lines since the last byte of the body.
  private var overhead = 0
  /// True if the server allows the connection to be reused.
  package internal(set) var keepsAlive = true
  /// How long the server announces to keep the connection.
  var announced: Duration?
  /// Layers of `gzip` and `deflate` around the body; also 0 for a coding that is left undecoded.
  var codings = 0
  /// The rules that the response broke although it can be read.
  package internal(set) var violations: ProtocolViolations = []

  /// - Parameters:
  ///   - isHead: the request was HEAD, so the response has no body.
  ///   - limit: the maximum bytes of the body that are read.
  ///   - acceptedCodings: the request's `Accept-Encoding`.
  ///   - names: the headers that some part of the program reads.
  package init(isHead: Bool, limit: Int, acceptedCodings: String = "gzip, deflate", names: FieldNames = .common) {
    self.names = names
    self.isHead = isHead
    self.limit = limit
    self.acceptedCodings = acceptedCodings
  }

  /// True if the end of the connection also ends the response.
  var endsWithConnection: Bool { state == .untilClose }
  var hasHead: Bool { state != .head }

  /// Call it with each piece until it needs no more.
  package mutating func feed(
    _ piece: UnsafeRawBufferPointer, status: inout Int, statusLine: inout Int, header: inout GrowingBytes,
    fields: FieldTable, body: inout GrowingBytes
  ) -> Progress {
    var rest = piece[...]
    while true {
      switch state {
      case .head:
        switch head(&rest, &header, &status, &statusLine, fields) {
        case .needsMore: return .needsMore
        case .malformed(let reason): return .malformed(reason)
        case .broken(let violation): return .broken(violation)
        default: break
        }
        if isWithoutBody(status) { return .complete(consumed: rest.startIndex) }
        if case .length(0) = state { return .complete(consumed: rest.startIndex) }
      case .length(let missing):
        guard readBody(missing, of: &rest, into: &body) else { return .cutOff }
        guard case .length(0) = state else { return .needsMore }
        return .complete(consumed: rest.startIndex)
      case .untilClose:
        guard readBody(.max, of: &rest, into: &body) else { return .cutOff }
        return .needsMore
      case .chunk(let missing):
        guard readBody(missing, of: &rest, into: &body) else { return .cutOff }
        if case .chunk = state { return .needsMore }
      case .chunkSize, .chunkEnd, .trailers:
        guard let byte = rest.popFirst() else { return .needsMore }
        if let progress = framing(byte, at: rest.startIndex) { return progress }
      }
    }
  }

  /// Moves body bytes; returns false when they exceed the limit.
  private mutating func readBody(
    _ missing: Int, of rest: inout Slice<UnsafeRawBufferPointer>, into body: inout GrowingBytes
  ) -> Bool {
    let count = min(missing, rest.count)
    let room = limit - body.count
    overhead = 0
    if count > 0, let start = UnsafeRawBufferPointer(rebasing: rest).baseAddress {
      body.append(start, count: min(count, room))
    }
    rest = rest.dropFirst(count)
    switch state {
    case .length: state = .length(missing - count)
    case .chunk: state = missing == count ? .chunkEnd : .chunk(missing - count)
    default: break
    }
    return count <= room
  }

  /// Reads one byte of the chunked coding's lines (RFC 9112 §7.1).
  private mutating func framing(_ byte: UInt8, at offset: Int) -> Progress? {
    overhead += 1
    guard overhead <= HeaderSection.longest else { return .broken(.headerSize) }
    switch state {
    case .chunkSize(let value, let digits, let inExtension):
      if byte == 10 {
        guard digits > 0 else { return .broken(.chunks) }
        state = value == 0 ? .trailers(0) : .chunk(value)
      } else if inExtension || byte == 59 || byte == 13 || byte == 32 || byte == 9 {
        state = .chunkSize(value: value, digits: digits, inExtension: true)
      } else {
        guard let digit = Self.hexadecimal(byte), digits < 15 else { return .broken(.chunks) }
        state = .chunkSize(value: value << 4 | digit, digits: digits + 1, inExtension: false)
      }
    case .chunkEnd:
      if byte == 10 {
        state = .chunkSize(value: 0, digits: 0, inExtension: false)
      } else if byte != 13 {
        return .broken(.chunks)
      }
    case .trailers(let length):
      if byte == 10, length == 0 { return .complete(consumed: offset) }
      state = .trailers(byte == 10 ? 0 : byte == 13 ? length : length + 1)
    default: break
    }
    return nil
  }

  private static func hexadecimal(_ byte: UInt8) -> Int? {
    switch byte {
    case 0x30...0x39: Int(byte) - 0x30
    case 0x41...0x46, 0x61...0x66: Int(byte | 0x20) - 0x57
    default: nil
    }
  }

  /// True if the protocol excludes content (RFC 9110 §6.4.1).
  private func isWithoutBody(_ status: Int) -> Bool { isHead || status == 204 || status == 304 }
}

extension ResponseParser {
  /// Reads the header section; returns `.complete` when it is complete and the body's framing is known.
  mutating func head(
    _ rest: inout Slice<UnsafeRawBufferPointer>, _ header: inout GrowingBytes, _ status: inout Int,
    _ statusLine: inout Int, _ fields: FieldTable
  ) -> Progress {
    while true {
      let had = header.count
      let piece = UnsafeRawBufferPointer(rebasing: rest)
      // A body behind a whole header section is not copied with it.
      let whole = had == 0 ? Self.endOfHead(piece, from: 0) : nil
      if let start = piece.baseAddress { header.append(start, count: whole?.next ?? piece.count) }
      guard Self.beginsLikeHTTP(header.bytes) else { return .malformed("the bytes do not begin with HTTP/1.") }
      guard let end = whole ?? Self.endOfHead(header.bytes, from: max(had - 3, 0)) else {
        rest = rest.dropFirst(piece.count)
        return header.count > HeaderSection.longest ? .broken(.headerSize) : .needsMore
      }
      guard end.blank <= HeaderSection.longest else { return .broken(.headerSize) }
      rest = rest.dropFirst(end.next - had)
      header.truncate(to: end.blank)
      guard let (code, line) = Self.statusLine(header.bytes) else {
        return .malformed("the status line does not have HTTP/1.0 or HTTP/1.1 and a status of three digits")
      }
      guard code >= 100 else { return .broken(.status) }
      fields.read(header.bytes, after: line, by: names)
      if code == 101 {
        (status, statusLine) = (code, line)
        return .broken(.upgrade)
      }
      let section = HeaderSection(header.bytes, statusLine: line, acceptedCodings: acceptedCodings, fields)
      if code < 200 {
        // Skipped, but a broken rule is recorded.
        violations.formUnion(section.violations)
        if let flaw = section.fatal { violations.insert(flaw) }
        header.truncate(to: 0)
        interims += 1
        guard interims <= HeaderSection.mostInterims else { return .broken(.interim) }
        continue
      }
      (status, statusLine) = (code, line)
      if section.violations.contains(ProtocolViolations(.folding)) {
        header.unfold()
        fields.read(header.bytes, after: line, by: names)
      }
      return begin(section, code)
    }
  }

  /// Applies the information of the header section about the body (RFC 9112 §6.3).
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

  /// The position of the blank line and of the bytes after it; lines may end with a bare line feed (RFC 9112 §2.2).
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

  /// `HTTP/1.1 200 OK`: the code, and the length of the line with its end.
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
