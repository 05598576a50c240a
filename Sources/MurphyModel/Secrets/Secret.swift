/// A value that no output may show, and the shell variable that stands for it in a script.
public struct Secret: Sendable, Hashable {
  public var value: String
  package var variable: ShellVariable

  public init(_ value: String) { self.init(value, ShellVariable("secret")) }

  package init(_ value: String, _ variable: ShellVariable) {
    self.value = value
    self.variable = variable
  }

  /// Shorter ones would blot out ordinary text.
  package static let shortest = 4

  /// The characters that the secret decides in base64 (RFC 4648, both alphabets), for each of the three ways in which
  /// it can lie in the groups of three bytes.
  var base64: Set<[UInt8]> { Self.base64(Array(value.utf8)) }

  /// The same for what is encoded once more, as a server does that tells the basic credentials that it got.
  var nestedBase64: Set<[UInt8]> { Set(base64.flatMap(Self.base64)) }

  private static func base64(_ bytes: [UInt8]) -> Set<[UInt8]> {
    var forms: Set<[UInt8]> = []
    for offset in 0..<3 {
      let bits = 8 * (offset + bytes.count)
      let first = offset == 0 ? 0 : offset + 1
      let digits = Self.sextets(Array(repeating: 0, count: offset) + bytes)[first..<(bits / 6)]
      // Fewer characters stand in many texts by chance.
      guard digits.count >= 5 else { continue }
      forms.insert(digits.map { Self.alphabet[$0] })
      forms.insert(digits.map { $0 == 62 ? UInt8(ascii: "-") : $0 == 63 ? UInt8(ascii: "_") : Self.alphabet[$0] })
    }
    return forms
  }

  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  private static func sextets(_ bytes: [UInt8]) -> [Int] {
    var digits: [Int] = []
    var bits = 0
    var count = 0
    for byte in bytes {
      bits = bits << 8 | Int(byte)
      count += 8
      while count >= 6 {
        count -= 6
        digits.append(bits >> count & 63)
      }
      bits &= (1 << count) - 1
    }
    return digits
  }
}
