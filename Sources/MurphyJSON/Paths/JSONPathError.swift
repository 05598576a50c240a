/// A text that is not a JSONPath query.
public struct JSONPathError: Error, Sendable, Hashable, CustomStringConvertible {
  /// As written.
  public let query: String
  /// Unicode scalars before the mistake.
  public let offset: Int
  /// What was found and what was expected.
  public let message: String

  /// A mistake at a character offset of the query, from 0.
  public init(query: String, offset: Int, message: String) {
    self.query = query
    self.offset = offset
    self.message = message
  }

  /// The message, the query and a caret under the mistake.
  public var description: String {
    // A line break in the query would move the caret from its place.
    let line = String(String.UnicodeScalarView(query.unicodeScalars.map { $0.value < 0x20 ? " " : $0 }))
    return "not a JSONPath query: \(message)\n  \(line)\n  \(String(repeating: " ", count: offset))^"
  }
}
