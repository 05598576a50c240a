/// What the keywords for numbers ask.
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
