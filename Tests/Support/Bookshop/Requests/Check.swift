/// One constraint of a body's schema: what a fault leaves unchecked.
struct Check: Hashable, Sendable {
  enum Keyword: Sendable {
    case required, minimum, maxLength, pattern, choice, uniqueItems, multipleOf, additionalProperties
  }

  var schema: String
  /// The name of the field; empty for the object itself.
  var field: String
  var keyword: Keyword
}

/// What a body says of a field.
enum Given<Value> {
  case absent
  case null
  case value(Value)

  var value: Value? { if case .value(let value) = self { value } else { nil } }

  /// What a field becomes that was `old`.
  func replacing(_ old: Value?) -> Value? {
    switch self {
    case .absent: old
    case .null: nil
    case .value(let value): value
    }
  }
}
