import Glibc
import MurphyModel

/// The framing of a message from the headers of a response, and the rules that they break (RFC 9112 §2.2, §5, §6).
struct HeaderSection {
  /// The maximum number of interim responses (1xx) that are skipped before one response.
  static let mostInterims = 100
  /// The maximum size in bytes of a header section, and of consecutive lines of the chunked coding.
  static let longest = 256 << 10

  private(set) var violations: ProtocolViolations = []
  /// The broken rule without which the response cannot be read.
  private(set) var fatal: ProtocolViolation?
  private(set) var length: Int?
  private(set) var isChunked = false
  private(set) var keepsAlive: Bool
  /// Layers of `gzip` and `deflate` around the body.
  private(set) var codings = 0
  /// `Keep-Alive: timeout=N`.
  private(set) var announced: Duration?
  private var hasTransferEncoding = false
  /// True if the previous header line concerns the framing.
  private var isFraming = true

  /// - Parameters:
  ///   - bytes: the status line and the header lines, each with its line feed.
  ///   - statusLine: the bytes of the status line.
  ///   - acceptedCodings: the request's `Accept-Encoding`.
  ///   - fields: the same header lines, parsed.
  init(_ bytes: UnsafeRawBufferPointer, statusLine: Int, acceptedCodings: String, _ fields: FieldTable) {
    // HTTP/1.0 closes the connection unless it states otherwise.
    keepsAlive = bytes.count > 7 && bytes[7] != 0x30
    if fields.isRegular {
      guard fields.known & Self.framing != 0 else { return }
      for line in fields.lines { readLine(line, acceptedCodings) }
    } else {
      if let start = bytes.baseAddress, memchr(start, 0, bytes.count) != nil { stop(.headerBytes) }
      readEnding(UnsafeRawBufferPointer(rebasing: bytes.prefix(max(statusLine - 1, 0))))
      var rest = fields.lines[...]
      HeaderLines.forEachLine(of: fields.block) { line in
        readEnding(line)
        // Lines without a name and a colon are not in the table; the others are, in this order.
        let isKnown = rest.first?.name.baseAddress == line.baseAddress
        read(line, isKnown ? rest.removeFirst() : nil, acceptedCodings)
      }
    }
    if hasTransferEncoding, length != nil { violations.insert(.lengthAndEncoding) }
    // The beginning of the next response is uncertain.
    let doubtful: ProtocolViolations = [ProtocolViolations(.lengthAndEncoding), ProtocolViolations(.headerBytes)]
    if !violations.isDisjoint(with: doubtful) { keepsAlive = false }
  }

  private mutating func stop(_ violation: ProtocolViolation) {
    fatal = fatal ?? violation
  }

  /// - Parameter line: without its line feed.
  private mutating func readEnding(_ line: UnsafeRawBufferPointer) {
    guard let start = line.baseAddress, line.count > 0, line[line.count - 1] == 13 else {
      violations.insert(.lineEnding)
      if let start = line.baseAddress, memchr(start, 13, line.count) != nil { violations.insert(.headerBytes) }
      return
    }
    if memchr(start, 13, line.count - 1) != nil { violations.insert(.headerBytes) }
  }

  /// Reads a line that may have a flaw.
  ///
  /// - Parameter field: the same line from the table.
  private mutating func read(_ line: UnsafeRawBufferPointer, _ field: FieldTable.Line?, _ acceptedCodings: String) {
    guard let start = line.baseAddress, let first = line.first else { return stop(.headerSyntax) }
    if first == 32 || first == 9 {
      // Clients differ in how they read a length that continues in the next line.
      return isFraming ? stop(.folding) : violations.insert(.folding)
    }
    isFraming = false
    guard let found = memchr(start, 58, line.count) else { return stop(.headerSyntax) }
    let colon = UnsafeRawPointer(found) - start
    if colon == 0 || !line.prefix(colon).allSatisfy(FieldTable.isToken) { violations.insert(.headerSyntax) }
    if let field { readLine(field, acceptedCodings) }
  }

