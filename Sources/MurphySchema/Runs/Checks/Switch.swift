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
