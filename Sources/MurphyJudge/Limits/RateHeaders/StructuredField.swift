import RawStructuredFieldValues

/// Structured field values (RFC 9651, which contains RFC 8941): lists and dictionaries of items with parameters.
///
/// Strict as the RFC requires: clients ignore a field that does not parse, so it is an error of the server. Rate-limit
/// fields contain integers and strings only; inner lists do not occur in them and are rejected.
package enum StructuredField {
  /// A bare item (RFC 9651 §3.3).
  package enum Item: Sendable, Hashable {
    case integer(Int)
    case string(String)
    /// A value of a type that rate-limit fields do not use.
    case other

    /// Nil for another type.
    package var integer: Int? { if case .integer(let value) = self { value } else { nil } }
    /// Nil for another type.
    package var string: String? { if case .string(let value) = self { value } else { nil } }
  }

  /// One member of a list or a dictionary.
  package struct Member: Sendable, Hashable {
    /// The key in a dictionary; nil in a list.
    package var key: String?
    package var item: Item
    package var parameters: [String: Item]
  }

  /// The reason why a text is not a structured field, as the end of a sentence.
  package struct Mistake: Error, Equatable {
    package let reason: String
  }

  /// A list: `"burst";q=100;w=60, "daily";q=1000`.
  package static func list(_ text: String) throws(Mistake) -> [Member] {
    var parser = StructuredFieldValueParser(Array(text.utf8))
    do {
      return try parser.parseListFieldValue().map { try Member($0) }
    } catch {
      throw Mistake(error)
    }
  }

  /// A dictionary: `limit=100, remaining=50, reset=30`.
  package static func dictionary(_ text: String) throws(Mistake) -> [Member] {
    var parser = StructuredFieldValueParser(Array(text.utf8))
    do {
      return try parser.parseDictionaryFieldValue().map { try Member($0.1, key: $0.0) }
    } catch {
      throw Mistake(error)
    }
  }
}

extension StructuredField.Member {
  fileprivate init(_ member: ItemOrInnerList, key: String? = nil) throws {
    guard case .item(let item) = member else {
      throw StructuredField.Mistake(reason: "it holds an inner list, which rate-limit fields do not have")
    }
    self.key = key
    self.item = StructuredField.Item(item.rfc9651BareItem)
    parameters = Dictionary(item.rfc9651Parameters.map { ($0.0, StructuredField.Item($0.1)) }) { $1 }
  }
}

extension StructuredField.Item {
  fileprivate init(_ item: RFC9651BareItem) {
    switch item {
    case .integer(let value): self = .integer(Int(value))
    case .string(let value): self = .string(value)
    default: self = .other
    }
  }
}

extension StructuredField.Mistake {
  /// The parser names the violated rule and no position; header values are short.
  fileprivate init(_ error: any Error) {
    if let mistake = error as? StructuredField.Mistake {
      self = mistake
      return
    }
    reason =
      switch error as? StructuredHeaderError {
      case .invalidList?, .invalidDictionary?: "a comma is missing between two members, or nothing follows the last one"
      case .invalidItem?: "a value is missing, or begins with a character that no value begins with"
      case .invalidKey?: "a name is missing, or does not begin with a lower-case letter"
      case .invalidIntegerOrDecimal?: "a number is not an integer of at most 15 digits or a decimal of 12 and 3"
      case .invalidString?: "a string is not closed, or contains characters that must be escaped"
      case .invalidByteSequence?: "a byte sequence is not Base64 between two colons"
      case .invalidBoolean?: "a boolean is neither ?0 nor ?1"
      case .invalidDate?: "a date is not @ with whole seconds"
      case .invalidInnerList?: "an inner list is not closed, or has no space between its items"
      default: "it does not parse (\(error))"
      }
  }
}
