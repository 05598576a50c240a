import MurphyJSON
import MurphyModel

/// One request of a drawn session, as far as it is known before anything is sent.
package struct DrawnCall: Sendable {
  /// A value and the parts of it that only an answer can fill.
  package struct Value: Sendable {
    package var value: JSONValue
    /// Pointers of the parts that are not known; `null` stands there.
    package var unknown: [JSONPointer]
    /// Whether every session sends the same.
    package var isConstant: Bool
  }

  package struct Argument: Sendable {
    package var location: OperationSummary.Parameter.Location
    package var name: String
    package var value: Value
  }

  package var step: CallStep
  package var arguments: [Argument] = []
  package var body: Value?
}

extension Template {
  /// The value with what can be known of it in `scope`; nil when nothing of it can.
  func known(in scope: inout Scope, random: inout RandomSource) -> DrawnCall.Value? {
    var unknown: [JSONPointer] = []
    var stream = draws ? RandomSource(seed: random.next()) : random
    let value = content.known(in: &scope, random: &stream, at: .root, &unknown)
    if !draws { random = stream }
    guard !unknown.contains(.root) else { return nil }
    return DrawnCall.Value(value: value, unknown: unknown, isConstant: isConstant)
  }
}

extension Template.Content {
  fileprivate func known(
    in scope: inout Scope, random: inout RandomSource, at place: JSONPointer, _ unknown: inout [JSONPointer]
  ) -> JSONValue {
    switch self {
    case .array(let elements):
      return .array(
        elements.enumerated().map { index, element in
          element.known(in: &scope, random: &random, at: place.appending(index), &unknown)
        })
    case .object(let members):
      var object = JSONObject()
      for member in members {
        object[member.name] = member.value.known(
          in: &scope, random: &random, at: place.appending(member.name), &unknown)
      }
      return .object(object)
    case .constant, .expression, .text:
      if let value = try? value(in: &scope, random: &random) { return value }
      unknown.append(place)
      return .null
    }
  }
}
