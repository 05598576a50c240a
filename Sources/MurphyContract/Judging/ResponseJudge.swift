import MurphyModel
import MurphySchema

/// Checks responses against the contract and counts the parts of the contract that they cover.
///
/// There is one for each loop. It owns parsers, counters and caches, and uses no locks. A conformant response allocates
/// nothing, except for the few bodies that are sampled for coverage.
package final class ResponseJudge {
  let contract: Contract
  let options: JudgeOptions
  let variant: SchemaVariant
  /// The variant that rejects undocumented fields; nil if they are allowed.
  let strict: SchemaVariant?
  /// The program and entries that bodies are checked with: those of `strict` if there is one.
  let program: SchemaProgram
  let entries: [SchemaEntry?]
  let operations: [OperationSlot]
  /// The parser of response bodies. Others may read its result until the next response is checked.
  package let bodyParser = TapeParser()
  let headerParser = TapeParser(maximumSize: 1 << 20)
  let headerText = HeaderText()
  let scratch = SchemaScratch()
  let known = KnownBodies()
  /// False to parse and validate every body, for the comparison in tests. The results are the same.
  package var remembers = true
  lazy var undocumented = UndocumentedFields(contract.schemas, variant, allowed: options.allowedFields)
  lazy var navigator = SchemaNavigator(contract.schemas.sources)
  /// Reads the values that relations compare from responses; nil if no relation needs them.
  package var relations: RelationReader? {
    didSet {
      for (index, slot) in operations.enumerated() { slot.hasRelations = relations?.reads(index) ?? false }
    }
  }
  /// The operation whose body is read for its relations; -1 for none.
  var relating = -1

  /// A judge for one thread, with memory that is reused for all responses.
  package init(contract: Contract, options: JudgeOptions = JudgeOptions()) {
    self.contract = contract
    self.options = options
    var mode = SchemaVariant.Mode()
    mode.formatAssertion = options.formatAssertion
    variant = contract.schemas.variant(mode)
    mode.isStrict = true
    strict = options.undocumentedFields ? contract.schemas.variant(mode) : nil
    program = (strict ?? variant).program
    entries = (strict ?? variant).entries
    let plan = contract.coveragePlan
    operations = contract.operations.enumerated().map {
      OperationSlot($1, $1.isDocumented ? plan.catalogs[$0] : [], contract.fieldNames)
    }
  }

  /// Checks one response of the operation with index `operation`.
  package func judge(_ response: ResponseView, operation: Int) -> Judgement {
    let slot = operations[operation]
    slot.count += 1
    bodyParser.forget()
    if let relations {
      relations.begin()
      relating = slot.hasRelations && response.status == 200 ? operation : -1
    }
    response.fields.read(by: contract.fieldNames)
    slot.deviations.observe(response, method: slot.method)
    slot.parameters.observe(response.target)
    guard slot.isDocumented else { return .unchecked(Contract.undocumentedReason) }
    if response.status >= 400 { slot.errors.observe(response) }
    guard let documented = slot.response(to: response.status) else {
      if response.status == 414, response.target.utf8.count > Self.longTarget {
        return .unchecked("status 414 for a request target of \(response.target.utf8.count) bytes (RFC 9110 §15.5.15)")
      }
      slot.countUndocumented(response)
      let status = undocumentedStatus(response.status, operation)
      let content = slot.hasBodies ? unreadableContent(response) : nil
      return .violating([status] + (content.map { [$0] } ?? []))
    }
    documented.count += 1
    if let reason = documented.unreadable { return .unchecked(reason) }
    var outcome = Outcome()
    let contentType = headers(response, documented, &outcome)
    if slot.hasBodies, Self.mayHaveBody(response.status) {
      body(response, documented, contentType, &outcome)
    }
    if response.status == 101 { outcome.opaque = "the connection switched protocols (101); murphy does not follow it" }
    if !outcome.violations.isEmpty {
      return .violating(Self.folded(outcome.violations))
    }
    if let reason = documented.unreadableHeader { return .unchecked(outcome.unchecked ?? reason) }
    return outcome.unchecked.map(Judgement.unchecked) ?? outcome.opaque.map(Judgement.opaque) ?? .conformant
  }

  /// Every server should accept this many bytes (RFC 9110 §4.1). It may reject a longer target, whatever the document
  /// says.
  private static let longTarget = 8_000

  /// The maximum number of different violations reported for one response.
  private static let mostViolations = 32

  /// Merges equal violations into one with the number of positions, so that a response counts once for each. If two
  /// schemas of one `allOf` report the same for one value, it is reported once.
  private static func folded(_ violations: [ContractViolation]) -> [ContractViolation] {
    var folded: [ContractViolation] = []
    for violation in violations {
      let known = folded.firstIndex { $0.discriminator == violation.discriminator && $0.kind == violation.kind }
      if let known {
        folded[known].places += violation.places
        folded[known].found += violation.found
      } else if folded.count < mostViolations, !folded.contains(where: { $0.message == violation.message }) {
        folded.append(violation)
      }
    }
    return folded
  }

  /// The results for one response.
  struct Outcome {
    var violations: [ContractViolation] = []
    var unchecked: String?
    /// The reason why no check exists for a part.
    var opaque: String?
  }

  /// False for responses without content by the protocol: 1xx, 204, 205 and 304 (RFC 9110 §6.4.1).
  static func mayHaveBody(_ status: Int) -> Bool {
    status >= 200 && status != 204 && status != 205 && status != 304
  }

  private func undocumentedStatus(_ status: Int, _ operation: Int) -> ContractViolation {
    let documented = contract.operations[operation].responses.map(\.status.text)
    let expected = documented.isEmpty ? "none" : documented.joined(separator: ", ")
    return ContractViolation(
      kind: .contractStatus, message: "status \(status) is not documented; documented: \(expected)",
      source: contract.operations[operation].source, discriminator: "status \(status)",
      rule: "status \(status) is not documented")
  }

  /// Schemas that accepted mutants that they should reject, found on the first conformant bodies.
  package var vacuousSchemas: [(operation: Int, violation: ContractViolation)] {
    operations.enumerated().flatMap { index, slot in
      slot.responses.flatMap(\.media).compactMap(\.vacuous).map { (index, $0) }
    }
  }
}

