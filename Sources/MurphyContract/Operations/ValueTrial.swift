import MurphySchema

/// A value that differs from a sample at one position. It tests one rule of a schema, or one that the schema lacks.
package struct ValueTrial: Sendable, Hashable {
  /// The expected reaction of the API.
  package enum Intent: Sendable, Hashable {
    /// At the limit of a constraint.
    case kept
    /// Just outside the limit.
    case broken
    /// The schema has no rule for it: unusual, and allowed.
    case unsaid
  }

  /// The change at the position.
  package enum Change: Sendable, Hashable {
    case set(JSONValue)
    case remove
  }

  /// Relative to the sample.
  package var pointer: JSONPointer
  package var change: Change
  /// The tested keyword, or a word for the unusual input: `maxLength`, `unicode`.
  package var constraint: String
  /// The description for people: `one character more than maxLength 40`.
  package var about: String
  package var intent: Intent

  /// The sample with the change applied; nil if the sample has no such position.
  package func applied(to sample: JSONValue) -> JSONValue? {
    switch change {
    case .set(let value): sample.replacing(at: pointer.tokens[...], with: value)
    case .remove: sample.replacing(at: pointer.tokens[...], with: nil)
    }
  }
}

extension JSONValue {
  /// The value with a member or an item set, or removed for nil; nil if the position's parent does not exist.
  package func replacing(at place: ArraySlice<String>, with new: JSONValue?) -> JSONValue? {
    guard let token = place.first else { return new }
    let rest = place.dropFirst()
    switch self {
    case .object(var object):
      if rest.isEmpty {
        object[token] = new
        return .object(object)
      }
      guard let changed = object[token]?.replacing(at: rest, with: new) else { return nil }
      object[token] = changed
      return .object(object)
    case .array(var items):
      guard let index = Int(token), items.indices.contains(index) else { return nil }
      if rest.isEmpty {
        if let new { items[index] = new } else { items.remove(at: index) }
        return .array(items)
      }
      guard let changed = items[index].replacing(at: rest, with: new) else { return nil }
      items[index] = changed
      return .array(items)
    default: return nil
    }
  }
}
