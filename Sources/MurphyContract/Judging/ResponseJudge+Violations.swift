import MurphyModel
import MurphySchema

extension ResponseJudge {
  func bodyViolation(_ violation: SchemaViolation, _ prefix: String) -> ContractViolation {
    let site = contract.sources.located(violation.schemaPointer)
    let instance = violation.instancePointer.description
    let place = instance.isEmpty ? "the body" : instance
    let schema = site.map(contract.sources.pointerText) ?? violation.schemaPointer.description
    return ContractViolation(
      kind: .contractBody, message: "\(place): \(violation.message)",
      claim: violation.expected.map { "\(Self.place(violation.instancePointer)): expected \($0)" },
      found: violation.found, details: Self.details(violation),
      instancePointer: instance,
      schemaPointer: schema, source: site.map { contract.sources.mark($0) },
      discriminator:
        "\(prefix) \(Self.pattern(violation.instancePointer)) \(violation.schemaPointer.pointer) \(violation.keyword)"
        + (violation.keyword == "required" ? " \(violation.expected ?? "")" : ""),
      // Documents that do not declare nullable values lack the same declaration at many places.
      rule: Self.rule(violation, schema))
  }

  /// The rule as one cause of several findings. A server writes values of one format in one way, in all its schemas.
  private static func rule(_ violation: SchemaViolation, _ schema: String) -> String {
    if violation.found == "null" { return "null where the schema does not allow it" }
    let expected = violation.expected.map { "expected \($0)" } ?? violation.message
    guard violation.keyword == "format", let found = violation.found, found.utf8.count <= 60,
      found.contains(where: \.isNumber)
    else { return "\(expected) (\(schema))" }
    return "\(expected), found values such as \(found.replacing(/[0-9]/, with: "0").replacing(/\.0+/, with: ".0"))"
  }

  /// The violations of the branches, closest first; at most twelve lines.
  private static func details(_ violation: SchemaViolation) -> [String] {
    var lines: [String] = []
    func add(_ violations: [SchemaViolation], indent: Int) {
      for detail in violations where lines.count < 12 {
        let place = detail.instancePointer.tokens.isEmpty ? "the body" : detail.instancePointer.description
        lines.append(String(repeating: "  ", count: indent) + "\(place): \(detail.message)")
        add(detail.details, indent: indent + 1)
      }
    }
    add(violation.details, indent: 0)
    return lines
  }

  func undocumentedField(_ field: UndocumentedFields.Field, _ prefix: String) -> ContractViolation {
    ContractViolation(
      kind: .contractUndocumentedField,
      message: "\(field.pointer): no schema documents the field \"\(field.pointer.tokens.last ?? "")\"",
      details: ["Document the field, or allow it with a pointer pattern such as \(Self.pattern(field.pointer))."],
      instancePointer: field.pointer.description, schemaPointer: contract.sources.pointerText(field.schema),
      source: contract.sources.mark(field.schema),
      discriminator: "\(prefix) \(Self.pattern(field.pointer)) undocumented",
      rule: "no schema documents the field \"\(field.pointer.tokens.last ?? "")\"")
  }

  func vacuousSchema(_ mutants: [Mutants.Accepted], _ schema: Located, _ prefix: String) -> ContractViolation {
    let isWhole = mutants.contains { $0.isWhole }
    return ContractViolation(
      kind: .contractVacuous,
      message: isWhole
        ? "the schema of \(prefix) cannot fail: it accepts every changed copy of a response"
        : "the schema of \(prefix) also accepts changed copies of a response, such as a copy with another type",
      details: mutants.prefix(12).map(\.sentence), schemaPointer: contract.sources.pointerText(schema),
      source: contract.sources.mark(schema), discriminator: "vacuous \(prefix)")
  }

  func malformed(_ error: JSONError, _ slot: ResponseSlot, _ media: MediaSlot, isEmpty: Bool) -> ContractViolation {
    let message =
      isEmpty
      ? "the body is empty, but \(media.promise.range.text) is documented"
      : "the body is not JSON: line \(error.line), column \(error.column): \(error.message)"
    return ContractViolation(
      kind: .contractBody, message: message, claim: "the body is not JSON", found: isEmpty ? nil : error.message,
      schemaPointer: media.promise.pointer, source: media.promise.source,
      discriminator: "\(slot.promise.status.text) \(media.promise.range.text) \(isEmpty ? "empty" : "malformed")",
      rule: isEmpty ? nil : "the body is not JSON")
  }