/// The result of the check of one response.
package enum Judgement: Sendable {
  case conformant
  /// At least one violation, at most 32.
  case violating([ContractViolation])
  /// No violations, but some parts could not be checked. The reason has the same words for the same cause.
  case unchecked(String)
  /// Part of the response conforms, and no check exists for the rest, such as binary content. With the reason.
  case opaque(String)

  /// The reason for a response 401 to a token that murphy then renewed.
  package static let renewedToken = "the token of the request had expired, and murphy renewed it"
}

extension ResponseJudge {
  /// Checks a binary body: its first bytes, if the format defines them, and its length.
  func binary(_ body: UnsafeRawBufferPointer, _ slot: ResponseSlot, _ media: MediaSlot) -> ContractViolation? {
    let range = media.promise.range
    func violation(
      _ message: String, _ cause: String, _ schema: Located? = nil, expected: String? = nil
    ) -> ContractViolation {
      ContractViolation(
        kind: .contractBody, message: message, claim: expected.map { "the body: expected \($0)" },
        found: expected.map { _ in "\(body.count) bytes" },
        schemaPointer: schema.map(contract.sources.pointerText) ?? media.promise.pointer,
        source: schema.map { contract.sources.mark($0) } ?? media.promise.source,
        discriminator: "\(slot.promise.status.text) \(range.text) \(cause)")
    }
    if let signature = slot.signature, !signature.holds(body) {
      return body.isEmpty
        ? violation("the body is empty, but \(range.text) is documented", "empty")
        : violation("the body does not start like a \(signature.name) file, although its type says so", "signature")
    }
    guard range.isBinary, let schema = media.promise.schema?.located else { return nil }
    let target = navigator.target(of: schema)
    // Encoded content is counted in characters, raw bytes in octets (OpenAPI 3.1.1 §4.8.14.3).
    guard target.value["contentEncoding"] == nil, target.value["format"]?.string != "byte" else { return nil }
    if let least = target["minLength"], let count = least.value.int, body.count < count {
      return violation(
        "the body has \(body.count) bytes, but at least \(count) are documented", "minLength", least,
        expected: "at least \(count) bytes")
    }
    if let most = target["maxLength"], let count = most.value.int, body.count > count {
      return violation(
        "the body has \(body.count) bytes, but at most \(count) are documented", "maxLength", most,
        expected: "at most \(count) bytes")
    }
    return nil
  }
}

