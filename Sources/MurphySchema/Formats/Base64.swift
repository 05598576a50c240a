/// Base64 with padding (RFC 4648 §4).
enum Base64 {
  /// Nil if the text is not base64: a letter of another alphabet, a wrong length, bits after the end.
  static func decode(_ text: UnsafeRawBufferPointer) -> [UInt8]? {
    guard text.count % 4 == 0 else { return nil }
    var output: [UInt8] = []
    output.reserveCapacity(text.count / 4 * 3)
    var bits: UInt32 = 0
    var padding = 0
    for (index, byte) in text.enumerated() {
      var value: UInt32 = 0
      if byte == 0x3D {
        guard index >= text.count - 2 else { return nil }
        padding += 1
      } else {
        guard padding == 0, let letter = letter(byte) else { return nil }
        value = letter
      }
      bits = bits << 6 | value
      if index & 3 == 3 {
        output.append(contentsOf: [UInt8(bits >> 16 & 0xFF), UInt8(bits >> 8 & 0xFF), UInt8(bits & 0xFF)])
        bits = 0
      }
    }
    guard output.suffix(padding).allSatisfy({ $0 == 0 }) else { return nil }
    output.removeLast(padding)
    return output
  }

  private static func letter(_ byte: UInt8) -> UInt32? {
    switch byte {
    case 0x41...0x5A: UInt32(byte) - 0x41
    case 0x61...0x7A: UInt32(byte) - 0x61 + 26
    case 0x30...0x39: UInt32(byte) - 0x30 + 52
    case 0x2B: 62
    case 0x2F: 63
    default: nil
    }
  }
}
