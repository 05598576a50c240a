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
