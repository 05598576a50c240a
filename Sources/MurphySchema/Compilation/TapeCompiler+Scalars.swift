extension TapeCompiler {
  mutating func lower(_ assertion: Assertion, into check: inout NumberCheck?) {
    var number = check ?? NumberCheck()
    switch assertion {
    case .minimum(let bound, let exclusive):
      number.low = max(number.low, Self.low(bound, exclusive))
      if Self.exceeds(bound, exclusive, isLower: true) { number.high = Int64.min }
      add(bound, exclusive, isLower: true, to: &number)
    case .maximum(let bound, let exclusive):
      number.high = min(number.high, Self.high(bound, exclusive))
      if Self.exceeds(bound, exclusive, isLower: false) { number.low = Int64.max }
      add(bound, exclusive, isLower: false, to: &number)
    case .multiple(let divisor):
      number.divisor = Int32(pools.divisors.count)
      pools.divisors.append(Self.divisor(divisor))
    default: break
    }
    check = number
  }

  /// The bounds of one check are consecutive, because its rules follow each other.
  private mutating func add(_ bound: JSONNumber, _ exclusive: Bool, isLower: Bool, to number: inout NumberCheck) {
    if number.bounds.count == 0 { number.bounds.start = Int32(pools.bounds.count) }
    number.bounds.count += 1
    // Decimals of up to 15 digits have distinct doubles, unless they are so small that they lose bits.
    let decimal = bound.decimal
    let isShort = decimal.digits.count <= 15 && (-280...280).contains(decimal.exponent)
    pools.bounds.append(
      NumberBound(value: bound.double, isLower: isLower, isExclusive: exclusive, isShort: isShort))
  }

  /// The smallest whole number that a lower bound allows, within 64 bits.
  private static func low(_ bound: JSONNumber, _ exclusive: Bool) -> Int64 {
    if let whole = bound.int { return exclusive && whole < Int.max ? Int64(whole) + 1 : Int64(whole) }
    return clamped(bound) ?? roundedUp(bound)
  }

  private static func high(_ bound: JSONNumber, _ exclusive: Bool) -> Int64 {
    if let whole = bound.int { return exclusive && whole > Int.min ? Int64(whole) - 1 : Int64(whole) }
    return clamped(bound) ?? roundedUp(bound) - 1
  }

  /// The limit of the 64-bit range for a number outside of it.
  private static func clamped(_ bound: JSONNumber) -> Int64? {
    bound > JSONNumber(Int.max) ? Int64.max : bound < JSONNumber(Int.min) ? Int64.min : nil
  }

  /// True if no whole number of 64 bits satisfies the bound.
  private static func exceeds(_ bound: JSONNumber, _ exclusive: Bool, isLower: Bool) -> Bool {
    let edge = JSONNumber(isLower ? Int.max : Int.min)
    if bound == edge { return exclusive }
    return isLower ? bound > edge : bound < edge
  }

  /// The smallest whole number above a fraction. Computed from its digits, because a double may round.
  private static func roundedUp(_ bound: JSONNumber) -> Int64 {
    let decimal = bound.decimal
    let whole = max(0, decimal.digits.count + decimal.exponent)
    let truncated = decimal.digits.prefix(whole).reduce(Int64(0)) { $0 &* 10 &+ Int64($1) }
    return decimal.isNegative ? -truncated : truncated + 1
  }

  private static func divisor(_ number: JSONNumber) -> NumberDivisor {
    let decimal = number.decimal
    let scale = max(0, -decimal.exponent)
    let digits = decimal.digits.count + max(0, decimal.exponent)
    guard scale <= 18, digits <= 18 else { return NumberDivisor(mantissa: 0, scale: 0) }
    var mantissa = decimal.digits.reduce(UInt64(0)) { $0 * 10 + UInt64($1) }
    for _ in 0..<max(0, decimal.exponent) { mantissa *= 10 }
    return NumberDivisor(mantissa: mantissa, scale: scale)
  }

  mutating func lower(
    _ assertion: Assertion, into check: inout StringCheck?, _ number: inout NumberCheck?
  ) {
    var string = check ?? StringCheck()
    switch assertion {
    case .minLength(let bound): string.minimum = bound
    case .maxLength(let bound): string.maximum = bound
    case .pattern(let source): string.pattern = pattern(source)
    case .format(let format) where format.appliesToNumbers:
      var numbers = number ?? NumberCheck()
      numbers.hasFormat = true
      if format == .int32 {
        numbers.low = max(numbers.low, Int64(Int32.min))
        numbers.high = min(numbers.high, Int64(Int32.max))
      }
      number = numbers
      return
    case .format(let format): string.format = format
    default: break
    }
    check = string
  }
}
