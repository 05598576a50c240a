/// The rules of the array keywords; -1 for no schema.
struct ArrayCheck {
  var minimum = 0
  var maximum = Int.max
  var isUnique = false
  /// The number of the name of a member that probably differs in all items; -1 for none.
  var key: Int32 = -1
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
  var format: Format?
}

/// The rules of the object keywords; -1 for no schema.
struct ObjectCheck {
  /// Every name in any of the keywords.
  var slots = Slice()
  /// A hash table of slot numbers, its size a power of two.
  var table = Slice()
  /// The size of the bit set in words, with one bit for each slot.
  var words = 1
  /// The bit set of required names; -1 for none.
  var required: Int32 = -1
  var minimum = 0
  var maximum = Int.max
  var patterns = Slice()
  var additional: Int32 = -1
  /// `propertyNames`
  var names: Int32 = -1
  var hasProperties = false
  var dependencies = Slice()
}

/// A name in an object's keywords.
struct PropertySlot {
  let name: TapeName
  /// The schema of the value; -1 if there is none.
  var node: Int32 = -1
  /// In `properties`, so additionalProperties does not apply.
  var isDeclared = false
}

/// An entry of `patternProperties`, by the numbers of pattern and schema.
struct PatternSlot {
  let pattern: Int32
  let node: Int32
}

/// If the slot is present, the others must be (`required` ≥ 0: words of a bit set) or a schema must hold.
struct Dependency {
  let slot: Int32
  let required: Int32
  let node: Int32
}

/// The property that distinguishes the branches.
struct Switch {
  let name: TapeName
  let strings: Slice
  /// The branch for any unlisted string.
  let anyString: Int32
  /// The branches for the other types, by tape type.
  let null: Int32
  let boolean: Int32
  let number: Int32
  let array: Int32
  let object: Int32
}

/// A string value of the discriminating property, and its branch.
struct SwitchCase {
  let value: TapeName
  let node: Int32
}

/// Consecutive elements of a pool.
struct Slice {
  var start: Int32 = 0
  var count: Int32 = 0

  @inline(__always)
  var range: Range<Int> { Int(start)..<Int(start + count) }
}
