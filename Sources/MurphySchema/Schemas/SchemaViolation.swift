/// One way in which an instance breaks its schema.
public struct SchemaViolation: Sendable, Hashable {
  /// The offending value.
  package let instancePointer: JSONPointer
  /// The keyword that refused it.
  public let schemaPointer: SchemaLocation
  /// The keyword of the schema that is violated: `maxLength`.
  public let keyword: String
  /// What was found and what was expected, in one sentence.
  public let message: String
  /// What was found, in short; nil where the places in the value and in the schema say all.
  public let found: String?
  /// What was expected, without any value of the instance; nil where `found` is.
  public let expected: String?
  /// For `anyOf`, `oneOf` and the like: why the branch that came closest failed, then the others.
  public let details: [SchemaViolation]
}

extension SchemaViolation: CustomStringConvertible {
  public var description: String { text(indent: 0) }

  /// `/at/this/place: message` with the schema's place beneath, details indented.
  package func text(indent: Int) -> String {
    let space = String(repeating: " ", count: indent)
    let place = instancePointer.tokens.isEmpty ? "the document" : instancePointer.description
    let own = "\(space)\(place): \(message)\n\(space)  by \(schemaPointer)"
    return ([own] + details.map { $0.text(indent: indent + 4) }).joined(separator: "\n")
  }
}

/// Where a schema, or one of its keywords, stands.
public struct SchemaLocation: Sendable, Hashable, CustomStringConvertible {
  /// The URI under which the document was registered.
  public let document: String
  package let pointer: JSONPointer

  public var description: String { "\(document)#\(pointer)" }

  func appending(_ tokens: String...) -> SchemaLocation {
    SchemaLocation(document: document, pointer: JSONPointer(tokens: pointer.tokens + tokens))
  }
}
