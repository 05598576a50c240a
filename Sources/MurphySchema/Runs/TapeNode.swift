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