  func undocumentedBody(
    _ response: ResponseView, _ slot: ResponseSlot, _ contentType: UnsafeRawBufferPointer
  ) -> ContractViolation {
    let type = contentType.isEmpty ? "" : " of \(Self.shortened(contentType))"
    return ContractViolation(
      kind: .contractContentType,
      message: "a body\(type), but none is documented for \(slot.promise.status.text)",
      claim: "a body, but none is documented for \(slot.promise.status.text)",
      found: contentType.isEmpty ? "a body without Content-Type" : Self.shortened(contentType),
      schemaPointer: slot.promise.pointer, source: slot.promise.source,
      discriminator: "\(slot.promise.status.text) body undocumented")
  }

  func missingContentType(_ response: ResponseView, _ slot: ResponseSlot) -> ContractViolation {
    let found = response.body.isEmpty ? "neither a body nor a Content-Type" : "a body without Content-Type"
    return ContractViolation(
      kind: .contractContentType,
      message: "\(found), but documented for \(slot.promise.status.text): \(Self.documented(slot))",
      schemaPointer: slot.promise.pointer, source: slot.promise.source,
      discriminator: "\(slot.promise.status.text) content-type missing",
      rule: "\(found), but a content type is documented for \(slot.promise.status.text)")
  }

  func undocumentedType(_ slot: ResponseSlot, _ contentType: UnsafeRawBufferPointer) -> ContractViolation {
    let type = MediaRange(String(decoding: contentType, as: UTF8.self))
    return ContractViolation(
      kind: .contractContentType,
      message:
        "the content type \(Self.shortened(contentType)) is not documented for \(slot.promise.status.text); documented: \(Self.documented(slot))",
      schemaPointer: slot.promise.pointer, source: slot.promise.source,
      discriminator:
        "\(slot.promise.status.text) content-type \(type.map { "\($0.type)/\($0.subtype)" } ?? "malformed")",
      rule: "the content type \(Self.shortened(contentType)) is not documented for \(slot.promise.status.text)")
  }

  private static func documented(_ slot: ResponseSlot) -> String {
    slot.promise.content.map(\.range.text).joined(separator: ", ")
  }

  /// The position in the body, the same for all items of a list.
  private static func place(_ pointer: JSONPointer) -> String {
    pointer.tokens.isEmpty ? "the body" : pattern(pointer)
  }

  /// A pointer with `*` for every index: equal for all items of a list.
  static func pattern(_ pointer: JSONPointer) -> String {
    JSONPointer(tokens: pointer.tokens.map { Int($0) == nil ? $0 : "*" }).description
  }
}

/// One way in which a response violates its contract.
package struct ContractViolation: Sendable, Hashable {
  /// `contract.status`, `contract.content-type`, `contract.header`, `contract.body`, `contract.undocumented-field`
  /// or `contract.vacuous`.
  package var kind: FindingKind
  /// The actual and the expected, in one sentence.
  package var message: String
  /// The contract's requirement, without any value of the response; nil if the message has no values.
  package var claim: String?
  /// The values found at each position; empty if the message has no value.
  package var found: [String]
  /// Further details for readers, such as the closest branch of a `oneOf`.
  package var details: [String]
  /// JSON Pointer into the body; nil if the violation is not in the body.
  package var instancePointer: String?
  /// JSON Pointer into the contract, with its file before the `#` if it is not in the root document.
  package var schemaPointer: String?
  /// The position of the violated rule in the contract's files.
  package var source: SourceMark?
  /// Equal for equal violations in different responses: it contains no value of a response.
  package var discriminator: String
  /// The violated rule without a position in the response: equal for all occurrences of one mistake.
  package var rule: String
  /// The number of positions in the response; 30 means 30 or more.
  package var places = 1

  package init(
    kind: FindingKind, message: String, claim: String? = nil, found: String? = nil, details: [String] = [],
    instancePointer: String? = nil,
    schemaPointer: String? = nil, source: SourceMark? = nil, discriminator: String, rule: String? = nil
  ) {
    self.kind = kind
    self.message = message
    self.claim = found == nil ? nil : claim
    self.found = [found].compactMap(\.self)
    self.details = details
    self.instancePointer = instancePointer
    self.schemaPointer = schemaPointer
    self.source = source
    self.discriminator = discriminator
    self.rule = rule ?? self.claim ?? message
  }
}
