/// Compiles one schema: reads the keywords of its dialect, checks their form, and creates their rules.
final class NodeBuilder {
  let compiler: SchemaCompiler
  let place: SchemaPlace
  let closed: Bool
  let dialect: Dialect
  let vocabularies: Vocabularies
  let location: SchemaLocation
  private let object: JSONObject
  /// The signatures of the keywords that the schema has.
  private let signatures: UInt64
  var rules: [SchemaRule] = []

  init(compiler: SchemaCompiler, place: SchemaPlace, closed: Bool) {
    self.compiler = compiler
    self.place = place
    self.closed = closed
    let resource = compiler.registry.resources[place.resource]
    dialect = resource.dialect
    vocabularies = resource.vocabularies
    location = compiler.registry.location(place.document, place.pointer)
    object = place.value.object ?? JSONObject()
    signatures = object.members.reduce(0) { $0 | Self.signature($1.key) }
  }

  /// One bit by the length and the first byte of a name.
  private static func signature(_ name: String) -> UInt64 {
    1 << UInt64((name.utf8.count &* 5 &+ Int(name.utf8.first ?? 0)) & 63)
  }

  /// The value of a keyword. A schema has few of some fifty keywords, so the signature precedes the search.
  subscript(keyword: String) -> JSONValue? {
    signatures & Self.signature(keyword) == 0 ? nil : object[keyword]
  }

  func build() throws(SchemaError) -> [SchemaRule] {
    switch place.value {
    case .bool(true): return []
    case .bool(false): return [SchemaRule(keyword: "false", assertion: .never)]
    case .object: break
    default:
      let error = invalid("", "a schema must be an object or a boolean; found \(place.value.typeName)")
      guard compiler.options.invalidKeywords == .unchecked else { throw error }
      compiler.problems.append(error)
      return [SchemaRule(keyword: "", assertion: .unchecked(compiler.options.wording(error)))]
    }
    if dialect.refHidesSiblings, self["$ref"]?.string != nil {
      try reference()
      closeIfAsked()
      return rules
    }
    if vocabularies.contains(.validation) {
      try types()
      try numbers()
      try strings()
      try counts()
    }
    try formats()
    if vocabularies.contains(.content) { try content() }
    if vocabularies.contains(.applicator) {
      try arrays()
      try objects()
    }
    try references()
    if vocabularies.contains(.applicator) { try compositions() }
    if vocabularies.contains(.unevaluated) { try unevaluated() }
    if dialect == .openAPI30 { try foreignKeywords() }
    closeIfAsked()
    return rules
  }

  /// Reads one keyword if it is present.
  func rule(
    _ keyword: String, since generation: Int = 0, _ read: (JSONValue) throws(SchemaError) -> Assertion?
  ) throws(SchemaError) {
    guard dialect.generation >= generation, let value = self[keyword] else { return }
    do throws(SchemaError) {
      if let assertion = try read(value) { rules.append(SchemaRule(keyword: keyword, assertion: assertion)) }
    } catch {
      guard compiler.options.invalidKeywords == .unchecked || error.kind == .unsupported else { throw error }
      compiler.problems.append(error)
      rules.append(SchemaRule(keyword: keyword, assertion: .unchecked(compiler.options.wording(error))))
    }
  }

  func invalid(_ keyword: String, _ message: String) -> SchemaError {
    let place = keyword.isEmpty ? location : location.appending(keyword)
    return SchemaError(kind: .invalidKeyword, location: place, message: message)
  }

  func child(_ path: [String], _ value: JSONValue, isPart: Bool) -> NodeID {
    let pointer = JSONPointer(tokens: place.pointer.tokens + path)
    let resource = compiler.registry.documents[place.document].resource(at: pointer) ?? place.resource
    return compiler.node(
      for: SchemaPlace(document: place.document, pointer: pointer, resource: resource, value: value), isPart: isPart)
  }

  /// A count: not negative, whole (`2.0` is), of any size.
  func count(_ keyword: String, _ value: JSONValue) throws(SchemaError) -> Int {
    let number = value.number.flatMap { $0.isInteger && $0 >= JSONNumber(0) ? $0 : nil }
    return try need(number, keyword, "a non-negative integer", value).int ?? Int.max
  }

  /// - Parameter read: the parsed `value`; nil if it does not have the form that the keyword requires.
  func need<Form>(
    _ read: Form?, _ keyword: String, _ form: String, _ value: JSONValue
  ) throws(SchemaError) -> Form {
    guard let read else { throw invalid(keyword, "\(keyword) must be \(form); found \(value.excerpt)") }
    return read
  }

  func names(_ keyword: String, _ value: JSONValue) throws(SchemaError) -> [String] {
    var names: [String] = []
    for value in try need(value.array, keyword, "a list of names", value) {
      guard let name = value.string else {
        throw invalid(keyword, "\(keyword) must be a list of names; found \(value.excerpt) in it")
      }
      names.append(name)
    }
    return names
  }

  func map(_ keyword: String, _ value: JSONValue) throws(SchemaError) -> JSONObject {
    try need(value.object, keyword, "an object", value)
  }

  func list(_ keyword: String, _ value: JSONValue) throws(SchemaError) -> [NodeID] {
    let listed = value.array.flatMap { $0.isEmpty ? nil : $0 }
    let values = try need(listed, keyword, "a list with at least one schema", value)
    let isPart = keyword != "items" && keyword != "prefixItems"
    return values.enumerated().map { child([keyword, String($0)], $1, isPart: isPart) }
  }

