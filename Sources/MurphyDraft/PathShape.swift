/// The path of an operation, cut into segments, so that paths with other parameter names are alike.
package struct PathShape: Hashable, Sendable {
  /// `laws`, `{}`
  package let segments: [String]
  /// Each parameter with the segments before it, in order.
  package let parameters: [(name: String, prefix: [String])]

  package init(_ path: String) {
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

  package static func == (left: PathShape, right: PathShape) -> Bool { left.segments == right.segments }

  package func hash(into hasher: inout Hasher) { hasher.combine(segments) }

  /// Whether it ends with a parameter alone: it names one thing.
  package var isItem: Bool { segments.last == "{}" }

  /// The last word before its end that is not a parameter.
  package var noun: String? { segments.last { !$0.contains("{}") } }
}
