/// A JSONPath query (RFC 9535), read once and then only followed.
public struct JSONPath: Sendable, Hashable {
  /// As written.
  public let text: String
  let query: PathQuery

  /// Reads a query. Cost: linear in its length.
  public init(_ text: String) throws(JSONPathError) {
    var parser = PathParser(text)
    query = try parser.document()
    self.text = text
  }

  /// Whether it can find at most one node: only names and indices (RFC 9535 §2.3.5.1).
  public var isSingular: Bool { query.isSingular }
}

extension JSONPath: CustomStringConvertible {
  public var description: String { text }
}
