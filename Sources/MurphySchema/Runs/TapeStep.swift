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
