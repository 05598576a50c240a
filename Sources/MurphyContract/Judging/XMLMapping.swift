import MurphySchema

/// Converts an XML document to the JSON value that a schema describes, by the schema's `xml` hints.
///
/// Members are elements of the property's name, unless a hint says otherwise; arrays are repeated elements. If the
/// mapping is not determined, it throws: a guess could report a correct response.
final class XMLMapping {
  /// A problem that no JSON value can represent: an element that occurs twice and is documented once.
  struct Problem {
    let pointer: JSONPointer
    let message: String
    let schema: Located
  }

  private let navigator: SchemaNavigator
  private(set) var problems: [Problem] = []

  init(_ navigator: SchemaNavigator) { self.navigator = navigator }

  /// The problem with the root element's name; nil if the schema does not define that name itself.
  static func rootProblem(_ root: XMLElement, _ schema: Located, _ navigator: SchemaNavigator) -> Problem? {
    let target = navigator.target(of: schema)
    guard let xml = target["xml"], let name = xml["name"]?.value.string else { return nil }
    func problem(_ message: String) -> Problem { Problem(pointer: .root, message: message, schema: xml) }
    guard root.name == name || root.qualifiedName == name else {
      return problem("the root element is \(root.qualifiedName), but \(name) is documented")
    }
    guard let namespace = xml["namespace"]?.value.string, namespace != root.namespace else { return nil }
    return problem(
      "the root element \(name) has \(root.namespace.map { "the namespace \($0)" } ?? "no namespace"), but "
        + "\(namespace) is documented"
    )
  }

  func document(_ root: XMLElement, _ schema: Located) throws(UnmappableXML) -> JSONValue {
    let scope = navigator.scope(of: schema)
    let shape = try XMLShape(scope)
    switch shape.kind {
    case .object: return try value(root, [schema], at: .root)
    case .array:
      let hints = try XMLHints([schema], parts: scope.parts, name: nil, isArray: true)
      guard hints.isWrapped else { throw UnmappableXML("an array without xml.wrapped cannot be a whole document") }
      return try wrapped(root, scope, hints, at: .root)
    case .anything: return .string(root.text)
    case .string, .number, .boolean: throw UnmappableXML("a scalar cannot be mapped to a whole document")
    }
  }

  private func value(_ element: XMLElement, _ schemas: [Located], at pointer: JSONPointer) throws(UnmappableXML)
    -> JSONValue
  {
    let scope = navigator.scope(of: schemas)
    let shape = try XMLShape(scope)
    if element.isNil { return .null }
    if element.hasEntities { throw UnmappableXML("references to entities that the document defines are not replaced") }
    switch shape.kind {
    case .object: return .object(try object(element, scope, at: pointer))
    case .array: throw UnmappableXML("an array directly in an array cannot be mapped to XML")
    case .anything: return .string(element.text)
    case .string, .number, .boolean:
      if !element.children.isEmpty { throw UnmappableXML("elements where a scalar is documented cannot be mapped") }
      return try XMLScalar.value(element.text, trimmed: element.trimmedText, shape)
    }
  }

  /// A documented member and its position in the document.
  private struct Member {
    let name: String
    let schemas: [Located]
    let scope: SchemaScope
    let shape: XMLShape
    let hints: XMLHints
    /// The hints of the elements that are items of an array without wrapper.
    let itemHints: XMLHints?
    var elements: [XMLElement] = []
    var isDoubtful = false

    /// The hints of the direct children of the parent.
    var outer: XMLHints { itemHints ?? hints }
  }

  private func members(_ scope: SchemaScope) throws(UnmappableXML) -> [Member] {
    var members: [Member] = []
    for (name, schemas) in scope.parts.properties {
      let scope = navigator.scope(of: schemas)
      let shape = try XMLShape(scope)
      let hints = try XMLHints(schemas, parts: scope.parts, name: name, isArray: shape.kind == .array)
      let isUnwrapped = shape.kind == .array && !hints.isWrapped
      members.append(
        Member(
          name: name, schemas: schemas, scope: scope, shape: shape, hints: hints,
          itemHints: isUnwrapped ? try itemHints(scope, name: name) : nil))
    }
    return members
  }

  private func items(_ scope: SchemaScope) -> [Located] { scope.parts.compactMap { $0["items"] } }

  private func itemHints(_ scope: SchemaScope, name: String?) throws(UnmappableXML) -> XMLHints {
    let items = items(scope)
    return try XMLHints(items, parts: navigator.scope(of: items).parts + scope.parts, name: name)
  }

