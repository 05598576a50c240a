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
