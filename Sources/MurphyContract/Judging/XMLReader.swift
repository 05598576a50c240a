import CXML

/// Reads XML with libxml2, with limits: no network, no files, no external DTD, no entity replacement.
package enum XMLReader {
  /// The outcome of reading a text.
  package enum Reading: Sendable {
    case document(XMLElement)
    /// Not well-formed; line and column count from 1.
    case malformed(message: String, line: Int, column: Int)
    /// A document that libxml2 does not read although it may be well-formed: a limit, an unknown encoding.
    case unreadable(String)
  }

  /// The maximum size of a document, in bytes.
  static let maximumSize = 10_000_000
  /// The maximum number of elements of a document.
  static let maximumElements = 200_000

  /// - Parameter charset: of the `Content-Type`, tried if the document is not well-formed without it (RFC 7303 §3.2).
  package static func read(_ bytes: UnsafeRawBufferPointer, charset: String? = nil) -> Reading {
    guard bytes.count <= maximumSize else { return .unreadable("larger than 10 MB") }
    _ = isSealed
    let outcome = parse(bytes, encoding: nil)
    if case .malformed = outcome, let charset, case .document(let root) = parse(bytes, encoding: charset) {
      return .document(root)
    }
    return outcome
  }

  /// Initializes libxml2 once and disables its access to files and networks.
  private static let isSealed: Bool = {
    cxml_init()
    return true
  }()

  private static func parse(_ bytes: UnsafeRawBufferPointer, encoding: String?) -> Reading {
    var document: OpaquePointer?
    var error = cxml_error()
    switch cxml_parse(bytes.baseAddress, CInt(bytes.count), encoding, &document, &error) {
    case CXML_DOCUMENT:
      defer { cxml_free(document) }
      var left = maximumElements
      guard let root = cxml_root(document), let element = element(root, &left) else {
        return .unreadable("of more than 200,000 elements")
      }
      return .document(element)
    case CXML_BOUND:
      return .unreadable(
        "beyond a bound on depth, names, attributes of an element, hyphens of comments or entities")
    case CXML_UNKNOWN_ENCODING: return .unreadable("in an encoding that libxml2 does not read")
    default:
      return .malformed(message: message(error), line: max(1, Int(error.line)), column: max(1, Int(error.column)))
    }
  }

  /// The first line of libxml2's message.
  private static func message(_ error: cxml_error) -> String {
    let text = withUnsafeBytes(of: error.message) { bytes in
      String(decoding: bytes.prefix { $0 != 0 && $0 != 0x0A }, as: UTF8.self)
    }
    return text.isEmpty ? "there is no document" : text
  }

  /// Nil if there are too many elements. libxml2 rejects nesting deeper than 256.
  private static func element(_ node: OpaquePointer, _ left: inout Int) -> XMLElement? {
    left -= 1
    guard left >= 0 else { return nil }
    var element = XMLElement(
      name: text(cxml_name(node)) ?? "", prefix: text(cxml_prefix(node)), namespace: text(cxml_namespace(node)))
    var property = cxml_first_attribute(node)
    while let attribute = property {
      element.attributes.append(self.attribute(attribute, &element.hasEntities))
      property = cxml_next(attribute)
    }
    var next = cxml_first_child(node)
    while let child = next {
      switch cxml_kind_of(child) {
      case CXML_ELEMENT:
        guard let inner = self.element(child, &left) else { return nil }
        element.children.append(inner)
      case CXML_TEXT: element.text += text(cxml_content(child)) ?? ""
      case CXML_ENTITY: element.hasEntities = true
      default: break
      }
      next = cxml_next(child)
    }
    return element
  }

  private static func attribute(_ attribute: OpaquePointer, _ hasEntities: inout Bool) -> XMLElement.Attribute {
    var value = ""
    var next = cxml_first_child(attribute)
    while let part = next {
      if let content = text(cxml_content(part)) {
        value += content
      } else {
        hasEntities = true
      }
      next = cxml_next(part)
    }
    return XMLElement.Attribute(
      name: text(cxml_name(attribute)) ?? "", prefix: text(cxml_prefix(attribute)),
      namespace: text(cxml_namespace(attribute)), value: value)
  }

  private static func text(_ bytes: UnsafePointer<CChar>?) -> String? { bytes.map { String(cString: $0) } }
}