extension ResponseJudge {
  /// A violation if a body does not match its own `Content-Type` and the contract documents no schema for it.
  ///
  /// Ignores content that is still encoded or was truncated, and types other than JSON and XML.
  func unreadableContent(_ response: ResponseView) -> ContractViolation? {
    guard Self.mayHaveBody(response.status), response.status != 206, !response.bodyIncomplete, !response.body.isEmpty
    else { return nil }
    var type = UnsafeRawBufferPointer(start: nil, count: 0)
    for line in response.fields.lines {
      if line.is(.contentType) { type = line.value }
      if line.is(.contentEncoding), !Self.undoneCodings.contains(where: { ASCIICase.matches(line.value, $0) }) {
        return nil
      }
    }
    guard let range = MediaRange(String(decoding: type, as: UTF8.self)) else { return nil }
    if range.isJSON {
      guard case .malformed(let error) = bodyParser.parsed(response.body), error.kind == .syntax else { return nil }
      return unreadable(
        response.status, "JSON", type, "line \(error.line), column \(error.column): \(error.message)")
    }
    if range.isXML {
      let charset = range.parameters.first { $0.name == "charset" }?.value
      guard case .malformed(let message, let line, let column) = XMLReader.read(response.body, charset: charset)
      else { return nil }
      return unreadable(response.status, "well-formed XML", type, "line \(line), column \(column): \(message)")
    }
    return nil
  }

  /// True if a valid object has members, and its schema names no member and requires none. Any other object would be as
  /// valid. False for an empty object: it omits optional members, and that was checked.
  func isVacant(_ tape: Tape, _ media: MediaSlot) -> Bool {
    guard let names = media.optionalNames, tape.kind(at: tape.root) == .object, !tape.contents(at: tape.root).isEmpty,
      !names.contains(where: { tape.member($0, of: tape.root) != nil }), let schema = media.promise.schema
    else { return false }
    let value = tape.value(at: tape.root)
    let extra = Set(undocumented.find(schema.located, value).map(\.pointer.tokens))
    return value.object?.keys.allSatisfy { extra.contains([$0]) } == true
  }

  static let vacant = "the schema of the body requires no property, and documents none of the body's properties"

  private func unreadable(
    _ status: Int, _ what: String, _ type: UnsafeRawBufferPointer, _ why: String
  ) -> ContractViolation {
    ContractViolation(
      kind: .contractBody,
      message: "the body is not \(what), although its type \(Self.shortened(type)) says so: \(why)",
      discriminator: "\(status) not \(what)")
  }

  private static let undoneCodings: [StaticString] = ["identity", "gzip", "x-gzip", "deflate"]
}

/// The strictness of a judge.
package struct JudgeOptions: Sendable, Hashable {
  /// Report response fields that no schema documents (`strict: undocumented-fields`).
  package var undocumentedFields: Bool
  /// Pointer patterns of undocumented fields that are allowed: `/data/*/debug`, `/meta/**`.
  package var allowedFields: [String]
  /// `format` is an assertion, not an annotation.
  package var formatAssertion: Bool
  /// Mutate the first conformant bodies of every response, to find schemas that accept everything.
  package var mutants: Bool

  /// By default as strict as the contract.
  package init(
    undocumentedFields: Bool = false, allowedFields: [String] = [], formatAssertion: Bool = true, mutants: Bool = true
  ) {
    self.undocumentedFields = undocumentedFields
    self.allowedFields = allowedFields
    self.formatAssertion = formatAssertion
    self.mutants = mutants
  }
}
