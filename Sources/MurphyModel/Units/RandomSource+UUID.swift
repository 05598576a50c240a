extension RandomSource {
  /// A random UUID (RFC 9562 §5.4, version 4), lower case.
  ///
  /// - Parameter salt: another salt gives another UUID from the same draws, and takes as many of them.
  public mutating func uuid(salt: UInt64? = nil) -> String {
    var pad = salt.map { RandomSource(seed: $0) }
    let high = ((next() ^ (pad?.next() ?? 0)) & 0xFFFF_FFFF_FFFF_0FFF) | 0x4000
    let low = ((next() ^ (pad?.next() ?? 0)) & 0x3FFF_FFFF_FFFF_FFFF) | 0x8000_0000_0000_0000
    let alphabet = Array("0123456789abcdef".utf8)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(36)
    for nibble in 0..<32 {
      if [8, 12, 16, 20].contains(nibble) { bytes.append(UInt8(ascii: "-")) }
      let word = nibble < 16 ? high : low
      bytes.append(alphabet[Int((word >> UInt64(60 - 4 * (nibble % 16))) & 15)])
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
