/// Host names (RFC 1123 §2.1) and internationalised ones (RFC 5890).
enum HostName {
  /// Letters, digits and hyphens in labels of up to 63, together up to 253. An A-label (`xn--…`) must decode to a
  /// label that IDNA2008 allows. Allocates for A-labels only.
  static func isHostName(_ text: UnsafeRawBufferPointer) -> Bool {
    guard (1...253).contains(text.count) else { return false }
    var start = 0
    for index in 0...text.count where index == text.count || text[index] == 0x2E {
      guard isLabel(UnsafeRawBufferPointer(rebasing: text[start..<index])) else { return false }
      start = index + 1
    }
    return true
  }

  private static func isLabel(_ label: UnsafeRawBufferPointer) -> Bool {
    guard (1...63).contains(label.count), label[0] != 0x2D, label[label.count - 1] != 0x2D else { return false }
    for byte in label where !(FormatReader.isLetter(byte) || FormatReader.isDigit(byte) || byte == 0x2D) {
      return false
    }
    guard label.count >= 4, label[2] == 0x2D, label[3] == 0x2D else { return true }
    guard label[0] | 0x20 == 0x78, label[1] | 0x20 == 0x6E else { return true }
    return InternationalLabel.isALabel(String(decoding: label, as: UTF8.self).lowercased())
  }

  /// Labels may be U-labels, and the ideographic full stops part them too (RFC 3490 §3.1).
  static func isInternationalHostName(_ text: UnsafeRawBufferPointer) -> Bool {
    if text.allSatisfy({ $0 < 0x80 }) { return isHostName(text) }
    let scalars = Array(String(decoding: text, as: UTF8.self).unicodeScalars)
    var length = 0
    for label in scalars.split(omittingEmptySubsequences: false, whereSeparator: isDot) {
      var text = String(String.UnicodeScalarView(label))
      if label.allSatisfy(\.isASCII) {
        guard text.withUTF8({ isLabel(UnsafeRawBufferPointer($0)) }) else { return false }
        length += text.utf8.count + 1
      } else {
        guard let encoded = InternationalLabel.encodedLength(text) else { return false }
        length += encoded + 1
      }
    }
    return length <= 254
  }

  private static func isDot(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "." || scalar == "\u{3002}" || scalar == "\u{FF0E}" || scalar == "\u{FF61}"
  }
}
