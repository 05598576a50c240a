/// What the keywords for objects ask; -1 for no schema.
struct ObjectCheck {
  /// Every name that some keyword mentions.
  var slots = Slice()
  /// A hash table of slot numbers, its size a power of two.
  var table = Slice()
  /// Words of the bit set with one bit for each slot.
  var words = 1
  /// The bit set of required names, -1 for none.
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

/// A name an object may have.
struct PropertySlot {
  let name: TapeName
  /// The schema of the value, -1 where there is none.
  var node: Int32 = -1
  /// Listed in `properties`: additionalProperties does not apply.
  var isDeclared = false
}

/// One of `patternProperties`, by the numbers of pattern and schema.
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

/// The property by which branches are told apart.
struct Switch {
  let name: TapeName
  let strings: Slice
  /// A branch that takes any string not listed.
  let anyString: Int32
  /// The branches for the other types, by tape type.
  let null: Int32
  let boolean: Int32
  let number: Int32
  let array: Int32
  let object: Int32
}

/// A string value of the discriminating property, and the branch it stands for.
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
