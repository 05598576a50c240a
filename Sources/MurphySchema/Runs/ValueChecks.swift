/// What the keywords for arrays ask; -1 for no schema.
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
  /// A hash table of string numbers where there are many, its size a power of two.
  var table = Slice()
  /// In ascending order.
  var integers = Slice()
  var allowsNull = false
  var allowsTrue = false
  var allowsFalse = false
  /// Holds numbers with fractions or beyond 64 bits.
  var hasDecimals = false
  var hasArrays = false
  var hasObjects = false
}

/// What the keywords for numbers ask.
struct NumberCheck {
  /// What the bounds come to for whole numbers.
  var low = Int64.min
  var high = Int64.max
  var bounds = Slice()
  /// Index of a divisor.
  var divisor: Int32 = -1
  /// A format for numbers, which fractions and exponents complicate: left to the tree.
  var hasFormat = false
}

/// One of the `minimum` and `maximum` keywords.
struct NumberBound {
  let value: Double
  let isLower: Bool
  let isExclusive: Bool
  /// The bound has so few digits that its double stands for it alone.
  let isShort: Bool
}

/// `multipleOf`.
struct NumberDivisor {
  /// The divisor is mantissa · 10^-scale, scale ≤ 18. A mantissa of 0: only the tree can tell.
  let mantissa: UInt64
  let scale: Int
}

/// What the keywords for strings ask. Lengths in code points; -1 for no pattern.
struct StringCheck {
  var minimum = 0
  var maximum = Int.max
  var pattern: Int32 = -1
  var format: UInt8 = StringCheck.noFormat
  static let noFormat: UInt8 = 0xFF
}
