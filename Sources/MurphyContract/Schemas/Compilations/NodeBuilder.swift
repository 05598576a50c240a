import MurphyJSON

/// Compiles one schema: reads the keywords that its dialect knows, checks their form, and gives their rules.
final class NodeBuilder {
  let compiler: SchemaCompiler
  let place: SchemaPlace
  let closed: Bool
  let dialect: Dialect
  let vocabularies: Vocabularies
  let location: SchemaLocation
  let object: JSONObject
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
  }

  func build() throws(SchemaError) -> [SchemaRule] {
    switch place.value {
    case .bool(true): return []
    case .bool(false): return [SchemaRule(keyword: "false", assertion: .never)]
    case .object: break
    default:
      let error = invalid("", "a schema is an object or a boolean; found \(place.value.typeName)")
      guard compiler.options.invalidKeywords == .unchecked else { throw error }
      compiler.problems.append(error)
      return [SchemaRule(keyword: "", assertion: .unchecked(error.description))]
    }
    if dialect.refHidesSiblings, object["$ref"]?.string != nil {
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

  /// Reads one keyword where it is present.
  func rule(
    _ keyword: String, since generation: Int = 0, _ read: (JSONValue) throws(SchemaError) -> Assertion?
  ) throws(SchemaError) {
    guard dialect.generation >= generation, let value = object[keyword] else { return }
    do throws(SchemaError) {
      if let assertion = try read(value) { rules.append(SchemaRule(keyword: keyword, assertion: assertion)) }
    } catch {
      guard compiler.options.invalidKeywords == .unchecked || error.kind == .unsupported else { throw error }
      compiler.problems.append(error)
      rules.append(SchemaRule(keyword: keyword, assertion: .unchecked(error.description)))
    }
  }

  func invalid(_ keyword: String, _ message: String) -> SchemaError {
    let place = keyword.isEmpty ? location : location.appending(keyword)
    return SchemaError(kind: .invalidKeyword, location: place, message: message)
  }

  /// The node of a subschema.
  func child(_ path: [String], _ value: JSONValue, isPart: Bool) -> NodeID {
    let pointer = JSONPointer(tokens: place.pointer.tokens + path)
    let resource = compiler.registry.documents[place.document].resources[pointer.description] ?? place.resource
    return compiler.node(
      for: SchemaPlace(document: place.document, pointer: pointer, resource: resource, value: value), isPart: isPart)
  }

  /// A count: not negative, whole (`2.0` is), however large.
  func count(_ keyword: String, _ value: JSONValue) throws(SchemaError) -> Int {
    guard let number = value.number, number.isInteger, number >= JSONNumber(0) else {
      throw invalid(keyword, "\(keyword) must be a whole number that is not negative; found \(value.excerpt)")
    }
    return number.int ?? Int.max
  }

  func names(_ keyword: String, _ value: JSONValue) throws(SchemaError) -> [String] {
    guard case .array(let values) = value else {
      throw invalid(keyword, "\(keyword) must be a list of names; found \(value.excerpt)")
    }
    var names: [String] = []
    for value in values {
      guard let name = value.string else {
        throw invalid(keyword, "\(keyword) must be a list of names; found \(value.excerpt) in it")
      }
      names.append(name)
    }
    return names
  }

  func map(_ keyword: String, _ value: JSONValue) throws(SchemaError) -> JSONObject {
    guard case .object(let object) = value else {
      throw invalid(keyword, "\(keyword) must be an object; found \(value.excerpt)")
    }
    return object
  }

  func list(_ keyword: String, _ value: JSONValue) throws(SchemaError) -> [NodeID] {
    guard case .array(let values) = value, !values.isEmpty else {
      throw invalid(keyword, "\(keyword) must be a list of schemas with at least one; found \(value.excerpt)")
    }
    let isPart = keyword != "items" && keyword != "prefixItems"
    return values.enumerated().map { child([keyword, String($0)], $1, isPart: isPart) }
  }
}
