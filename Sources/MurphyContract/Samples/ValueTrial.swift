import MurphySchema

/// A value that differs from a sample in one place, to try one thing that a schema says, or leaves open.
package struct ValueTrial: Sendable, Hashable {
  package enum Intent: Sendable, Hashable {
    /// At the edge of what a constraint allows.
    case kept
    /// Just beyond it.
    case broken
    /// The schema says nothing of it: odd, and allowed.
    case unsaid
  }

  /// What becomes of the place.
  package enum Change: Sendable, Hashable {
    case set(JSONValue)
    case remove
  }

  /// Within the sample.
  package var pointer: JSONPointer
  package var change: Change
  /// The keyword that is tried, or a word for what is odd: `maxLength`, `unicode`.
  package var constraint: String
  /// What is tried, for people: `one character more than maxLength 40`.
  package var about: String
  package var intent: Intent

  /// The sample with the change in it; nil where the sample has no such place.
  package func applied(to sample: JSONValue) -> JSONValue? {
    switch change {
    case .set(let value): sample.replacing(at: pointer.tokens[...], with: value)
    case .remove: sample.replacing(at: pointer.tokens[...], with: nil)
    }
  }
}

extension JSONValue {
  /// The value with a member or an item set or, for nil, taken out; nil where the place's parent does not exist.
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
