/// A character of a shell word: one that can be shown and pasted as it is, or bytes that cannot.
enum ShellCharacter {
  case printable(Unicode.Scalar)
  /// A control character, a mark of text direction, an invisible character, or a byte that is not UTF-8.
  case unprintable([UInt8])

  static func read(_ bytes: [UInt8]) -> [ShellCharacter] {
    var characters: [ShellCharacter] = []
    characters.reserveCapacity(bytes.count)
    var decoder = Unicode.UTF8.ForwardParser()
    var rest = bytes.makeIterator()
    var index = 0
    while true {
      switch decoder.parseScalar(from: &rest) {
      case .valid(let encoded):
        let scalar = Unicode.UTF8.decode(encoded)
        let count = encoded.count
        characters.append(isPrintable(scalar) ? .printable(scalar) : .unprintable(Array(bytes[index..<index + count])))
        index += count
      case .error(let length):
        characters.append(.unprintable(Array(bytes[index..<index + length])))
        index += length
      case .emptyInput: return characters
      }
    }
  }

  private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: false
    default: true
    }
  }

  /// Three octal digits, as POSIX `printf` reads them.
  static func octal(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 8)
    return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
  }

  /// Bytes as the format of a `printf` in single quotes.
  static func format(_ bytes: [UInt8]) -> String {
    var text = ""
    var followsOctal = false
    for character in read(bytes) {
      var isOctal = false
      switch character {
      case .printable("'"): text += "'\\''"
      case .printable("\\"): text += "\\\\"
      case .printable("%"): text += "%%"
      // Some shells read a digit after an octal escape as a part of it; some take a leading "-" for an option.
      case .printable(let scalar)
      where (followsOctal && ("0"..."9").contains(scalar)) || (text.isEmpty && scalar == "-"):
        text += octal(UInt8(scalar.value))
        isOctal = true
      case .printable(let scalar): text.unicodeScalars.append(scalar)
      case .unprintable([0x0A]): text += "\\n"
      case .unprintable([0x0D]): text += "\\r"
      case .unprintable([0x09]): text += "\\t"
      case .unprintable(let bytes):
        text += bytes.map(octal).joined()
        isOctal = true
      }
      followsOctal = isOctal
    }
    return text
  }
}
