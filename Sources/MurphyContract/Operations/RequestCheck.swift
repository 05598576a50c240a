import MurphyModel
import MurphySchema

/// Checks values of future requests against the parameters and bodies of some operations. The result is a hint for the
/// author of the scenario, never a finding about the API.
///
/// A parameter is sent as text, so `26` and `"26"` are the same value. A value is a mistake only if neither it nor the
/// value parsed from its text conforms. Compiles the operations' schemas once.
package struct RequestCheck: Sendable {
  private let contract: Contract
  private let variant: SchemaVariant
  private var sites: [LocationKey: Int] = [:]
  private var shapes: [LocationKey: HeaderShape] = [:]

  /// - Parameter operations: indices of the operations whose requests are checked.
  package init(_ contract: Contract, operations: Set<Int>) {
    self.contract = contract
    var located: [Located] = []
    var sources = contract.sources
    for index in operations.sorted() {
      let operation = contract.operations[index]
      let schemas =
        operation.parameters.compactMap(\.schema) + (operation.requestBody?.content ?? []).compactMap(\.schema)
      for schema in schemas.map(\.located) where sites[schema.key] == nil {
        sites[schema.key] = located.count
        shapes[schema.key] = HeaderShape(schema, in: &sources, explode: false)
        located.append(schema)
      }
    }
    variant = SchemaVariant(
      SchemaVariant.Mode(direction: .request), contract.schemas.documents, sites: located, branches: [])
  }

  /// The mistakes of a parameter's value. Empty for parameters that the contract does not have, and for `null`, which
  /// is not sent.
  ///
  /// - Parameter unknown: parts of the value that are not known yet; they are `null` in `value`.
  package func mistakes(
    operation index: Int, parameter name: String, in location: OperationSummary.Parameter.Location, _ value: JSONValue,
    unknown: [JSONPointer] = []
  ) -> [ContractViolation] {
    guard let known = contract.operations[index].parameter(name, in: location), let schema = known.schema?.located,
      value != .null
    else { return [] }
    // The value of a `content` parameter is one string, which may be encoded already.
    if known.contentType != nil, value.string != nil { return [] }
    let kind = location == .path || location == .query ? "\(location.rawValue) parameter" : location.rawValue
    return violations(schema, value, isText: known.contentType == nil, unknown, declaredAt: known.source).map {
      violation(
        $0, "the \(kind) \"\(name)\" of \(contract.operations[index].id)", "\(kind) \(name)", .contractRequest,
        known.source)
    }
  }

  /// The mistakes of a body that is sent as `contentType`; empty if no schema is documented for that type.
  package func mistakes(
    operation index: Int, body value: JSONValue, contentType: String, unknown: [JSONPointer] = []
  ) -> [ContractViolation] {
    guard let type = MediaRange(contentType), let body = contract.operations[index].requestBody,
      let media = body.content.first(where: { $0.range.includes(type) }), let schema = media.schema?.located
    else { return [] }
    return violations(schema, value, isText: !type.isJSON, unknown, declaredAt: media.source).map {
      violation($0, "the body of \(contract.operations[index].id)", "body", .contractRequestBody, media.source)
    }
  }

  /// True if a branch of the schema allows strings.
  package func allowsText(_ schema: SchemaSite) -> Bool {
    switch shapes[schema.located.key] {
    case .text: true
    case .scalar(let types): types.contains(.string)
    default: false
    }
  }

  private func violations(
    _ schema: Located, _ value: JSONValue, isText: Bool, _ unknown: [JSONPointer], declaredAt: SourceMark
  ) -> [SchemaViolation] {
    guard let site = sites[schema.key], let entry = variant.entries[site] else { return [] }
    if case .valid = variant.program.isValid(entry, value) { return [] }
    let read = isText ? shapes[schema.key]?.reading(value) ?? value : value
    if isText, case .valid = variant.program.isValid(entry, read) { return [] }
    return variant.program.explain(entry, read).filter { violation in
      unknown.allSatisfy { Self.isIndependent(violation, of: $0) }
    }
  }

  /// True if the violation does not depend on the later value at `part`.
  private static func isIndependent(_ violation: SchemaViolation, of part: JSONPointer) -> Bool {
    let place = violation.instancePointer.tokens
    if place.starts(with: part.tokens) { return false }
    return !part.tokens.starts(with: place) || direct.contains(violation.keyword)
  }

  /// Keywords that check an object or a list without its members.
  private static let direct: Set<String> = [
    "required", "additionalProperties", "type", "minProperties", "maxProperties", "minItems", "maxItems",
  ]

  private func violation(
    _ violation: SchemaViolation, _ subject: String, _ prefix: String, _ kind: FindingKind,
    _ declared: SourceMark
  ) -> ContractViolation {
    let site = contract.sources.located(violation.schemaPointer)
    let place = violation.instancePointer.tokens.isEmpty ? "" : " at \(violation.instancePointer)"
    return ContractViolation(
      kind: kind, message: "\(subject)\(place): \(violation.message)",
      instancePointer: violation.instancePointer.description, schemaPointer: site.map(contract.sources.pointerText),
      source: site.map { contract.sources.mark($0) } ?? declared,
      discriminator: "\(prefix) \(ResponseJudge.pattern(violation.instancePointer)) \(violation.keyword)")
  }
}

extension HeaderShape {
  /// The value that the text parses as, by the types that the schema allows.
  fileprivate func reading(_ value: JSONValue) -> JSONValue {
    switch self {
    case .text: Self.scalar(value, [.string])
    case .scalar(let types): Self.scalar(value, types)
    case .array(let types):
      switch value {
      case .array(let items): .array(items.map { Self.scalar($0, types) })
      case .string(let text):
        .array(
          text.split(separator: ",", omittingEmptySubsequences: false).map { Self.scalar(.string(String($0)), types) })
      default: .array([Self.scalar(value, types)])
      }
    case .object(let members, let others, _):
      if case .object(let object) = value {
        .object(JSONObject(object.members.map { ($0.key, Self.scalar($0.value, members[$0.key] ?? others)) }))
      } else {
        value
      }
    case .json: value
    }
  }

  private static func scalar(_ value: JSONValue, _ types: Scalars) -> JSONValue {
    switch value {
    case .array, .object: return value
    default: break
    }
    let text = value.string ?? value.text
    if types.contains(.number), let number = try? JSONValue.parse(text), case .number = number { return number }
    if types.contains(.boolean), text == "true" || text == "false" { return .bool(text == "true") }
    if types.contains(.null), text.isEmpty || text == "null" { return .null }
    return .string(text)
  }
}
