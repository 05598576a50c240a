/// Bytes as text (RFC 4648 §4), with padding.
package enum Base64 {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 255, count: 256)
    for (value, letter) in alphabet.enumerated() { values[Int(letter)] = UInt8(value) }
    return values
  }()

  package static func encode(_ bytes: [UInt8]) -> String {
    var letters: [UInt8] = []
    letters.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let count = min(3, bytes.count - start)
      let second = count > 1 ? bytes[start + 1] : 0
      let third = count > 2 ? bytes[start + 2] : 0
      let group = Int(bytes[start]) << 16 | Int(second) << 8 | Int(third)
      letters.append(alphabet[group >> 18])
      letters.append(alphabet[group >> 12 & 63])
      letters.append(count > 1 ? alphabet[group >> 6 & 63] : UInt8(ascii: "="))
      letters.append(count > 2 ? alphabet[group & 63] : UInt8(ascii: "="))
    }
    return String(decoding: letters, as: UTF8.self)
  }

  /// Nil for what is not base64.
  package static func decode(_ text: String) -> [UInt8]? {
    let letters = Array(text.utf8)
    guard letters.count.isMultiple(of: 4) else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(letters.count / 4 * 3)
    let padding = letters.suffix(2).count { $0 == UInt8(ascii: "=") }
    for start in stride(from: 0, to: letters.count, by: 4) {
      let isLast = start + 4 == letters.count
      var group = 0
      for place in 0..<4 {
        let letter = letters[start + place]
        if isLast, place >= 4 - padding, letter == UInt8(ascii: "=") {
          group <<= 6
          continue
        }
        let value = values[Int(letter)]
        guard value < 64 else { return nil }
        group = group << 6 | Int(value)
      }
      bytes.append(UInt8(group >> 16 & 255))
      if !isLast || padding < 2 { bytes.append(UInt8(group >> 8 & 255)) }
      if !isLast || padding < 1 { bytes.append(UInt8(group & 255)) }
    }
    return bytes
  }
}
