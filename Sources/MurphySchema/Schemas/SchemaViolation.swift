/// One way in which an instance violates its schema.
public struct SchemaViolation: Sendable, Hashable {
  /// The invalid value.
  package let instancePointer: JSONPointer
  /// The keyword that rejected it.
  public let schemaPointer: SchemaLocation
  /// The keyword of the schema that is violated: `maxLength`.
  public let keyword: String
  /// The found and the expected, in one sentence.
  public let message: String
  /// The found value in short; nil if the locations in the value and in the schema are enough.
  public let found: String?
  /// The expected, without any value of the instance; nil if `found` is.
  public let expected: String?
  /// For `anyOf`, `oneOf` and similar keywords: the failure of the closest branch, then the others.
  public let details: [SchemaViolation]
}

extension SchemaViolation: CustomStringConvertible {
  public var description: String { text(indent: 0) }

  /// `/at/this/place: message` with the schema's location below, details indented.
  package func text(indent: Int) -> String {
    let space = String(repeating: " ", count: indent)
    let place = instancePointer.tokens.isEmpty ? "the document" : instancePointer.description
    let own = "\(space)\(place): \(message)\n\(space)  by \(schemaPointer)"
    return ([own] + details.map { $0.text(indent: indent + 4) }).joined(separator: "\n")
  }
}

/// The location of a schema, or of one of its keywords.
public struct SchemaLocation: Sendable, Hashable, CustomStringConvertible {
  /// The URI under which the document was registered.
  public let document: String
  package let pointer: JSONPointer

  public var description: String { "\(document)#\(pointer)" }

  func appending(_ tokens: String...) -> SchemaLocation {
    SchemaLocation(document: document, pointer: JSONPointer(tokens: pointer.tokens + tokens))
  }
}
