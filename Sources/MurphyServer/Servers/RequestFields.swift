import Foundation
import Hummingbird
import NIOCore

/// The fields of a JSON object in a request, read one by one, each with its own validation.
package struct RequestFields: Sendable {
  private let values: [String: RequestValue]

  /// The fields of an object of the body. It throws for a value that is not an object, and for a field that is not
  /// `known` (400).
  ///
  /// - Parameter place: the name of the object in messages.
  package init(_ value: RequestValue, known: Set<String>, of place: String = "The body") throws(APIError) {
    guard case .object(let members) = value else { throw APIError.invalid(nil, "\(place) must be an object.") }
    if let unknown = members.keys.filter({ !known.contains($0) }).min() {
      let name = String(unknown.prefix(100))
      throw APIError.invalid(name, "Unknown field \(name).")
    }
    values = members
  }

  /// The fields of a form, all of them strings. Unknown fields are ignored (RFC 6749, section 3.2), and the last field
  /// of a name counts.
  init(form: QueryString) {
    values = Dictionary(form.pairs.map { ($0.name, .string($0.value)) }) { _, last in last }
  }

  /// The field as it was sent; nil if it is null or missing.
  package func value(_ name: String) -> RequestValue? { values[name] == .null ? nil : values[name] }

  /// A string with a number of Unicode scalars in the range, which is the length in JSON Schema.
  package func text(_ name: String, _ length: ClosedRange<Int>) throws(APIError) -> String {
    guard let text = try optionalText(name, length) else { throw .invalid(name, "\(name) is missing.") }
    return text
  }

  /// The same, or nil if it is null or missing.
  package func optionalText(_ name: String, _ length: ClosedRange<Int>) throws(APIError) -> String? {
    switch values[name] {
    case nil, .null: return nil
    case .string(let text) where length.contains(text.unicodeScalars.count): return text
    case .string:
      throw .invalid(name, "\(name) must have \(length.lowerBound) to \(length.upperBound) characters.")
    default: throw .invalid(name, "\(name) must be a string.")
    }
  }

  /// Throws if the field is missing or outside the range.
  package func integer(_ name: String, _ range: ClosedRange<Int>) throws(APIError) -> Int {
    switch values[name] {
    case nil: throw .invalid(name, "\(name) is missing.")
    case .number(let number):
      if let integer = Int(exactly: number), range.contains(integer) { return integer }
      fallthrough
    default: throw .invalid(name, "\(name) must be an integer from \(range.lowerBound) to \(range.upperBound).")
    }
  }

  /// One of the names of an enumeration.
  package func choice<Choice: RawRepresentable & CaseIterable>(_ name: String) throws(APIError) -> Choice
  where Choice.RawValue == String {
    guard let choice = Choice(rawValue: try text(name, 1...1000)) else {
      let known = Choice.allCases.map(\.rawValue).joined(separator: ", ")
      throw .invalid(name, "\(name) must be one of \(known).")
    }
    return choice
  }

  /// A UUID as it was sent, in lower case.
  package func uuid(_ name: String) throws(APIError) -> String {
    guard let uuid = try text(name, 1...1000).lowercasedUUID else { throw .invalid(name, "\(name) must be a UUID.") }
    return uuid
  }

  /// Throws if the field is missing or has another type.
  package func boolean(_ name: String) throws(APIError) -> Bool {
    guard case .bool(let value) = values[name] else { throw .invalid(name, "\(name) must be true or false.") }
    return value
  }

  /// Throws if the field is missing or is not an address.
  package func email(_ name: String) throws(APIError) -> String {
    guard let address = try optionalEmail(name) else { throw .invalid(name, "\(name) is missing.") }
    return address
  }

  func optionalEmail(_ name: String) throws(APIError) -> String? {
    guard let address = try optionalText(name, 1...254) else { return nil }
    guard EmailAddress.isValid(address) else { throw .invalid(name, "\(name) must be an email address.") }
    return address
  }
}

/// A JSON value of a request's body.
package enum RequestValue: Decodable, Sendable, Equatable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([RequestValue])
  case object([String: RequestValue])

  /// Decodes any JSON value, without a schema.
  package init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .null
    } else if let bool = try? value.decode(Bool.self) {
      self = .bool(bool)
    } else if let string = try? value.decode(String.self) {
      self = .string(string)
    } else if let number = try? value.decode(Double.self) {
      self = .number(number)
    } else if let array = try? value.decode([RequestValue].self) {
      self = .array(array)
    } else {
      self = .object(try value.decode([String: RequestValue].self))
    }
  }
}

extension RequestValue {
  /// The default limit: most bodies are small.
  static let largestBody = 16 * 1024

  /// Reads the whole body; throws for another media type (415), a larger body (413) and invalid JSON (400).
  ///
  /// - Parameter limit: the maximum bytes of the body.
  package init(bodyOf request: Request, limit: Int = largestBody) async throws {
    let body = try await request.bytes(of: "application/json", limit: limit)
    guard let value = try? JSONDecoder().decode(RequestValue.self, from: Data(body.readableBytesView)) else {
      throw APIError.invalid(nil, "The body is not JSON.")
    }
    self = value
  }
}

extension Request {
  /// The whole body; throws for another media type (415) and for a larger body (413).
  func bytes(of type: String, limit: Int) async throws -> ByteBuffer {
    let found = headers[.contentType]
    guard found?.prefix(while: { $0 != ";" }).filter({ !$0.isWhitespace }).lowercased() == type else {
      throw APIError.unsupportedMediaType(found.map { String($0.prefix(100)) }, expected: type)
    }
    if let length = headers[.contentLength].flatMap({ Int($0) }), length > limit {
      throw APIError.tooLarge(limit: limit)
    }
    do {
      return try await body.collect(upTo: limit)
    } catch is NIOTooManyBytesError {
      throw APIError.tooLarge(limit: limit)
    }
  }
}

/// Mailbox addresses (RFC 5321, section 4.1.2) without quoted strings and address literals.
enum EmailAddress {
  static func isValid(_ text: String) -> Bool {
    let sides = text.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
    guard sides.count == 2, 1...64 ~= sides[0].count, 1...253 ~= sides[1].count else { return false }
    let atoms = sides[0].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    let labels = sides[1].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return labels.count >= 2 && atoms.allSatisfy { !$0.isEmpty && $0.allSatisfy(isAtomText) }
      && labels.allSatisfy(isLabel)
  }

  private static func isLabel(_ label: Substring.UTF8View.SubSequence) -> Bool {
    1...63 ~= label.count && label.first != UInt8(ascii: "-") && label.last != UInt8(ascii: "-")
      && label.allSatisfy { isAlphanumeric($0) || $0 == UInt8(ascii: "-") }
  }

  private static func isAtomText(_ byte: UInt8) -> Bool {
    isAlphanumeric(byte) || "!#$%&'*+-/=?^_`{|}~".utf8.contains(byte)
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    switch byte {
    case 48...57, 65...90, 97...122: true
    default: false
    }
  }
}

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
