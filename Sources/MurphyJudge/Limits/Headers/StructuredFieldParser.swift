import MurphyModel

/// The parsing algorithms of RFC 9651 §4.2, over bytes.
struct StructuredFieldParser {
  private let bytes: [UInt8]
  private var position = 0

  init(_ text: String) { bytes = Array(text.utf8) }

  mutating func members(keyed: Bool) -> [StructuredField.Member]? {
    skip { $0 == 0x20 }
    var members: [StructuredField.Member] = []
    while position < bytes.count {
      guard let member = member(keyed: keyed) else { return nil }
      members.append(member)
      skip { $0 == 0x20 || $0 == 0x09 }
      if position == bytes.count { return members }
      guard take(0x2C) else { return nil }
      skip { $0 == 0x20 || $0 == 0x09 }
      // A comma at the end is a mistake.
      if position == bytes.count { return nil }
    }
    return members
  }

  private mutating func member(keyed: Bool) -> StructuredField.Member? {
    var name: String?
    var value = StructuredField.Item.boolean(true)
    if keyed {
      guard let key = key() else { return nil }
      name = key
      if take(0x3D) {
        guard let item = item() else { return nil }
        value = item
      }
    } else {
      guard let item = item() else { return nil }
      value = item
    }
    guard let parameters = parameters() else { return nil }
    return StructuredField.Member(key: name, item: value, parameters: parameters)
  }

  private mutating func parameters() -> [String: StructuredField.Item]? {
    var parameters: [String: StructuredField.Item] = [:]
    while take(0x3B) {
      skip { $0 == 0x20 }
      guard let key = key() else { return nil }
      var value = StructuredField.Item.boolean(true)
      if take(0x3D) {
        guard let item = item() else { return nil }
        value = item
      }
      parameters[key] = value
    }
    return parameters
  }

  private mutating func key() -> String? {
    guard let first = peek, Self.isLower(first) || first == 0x2A else { return nil }
    return text { Self.isLower($0) || Self.isDigit($0) || [0x5F, 0x2D, 0x2E, 0x2A].contains($0) }
  }

  private mutating func item() -> StructuredField.Item? {
    guard let first = peek else { return nil }
    switch first {
    case 0x22: return string()
    case 0x3A: return byteSequence()
    case 0x3F:
      position += 1
      if take(0x31) { return .boolean(true) }
      return take(0x30) ? .boolean(false) : nil
    case 0x40:
      position += 1
      guard case .integer(let seconds)? = number() else { return nil }
      return .date(seconds)
    case 0x2D, 0x30...0x39: return number()
    case 0x2A, 0x41...0x5A, 0x61...0x7A:
      return .token(text { FieldTable.isToken($0) || $0 == 0x3A || $0 == 0x2F })
    default: return nil
    }
  }

  /// At most 15 digits, or 12 before and 3 after the point.
  private mutating func number() -> StructuredField.Item? {
    let negative = take(0x2D)
    let whole = text(Self.isDigit)
    guard !whole.isEmpty else { return nil }
    if take(0x2E) {
      let fraction = text(Self.isDigit)
      guard whole.count <= 12, (1...3).contains(fraction.count), let value = Double(whole + "." + fraction) else {
        return nil
      }
      return .decimal(negative ? -value : value)
    }
    guard whole.count <= 15, let value = Int(whole) else { return nil }
    return .integer(negative ? -value : value)
  }

  private mutating func string() -> StructuredField.Item? {
    position += 1
    var content: [UInt8] = []
    while let byte = peek {
      position += 1
      switch byte {
      case 0x22: return .string(String(decoding: content, as: UTF8.self))
      case 0x5C:
        guard let escaped = peek, escaped == 0x22 || escaped == 0x5C else { return nil }
        position += 1
        content.append(escaped)
      case 0x20...0x7E: content.append(byte)
      default: return nil
      }
    }
    return nil
  }

  private mutating func byteSequence() -> StructuredField.Item? {
    position += 1
    let content = text {
      Self.isDigit($0) || Self.isLower($0) || (0x41...0x5A).contains($0) || [0x2B, 0x2F, 0x3D].contains($0)
    }
    return take(0x3A) ? .bytes(content) : nil
  }

  private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard peek == byte else { return false }
    position += 1
    return true
  }

  private mutating func skip(while condition: (UInt8) -> Bool) {
    while position < bytes.count, condition(bytes[position]) { position += 1 }
  }

  private mutating func text(_ condition: (UInt8) -> Bool) -> String {
    let start = position
    skip(while: condition)
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
  private static func isLower(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }
}
