import MurphyJSON

extension JSONNumber {
  /// The text, cut where it is long.
  var excerpt: String { text.utf8.count > 40 ? "\(text.prefix(37))…" : text }
}

extension JSONValue {
  /// A short form for messages.
  var excerpt: String {
    switch self {
    case .string(let text):
      text.utf8.count > 60 ? JSONValue.string(String(text.unicodeScalars.prefix(50)) + "…").text : self.text
    case .number(let number): number.excerpt
    case .array(let values):
      values.isEmpty ? "[]" : "an array of \(values.count == 1 ? "1 item" : "\(values.count) items")"
    case .object(let object):
      if object.isEmpty {
        "{}"
      } else {
        "an object with " + object.members.prefix(6).map { Prose.quoted($0.key) }.joined(separator: ", ")
          + (object.count > 6 ? ", …" : "")
      }
    default: text
    }
  }

  /// The number of values inside, this one included.
  var size: Int {
    switch self {
    case .array(let values): values.reduce(1) { $0 + $1.size }
    case .object(let object): object.members.reduce(1) { $0 + $1.value.size }
    default: 1
    }
  }
}
