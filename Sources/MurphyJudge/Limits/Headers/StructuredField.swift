/// Structured field values (RFC 9651, which contains RFC 8941): lists and dictionaries of items with parameters.
///
/// Strict as the RFC demands: a field that does not parse is ignored by clients, so it is a mistake of the server.
/// Inner lists do not occur in rate-limit fields and are refused.
package enum StructuredField {
  package enum Item: Sendable, Hashable {
    case integer(Int)
    case decimal(Double)
    case string(String)
    case token(String)
    /// Base64, not decoded.
    case bytes(String)
    case boolean(Bool)
    case date(Int)

    package var integer: Int? { if case .integer(let value) = self { value } else { nil } }
    package var string: String? { if case .string(let value) = self { value } else { nil } }
  }

  package struct Member: Sendable, Hashable {
    /// The key in a dictionary; nil in a list.
    package var key: String?
    package var item: Item
    package var parameters: [String: Item]
  }

  /// A list: `"burst";q=100;w=60, "daily";q=1000`. Nil if it is not one.
  package static func list(_ text: String) -> [Member]? {
    var parser = StructuredFieldParser(text)
    return parser.members(keyed: false)
  }

  /// A dictionary: `limit=100, remaining=50, reset=30`. Nil if it is not one.
  package static func dictionary(_ text: String) -> [Member]? {
    var parser = StructuredFieldParser(text)
    return parser.members(keyed: true)
  }
}
