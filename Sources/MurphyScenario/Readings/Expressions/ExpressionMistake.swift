/// What is wrong in an expression, and where in its text.
struct ExpressionMistake: Error, Hashable {
  var message: String
  /// Characters before it.
  var offset: Int
  var width = 1
}