  private func object(_ element: XMLElement, _ scope: SchemaScope, at pointer: JSONPointer) throws(UnmappableXML)
    -> JSONObject
  {
    if element.hasText { throw UnmappableXML("text next to elements cannot be mapped") }
    let required = Set(scope.parts.flatMap(\.required))
    var members = try members(scope)
    var object = JSONObject()
    for child in element.children {
      let matches = members.map { $0.hints.isAttribute ? .no : $0.outer.match(child, under: element) }
      let owners = matches.indices.filter { matches[$0] == .yes }
      guard owners.count <= 1 else { throw UnmappableXML("two properties of the schema map to the same element") }
      if let owner = owners.first {
        members[owner].elements.append(child)
        continue
      }
      for index in matches.indices where matches[index] == .doubtful { members[index].isDoubtful = true }
      let isForeign = child.namespace != nil && child.namespace != element.namespace
      if isForeign || matches.contains(.doubtful) { continue }
      try unknown(child, scope, required, members, &object)
    }
    for member in members {
      if let value = try value(of: member, in: element, isRequired: required.contains(member.name), at: pointer) {
        object[member.name] = value
      }
    }
    for attribute in element.attributes
    where attribute.namespace == nil && required.contains(attribute.name) && object[attribute.name] == nil
      && !members.contains(where: { $0.name == attribute.name })
    { object[attribute.name] = .string(attribute.value) }
    return object
  }

  /// An element that matches no property: a closed object rejects it, an open one accepts it.
  private func unknown(
    _ child: XMLElement, _ scope: SchemaScope, _ required: Set<String>, _ members: [Member], _ object: inout JSONObject
  ) throws(UnmappableXML) {
    if scope.parts.contains(where: { $0["additionalProperties"]?.value.object?.isEmpty == false }) {
      throw UnmappableXML("additionalProperties with a schema cannot be mapped to XML")
    }
    if members.contains(where: { $0.name == child.name }) { return }
    let isClosed = scope.parts.contains { $0["additionalProperties"]?.value.bool == false }
    if isClosed || required.contains(child.name) { object[child.name] = .string(child.text) }
  }

  /// Nil if the document has none.
  private func value(of member: Member, in parent: XMLElement, isRequired: Bool, at pointer: JSONPointer)
    throws(UnmappableXML) -> JSONValue?
  {
    let place = pointer.appending(member.name)
    if member.hints.isAttribute {
      guard let found = parent.attributes.first(where: { member.hints.match($0) }) else { return nil }
      let trimmed = XMLElement(name: "", text: found.value).trimmedText
      return try XMLScalar.value(found.value, trimmed: trimmed, member.shape)
    }
    if member.elements.isEmpty, member.isDoubtful {
      throw UnmappableXML("an element of a documented name is in another namespace")
    }
    if member.shape.kind == .array {
      // XML does not distinguish an empty list from a missing one.
      if member.elements.isEmpty { return isRequired ? .array([]) : nil }
      if member.hints.isWrapped {
        guard member.elements.count == 1 else { throw UnmappableXML("a wrapped array has several wrapper elements") }
        return member.elements[0].isNil ? .null : try wrapped(member.elements[0], member.scope, member.hints, at: place)
      }
      if member.elements.count == 1, member.elements[0].isBlank {
        throw UnmappableXML("an empty element of an array may also mean an empty list")
      }
      return try array(member.elements, member.scope, at: place)
    }
    guard let element = member.elements.first else { return nil }
    if member.elements.count > 1 {
      problems.append(
        Problem(
          pointer: place,
          message:
            "the element \(element.qualifiedName) appears \(member.elements.count) times, but only once is documented",
          schema: member.schemas[0]))
    }
    return try value(element, member.schemas, at: place)
  }

  private func wrapped(_ wrapper: XMLElement, _ scope: SchemaScope, _ hints: XMLHints, at pointer: JSONPointer)
    throws(UnmappableXML) -> JSONValue
  {
    if wrapper.hasText || wrapper.hasEntities {
      throw UnmappableXML("text in the wrapper of an array cannot be mapped")
    }
    let itemHints = try itemHints(scope, name: pointer.tokens.last)
    let isKnown = wrapper.children.allSatisfy {
      itemHints.match($0, under: wrapper) == .yes || hints.match($0, under: wrapper) == .yes
    }
    guard isKnown else { throw UnmappableXML("a wrapped array has elements of a name that is not documented") }
    return try array(wrapper.children, scope, at: pointer)
  }

  private func array(_ elements: [XMLElement], _ scope: SchemaScope, at pointer: JSONPointer) throws(UnmappableXML)
    -> JSONValue
  {
    let schemas = items(scope)
    var values: [JSONValue] = []
    for (index, element) in elements.enumerated() {
      values.append(try value(element, schemas, at: pointer.appending("\(index)")))
    }
    return .array(values)
  }
}
