import MurphyEngine
import MurphySchema

/// A value of a request: a literal, or taken from an earlier response of the same case.
package enum CallValue: Sendable, Hashable {
  case literal(JSONValue)
  /// A new UUID for each run of the case; equal names are equal values.
  case drawn(String)
  case answer(step: Int, AnswerPlace)
  /// A value that an earlier step has sent in its body.
  case sent(step: Int, JSONPointer)

  /// The value, if it is a literal.
  var literal: JSONValue? { if case .literal(let value) = self { value } else { nil } }
}

/// The place of a value in a response.
package enum AnswerPlace: Sendable, Hashable {
  case body(JSONPointer)
  /// By its lower-case name.
  case header(String)
  /// The last segment of the path of `Location`.
  case location

  /// The same place of another item of a list, counted from 0.
  func ofItem(_ item: Int) -> AnswerPlace {
    guard case .body(let pointer) = self, let index = pointer.tokens.lastIndex(of: "0") else { return self }
    var tokens = pointer.tokens
    tokens[index] = "\(item)"
    return .body(JSONPointer(tokens: tokens))
  }

  /// Nil if the response has no such place, or no value there that could be sent again.
  func value(in answer: ClientResponse, json: JSONValue?) -> JSONValue? {
    switch self {
    case .body(let pointer):
      guard let value = json.flatMap({ pointer.resolve(in: $0) }) else { return nil }
      switch value {
      case .null, .array, .object: return nil
      default: return value
      }
    case .header(let name): return answer.header(name).map { .string($0) }
    case .location:
      let path = answer.header("location")?.prefix { $0 != "?" && $0 != "#" }
      return path?.split(separator: "/").last.map { .string(String($0)) }
    }
  }
}
