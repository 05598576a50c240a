/// SplitMix64 (Steele, Lea, Flood 2014): the same numbers for the same seed on every machine.
package struct SeededNumbers: RandomNumberGenerator {
  private var state: UInt64

  /// The same seed gives the same numbers.
  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number in `0..<bound`; `bound` must be positive. The bias is below 2⁻⁴⁰ for the bounds of this module.
  package mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

  /// The list must not be empty.
  package mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }

  /// This number of letters and digits.
  package mutating func letters(_ count: Int) -> String {
    let known = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
    return String((0..<count).map { _ in pick(known) })
  }

  /// A UUID of version 4.
  package mutating func uuid() -> String {
    let (high, low) = (next(), next())
    // Unsafe only in name: every response is stamped with one, and this is one write per character without an
    // intermediate array.
    return String(unsafeUninitializedCapacity: 36) { text in
      for position in 0..<36 {
        // The number of hexadecimal digits before this place, without the four hyphens.
        let digit = position - [8, 13, 18, 23].count { $0 < position }
        switch position {
        case 8, 13, 18, 23: text[position] = UInt8(ascii: "-")
        case 14: text[position] = UInt8(ascii: "4")
        case 19: text[position] = Self.digits[Int(8 | (low >> 62))]
        default: text[position] = Self.digits[Int(((digit < 16 ? high : low) >> (UInt64(15 - digit % 16) * 4)) & 15)]
        }
      }
      return 36
    }
  }

  private static let digits = Array("0123456789abcdef".utf8)
}
