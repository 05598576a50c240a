/// A schema for the tape: which checks hold for which type of value. Plain memory; `none` is -1.
struct TapeNode {
  /// The allowed types as bits of `TypeSet`; all for no restriction.
  var types: UInt8 = 0xFF
  /// Nothing to check at all.
  var isTrivial = true
  /// Type, number and string say all there is of a scalar.
  var isPlain = true
  /// Asks which properties or items have been evaluated.
  var hasUnevaluated = false
  var resource: Int32 = 0
  var number: Int32 = -1
  var string: Int32 = -1
  var array: Int32 = -1
  var object: Int32 = -1
  /// The steps that hold for every type.
  var steps: Slice = Slice()
}

/// Consecutive elements of a pool.
struct Slice {
  var start: Int32 = 0
  var count: Int32 = 0

  @inline(__always)
  var range: Range<Int> { Int(start)..<Int(start + count) }
}

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

struct NumberBound {
  let value: Double
  let isLower: Bool
  let isExclusive: Bool
  /// The bound has so few digits that its double stands for it alone.
  let isShort: Bool
}

struct NumberDivisor {
  /// The divisor is mantissa · 10^-scale, scale ≤ 18. A mantissa of 0: only the tree can tell.
  let mantissa: UInt64
  let scale: Int
}

struct StringCheck {
  var minimum = 0
  var maximum = Int.max
  var pattern: Int32 = -1
  var format: UInt8 = StringCheck.noFormat
  static let noFormat: UInt8 = 0xFF
}

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

struct ObjectCheck {
  /// Every name that some keyword mentions.
  var slots = Slice()
  /// A hash table of slot numbers, its size a power of two.
  var table = Slice()
  /// Words of the bit set with one bit for each slot.
  var words = 1
  var required: Int32 = -1
  var minimum = 0
  var maximum = Int.max
  var patterns = Slice()
  var additional: Int32 = -1
  var names: Int32 = -1
  var hasProperties = false
  /// Only sizes and names count: the values need no visit.
  var dependencies = Slice()
}

/// A name an object may have.
struct PropertySlot {
  let name: TapeName
  /// The schema of the value, -1 where there is none.
  var node: Int32 = -1
  /// Listed in `properties`: additionalProperties does not apply.
  var isDeclared = false
}

struct PatternSlot {
  let pattern: Int32
  let node: Int32
}

/// If the slot is present, the others must be (`required` ≥ 0: words of a bit set) or a schema holds.
struct Dependency {
  let slot: Int32
  let required: Int32
  let node: Int32
}
