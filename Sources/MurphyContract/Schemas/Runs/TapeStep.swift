/// A check that holds for values of every type.
struct TapeStep {
  enum Kind: UInt8 {
    case enumeration
    case reference, dynamicReference
    case all, any, one, not, conditional
    /// `anyOf` or `oneOf` whose branches differ in a required property: the first number is a `Switch`.
    case chosen
    case unevaluatedItems, unevaluatedProperties, undocumented
    /// Strings with encoded content.
    case content
    /// What only the tree can say.
    case unchecked
  }

  let kind: Kind
  var first: Int32 = -1
  var second: Int32 = -1
  var third: Int32 = -1
  var list = Slice()
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

struct SwitchCase {
  let value: TapeName
  let node: Int32
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
