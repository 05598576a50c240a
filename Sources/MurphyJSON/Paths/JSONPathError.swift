/// A text that is not a JSONPath query.
package struct JSONPathError: Error, Sendable, Hashable, CustomStringConvertible {
  /// As written.
  package let query: String
  /// Unicode scalars before the mistake.
  package let offset: Int
  /// What was found and what was expected.
  package let message: String

  package init(query: String, offset: Int, message: String) {
    self.query = query
    self.offset = offset
    self.message = message
  }

  /// The message, the query and a caret under the mistake.
  package var description: String {
    // A line break in the query would move the caret from its place.
    let line = String(String.UnicodeScalarView(query.unicodeScalars.map { $0.value < 0x20 ? " " : $0 }))
    return "not a JSONPath query: \(message)\n  \(line)\n  \(String(repeating: " ", count: offset))^"
  }
}
