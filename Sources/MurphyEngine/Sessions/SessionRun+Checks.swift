import MurphyContract
import MurphyHTTP
import MurphyModel
import MurphyScenario
import MurphySchema

/// A failed expectation of a step.
struct Miss {
  /// The expectation, as in the scenario.
  var expected: String
  var found: String
  var mark: SourceMark
  var kind = FindingKind.contractExpectation
}

extension SessionRun {
  /// The expectations of the step's `expect:` that the response fails; each is a finding.
  ///
  /// A response with an unexpected status is not checked further: one cause is one finding.
  func check(
    _ call: Call, _ transfer: Transfer, _ request: PreparedRequest, _ body: ResponseBody
  ) throws(SessionEnd) -> [Miss] {
    let checks = call.step.checks
    var misses: [Miss] = []
    if checks.refuses(transfer.status) {
      misses.append(
        Miss(
          expected: "status \(checks.statuses.map(\.text).joined(separator: ", "))", found: "\(transfer.status)",
          mark: checks.statusMark ?? call.step.mark))
    } else {
      for check in checks.headers {
        let values = transfer.headers.first { $0.name == check.name.lowercased() }.map { [JSONValue.string($0.value)] }
        let found = try contradiction(check.condition, values ?? [], isText: true)
        if let found {
          misses.append(Miss(expected: "header \(check.name) \(check.condition.text)", found: found, mark: check.mark))
        }
      }
      for check in checks.body {
        let found = try contradiction(check.condition, body.values(check.path))
        if let found {
          misses.append(Miss(expected: "\(check.path) \(check.condition.text)", found: found, mark: check.mark))
        }
      }
      if let miss = graphQLErrors(call.step, body) { misses.append(miss) }
      for claim in checks.claims {
        if let found = contradiction(claim) {
          misses.append(Miss(expected: claim.formula.source, found: found, mark: claim.mark))
        }
      }
    }
    if !misses.isEmpty { loopRun.recorder.expectationFailed(request.operation) }
    for miss in misses {
      find(miss, call.step, transfer, request)
      trace(miss)
    }
    return misses
  }

  /// The errors in a response to a GraphQL request, with any status; nil where the scenario expects some.
  private func graphQLErrors(_ step: CallStep, _ body: ResponseBody) -> Miss? {
    guard step.isGraphQL, !step.checks.namesErrors, let errors = body.value?["errors"]?.array, let first = errors.first
    else { return nil }
    let text = first["message"]?.string ?? first.text
    let others = errors.count > 1 ? " (and \(errors.count - 1) more)" : ""
    return Miss(expected: "no GraphQL errors", found: text + others, mark: step.mark, kind: .contractGraphQL)
  }

  private func find(_ miss: Miss, _ step: CallStep, _ transfer: Transfer, _ request: PreparedRequest) {
    let expectation = StepExpectation(
      session: script.name, step: step.number, source: miss.mark, expected: miss.expected)
    let occurrence = Occurrence(
      kind: miss.kind, operation: request.operation,
      message: "step \(step.number) of session \(script.name) (\(miss.mark.text)): "
        + "expected \(miss.expected)",
      discriminator: "\(script.name) \(step.number) \(miss.expected)", at: transfer.ended, found: [miss.found],
      expectation: expectation)
    loopRun.recorder.find(occurrence) { loopRun.evidence(transfer, request, evidenceHistory) }
  }

  /// The value that contradicts the condition; nil where the condition is true.
  private func contradiction(
    _ condition: ValueCondition, _ values: [JSONValue], isText: Bool = false
  ) throws(SessionEnd) -> String? {
    let first = values.first.map { isText ? $0.interpolated : $0.text }
    switch condition {
    case .equals(let template):
      let evaluated = try evaluate(template)
      let expected = isText ? .string(evaluated.interpolated) : evaluated
      if values.contains(expected) { return nil }
      let found = first ?? "nothing"
      // The text of the scenario does not contain the value of this time.
      return template.isConstant ? found : "\(found) instead of \(isText ? expected.interpolated : expected.text)"
    case .present(true): return values.isEmpty ? "nothing" : nil
    case .present(false): return first
    case .conforms(let schema):
      return values.isEmpty ? "nothing" : values.lazy.compactMap { self.loopRun.schemas.mistake(in: $0, schema) }.first
    }
  }

  private func contradiction(_ claim: AnswerChecks.Claim) -> String? {
    do throws(EvaluationError) {
      return try claim.formula.contradiction(in: &scope, random: &random)
    } catch {
      return error.text
    }
  }
}

/// A response's body as JSON, parsed at the first access. Valid while the transfer is held, and until the parser is
/// reset.
struct ResponseBody {
  let transfer: Transfer
  let parser: TapeParser

  /// True if it is JSON. In another body a query finds nothing, which proves nothing.
  var isJSON: Bool {
    if case .malformed = result { return false }
    return transfer.bodyBytes.count > 0
  }

  /// The values that the query finds; none in a body that is not JSON.
  func values(_ path: JSONPath) -> [JSONValue] {
    switch result {
    case .tape(let tape): path.values(in: tape)
    case .value(let value): path.values(in: value)
    case .malformed: []
    }
  }

  /// The whole body; nil if it is not JSON.
  var value: JSONValue? {
    guard transfer.bodyBytes.count > 0 else { return nil }
    return switch result {
    case .tape(let tape): tape.value(at: tape.root)
    case .value(let value): value
    case .malformed: nil
    }
  }

  private var result: TapeResult { parser.parsed(transfer.bodyBytes) }
}

/// The JSON Schemas in a scenario, compiled at their first use. One per loop.
final class InlineSchemas {
  private var compiled: [SourceMark: Result<Schema, SchemaError>] = [:]

  /// The part of the value that does not conform, with the value; nil when it conforms. A schema that cannot be checked
  /// is an error.
  func mistake(in value: JSONValue, _ schema: InlineSchema) -> String? {
    switch compile(schema) {
    case .failure(let error): return "a value that murphy cannot check: \(error.message)"
    case .success(let compiled):
      let check = compiled.check(value)
      switch check.verdict {
      case .valid: return nil
      case .unchecked(let reason): return "a value that murphy cannot check: \(reason)"
      case .invalid:
        // For a type or a pattern, the expectation is a sufficient description; within a larger schema the place must
        // be named.
        guard !schema.marks.isEmpty, let first = check.violations.first else { return value.text }
        let place = first.instancePointer.tokens.isEmpty ? "the value" : first.instancePointer.description
        return "\(place): \(first.message)"
      }
    }
  }

  private func compile(_ schema: InlineSchema) -> Result<Schema, SchemaError> {
    if let known = compiled[schema.mark] { return known }
    let result: Result<Schema, SchemaError>
    do throws(SchemaError) { result = .success(try Schema(schema.value)) } catch { result = .failure(error) }
    compiled[schema.mark] = result
    return result
  }
}
