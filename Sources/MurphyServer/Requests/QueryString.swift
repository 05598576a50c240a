import Foundation

/// A query string in form encoding: `name=value` joined by `&`, `+` for a space, percent-encoded UTF-8.
package struct QueryString: Sendable {
  /// In the order of the query, decoded.
  package var pairs: [(name: String, value: String)]

  /// Reads any text; a pair without `=` has an empty value.
  package init(_ text: String?) {
    pairs = (text ?? "").utf8.split(separator: UInt8(ascii: "&")).map { pair in
      let sides = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      return (Self.decode(sides[0]), sides.count == 2 ? Self.decode(sides[1]) : "")
    }
  }

  private static func decode(_ text: some Sequence<UInt8>) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), let value = hexadecimal(rest.prefix(2)) {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func hexadecimal(_ digits: ArraySlice<UInt8>) -> UInt8? {
    guard digits.count == 2, digits.first != UInt8(ascii: "+"), digits.first != UInt8(ascii: "-") else { return nil }
    return UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
  }
}

extension QueryString {
  /// The last value of a name.
  package subscript(_ name: String) -> String? { pairs.last { $0.name == name }?.value }

  /// A whole number, or nil if it is missing.
  package func integer(_ name: String, _ range: ClosedRange<Int>) throws(APIError) -> Int? {
    guard let text = self[name] else { return nil }
    return try Self.integer(text, name, range)
  }

  /// Parses a parameter as a whole number.
  package static func integer(_ text: String, _ name: String, _ range: ClosedRange<Int>) throws(APIError) -> Int {
    guard let value = Int(text), text.utf8.first != UInt8(ascii: "+"), range.contains(value) else {
      throw .invalid(name, "\(name) must be an integer from \(range.lowerBound) to \(range.upperBound).")
    }
    return value
  }
}

extension String {
  /// Equal to SQLite's `lower()`.
  package var asciiLowercased: String {
    String(decoding: utf8.map { 65...90 ~= $0 ? $0 + 32 : $0 }, as: UTF8.self)
  }

  /// The text as a UUID in lower case; nil if it is not a UUID.
  package var lowercasedUUID: String? { UUID(uuidString: self)?.uuidString.lowercased() }
}
