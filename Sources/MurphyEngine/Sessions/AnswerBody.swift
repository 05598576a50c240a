import MurphyContract
import MurphyHTTP
import MurphyModel
import MurphyScenario
import MurphySchema

/// A response's body as JSON, parsed at the first access. Valid while the transfer is held, and until the parser is
/// reset.
struct AnswerBody {
  private let transfer: Transfer
  private let parser: TapeParser

  init(_ transfer: Transfer, parser: TapeParser) {
    self.transfer = transfer
    self.parser = parser
  }

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
    case .failure(let error): return "a value that cannot be checked: \(error.message)"
    case .success(let compiled):
      let check = compiled.check(value)
      switch check.verdict {
      case .valid: return nil
      case .unchecked(let reason): return "a value that cannot be checked: \(reason)"
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
