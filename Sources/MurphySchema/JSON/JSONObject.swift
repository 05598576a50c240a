import Glibc

/// The members of a JSON object, in their order, with lookup by name.
///
/// Names are unique. If a text repeats a name, the last value replaces the first in its position. ECMAScript's
/// `JSON.parse` does the same, and so do most clients.
public struct JSONObject: Sendable {
  /// A name with its value.
  public struct Member: Sendable, Hashable {
    /// The member's name.
    public let key: String
    /// The member's value.
    public var value: JSONValue

    /// A name with its value.
    public init(key: String, value: JSONValue) {
      self.key = key
      self.value = value
    }

    public static func == (left: Member, right: Member) -> Bool {
      JSONKey(left.key) == JSONKey(right.key) && left.value == right.value
    }
  }

  /// In the order of the text.
  public private(set) var members: [Member] = []
  // Only stored for objects that are too large for a fast linear search.
  private var positions: [JSONKey: Int]?
  private static let linearLimit = 12

  /// An object without members.
  public init() {}

  /// An object of these members; for equal names the last value wins.
  public init(_ pairs: some Sequence<(String, JSONValue)>) {
    for (key, value) in pairs { self[key] = value }
  }

  /// The number of members.
  public var count: Int { members.count }
  /// True if the object is empty.
  public var isEmpty: Bool { members.isEmpty }
  /// The names in the order of the text.
  public var keys: [String] { members.map(\.key) }
  /// The values in the order of the text.
  public var values: [JSONValue] { members.map(\.value) }

  /// The value of a member. Setting a new name appends it; setting nil removes the member (cost: its position).
  public subscript(key: String) -> JSONValue? {
    get { position(of: key).map { members[$0].value } }
    set {
      switch (position(of: key), newValue) {
      case (let position?, let value?): members[position].value = value
      case (nil, let value?): append(key, value)
      case (let position?, nil):
        members.remove(at: position)
        positions = nil
        indexIfLarge()
      case (nil, nil): break
      }
    }
  }

  /// Nil if no member has this name.
  package func position(of key: String) -> Int? {
    let wanted = JSONKey(key)
    if let positions { return positions[wanted] }
    // Lengths are compared first: most names differ in them, and no member is copied for that.
    let count = key.utf8.count
    return members.indices.first { members[$0].key.utf8.count == count && JSONKey(members[$0].key) == wanted }
  }

  private mutating func append(_ key: String, _ value: JSONValue) {
    members.append(Member(key: key, value: value))
    if positions != nil {
      positions?[JSONKey(key)] = members.count - 1
    } else {
      indexIfLarge()
    }
  }

  private mutating func indexIfLarge() {
    guard members.count > Self.linearLimit else { return }
    positions = Dictionary(uniqueKeysWithValues: members.enumerated().map { (JSONKey($1.key), $0) })
  }
}

extension JSONObject: Sequence {
  /// The members in the order of the text.
  public func makeIterator() -> AnyIterator<(key: String, value: JSONValue)> {
    var iterator = members.makeIterator()
    return AnyIterator { iterator.next().map { ($0.key, $0.value) } }
  }

  /// The number of members.
  public var underestimatedCount: Int { members.count }
}

extension JSONObject: Hashable {
  public static func == (left: JSONObject, right: JSONObject) -> Bool {
    left.count == right.count && left.members.allSatisfy { right[$0.key] == $0.value }
  }

  public func hash(into hasher: inout Hasher) {
    // The order does not count: the members' hashes are added.
    var sum = 0
    for member in members {
      var single = Hasher()
      single.combine(JSONKey(member.key))
      single.combine(member.value)
      sum &+= single.finalize()
    }
    hasher.combine(sum)
  }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  public init(dictionaryLiteral elements: (String, JSONValue)...) { self.init(elements) }
}

/// A string compared by its bytes. Swift's own `==` is true for canonically equivalent strings. JSON's names are
/// compared code point by code point (RFC 8259 §8.3).
package struct JSONKey: Hashable, Sendable {
  package let text: String

  package init(_ text: String) { self.text = text }

  package static func == (left: JSONKey, right: JSONKey) -> Bool {
    let (left, right) = (left.text.utf8Span.span, right.text.utf8Span.span)
    guard left.count == right.count else { return false }
    return left.withUnsafeBytes { left in
      right.withUnsafeBytes { right in
        guard let first = left.baseAddress, let second = right.baseAddress else { return true }
        return memcmp(first, second, left.count) == 0
      }
    }
  }

  /// Hashes the bytes. Hashing a `String` normalizes it, which is slow for combining marks.
  package func hash(into hasher: inout Hasher) {
    text.utf8Span.span.withUnsafeBytes { hasher.combine(bytes: $0) }
    hasher.combine(0xFF as UInt8)
  }
}
