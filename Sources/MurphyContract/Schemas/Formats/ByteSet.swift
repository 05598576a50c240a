/// A set of ASCII characters: a bit for each.
struct ByteSet {
  let low: UInt64
  let high: UInt64

  @inline(__always)
  func contains(_ byte: UInt8) -> Bool {
    let bits = (byte & 64 == 0 ? low : high) &>> UInt64(truncatingIfNeeded: byte & 63)
    return bits & 1 != 0 && byte < 0x80
  }

  /// `unreserved / sub-delims` (RFC 3986 §2): letters, digits and `-._~!$&'()*+,;=`
  static let name = ByteSet(low: 0x2BFF_7FD2_0000_0000, high: 0x47FF_FFFE_87FF_FFFE)
  /// With `:`
  static let userinfo = ByteSet(low: 0x2FFF_7FD2_0000_0000, high: 0x47FF_FFFE_87FF_FFFE)
  /// `pchar`, without percent-encoding: with `:@`
  static let path = ByteSet(low: 0x2FFF_7FD2_0000_0000, high: 0x47FF_FFFE_87FF_FFFF)
  /// Segments and the slashes between them: with `:@/`
  static let segments = ByteSet(low: 0x2FFF_FFD2_0000_0000, high: 0x47FF_FFFE_87FF_FFFF)
  /// With `:@/?`
  static let query = ByteSet(low: 0xAFFF_FFD2_0000_0000, high: 0x47FF_FFFE_87FF_FFFF)
}
