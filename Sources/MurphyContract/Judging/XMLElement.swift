/// An element of an XML document, without comments and processing instructions, which schemas cannot describe.
package struct XMLElement: Sendable {
  package struct Attribute: Sendable {
    package var name: String
    /// Nil without a prefix.
    package var prefix: String?
    /// The URI; nil without a namespace.
    package var namespace: String?
    package var value: String
  }

  /// Without prefix; with it if no namespace is declared for the prefix.
  package var name: String
  /// Nil without a prefix.
  package var prefix: String?
  /// The URI; nil without a namespace.
  package var namespace: String?
  /// In document order, without namespace declarations.
  package var attributes: [Attribute] = []
  /// In document order.
  package var children: [XMLElement] = []
  /// All direct text and CDATA content, concatenated.
  package var text = ""
  /// The content has a reference to an entity of the document's DTD, which is never replaced.
  package var hasEntities = false

  /// With the prefix, if it has one.
  package var qualifiedName: String { prefix.map { "\($0):\(name)" } ?? name }

  /// True if the direct content is not only white space.
  var hasText: Bool { !text.utf8.allSatisfy(Self.isSpace) }

  /// The text without white space at both ends.
  var trimmedText: String {
    let bytes = Array(text.utf8)
    guard let first = bytes.firstIndex(where: { !Self.isSpace($0) }),
      let last = bytes.lastIndex(where: { !Self.isSpace($0) })
    else { return "" }
    return String(decoding: bytes[first...last], as: UTF8.self)
  }

  /// No text, no elements, no attributes.
  var isBlank: Bool { text.isEmpty && children.isEmpty && attributes.isEmpty }

  /// `xsi:nil="true"`: the value is absent (XML Schema 1.0 §2.6.2).
  var isNil: Bool {
    attributes.contains {
      $0.name == "nil" && $0.namespace == Self.schemaInstance && ($0.value == "true" || $0.value == "1")
    }
  }

  private static let schemaInstance = "http://www.w3.org/2001/XMLSchema-instance"

  /// White space of XML 1.0 §2.3.
  static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }
}
