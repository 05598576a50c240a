/// A set of ASCII characters: a bit of a table that has a byte for each character.
struct ByteSet {
  private let bit: UInt8

  @inline(__always)
  func contains(_ byte: UInt8) -> Bool { isIn(Self.table, byte) }

  /// - Parameter table: ``table``, read once before a loop.
  @inline(__always)
  func isIn(_ table: UnsafePointer<UInt8>, _ byte: UInt8) -> Bool { table[Int(byte)] & bit != 0 }

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

  /// The bits of the sets that hold a character; lives as long as the process.
  // Written here and never again.
  nonisolated(unsafe) static let table: UnsafePointer<UInt8> = {
    let letters = (UInt8(ascii: "A")...UInt8(ascii: "Z")).flatMap { [$0, $0 | 0x20] }
    let others = Array("0123456789-._~!$&'()*+,;=".utf8)
    let table = UnsafeMutablePointer<UInt8>.allocate(capacity: 256)
    table.initialize(repeating: 0, count: 256)
    for byte in letters + others { table[Int(byte)] = 31 }
    table[Int(UInt8(ascii: ":"))] = userinfo.bit | path.bit | segments.bit | query.bit
    table[Int(UInt8(ascii: "@"))] = path.bit | segments.bit | query.bit
    table[Int(UInt8(ascii: "/"))] = segments.bit | query.bit
    table[Int(UInt8(ascii: "?"))] = query.bit
    return UnsafePointer(table)
  }()
}
