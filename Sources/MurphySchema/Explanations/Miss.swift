/// What a value is and what its schema asks for, in words.
struct Miss {
  /// Both in one sentence.
  var message: String
  /// The value, or its class; nil where it makes no difference.
  var found: String?
  /// Holds nothing of the value.
  var expected: String?

  /// A sentence that holds no value.
  init(_ message: String) { self.message = message }

  /// `found "x"; expected an integer`
  init(found: String, expected: String, message: String? = nil) {
    self.message = message ?? "found \(found); expected \(expected)"
    self.found = found
    self.expected = expected
  }
}
