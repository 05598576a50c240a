/// A number as it was written: exact, however many digits it has.
struct Number: Sendable {
  /// Conforms to the grammar of RFC 8259, section 6.
  var text: String

  /// The number times ten to the power of `places`, where that is a whole number of at most 18 digits.
  func scaled(_ places: Int) -> Int? {
    var digits: [UInt8] = []
    var exponent = 0
    var isNegative = false
    var isFraction = false
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "-"): isNegative = true
      case UInt8(ascii: "."): isFraction = true
      case UInt8(ascii: "e"), UInt8(ascii: "E"):
        let written = String(decoding: rest, as: UTF8.self)
        // An exponent that does not fit is far beyond every bound of this API.
        exponent += Int(written.hasPrefix("+") ? String(written.dropFirst()) : written) ?? 1 << 40
        rest = []
      default:
        digits.append(byte - UInt8(ascii: "0"))
        if isFraction { exponent -= 1 }
      }
    }
    while digits.last == 0 {
      digits.removeLast()
      exponent += 1
    }
    let significant = digits.drop { $0 == 0 }
    guard !significant.isEmpty else { return 0 }
    let (zeros, overflow) = exponent.addingReportingOverflow(places)
    guard !overflow, zeros >= 0, zeros < 19, significant.count + zeros <= 18 else { return nil }
    var value = significant.reduce(0) { $0 * 10 + Int($1) }
    for _ in 0..<zeros { value *= 10 }
    return isNegative ? -value : value
  }

  /// The nearest double; infinite where none is near.
  var double: Double { Double(text) ?? .infinity }
}

extension Number {
  /// Also of a number that is too near to 0 for a double.
  var isBelowZero: Bool { text.hasPrefix("-") && scaled(0) != 0 }
}