  /// Keywords of later drafts in an OpenAPI 3.0 document. Their author expects a check that 3.0 does not make.
  func foreignKeywords() throws(SchemaError) {
    for keyword in Self.foreign where self[keyword] != nil {
      let message = "\(keyword) has no meaning in OpenAPI 3.0, so it is not checked; OpenAPI 3.1 supports it"
      let error = SchemaError(kind: .unsupported, location: location.appending(keyword), message: message)
      try rule(keyword) { _ throws(SchemaError) in throw error }
    }
  }

  private static let foreign = [
    "const", "contains", "dependencies", "dependentRequired", "dependentSchemas", "if", "patternProperties",
    "prefixItems", "propertyNames", "unevaluatedItems", "unevaluatedProperties", "$dynamicRef",
  ]

  func compositions() throws(SchemaError) {
    try rule("allOf") { value throws(SchemaError) in .all(try list("allOf", value)) }
    try rule("anyOf") { value throws(SchemaError) in .any(try list("anyOf", value)) }
    try rule("oneOf") { value throws(SchemaError) in .one(try list("oneOf", value)) }
    try rule("not") { value in .not(child(["not"], value, isPart: true)) }
    try rule("if", since: 7) { value in
      let then = self["then"].map { child(["then"], $0, isPart: true) }
      let otherwise = self["else"].map { child(["else"], $0, isPart: true) }
      // Without branches, `if` still counts the properties that it examined as evaluated.
      return .conditional(child(["if"], value, isPart: true), then: then, else: otherwise)
    }
  }

  func unevaluated() throws(SchemaError) {
    try rule("unevaluatedItems", since: 2019) { value in
      .unevaluatedItems(child(["unevaluatedItems"], value, isPart: false))
    }
    try rule("unevaluatedProperties", since: 2019) { value in
      .unevaluatedProperties(child(["unevaluatedProperties"], value, isPart: false))
    }
  }

  func formats() throws(SchemaError) {
    // If the metaschema accepted any string as a pattern, it would accept invalid schemas.
    let isMetaschemasPattern = self["format"]?.string == "regex" && Metaschema.text(location.document) != nil
    let asserted =
      vocabularies.contains(.formatAssertion) || compiler.options.formatAssertion || isMetaschemasPattern
    guard asserted else { return }
    try rule("format") { value throws(SchemaError) in
      let name = try need(value.string, "format", "a string", value)
      // An unregistered format is an annotation (2020-12 validation §7.2.3).
      return Format(name: name, dialect: dialect).map { .format($0) }
    }
  }

  /// Asserted in draft 7 only, which had no other option.
  func content() throws(SchemaError) {
    guard dialect == .draft7 else { return }
    let encoding = self["contentEncoding"]?.string
    let mediaType = self["contentMediaType"]?.string
    guard encoding != nil || mediaType != nil else { return }
    let keyword = mediaType == nil ? "contentEncoding" : "contentMediaType"
    try rule(keyword) { _ in .content(EncodedContent(encoding: encoding, mediaType: mediaType)) }
  }

  func arrays() throws(SchemaError) {
    if dialect.generation >= 2020 {
      try rule("prefixItems") { value throws(SchemaError) in
        .items(
          prefix: try list("prefixItems", value), rest: self["items"].map { child(["items"], $0, isPart: false) })
      }
      if self["prefixItems"] == nil {
        try rule("items") { value in .items(prefix: [], rest: child(["items"], value, isPart: false)) }
      }
    } else {
      try rule("items") { value throws(SchemaError) in
        guard case .array(let values) = value else {
          return .items(prefix: [], rest: child(["items"], value, isPart: false))
        }
        let prefix = values.enumerated().map { child(["items", String($0)], $1, isPart: false) }
        return .items(
          prefix: prefix, rest: self["additionalItems"].map { child(["additionalItems"], $0, isPart: false) })
      }
    }
    try rule("contains", since: 6) { value throws(SchemaError) in
      var minimum = 1
      var maximum: Int?
      if dialect.generation >= 2019, vocabularies.contains(.validation) {
        if let value = self["minContains"] { minimum = try count("minContains", value) }
        if let value = self["maxContains"] { maximum = try count("maxContains", value) }
      }
      return .contains(
        ContainedItems(
          node: child(["contains"], value, isPart: false), minimum: minimum, maximum: maximum,
          evaluates: dialect.generation >= 2020))
    }
  }

  /// `$ref`
  func reference() throws(SchemaError) {
    try rule("$ref") { value throws(SchemaError) in
      let target = try target("$ref", value)
      return .reference(compiler.node(for: target, isPart: true))
    }
  }

  /// `$ref`, and the references that depend on the dynamic scope.
  func references() throws(SchemaError) {
    try reference()
    if dialect.generation == 2019 {
      try rule("$recursiveRef") { value throws(SchemaError) in
        let target = try target("$recursiveRef", value)
        let node = compiler.node(for: target, isPart: true)
        let resource = compiler.registry.resources[target.resource]
        guard resource.isRecursive, target.pointer == resource.root else { return .reference(node) }
        return .dynamicReference(table: compiler.dynamicTable(nil), initial: node)
      }
    }
    try rule("$dynamicRef", since: 2020) { value throws(SchemaError) in
      let target = try target("$dynamicRef", value)
      let node = compiler.node(for: target, isPart: true)
      let name = URIReference.percentDecoded(URIReference(value.string ?? "").fragment ?? "")
      let resource = compiler.registry.resources[target.resource]
      // Without an anchor, or with one that is not dynamic, it is a plain reference.
      guard resource.dynamicAnchors[name] == target.pointer else { return .reference(node) }
      return .dynamicReference(table: compiler.dynamicTable(name), initial: node)
    }
  }

  private func target(_ keyword: String, _ value: JSONValue) throws(SchemaError) -> SchemaPlace {
    let text = try need(value.string, keyword, "a URI reference", value)
    return try compiler.registry.resolve(text, from: place.resource, at: location.appending(keyword))
  }
}