  /// Applies the information of a line about the framing.
  private mutating func readLine(_ line: FieldTable.Line, _ acceptedCodings: String) {
    switch FieldName(rawValue: line.number) {
    case .contentLength:
      isFraming = true
      guard let value = Self.number(line.value), length ?? value == value else { return stop(.contentLength) }
      length = value
    case .transferEncoding:
      isFraming = true
      if hasTransferEncoding || !ASCIICase.matches(line.value, "chunked") { stop(.transferEncoding) }
      hasTransferEncoding = true
      isChunked = true
    case .connection:
      isFraming = true
      HeaderLines.forEachWord(of: line.value) { option in
        if ASCIICase.matches(option, "close") {
          keepsAlive = false
        } else if ASCIICase.matches(option, "keep-alive") {
          keepsAlive = true
        }
      }
    case .keepAlive: announced = Self.seconds(line.value) ?? announced
    case .contentEncoding:
      HeaderLines.forEachWord(of: line.value) { coding in
        let isGzip = ASCIICase.matches(coding, "gzip")
        if isGzip || ASCIICase.matches(coding, "deflate") || ASCIICase.matches(coding, "x-gzip") { codings += 1 }
        if ASCIICase.matches(coding, "identity") || isGzip && acceptedCodings == AcceptEncoding.usual { return }
        if !AcceptEncoding.allows(Self.text(coding), by: acceptedCodings) { violations.insert(.contentEncoding) }
      }
    default: break
    }
  }

  /// The bits of the names that concern the framing.
  private static let framing =
    FieldName.contentLength.bit | FieldName.transferEncoding.bit | FieldName.connection.bit | FieldName.keepAlive.bit
    | FieldName.contentEncoding.bit

  private static func text(_ bytes: UnsafeRawBufferPointer) -> String {
    String(decoding: bytes, as: UTF8.self).lowercased()
  }

  /// Digits only, at most eighteen.
  private static func number(_ digits: UnsafeRawBufferPointer) -> Int? {
    guard (1...18).contains(digits.count) else { return nil }
    var value = 0
    for digit in digits {
      guard digit >= 0x30, digit <= 0x39 else { return nil }
      value = value * 10 + Int(digit) - 0x30
    }
    return value
  }

  /// `timeout=5, max=100`: five seconds; at most a day.
  static func seconds(_ value: UnsafeRawBufferPointer) -> Duration? {
    for part in text(value).split(separator: ",") {
      let halves = part.split(separator: "=", maxSplits: 1).map { $0.trimmingBlanks }
      if halves.count == 2, halves[0] == "timeout", let seconds = UInt32(halves[1]) {
        return .seconds(min(Int(seconds), 86_400))
      }
    }
    return nil
  }
}

/// `Accept-Encoding` (RFC 9110 §12.5.3).
enum AcceptEncoding {
  /// The codings that requests accept unless the scenario sets others.
  static let usual = "gzip, deflate"

  /// - Parameter coding: in lower case.
  static func allows(_ coding: String, by value: String) -> Bool {
    let wanted = coding == "x-gzip" ? "gzip" : coding
    for part in value.lowercased().split(separator: ",") {
      let pieces = part.split(separator: ";").map { $0.trimmingBlanks }
      guard let name = pieces.first, name == wanted || name == "*" || (name == "x-gzip" && wanted == "gzip") else {
        continue
      }
      return !pieces.dropFirst().contains { $0.hasPrefix("q=0") && !$0.contains { ("1"..."9").contains($0) } }
    }
    return false
  }
}

extension Substring {
  /// Without spaces and tabs at both ends, and without a carriage return at the end.
  var trimmingBlanks: Substring {
    var text = self
    while let first = text.first, first == " " || first == "\t" { text = text.dropFirst() }
    while let last = text.last, last == " " || last == "\t" || last == "\r" { text = text.dropLast() }
    return text
  }
}

/// The lines of a header block and the words of a value, read in place, whatever their content.
enum HeaderLines {
  static func forEachLine(of bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void) {
    guard var start = bytes.baseAddress else { return }
    var rest = bytes.count
    while rest > 0, let end = memchr(start, 10, rest) {
      let count = UnsafeRawPointer(end) - start
      body(UnsafeRawBufferPointer(start: start, count: count))
      start += count + 1
      rest -= count + 1
    }
  }

