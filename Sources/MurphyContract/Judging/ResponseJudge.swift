import MurphyJSON
import MurphyModel

/// Judges answers by the contract, and counts what of the contract they showed.
///
/// One for each loop: it keeps parsers, counters and caches, and nothing in it is locked. A conformant answer
/// allocates nothing, but for the few bodies from which coverage is sampled.
public final class ResponseJudge {
  let contract: Contract
  let options: JudgeOptions
  let variant: SchemaVariant
  /// With undocumented fields refused; nil when they are welcome.
  let strict: SchemaVariant?
  /// The program and entries by which bodies are judged: of `strict` if there is one.
  let program: SchemaProgram
  let entries: [SchemaEntry?]
  let operations: [OperationSlot]
  let bodyParser = TapeParser()
  let headerParser = TapeParser(maximumSize: 1 << 20)
  let headerText = HeaderText()
  let scratch = SchemaScratch()
  lazy var undocumented = UndocumentedFields(contract.schemas, variant, allowed: options.allowedFields)
  lazy var navigator = SchemaNavigator(contract.schemas.sources)
  var vacuous: [ContractViolation] = []

  public init(contract: Contract, options: JudgeOptions = JudgeOptions()) {
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

  /// Judges one answer of the operation with index `operation`.
  public func judge(_ response: ResponseView, operation: Int) -> Judgement {
    let slot = operations[operation]
    slot.count += 1
    response.fields.read(by: contract.fieldNames)
    slot.slips.observe(response, method: slot.method)
    slot.parameters.observe(response.target)
    guard slot.isDocumented else { return .unchecked(Contract.undocumentedReason) }
    if response.status >= 400 { slot.errors.observe(response) }
    guard let promise = slot.response(to: response.status) else {
      slot.countUndocumented(response)
      let status = undocumentedStatus(response.status, operation)
      let content = slot.hasBodies ? unreadableContent(response) : nil
      return .violating([status] + (content.map { [$0] } ?? []))
    }
    promise.count += 1
    var outcome = Outcome()
    let contentType = headers(response, promise, &outcome)
    if slot.hasBodies, Self.mayHaveBody(response.status) {
      body(response, promise, contentType, &outcome)
    }
    if !outcome.violations.isEmpty {
      return .violating(Self.folded(outcome.violations, most: options.violationsPerResponse))
    }
    return outcome.unchecked.map(Judgement.unchecked) ?? .conformant
  }

  /// Equal violations as one with the number of its places, so that an answer counts once for each.
  private static func folded(_ violations: [ContractViolation], most: Int) -> [ContractViolation] {
    var folded: [ContractViolation] = []
    for violation in violations {
      let known = folded.firstIndex { $0.discriminator == violation.discriminator && $0.kind == violation.kind }
      if let known {
        folded[known].places += violation.places
        folded[known].found += violation.found
      } else if folded.count < most {
        folded.append(violation)
      }
    }
    return folded
  }

  /// What one answer comes to.
  struct Outcome {
    var violations: [ContractViolation] = []
    var unchecked: String?
  }

  /// No content by the protocol: informational answers, 204, 205 and 304 (RFC 9110 §6.4.1).
  static func mayHaveBody(_ status: Int) -> Bool {
    status >= 200 && status != 204 && status != 205 && status != 304
  }

  private func undocumentedStatus(_ status: Int, _ operation: Int) -> ContractViolation {
    let documented = contract.operations[operation].responses.map(\.status.text)
    let expected = documented.isEmpty ? "none is" : documented.joined(separator: ", ")
    return ContractViolation(
      kind: .contractStatus, message: "status \(status) is not documented; documented: \(expected)",
      source: contract.operations[operation].source, discriminator: "status \(status)")
  }

  /// Schemas that accepted mutants which they should refuse, found on the first conformant bodies.
  public var vacuousSchemas: [ContractViolation] { vacuous }
}
