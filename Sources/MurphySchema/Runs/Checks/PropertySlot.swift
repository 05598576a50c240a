/// A name an object may have.
struct PropertySlot {
  let name: TapeName
  /// The schema of the value, -1 where there is none.
  var node: Int32 = -1
  /// Listed in `properties`: additionalProperties does not apply.
  var isDeclared = false
}
