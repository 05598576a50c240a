extension TapeRun {
  @inline(__always)
  mutating func isString(_ check: UnsafePointer<StringCheck>, _ position: Int) -> Bool {
    let bytes = tape.utf8(at: position)
    // A code point has one to four bytes: most lengths need no counting.
    if bytes.count > check.pointee.maximum || bytes.count < check.pointee.minimum &* 4
      || check.pointee.minimum > 1 << 32
    {
      let length = Self.codePoints(bytes)
      if length < check.pointee.minimum || length > check.pointee.maximum { return false }
    }
    if let format = check.pointee.format, !accepted.accepts(bytes, format) { return false }
    return check.pointee.pattern < 0 || matches(check.pointee.pattern, bytes)
  }

  private static func codePoints(_ bytes: UnsafeRawBufferPointer) -> Int {
    var count = 0
    // Bytes 10xxxxxx continue a code point.
    for byte in bytes { count &+= Int8(bitPattern: byte) > -65 ? 1 : 0 }
    return count
  }

  @inline(never)
  mutating func matches(_ pattern: Int32, _ bytes: UnsafeRawBufferPointer) -> Bool {
    switch program.pointee.patterns[Int(pattern)]._withUnsafeGuaranteedRef({ $0.matches(bytes, regex) }) {
    case .yes: true
    case .no: false
    case .limitExceeded: leaveOpen()
    }
  }

  @inline(__always)
  mutating func isInteger(_ check: UnsafePointer<NumberCheck>, _ position: Int) -> Bool {
    let value = Int64(bitPattern: words[position + 1])
    guard value >= check.pointee.low, value <= check.pointee.high else { return false }
    return check.pointee.divisor < 0 || isMultiple(value, program.pointee.divisors + Int(check.pointee.divisor))
  }

  private mutating func isMultiple(_ value: Int64, _ divisor: UnsafePointer<NumberDivisor>) -> Bool {
    if divisor.pointee.mantissa == 0 { return leaveOpen() }
    return Self.isMultiple(value.magnitude, scale: divisor.pointee.scale, of: divisor.pointee.mantissa)
  }

  /// mantissa · 10^scale modulo divisor, in 128 bits.
  private static func isMultiple(_ mantissa: UInt64, scale: Int, of divisor: UInt64) -> Bool {
    var rest = mantissa % divisor
    for _ in 0..<scale where rest != 0 { rest = divisor.dividingFullWidth(rest.multipliedFullWidth(by: 10)).remainder }
    return rest == 0
  }

  /// Checks a number that is not a 64-bit integer: fractions, exponents, and the upper half of UInt64.
  mutating func isNumber(_ check: UnsafePointer<NumberCheck>, _ position: Int) -> Bool {
    if check.pointee.hasFormat { return leaveOpen() }
    let value = double(position)
    for index in check.pointee.bounds.range {
      let bound = program.pointee.bounds[index]
      if value == bound.value {
        // Rounding is monotone, so only equal doubles may hide a difference.
        guard bound.isShort, isShort(position) else { return leaveOpen() }
        if bound.isExclusive { return false }
      } else if (value < bound.value) == bound.isLower {
        return false
      }
    }
    guard check.pointee.divisor >= 0 else { return true }
    return isMultiple(position, program.pointee.divisors + Int(check.pointee.divisor))
  }

  func double(_ position: Int) -> Double {
    tape.type(at: position) == UInt8(ascii: "u") ? Double(words[position + 1]) : Double(bitPattern: words[position + 1])
  }

  /// True if the number has at most 15 digits and no exponent, so that its double is unique.
  func isShort(_ position: Int) -> Bool {
    guard tape.type(at: position) == UInt8(ascii: "d") else { return false }
    let bytes = tape.numberBytes(at: position)
    return !bytes.isEmpty && bytes.count <= 16 && !bytes.contains { $0 | 0x20 == 0x65 }
  }

  /// True if a number that is not a 64-bit integer on the tape is an integer by `type`.
  mutating func isWhole(_ types: TypeSet, _ position: Int) -> Bool {
    if tape.type(at: position) == UInt8(ascii: "u") { return !types.isDisjoint(with: [.integer, .writtenInteger]) }
    guard types.contains(.integer) else { return false }
    let value = Double(bitPattern: words[position + 1])
    guard value == value.rounded(.towardZero) else { return false }
    return isShort(position) || leaveOpen()
  }

  /// Computed from the digits: a·10^e and m·10^-s.
  private mutating func isMultiple(_ position: Int, _ divisor: UnsafePointer<NumberDivisor>) -> Bool {
    let bytes = tape.numberBytes(at: position)
    guard divisor.pointee.mantissa != 0, bytes.count <= 18, !bytes.isEmpty else { return leaveOpen() }
    var mantissa: UInt64 = 0
    var fraction = 0
    var isBehindPoint = false
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        mantissa = mantissa * 10 + UInt64(byte & 15)
        if isBehindPoint { fraction += 1 }
      case UInt8(ascii: "."): isBehindPoint = true
      case UInt8(ascii: "-"): break
      default: return leaveOpen()
      }
    }
    while fraction > divisor.pointee.scale {
      let (quotient, remainder) = mantissa.quotientAndRemainder(dividingBy: 10)
      if remainder != 0 { return false }
      mantissa = quotient
      fraction -= 1
    }
    return Self.isMultiple(mantissa, scale: divisor.pointee.scale - fraction, of: divisor.pointee.mantissa)
  }
}
