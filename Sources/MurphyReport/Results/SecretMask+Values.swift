import Foundation
import MurphyJSON
import MurphyModel

extension SecretMask {
  /// A value without secrets in any of its texts: what every report of it is drawn from.
  ///
  /// All texts go through here, so that no field is forgotten. Cost: one encoding and one decoding; none without
  /// secrets.
  package func masked<Value: Codable>(_ value: Value) throws -> Value {
    if isEmpty { return value }
    let tree = masked(try JSONTreeEncoder.encode(value))
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return try decoder.decode(Value.self, from: Data(tree.text.utf8))
  }

  private func masked(_ value: JSONValue) -> JSONValue {
    switch value {
    case .string(let text): .string(masked(text))
    case .array(let elements): .array(elements.map(masked))
    case .object(let object): .object(JSONObject(object.members.map { ($0.key, masked($0.value)) }))
    case .number, .bool, .null: value
    }
  }
}
