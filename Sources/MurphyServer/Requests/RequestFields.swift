import Foundation
import Hummingbird
import NIOCore

/// The body of a request, a JSON object whose fields are read one by one, each with its own check.
struct RequestFields: Sendable {
  static let largestBody = 16 * 1024

  private let values: [String: RequestValue]

  /// Reads the whole body; throws for another media type (415), a larger body (413), anything but an object, and for a
  /// field that is not `known` (400).
  init(_ request: Request, known: Set<String>) async throws {
    try Self.checkMediaType(request.headers[.contentType])
    if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > Self.largestBody {
      throw APIError.tooLarge(limit: Self.largestBody)
    }
    let body: ByteBuffer
    do {
      body = try await request.body.collect(upTo: Self.largestBody)
    } catch is NIOTooManyBytesError {
      throw APIError.tooLarge(limit: Self.largestBody)
    }
    guard let value = try? JSONDecoder().decode(RequestValue.self, from: Data(body.readableBytesView)) else {
      throw APIError.invalid(nil, "The body is not JSON.")
    }
    guard case .object(let members) = value else { throw APIError.invalid(nil, "The body must be an object.") }
    if let unknown = members.keys.filter({ !known.contains($0) }).min() {
      let name = String(unknown.prefix(100))
      throw APIError.invalid(name, "There is no field \(name) here.")
    }
    values = members
  }

  private static func checkMediaType(_ value: String?) throws(APIError) {
    let type = value?.prefix { $0 != ";" }.filter { !$0.isWhitespace }.lowercased()
    guard type == "application/json" else { throw .unsupportedMediaType(value.map { String($0.prefix(100)) }) }
  }

  /// A string of a number of Unicode scalars, which is how JSON Schema counts.
  func text(_ name: String, _ length: ClosedRange<Int>) throws(APIError) -> String {
    guard let text = try optionalText(name, length) else { throw .invalid(name, "\(name) is missing.") }
    return text
  }

  /// The same, or nil for null and for nothing.
  func optionalText(_ name: String, _ length: ClosedRange<Int>) throws(APIError) -> String? {
    switch values[name] {
    case nil, .null: return nil
    case .string(let text) where length.contains(text.unicodeScalars.count): return text
    case .string:
      throw .invalid(name, "\(name) must have \(length.lowerBound) to \(length.upperBound) characters.")
    default: throw .invalid(name, "\(name) must be a string.")
    }
  }

  func integer(_ name: String, _ range: ClosedRange<Int>) throws(APIError) -> Int {
    switch values[name] {
    case nil: throw .invalid(name, "\(name) is missing.")
    case .number(let number):
      if let integer = Int(exactly: number), range.contains(integer) { return integer }
      fallthrough
    default: throw .invalid(name, "\(name) must be an integer from \(range.lowerBound) to \(range.upperBound).")
    }
  }

  func email(_ name: String) throws(APIError) -> String {
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
enum RequestValue: Decodable, Sendable, Equatable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([RequestValue])
  case object([String: RequestValue])

  init(from decoder: any Decoder) throws {
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
