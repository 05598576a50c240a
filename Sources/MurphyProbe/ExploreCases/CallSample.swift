import MurphyContract
import MurphyModel
import MurphySchema

/// The minimal valid call of an operation, from its document: the required values. Values that an API may require to be
/// unique are new in each run.
struct CallSample {
  let contract: Contract
  private var sample: ContractSample
  private let trials: SchemaTrials

  /// The strings of a body that are new in each run.
  enum Recipe: CaseIterable {
    /// Also those with patterns and formats.
    case new
    /// Only those without a constraint in the schema.
    case plain
    /// None: the document's own examples.
    case given
    /// As `new`, with an item in each array.
    case filled
    /// As `filled`, with the second value of each enum.
    case other
    /// As `filled`, without the properties that are not required.
    case least
    /// As `new`, with all fields that a body may have.
    case full
  }

  init(_ contract: Contract) {
    self.contract = contract
    sample = ContractSample(contract)
    trials = SchemaTrials(contract)
  }

  /// The call without values of path parameters; nil if the document contains too little.
  mutating func call(_ index: Int, _ recipe: Recipe) -> ExploreCall? {
    let operation = contract.operations[index]
    var call = ExploreCall(index)
    for parameter in operation.parameters where parameter.isRequired && parameter.location != .path {
      if contract.isCredential(parameter, of: operation) || parameter.isCondition { continue }
      guard let value = value(of: parameter) else { return nil }
      let named = ExploreCall.Named(name: parameter.name, value: value)
      switch parameter.location {
      case .query: call.query.append(named)
      case .header: call.headers.append(named)
      case .cookie: call.cookies.append(named)
      case .path: break
      }
    }
    // Limits may depend on the client, so each run of a case is another client.
    for parameter in operation.parameters where !parameter.isRequired && parameter.location == .header {
      if isIdentity(parameter) {
        call.headers.append(ExploreCall.Named(name: parameter.name, value: .drawn(parameter.name.lowercased())))
      }
    }
    if operation.requestBody != nil {
      guard let (body, media) = body(of: operation) else {
        return operation.requestBody?.isRequired == true ? nil : call
      }
      call.body = media.schema.map { changed(body, $0, recipe) } ?? body
      call.mediaType = media.range.text.contains("*") ? "application/json" : media.range.text
      if recipe != .given, let schema = media.schema, let body = call.body {
        call.fresh = FreshPlaces(contract: contract, patterns: recipe != .plain).places(of: schema, in: body)
      }
    }
    return call
  }

  private func changed(_ body: JSONValue, _ schema: SchemaSite, _ recipe: Recipe) -> JSONValue {
    switch recipe {
    case .new, .plain, .given: body
    case .filled: trials.variant(.filled, of: schema, base: body)
    case .other: trials.variant(.other, of: schema, base: body)
    case .least: trials.variant(.least, of: schema, base: body)
    case .full: trials.full(schema, base: body)
    }
  }

  /// A value for a parameter; nil if the document contains too little.
  mutating func value(of parameter: Contract.Parameter) -> CallValue? {
    if isIdentity(parameter) { return .drawn(parameter.name.lowercased()) }
    if let value = sample.value(of: parameter), value != [:] { return .literal(value) }
    guard parameter.location == .path else { return nil }
    // Some documents name types of a programming language, or none.
    let rules = parameter.schema?.located.value
    guard let type = rules?["type"]?.string else { return rules?["pattern"] == nil ? .literal("murphy") : nil }
    return ["int", "long", "float", "double"].contains(type) ? .literal(1) : nil
  }

  /// True for a header that identifies the client or the request by a UUID or a free string.
  private func isIdentity(_ parameter: Contract.Parameter) -> Bool {
    guard parameter.location == .header, let schema = parameter.schema?.located.value else { return false }
    if schema["format"]?.string == "uuid" { return true }
    let name = parameter.name.lowercased()
    return schema["enum"] == nil && schema["pattern"] == nil
      && ["device-id", "idempotency-key", "request-id", "client-id"].contains { name.hasSuffix($0) }
  }

  /// The first body that murphy can write, JSON before others.
  private mutating func body(of operation: Contract.Operation) -> (JSONValue, MediaTypePromise)? {
    let bodies = sample.bodies(of: operation)
    let content = operation.requestBody?.content ?? []
    for wanted in [true, false] {
      for media in content where media.range.isJSON == wanted {
        guard let body = bodies.first(where: { $0.type == media.range.text }) ?? (wanted ? bodies.first : nil) else {
          continue
        }
        if (try? contract.body(operation: contract.index(of: operation.id) ?? 0, body.value, contentType: body.type))
          != nil
        {
          return (body.value, media)
        }
      }
    }
    return nil
  }
}

extension Contract.Parameter {
  /// True for a header that needs a response first: the entity tag of the item.
  var isCondition: Bool { location == .header && ["if-match", "if-none-match"].contains(name.lowercased()) }
}

/// The strings of a body that are new in each run: an API may require unused names, addresses and numbers.
struct FreshPlaces {
  let contract: Contract
  let patterns: Bool

  func places(of schema: SchemaSite, in body: JSONValue) -> [JSONPointer: Freshness] {
    var texts = TextPlaces(contract)
    var fresh: [JSONPointer: Freshness] = [:]
    for place in texts.places(of: schema, in: body) where place.least <= place.most {
      fresh[place.pointer] = freshness(place)
    }
    return fresh
  }

  private func freshness(_ place: TextPlaces.Place) -> Freshness? {
    if let pattern = place.pattern {
      return patterns ? .pattern(pattern, least: place.least, most: place.most) : nil
    }
    switch place.format {
    case "uuid": return patterns ? .uuid : nil
    case "email": return .email
    // Shorter ones are codes of a language, a currency or a country.
    case nil: return place.most >= 15 && place.least <= 15 ? .word(most: place.most) : nil
    default: return nil
    }
  }
}
