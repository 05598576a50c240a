/// The grammar of URIs (RFC 3986 appendix A) and IRIs (RFC 3987 §2.2), checked in one pass.
struct URISyntax {
  private var reader: FormatReader
  private let international: Bool

  init(_ text: UnsafeRawBufferPointer, international: Bool) {
    reader = FormatReader(text)
    self.international = international
  }

  /// `URI`: with scheme.
  var isURI: Bool {
    var copy = self
    return copy.scheme() && copy.behindScheme()
  }

  /// `URI-reference`: with scheme or relative.
  var isReference: Bool {
    var copy = self
    if copy.scheme() { return copy.behindScheme() }
    copy.reader.index = 0
    // path-noscheme: a colon in the first segment would start a scheme.
    var first = copy
    if copy.reader.peek != 0x2F {
      first.skip(.path)
      let end = first.reader.index
      if copy.reader.text[..<end].contains(0x3A) { return false }
    }
    return copy.behindScheme()
  }

  private mutating func scheme() -> Bool {
    guard FormatReader.isLetter(reader.peek) else { return false }
    reader.skip(.scheme)
    return reader.skip(0x3A)
  }

  /// `hier-part [ "?" query ] [ "#" fragment ]`
  private mutating func behindScheme() -> Bool {
    if reader.peek == 0x2F, reader.index + 1 < reader.text.count, reader.text[reader.index + 1] == 0x2F {
      reader.index += 2
      guard authority() else { return false }
      let next = reader.peek
      if next != 0x2F, next != 0x3F, next != 0x23, !reader.isAtEnd { return false }
    }
    skip(.segments)
    if reader.skip(0x3F) { skip(.query, allowsPrivateUse: true) }
    if reader.skip(0x23) { skip(.query) }
    return reader.isAtEnd
  }

  /// `[ userinfo "@" ] host [ ":" port ]`
  private mutating func authority() -> Bool {
    var start = reader.index
    skip(.name)
    if reader.peek == 0x3A || reader.peek == 0x40 {
      // A port or user information: the port is checked in a second pass.
      reader.index = start
      skip(.userinfo)
      if reader.skip(0x40) { start = reader.index } else { reader.index = start }
      skip(.name)
    }
    if reader.peek == 0x5B, reader.index == start {
      guard literal() else { return false }
    }
    if reader.skip(0x3A) { _ = reader.digits() }
    return true
  }

  /// `"[" ( IPv6address / IPvFuture ) "]"`
  private mutating func literal() -> Bool {
    reader.index += 1
    if reader.peek | 0x20 == 0x76 {
      reader.index += 1
      let start = reader.index
      while FormatReader.isHex(reader.peek) { reader.index += 1 }
      guard reader.index > start, reader.skip(0x2E) else { return false }
      let address = reader.index
      while ByteSet.userinfo.contains(reader.peek) { reader.index += 1 }
      return reader.index > address && reader.skip(0x5D)
    }
    return reader.ipv6() && reader.skip(0x5D)
  }

  /// Characters of the set and `pct-encoded`; for IRIs also `ucschar`.
  private mutating func skip(_ set: ByteSet, allowsPrivateUse: Bool = false) {
    while true {
      reader.skip(set)
      let byte = reader.peek
      if byte == 0x25 {
        guard reader.percentEncoded() else { return }
      } else {
        guard byte >= 0x80, international, let (scalar, length) = Self.scalar(reader.text, at: reader.index),
          Self.isInternational(scalar) || (allowsPrivateUse && Self.isPrivate(scalar))
        else { return }
        reader.index += length
      }
    }
  }

  /// `ucschar` (RFC 3987 §2.2)
  static func isInternational(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0xA0...0xD7FF, 0xF900...0xFDCF, 0xFDF0...0xFFEF: true
    case 0x10000...0xDFFFD, 0xE1000...0xEFFFD: scalar & 0xFFFF <= 0xFFFD
    default: false
    }
  }

  /// `iprivate`
  static func isPrivate(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0xE000...0xF8FF, 0xF0000...0xFFFFD, 0x100000...0x10FFFD: true
    default: false
    }
  }

  /// The code point at `index` of valid UTF-8.
  static func scalar(_ text: UnsafeRawBufferPointer, at index: Int) -> (UInt32, Int)? {
    let lead = text[index]
    let length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
    guard index + length <= text.count else { return nil }
    var value = length == 1 ? UInt32(lead) : UInt32(lead) & (0x7F >> UInt32(length))
    for offset in 1..<max(1, length) { value = value << 6 | UInt32(text[index + offset] & 0x3F) }
    return (value, length)
  }
}

/// A set of ASCII characters: one bit in a table with one byte for each character.
struct ByteSet {
  private let bit: UInt8

  @inline(__always)
  func contains(_ byte: UInt8) -> Bool { isIn(Self.table, byte) }

  /// - Parameter table: ``table``, loaded once before a loop.
  @inline(__always)
  func isIn(_ table: UnsafePointer<UInt8>, _ byte: UInt8) -> Bool { table[Int(byte)] & bit != 0 }

  /// The same for four characters.
  @inline(__always)
  func areIn(_ table: UnsafePointer<UInt8>, _ word: UInt32) -> Bool {
    let first = table[Int(word & 0xFF)] & table[Int(word >> 8 & 0xFF)]
    return first & table[Int(word >> 16 & 0xFF)] & table[Int(word >> 24)] & bit != 0
  }

  /// `unreserved / sub-delims` (RFC 3986 §2): letters, digits and `-._~!$&'()*+,;=`
  static let name = ByteSet(bit: 1)
  /// With `:`
  static let userinfo = ByteSet(bit: 2)
  /// `pchar`, without percent-encoding: with `:@`
  static let path = ByteSet(bit: 4)
  /// Segments and the slashes between them: with `:@/`
  static let segments = ByteSet(bit: 8)
  /// With `:@/?`
  static let query = ByteSet(bit: 16)
  /// Letters, digits and `+-.`
  static let scheme = ByteSet(bit: 32)
  /// Hexadecimal digits
  static let hex = ByteSet(bit: 64)

  /// The bits of the sets that contain a character; lives as long as the process.
  // Written here and never again.
  nonisolated(unsafe) static let table: UnsafePointer<UInt8> = {
    let letters = (UInt8(ascii: "A")...UInt8(ascii: "Z")).flatMap { [$0, $0 | 0x20] }
    let digits = Array("0123456789".utf8)
    let others = Array("-._~!$&'()*+,;=".utf8)
    let table = UnsafeMutablePointer<UInt8>.allocate(capacity: 256)
    table.initialize(repeating: 0, count: 256)
    for byte in letters + digits + others { table[Int(byte)] = 31 }
    for byte in letters + digits + Array("+-.".utf8) { table[Int(byte)] |= scheme.bit }
    for byte in 0..<UInt8.max where FormatReader.isHex(byte) { table[Int(byte)] |= hex.bit }
    table[Int(UInt8(ascii: ":"))] = userinfo.bit | path.bit | segments.bit | query.bit
    table[Int(UInt8(ascii: "@"))] = path.bit | segments.bit | query.bit
    table[Int(UInt8(ascii: "/"))] = segments.bit | query.bit
    table[Int(UInt8(ascii: "?"))] = query.bit
    return UnsafePointer(table)
  }()
}
