/// A JSON value (RFC 8259) that keeps the digits of its numbers and the order of its members.
indirect enum JSON: Sendable {
  case null
  case bool(Bool)
  case number(Number)
  case string(String)
  case array([JSON])
  case object([Member])

  struct Member: Sendable {
    var name: String
    var value: JSON
  }

  static func int(_ value: Int) -> JSON { .number(Number(text: String(value))) }

  /// A sum of money or a size; whole numbers are written without a fraction.
  static func double(_ value: Double) -> JSON {
    let whole = Int(exactly: value)
    return .number(Number(text: whole.map { String($0) } ?? value.description))
  }

  static func make(_ members: KeyValuePairs<String, JSON>) -> JSON {
    .object(members.map { Member(name: $0.key, value: $0.value) })
  }

  /// The member of an object; nil where there is none.
  subscript(name: String) -> JSON? {
    get {
      guard case .object(let members) = self else { return nil }
      return members.first { $0.name == name }?.value
    }
    set {
      guard case .object(var members) = self else { return }
      let index = members.firstIndex { $0.name == name }
      switch (index, newValue) {
      case (let index?, let value?): members[index].value = value
      case (let index?, nil): members.remove(at: index)
      case (nil, let value?): members.append(Member(name: name, value: value))
      case (nil, nil): break
      }
      self = .object(members)
    }
  }

  var isNull: Bool { if case .null = self { true } else { false } }

  var elements: [JSON]? { if case .array(let all) = self { all } else { nil } }

  var text: String? { if case .string(let text) = self { text } else { nil } }

  /// A whole number that fits, or nil.
  var whole: Int? { if case .number(let number) = self { number.scaled(0) } else { nil } }
}

extension JSON {
  /// The value as UTF-8, without white space.
  var bytes: [UInt8] {
    var result: [UInt8] = []
    write(to: &result)
    return result
  }

  private func write(to result: inout [UInt8]) {
    switch self {
    case .null: result += "null".utf8
    case .bool(let value): result += (value ? "true" : "false").utf8
    case .number(let number): result += number.text.utf8
    case .string(let text): Self.write(text, to: &result)
    case .array(let all):
      result.append(UInt8(ascii: "["))
      for (index, value) in all.enumerated() {
        if index > 0 { result.append(UInt8(ascii: ",")) }
        value.write(to: &result)
      }
      result.append(UInt8(ascii: "]"))
    case .object(let members):
      result.append(UInt8(ascii: "{"))
      for (index, member) in members.enumerated() {
        if index > 0 { result.append(UInt8(ascii: ",")) }
        Self.write(member.name, to: &result)
        result.append(UInt8(ascii: ":"))
        member.value.write(to: &result)
      }
      result.append(UInt8(ascii: "}"))
    }
  }

  private static func write(_ text: String, to result: inout [UInt8]) {
    let digits = Array("0123456789abcdef".utf8)
    result.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): result += [UInt8(ascii: "\\"), byte]
      case 0..<0x20: result += "\\u00".utf8 + [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      default: result.append(byte)
      }
    }
    result.append(UInt8(ascii: "\""))
  }
}
