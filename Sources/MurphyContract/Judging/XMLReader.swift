import CXML
import MurphySchema

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
        return .unreadable("with more than 200,000 elements")
      }
      return .document(element)
    case CXML_BOUND:
      return .unreadable(
        "that exceeds a limit on depth, names, attributes of an element, hyphens of comments or entities")
    case CXML_UNKNOWN_ENCODING: return .unreadable("in an encoding that libxml2 cannot read")
    default:
      return .malformed(message: message(error), line: max(1, Int(error.line)), column: max(1, Int(error.column)))
    }
  }

  /// The first line of libxml2's message.
  private static func message(_ error: cxml_error) -> String {
    let text = withUnsafeBytes(of: error.message) { bytes in
      String(decoding: bytes.prefix { $0 != 0 && $0 != 0x0A }, as: UTF8.self)
    }
    return text.isEmpty ? "the document is empty" : text
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

/// An element of an XML document, without comments and processing instructions, which schemas cannot describe.
package struct XMLElement: Sendable {
  /// An attribute of an element, without namespace declarations.
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

extension ResponseJudge {
  /// Checks an XML body: well-formedness, the root element, and the schema, by its `xml` hints.
  func xml(_ body: UnsafeRawBufferPointer, _ slot: ResponseSlot, _ media: MediaSlot, _ outcome: inout Outcome) {
    let prefix = "\(slot.promise.status.text) \(media.promise.range.text)"
    if body.isEmpty {
      let message = "the body is empty, but \(media.promise.range.text) is documented"
      return outcome.violations.append(xmlViolation(message, "\(prefix) empty", media))
    }
    switch XMLReader.read(body, charset: slot.charset) {
    case .unreadable(let reason): outcome.unchecked = "the body is XML \(reason)"
    case .malformed(let message, let line, let column):
      let sentence = "the body is not well-formed XML: line \(line), column \(column): \(message)"
      var violation = xmlViolation(sentence, "\(prefix) malformed", media)
      violation.claim = "the body is not well-formed XML"
      violation.found = [message]
      outcome.violations.append(violation)
    case .document(let root):
      guard let schema = media.promise.schema, !isTextOnly(schema.located) else { return }
      switch media.promise.text {
      case .free: return
      case .scalar: other(body, media, schema, &outcome)
      case .unreadable: validate(root, schema, media, prefix, &outcome)
      }
    }
  }

  /// True for a schema that accepts any document as a string.
  private func isTextOnly(_ schema: Located) -> Bool {
    let target = navigator.target(of: schema)
    guard target.value["type"]?.string == "string" else { return target.value == .bool(true) }
    return target.members.allSatisfy {
      ["type", "title", "description", "example", "examples", "xml"].contains($0.key)
        || $0.key == "format" && ["xml", "binary"].contains($0.located.value.string)
    }
  }

  private func validate(
    _ root: XMLElement, _ schema: SchemaSite, _ media: MediaSlot, _ prefix: String, _ outcome: inout Outcome
  ) {
    if let problem = XMLMapping.rootProblem(root, schema.located, navigator) {
      return outcome.violations.append(xmlViolation(problem, "\(prefix) root"))
    }
    let isNamed = navigator.target(of: schema.located)["xml"]?["name"] != nil
    let seen = isNamed ? "well-formed, root element \(root.name)" : "well-formed XML"
    guard let site = schema.index, let entry = variant.entries[site] else {
      outcome.unchecked = Self.unusable
      return
    }
    let mapping = XMLMapping(navigator)
    do throws(UnmappableXML) {
      let value = try mapping.document(root, schema.located)
      switch variant.program.isValid(entry, value) {
      case .valid: break
      case .unchecked(let reason): outcome.unchecked = "\(seen); \(reason)"
      case .invalid: outcome.violations += variant.program.explain(entry, value).map { bodyViolation($0, prefix) }
      }
    } catch {
      outcome.opaque = "\(seen); \(error.reason)"
    }
    outcome.violations += mapping.problems.map { problem in
      xmlViolation(problem, "\(prefix) \(Self.pattern(problem.pointer)) repeated")
    }
  }

  private func xmlViolation(_ problem: XMLMapping.Problem, _ discriminator: String) -> ContractViolation {
    let place = problem.pointer.description
    return ContractViolation(
      kind: .contractBody, message: place.isEmpty ? problem.message : "\(place): \(problem.message)",
      instancePointer: place, schemaPointer: contract.sources.pointerText(problem.schema),
      source: contract.sources.mark(problem.schema), discriminator: discriminator)
  }

  private func xmlViolation(_ message: String, _ discriminator: String, _ media: MediaSlot) -> ContractViolation {
    ContractViolation(
      kind: .contractBody, message: message, schemaPointer: media.promise.pointer, source: media.promise.source,
      discriminator: discriminator)
  }
}
