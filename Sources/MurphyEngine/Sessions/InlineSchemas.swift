import MurphyContract
import MurphyJSON
import MurphyModel
import MurphyScenario
import MurphySchema

/// The JSON Schemas that stand in a scenario, compiled at their first use. One per loop.
final class InlineSchemas {
  private var compiled: [SourceMark: Result<Schema, SchemaError>] = [:]

  /// What of the value does not conform, with the value; nil when it does. What cannot be checked is a mistake.
  func mistake(in value: JSONValue, _ schema: InlineSchema) -> String? {
    switch compile(schema) {
    case .failure(let error): return "a value that cannot be checked: \(error.message)"
    case .success(let compiled):
      let check = compiled.check(value)
      switch check.verdict {
      case .valid: return nil
      case .unchecked(let reason): return "a value that cannot be checked: \(reason)"
      case .invalid:
        // A type or a pattern is said by what is expected; within a larger schema the place must be named.
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
