import MurphyJSON

/// Writes JSON line by line and knows which lines belong to the target.
struct BodyWriter {
  private(set) var lines: [BodyListing.Line] = []
  /// Tokens from here to the target; nil when the target lies elsewhere.
  private let target: [String]?

  init(target: [String]?) { self.target = target }

  mutating func write(_ value: JSONValue) {
    write(value, prefix: "", suffix: "", depth: 0, rest: target, marked: false)
  }

  private mutating func write(
    _ value: JSONValue, prefix: String, suffix: String, depth: Int, rest: [String]?, marked: Bool
  ) {
    let marked = marked || rest?.isEmpty == true
    switch value {
    case .array(let values) where !values.isEmpty:
      add(prefix + "[", depth, marked)
      for (index, value) in values.enumerated() {
        write(
          value, prefix: "", suffix: index == values.count - 1 ? "" : ",", depth: depth + 1,
          rest: Self.next(rest, String(index)), marked: marked)
      }
      add("]" + suffix, depth, marked)
    case .object(let object) where !object.isEmpty:
      add(prefix + "{", depth, marked)
      for (index, member) in object.members.enumerated() {
        write(
          member.value, prefix: JSONValue.string(member.key).text + ": ",
          suffix: index == object.count - 1 ? "" : ",", depth: depth + 1, rest: Self.next(rest, member.key),
          marked: marked)
      }
      add("}" + suffix, depth, marked)
    default: add(prefix + value.text + suffix, depth, marked)
    }
  }

  private static func next(_ rest: [String]?, _ token: String) -> [String]? {
    rest?.first == token ? Array((rest ?? []).dropFirst()) : nil
  }

  private mutating func add(_ text: String, _ depth: Int, _ marked: Bool) {
    lines.append(BodyListing.Line(text: String(repeating: "  ", count: min(depth, 40)) + text, marked: marked))
  }
}
