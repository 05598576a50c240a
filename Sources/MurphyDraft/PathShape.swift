/// The path of an operation, cut into segments, so that paths with other parameter names are alike.
struct PathShape: Hashable, Sendable {
  /// `laws`, `{}`
  let segments: [String]
  /// Each parameter with the segments before it, in order.
  let parameters: [(name: String, prefix: [String])]

  init(_ path: String) {
    var segments: [String] = []
    var parameters: [(name: String, prefix: [String])] = []
    for part in path.split(separator: "/") {
      var shape = ""
      var rest = part
      while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
        shape += rest[..<open] + "{}"
        parameters.append((String(rest[rest.index(after: open)..<close]), segments))
        rest = rest[rest.index(after: close)...]
      }
      segments.append(shape + rest)
    }
    self.segments = segments
    self.parameters = parameters
  }

  static func == (left: PathShape, right: PathShape) -> Bool { left.segments == right.segments }

  func hash(into hasher: inout Hasher) { hasher.combine(segments) }

  /// Whether it ends with a parameter alone: it names one thing.
  var isItem: Bool { segments.last == "{}" }

  /// The last word before its end that is not a parameter.
  var noun: String? { segments.last { !$0.contains("{}") } }
}

/// Words of names.
enum DraftNames {
  /// `laws` → `law`, `categories` → `category`, `addresses` → `address`.
  static func singular(_ word: String) -> String {
    if word.hasSuffix("ies"), word.count > 4 { return word.dropLast(3) + "y" }
    if word.hasSuffix("sses") || word.hasSuffix("xes") || word.hasSuffix("ches") { return String(word.dropLast(2)) }
    if word.hasSuffix("s"), !word.hasSuffix("ss"), word.count > 3 { return String(word.dropLast()) }
    return word
  }

  /// A name of the scenario language: letters and digits, the first word's letter small.
  static func variable(_ text: String) -> String {
    let words = text.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    let name = words.enumerated().map { index, word in
      index == 0 ? word.prefix(1).lowercased() + word.dropFirst() : word.prefix(1).uppercased() + word.dropFirst()
    }.joined()
    return name.first.map { $0.isLetter } == true ? name : "x" + name
  }

  /// Letters and digits alone, small: `law_id` and `lawId` are one name.
  static func plain(_ text: String) -> String { text.lowercased().filter { $0.isLetter || $0.isNumber } }
}
