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
