/// The rules of the array keywords; -1 for no schema.
struct ArrayCheck {
  var minimum = 0
  var maximum = Int.max
  var isUnique = false
  var prefix = Slice()
  var rest: Int32 = -1
  var contains: Int32 = -1
  var containsMinimum = 0
  var containsMaximum = Int.max
  var containsEvaluates = false
}

/// The values of an `enum`, by type.
struct EnumerationCheck {
  var strings = Slice()
  /// A hash table of string numbers if there are many; its size is a power of two.
  var table = Slice()
  /// In ascending order.
  var integers = Slice()
  var allowsNull = false
  var allowsTrue = false
  var allowsFalse = false
  /// Contains numbers with fractions or beyond 64 bits.
  var hasDecimals = false
  var hasArrays = false
  var hasObjects = false
}

/// The rules of the number keywords.
struct NumberCheck {
  /// The bounds as whole numbers.
  var low = Int64.min
  var high = Int64.max
  var bounds = Slice()
  /// Index of a divisor.
  var divisor: Int32 = -1
  /// A format for numbers. Fractions and exponents are complicated, so the tree checks it.
  var hasFormat = false
}

/// One of the `minimum` and `maximum` keywords.
struct NumberBound {
  let value: Double
  let isLower: Bool
  let isExclusive: Bool
  /// The bound has so few digits that its double is unique.
  let isShort: Bool
}

/// `multipleOf`.
struct NumberDivisor {
  /// The divisor is mantissa · 10^-scale, scale ≤ 18. If the mantissa is 0, only the tree can decide.
  let mantissa: UInt64
  let scale: Int
}

/// The rules of the string keywords. Lengths in code points; -1 for no pattern.
struct StringCheck {
  var minimum = 0
  var maximum = Int.max
  var pattern: Int32 = -1
  var format: UInt8 = StringCheck.noFormat
  static let noFormat: UInt8 = 0xFF
}
