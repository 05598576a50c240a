import MurphyJSON

/// Where a schema, or one of its keywords, stands.
public struct SchemaLocation: Sendable, Hashable, CustomStringConvertible {
  /// The URI under which the document was registered.
  public let document: String
  package let pointer: JSONPointer

  package init(document: String, pointer: JSONPointer) {
    self.document = document
    self.pointer = pointer
  }

  public var description: String { "\(document)#\(pointer)" }

  func appending(_ tokens: String...) -> SchemaLocation {
    SchemaLocation(document: document, pointer: JSONPointer(tokens: pointer.tokens + tokens))
  }
}
