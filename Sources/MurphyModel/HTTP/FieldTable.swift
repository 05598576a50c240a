import Glibc

/// The header lines of one response, found in one pass. All readers use it: framing, cookies, contract and limit log.
///
/// Points into the bytes that it has read. Reading allocates only if a response has more lines than any before.
package final class FieldTable {
  /// One header line. Spaces around the value are left out (RFC 9110 §5.5).
  package struct Line {
    /// Valid until the table reads the next response.
    package let name: UnsafeRawBufferPointer
    /// Valid until the table reads the next response. Spaces around it are not part of it.
    package let value: UnsafeRawBufferPointer
    /// The name's number in the table's ``FieldTable/names``; -1 for an unknown one.
    package let number: Int16
    /// True if a judge of limits may read it: the name holds `ratelimit`, `rate-limit` or `retry-after`.
    package let concernsLimits: Bool

    /// Compares numbers, not bytes.
    package func `is`(_ name: FieldName) -> Bool { number == name.rawValue }
  }

  /// The lines as received, each with its line feed.
  package private(set) var block = UnsafeRawBufferPointer(start: nil, count: 0)
  /// The table that numbers the names.
  package private(set) var names = FieldNames.common
  /// The bits of the names of ``FieldName`` that occur.
  package private(set) var known: UInt64 = 0
  /// True if at least one line concerns rate limits.
  package private(set) var hasLimitFields = false
  /// True if every line is a token, a colon and a value, and ends with CR LF. A line must not contain NUL or another CR
  /// (RFC 9112 §2.2, §5).
  package private(set) var isRegular = true
  private var memory: UnsafeMutablePointer<Line>?
  private var count = 0
  private var capacity = 0

  package init() {}

  deinit { memory?.deallocate() }

  /// The lines with a name and a colon.
  package var lines: UnsafeBufferPointer<Line> { UnsafeBufferPointer(start: memory, count: count) }

  /// True if a line with this name occurs.
  package func has(_ name: FieldName) -> Bool { known & name.bit != 0 }

  /// Forgets the response. Memory stays for the next one, within a bound.
  package func clear() {
    block = UnsafeRawBufferPointer(start: nil, count: 0)
    count = 0
    known = 0
    hasLimitFields = false
    isRegular = true
    if capacity > Self.mostKept {
      memory?.deallocate()
      memory = nil
      capacity = 0
    }
  }

  /// The maximum number of lines for which memory is kept: one response with very many must not occupy memory forever.
  private static let mostKept = 1024

  /// Reads a header section and drops the previous one.
  ///
  /// - Parameters:
  ///   - section: header lines, each with its line feed, optionally after a status line.
  ///   - statusLine: bytes of the status line; 0 without one.
  package func read(_ section: UnsafeRawBufferPointer, after statusLine: Int = 0, by names: FieldNames) {
    clear()
    self.names = names
    guard let base = section.baseAddress, statusLine <= section.count else { return }
    block = UnsafeRawBufferPointer(start: base + statusLine, count: section.count - statusLine)
    if statusLine > 0 { isRegular = statusLine > 1 && section[statusLine - 2] == 13 && section[statusLine - 1] == 10 }
    if memchr(base, 0, section.count) != nil { isRegular = false }
    if statusLine > 1, memchr(base, 13, statusLine - 2) != nil { isRegular = false }
    var start = statusLine
    while start < section.count, let feed = memchr(base + start, 10, section.count - start) {
      let end = UnsafeRawPointer(feed) - base
      addLine(base + start, end - start, readable: section.count - start)
      start = end + 1
    }
    if start < section.count {
      // Without the last line feed.
      isRegular = false
      addLine(base + start, section.count - start, readable: section.count - start)
    }
  }

  /// Reads the same bytes with other names.
  package func read(by names: FieldNames) {
    if names !== self.names { read(block, by: names) }
  }

  /// - Parameter length: without the line feed.
  @inline(__always)
  private func addLine(_ start: UnsafeRawPointer, _ length: Int, readable: Int) {
    var end = length
    if end > 0, start.load(fromByteOffset: end - 1, as: UInt8.self) == 13 { end -= 1 } else { isRegular = false }
    if isRegular, memchr(start, 13, end) != nil { isRegular = false }
    guard let colon = memchr(start, 58, end), UnsafeRawPointer(colon) > start else { return isRegular = false }
    let nameLength = UnsafeRawPointer(colon) - start
    let name = UnsafeRawBufferPointer(start: start, count: nameLength)
    var first = nameLength + 1
    while first < end, Self.isBlank(start.load(fromByteOffset: first, as: UInt8.self)) { first += 1 }
    while end > first, Self.endsValue(start.load(fromByteOffset: end - 1, as: UInt8.self)) { end -= 1 }
    let (number, concernsLimits) = names.find(name, readable: readable)
    if number < 0 || number >= names.commonCount {
      // A name that a contract documents need not be a token.
      if isRegular, !name.allSatisfy(Self.isToken) { isRegular = false }
    } else {
      known |= 1 &<< UInt64(truncatingIfNeeded: number)
    }
    hasLimitFields = hasLimitFields || concernsLimits
    if count == capacity { grow() }
    memory?[count] = Line(
      name: name, value: UnsafeRawBufferPointer(start: start + first, count: end - first), number: number,
      concernsLimits: concernsLimits)
    count += 1
  }

  private func grow() {
    capacity = max(8, capacity * 2)
    let grown = UnsafeMutablePointer<Line>.allocate(capacity: capacity)
    if let memory {
      grown.moveInitialize(from: memory, count: count)
      memory.deallocate()
    }
    memory = grown
  }

  @inline(__always)
  private static func isBlank(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 }

  @inline(__always)
  private static func endsValue(_ byte: UInt8) -> Bool { isBlank(byte) || byte == 13 }

  /// tchar of RFC 9110 §5.6.2, one bit per character.
  @inline(__always)
  package static func isToken(_ byte: UInt8) -> Bool {
    guard byte < 128 else { return false }
    let bits: UInt64 = byte < 64 ? 0x03FF_6CFA_0000_0000 : 0x57FF_FFFF_C7FF_FFFE
    return bits >> UInt64(byte & 63) & 1 != 0
  }
}

/// Headers that murphy reads with every contract, and others so common that a lookup of their names must be fast. The
/// raw value is the name's number in every ``FieldNames``.
package enum FieldName: Int16, CaseIterable, Sendable {
  // Framing and connections (RFC 9112 §6, §9)
  case contentLength, transferEncoding, connection, keepAlive, contentEncoding
  // Users and judges
  case setCookie, contentType, retryAfter
  case ratelimit, ratelimitPolicy, ratelimitLimit, ratelimitRemaining, ratelimitReset
  case xRatelimitLimit, xRatelimitRemaining, xRatelimitReset, xRatelimitWindow
  // Rules of HTTP that apply to every API
  case date, etag, vary, allow, cacheControl, wwwAuthenticate
  case accessControlAllowOrigin, accessControlAllowCredentials
  // Common ones
  case server, lastModified, acceptRanges, expires, age, via, location, link, pragma, xPoweredBy, xRequestId
  case strictTransportSecurity, xContentTypeOptions, xFrameOptions, contentSecurityPolicy, accessControlAllowHeaders
  case accessControlAllowMethods, accessControlExposeHeaders, referrerPolicy, altSvc

  /// In lower case: `content-length`.
  package var text: String {
    String(describing: self).map { $0.isUppercase ? "-" + $0.lowercased() : String($0) }.joined()
  }

  /// Its bit in ``FieldTable/known``.
  package var bit: UInt64 { 1 << UInt64(rawValue) }
}