  /// The parts of a list between commas and blanks.
  static func forEachWord(of value: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void) {
    var start = 0
    for index in 0...value.count where index == value.count || value[index] == 44 || value[index] == 32 {
      if index > start { body(UnsafeRawBufferPointer(rebasing: value[start..<index])) }
      start = index + 1
    }
  }
}

extension HeaderField {
  /// The value that may go over the wire: a line break would begin another header and becomes a space.
  var safeValue: String {
    guard value.utf8.contains(where: { $0 == 10 || $0 == 13 || $0 == 0 }) else { return value }
    return String(decoding: value.utf8.map { $0 == 10 || $0 == 13 || $0 == 0 ? 32 : $0 }, as: UTF8.self)
  }
}

/// A rule of HTTP/1.1 that a response broke. Clients differ in how they read such a response, so each is a finding.
package enum ProtocolViolation: UInt8, CaseIterable, Sendable {
  case lengthAndEncoding, contentLength, transferEncoding, surplus, contentEncoding, headerBytes, headerSyntax, folding
  case lineEnding, status, upgrade, headerSize, interim, chunks, coding

  /// The kind of the finding for this violation.
  package var kind: FindingKind { facts.kind }

  /// The data that the server sent, and the rule.
  package var sentence: String { facts.sentence }

  private var facts: (kind: FindingKind, sentence: String) {
    switch self {
    case .lengthAndEncoding:
      (
        .transportLengthAndEncoding,
        "the response has both Content-Length and Transfer-Encoding, so clients may disagree on its end (RFC 9112 §6.3)"
      )
    case .contentLength:
      (
        .transportContentLength,
        "Content-Length is not a single integer, so the end of the response is unknown (RFC 9112 §6.3)"
      )
    case .transferEncoding:
      (
        .transportTransferEncoding,
        "Transfer-Encoding is not exactly `chunked`, and the request did not allow other codings (RFC 9112 §6.1, §7.4)"
      )
    case .surplus:
      (
        .transportSurplusBytes,
        "the server sent bytes after the end of the response; on a shared connection, another user would receive them"
      )
    case .contentEncoding:
      (.transportContentEncoding, "the body has a content coding that the request did not accept (RFC 9110 §12.5.3)")
    case .headerBytes:
      (
        .transportHeaderBytes,
        """
        the header section contains a NUL byte, or a carriage return without a line feed (RFC 9110 §5.5, RFC 9112 \
        §2.2)
        """
      )
    case .headerSyntax: (.transportHeaderSyntax, "a header line is not `name: value` (RFC 9112 §5)")
    case .folding: (.transportHeaderFolding, "a header line is folded over several lines, which RFC 9112 §5.2 forbids")
    case .lineEnding:
      (.transportLineEnding, "lines of the header section end without a carriage return (RFC 9112 §2.2)")
    case .status: (.transportStatus, "the status is not a number from 100 to 599 (RFC 9110 §15)")
    case .upgrade:
      (
        .transportUpgrade,
        """
        the server switched protocols (101), for example to WebSocket, but murphy supports only HTTP (RFC 9110 \
        §15.2.2)
        """
      )
    case .headerSize:
      (
        .transportHeaderSize,
        "the header or trailer section is longer than 256 KB, or one of its lines is longer than 100 KB; murphy stopped reading it"
      )
    case .interim: (.transportInterim, "more than 100 interim responses (1xx) were received before a response")
    case .chunks:
      (
        .transportTransferEncoding,
        """
        murphy cannot read the chunks of the body: a chunk has no hexadecimal size, or is longer than its size (RFC \
        9112 §7.1)
        """
      )
    case .coding:
      (
        .transportContentEncoding,
        "the body does not have the content coding that the header Content-Encoding names (RFC 9110 §8.4)"
      )
    }
  }
}

/// The rules that one response broke.
package struct ProtocolViolations: OptionSet, Sendable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) { self.rawValue = rawValue }

  init(_ violation: ProtocolViolation) { rawValue = 1 << UInt32(violation.rawValue) }

  /// In the order of the cases.
  package var each: [ProtocolViolation] { ProtocolViolation.allCases.filter { contains(ProtocolViolations($0)) } }

  mutating func insert(_ violation: ProtocolViolation) { formUnion(ProtocolViolations(violation)) }
}
