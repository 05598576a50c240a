import MurphyContract
import MurphyModel
import MurphySchema

/// The plainest call of an operation, out of its document: what it requires, with values that are new in each run where
/// an API may want them to be.
struct CallSample {
  let contract: Contract
  private var sample: ContractSample
  private let trials: SchemaTrials

  /// Which of the texts of a body are new in each run.
  enum Recipe: CaseIterable {
    /// Those of patterns and formats too.
    case new
    /// Only those about which the schema says nothing.
    case plain
    /// None: the document's own examples.
    case given
    /// As `new`, with all members that a body may have.
    case full
  }

  init(_ contract: Contract) {
    self.contract = contract
    sample = ContractSample(contract)
    trials = SchemaTrials(contract)
  }

  /// The call, path parameters left open; nil where the document says too little.
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
    // Who asks decides how often one may: each run of a case is another client.
    for parameter in operation.parameters where !parameter.isRequired && parameter.location == .header {
      if isIdentity(parameter) {
        call.headers.append(ExploreCall.Named(name: parameter.name, value: .drawn(parameter.name.lowercased())))
      }
    }
    if operation.requestBody != nil {
      guard let (body, media) = body(of: operation) else {
        return operation.requestBody?.isRequired == true ? nil : call
      }
      call.body = recipe == .full ? media.schema.map { trials.full($0, base: body) } ?? body : body
      call.mediaType = media.range.text.contains("*") ? "application/json" : media.range.text
      if recipe != .given, let schema = media.schema, let body = call.body {
        call.fresh = FreshPlaces(contract: contract, patterns: recipe != .plain).places(of: schema, in: body)
      }
    }
    return call
  }

  /// A value for a parameter; nil where the document says too little.
  mutating func value(of parameter: Contract.Parameter) -> CallValue? {
    if isIdentity(parameter) { return .drawn(parameter.name.lowercased()) }
    return sample.value(of: parameter).map { .literal($0) }
  }

  /// A header that names the client or the request by a UUID or a free text.
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
  /// A header that needs an answer first: the tag of what is there.
  var isCondition: Bool { location == .header && ["if-match", "if-none-match"].contains(name.lowercased()) }
}

/// Which texts of a body are new in each run: an API may want names, addresses and numbers that nobody has.
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
    // Shorter ones are codes: of a language, a currency, a country.
    case nil: return place.most >= 15 && place.least <= 15 ? .word(most: place.most) : nil
    default: return nil
    }
  }
}
