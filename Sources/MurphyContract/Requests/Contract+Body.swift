import Foundation
import MurphyJSON

extension Contract {
  /// A request body as it goes over the wire.
  public struct Body: Sendable, Hashable {
    public var contentType: String
    public var bytes: [UInt8]
  }

  /// Writes `value` in the first media type of the operation that can hold it: JSON, a form, or plain text.
  ///
  /// Without a documented body, or with `contentType`, that type is written; JSON is the last resort.
  public func body(operation index: Int, _ value: JSONValue, contentType: String? = nil) throws(RequestError) -> Body {
    let documented = operations[index].requestBody?.mediaTypes ?? []
    let candidates = contentType.map { [$0] } ?? documented
    for candidate in candidates {
      if let bytes = Self.bytes(value, as: candidate) {
        return Body(contentType: candidate.contains("*") ? "application/json" : candidate, bytes: bytes)
      }
    }
    if candidates.isEmpty { return Body(contentType: "application/json", bytes: Array(value.text.utf8)) }
    throw RequestError(
      "\(operations[index].id): the body, \(value.typeName), cannot be written as \(candidates.joined(separator: " or "))"
    )
  }

  private static func bytes(_ value: JSONValue, as contentType: String) -> [UInt8]? {
    guard let range = MediaRange(contentType) else { return nil }
    if range.admitsJSON { return Array(value.text.utf8) }
    if range.type == "application", range.subtype == "x-www-form-urlencoded", case .object(let members) = value {
      let pairs = members.compactMap { name, value in
        ParameterEncoder(name: name, style: .form, explode: true).encode(Self.flattened(value))
      }
      return Array(pairs.joined(separator: "&").utf8)
    }
    if case .string(let text) = value { return Array(text.utf8) }
    return nil
  }

  /// Objects within a form are written as JSON (OpenAPI 3.1 §4.8.15.1.1).
  private static func flattened(_ value: JSONValue) -> JSONValue {
    if case .object = value { .string(value.text) } else { value }
  }
}
