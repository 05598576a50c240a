/// A JSON Pointer (RFC 6901): the path from a document to one of its values.
public struct JSONPointer: Sendable, Hashable {
  /// The reference tokens, unescaped.
  public var tokens: [String]

  /// The pointer to the whole document, which is empty.
  public static let root = JSONPointer(tokens: [])

  /// A pointer of unescaped reference tokens.
  public init(tokens: [String]) { self.tokens = tokens }

  /// Nil if the text is not a pointer: not empty and without a leading `/`, or with a `~` that is not an escape (§3).
  public init?(_ text: String) {
    if text.isEmpty {
      self = .root
      return
    }
    guard text.utf8.first == 0x2F else { return nil }
    var tokens: [String] = []
    for part in text.utf8.dropFirst().split(separator: 0x2F, omittingEmptySubsequences: false) {
      guard let token = Self.unescape(Substring(part)) else { return nil }
      tokens.append(token)
    }
    self.tokens = tokens
  }

  /// The pointer to the member of that name in this pointer's value.
  public func appending(_ token: String) -> JSONPointer { JSONPointer(tokens: tokens + [token]) }
  /// The pointer to the element of that index, from 0, in this pointer's value.
  public func appending(_ index: Int) -> JSONPointer { appending(String(index)) }

  /// The value at the pointer; nil if there is none (§4). An index has no leading zero.
  public func resolve(in document: JSONValue) -> JSONValue? {
    var value = document
    for token in tokens {
      guard let next = Self.step(value, token) else { return nil }
      value = next
    }
    return value
  }

  /// Nil if the value has no such member or element.
  package static func step(_ value: JSONValue, _ token: String) -> JSONValue? {
    switch value {
    case .object(let object): return object[token]
    case .array(let values):
      guard token.utf8.allSatisfy(JSONScanner.isDigit), token.utf8.first != 0x30 || token.utf8.count == 1,
        let index = Int(token), values.indices.contains(index)
      else { return nil }
      return values[index]
    default: return nil
    }
  }

  private static func unescape(_ part: Substring) -> String? {
    guard part.utf8.contains(0x7E) else { return String(part) }
    var token = ""
    var scalars = part.unicodeScalars.makeIterator()
    while let scalar = scalars.next() {
      guard scalar == "~" else {
        token.unicodeScalars.append(scalar)
        continue
      }
      switch scalars.next() {
      case "0": token += "~"
      case "1": token += "/"
      default: return nil
      }
    }
    return token
  }
}

extension JSONPointer: CustomStringConvertible {
  public var description: String {
    var text = ""
    for token in tokens {
      text += "/"
      guard token.utf8.contains(where: { $0 == 0x7E || $0 == 0x2F }) else {
        text += token
        continue
      }
      for scalar in token.unicodeScalars {
        switch scalar {
        case "~": text += "~0"
        case "/": text += "~1"
        default: text.unicodeScalars.append(scalar)
        }
      }
    }
    return text
  }
}
