/// Random JSON texts out of a small world of names and values, so that schemas and documents often meet.
struct DocumentGenerator {
  var random: SeededGenerator

  static let names = [
    "a", "b", "c", "longer_name", "longer_name_x", "a_name_of_more_than_16_bytes", "é", "e\u{301}", "",
  ]

  static let numbers = [
    "0", "1", "-1", "2", "3", "1.0", "1.5", "0.1", "-0.0", "-0", "1e2", "100", "1e400", "1e-400", "0.30000000000000004",
    "0.3", "9007199254740993", "9007199254740992", "9223372036854775807", "9223372036854775808", "18446744073709551615",
    "123456789012345678901234567890", "-9223372036854775808", "1.00000000000000000001", "0.0075", "4.35", "2.0e0",
  ]

  static let strings = [
    "\"\"", "\"a\"", "\"ab\"", "\"abc\"", "\"é\"", "\"e\\u0301\"", "\"😀\"", "\"\\ud83d\\ude00x\"", "\"2024-02-29\"",
    "\"2023-02-29\"", "\"2024-05-17T08:30:00Z\"", "\"a@b.c\"", "\"https://example.com/a?b#c\"", "\"::1\"",
    "\"127.0.0.1\"",
    "\"aGk=\"", "\"1\"", "\"null\"", "\"a_string_of_more_than_16_bytes\"", "\"a_string_of_more_than_16_bytez\"",
  ]

  mutating func scalar() -> String {
    switch random.below(10) {
    case 0: "null"
    case 1: "true"
    case 2: "false"
    case 3...6: random.pick(Self.numbers)
    default: random.pick(Self.strings)
    }
  }

  mutating func value(depth: Int = 0) -> String {
    let kind = random.below(depth > 3 ? 4 : 10)
    if kind < 4 { return scalar() }
    let count = random.chance(3) ? random.below(90) : random.below(5)
    if kind < 7 {
      return "[" + (0..<count).map { _ in value(depth: depth + 1) }.joined(separator: ",") + "]"
    }
    let members = (0..<count).map { index -> String in
      // Names repeat now and then, also far apart.
      let name = count > 9 && !random.chance(2) ? "n\(index)" : random.pick(Self.names)
      return "\"\(name)\":" + value(depth: depth + 1)
    }
    return "{" + members.joined(separator: ",") + "}"
  }

  /// A text with a byte or two changed, dropped or doubled.
  mutating func broken(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    for _ in 0...random.below(2) where !bytes.isEmpty {
      let index = random.below(bytes.count)
      switch random.below(3) {
      case 0: bytes[index] = UInt8(random.below(256))
      case 1: bytes.remove(at: index)
      default: bytes.insert(bytes[index], at: index)
      }
    }
    return bytes
  }
}
