extension Decimal {
  /// Whether this is an integral multiple of `divisor`, exactly.
  ///
  /// With v = a·10^m and d = b·10^n in lowest terms, v/d = a·10^(m-n) / b.
  /// If m < n no whole quotient exists, for 10 does not divide a. Else b must divide a·10^(m-n), and as powers of ten
  /// beyond the bit length of b cannot contribute another factor of b, at most 4 zeros per digit of b are needed.
  /// Cost: digits of a plus 4 · digits of b, each step linear in the size of b.
  public func isMultiple(of divisor: Decimal) -> Bool {
    if isZero { return true }
    if divisor.isZero || exponent < divisor.exponent { return false }
    let zeros = min(exponent - divisor.exponent, 4 * divisor.digits.count)
    return divisor.digits.count <= 18
      ? isDivisible(zeros: zeros, small: divisor.digits.reduce(0) { $0 * 10 + UInt64($1) })
      : isDivisible(zeros: zeros, large: divisor.digits)
  }

  /// Long division, digit by digit. `small` < 10^18, so that remainder · 10 + 9 fits 64 bits.
  private func isDivisible(zeros: Int, small: UInt64) -> Bool {
    var remainder: UInt64 = 0
    for digit in digits { remainder = (remainder * 10 + UInt64(digit)) % small }
    for _ in 0..<zeros { remainder = (remainder * 10) % small }
    return remainder == 0
  }

  /// Long division on digits, most significant first.
  private func isDivisible(zeros: Int, large: [UInt8]) -> Bool {
    var remainder = [UInt8](repeating: 0, count: large.count + 1)
    for index in 0..<(digits.count + zeros) {
      remainder.removeFirst()
      remainder.append(index < digits.count ? digits[index] : 0)
      while Self.subtract(large, from: &remainder) {}
    }
    return remainder.allSatisfy { $0 == 0 }
  }

  /// `remainder` has one digit more than `divisor`. Subtracts where the result stays ≥ 0.
  private static func subtract(_ divisor: [UInt8], from remainder: inout [UInt8]) -> Bool {
    if remainder[0] == 0, remainder.dropFirst().lexicographicallyPrecedes(divisor) { return false }
    var borrow = 0
    for index in stride(from: divisor.count - 1, through: 0, by: -1) {
      var difference = Int(remainder[index + 1]) - Int(divisor[index]) - borrow
      borrow = difference < 0 ? 1 : 0
      if difference < 0 { difference += 10 }
      remainder[index + 1] = UInt8(difference)
    }
    remainder[0] -= UInt8(borrow)
    return true
  }
}
