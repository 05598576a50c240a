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
    let tree = try JSONTreeEncoder.encode(value, masking: self)
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return try decoder.decode(Value.self, from: Data(tree.text.utf8))
  }
}
