/// SplitMix64 (Steele, Lea, Flood 2014): the same numbers for the same seed on every machine.
struct SeededNumbers: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number in `0..<bound`; `bound` must be positive. The bias is below 2⁻⁴⁰ for the bounds of this module.
  mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

  mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }

  /// So many letters and digits.
  mutating func letters(_ count: Int) -> String {
    let known = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
    return String((0..<count).map { _ in pick(known) })
  }

  /// A UUID of version 4.
  mutating func uuid() -> String {
    let (high, low) = (next(), next())
    let digits = String(high, radix: 16).leftPadded + String(low, radix: 16).leftPadded
    let text = Array(digits)
    let variant = "89ab".map { $0 }[Int(low >> 62)]
    return String(text[0..<8]) + "-" + String(text[8..<12]) + "-4" + String(text[13..<16]) + "-\(variant)"
      + String(text[17..<20]) + "-" + String(text[20..<32])
  }
}

extension String {
  /// With zeros in front, to 16 digits.
  fileprivate var leftPadded: String { String(repeating: "0", count: max(16 - count, 0)) + self }
}
