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
  ///   - asked: the request's `Accept-Encoding`.
  ///   - fields: the same header lines, parsed.
  init(_ bytes: UnsafeRawBufferPointer, statusLine: Int, asked: String, _ fields: FieldTable) {
    // HTTP/1.0 closes the connection unless it states otherwise.
    keepsAlive = bytes.count > 7 && bytes[7] != 0x30
    if fields.isRegular {
      guard fields.known & Self.framing != 0 else { return }
      for line in fields.lines { readLine(line, asked) }
    } else {
      if let start = bytes.baseAddress, memchr(start, 0, bytes.count) != nil { stop(.headerBytes) }
      readEnding(UnsafeRawBufferPointer(rebasing: bytes.prefix(max(statusLine - 1, 0))))
      var rest = fields.lines[...]
      HeaderLines.forEachLine(of: fields.block) { line in
        readEnding(line)
        // Lines without a name and a colon are not in the table; the others are, in this order.
        let isKnown = rest.first?.name.baseAddress == line.baseAddress
        read(line, isKnown ? rest.removeFirst() : nil, asked)
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
  private mutating func read(_ line: UnsafeRawBufferPointer, _ field: FieldTable.Line?, _ asked: String) {
    guard let start = line.baseAddress, let first = line.first else { return stop(.headerSyntax) }
    if first == 32 || first == 9 {
      // Clients differ in how they read a length that continues in the next line.
      return isFraming ? stop(.folding) : violations.insert(.folding)
    }
    isFraming = false
    guard let found = memchr(start, 58, line.count) else { return stop(.headerSyntax) }
    let colon = UnsafeRawPointer(found) - start
    if colon == 0 || !line.prefix(colon).allSatisfy(FieldTable.isToken) { violations.insert(.headerSyntax) }
    if let field { readLine(field, asked) }
  }

  /// Applies the information of a line about the framing.
  private mutating func readLine(_ line: FieldTable.Line, _ asked: String) {
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
        if ASCIICase.matches(coding, "identity") || isGzip && asked == AcceptEncoding.usual { return }
        if !AcceptEncoding.allows(Self.text(coding), by: asked) { violations.insert(.contentEncoding) }
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
