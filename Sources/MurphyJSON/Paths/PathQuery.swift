/// The parsed form of a query: a start and segments (RFC 9535 §2.1).
struct PathQuery: Sendable, Hashable {
  /// `$`; otherwise `@`, the node that a filter looks at.
  var isAbsolute: Bool
  var segments: [PathSegment]

  var isSingular: Bool { segments.allSatisfy(\.isSingular) }
}

/// Selectors that apply to every input node, or to it and all of its descendants (§2.5).
struct PathSegment: Sendable, Hashable {
  var isDescendant: Bool
  var selectors: [PathSelector]

  var isSingular: Bool {
    guard !isDescendant, selectors.count == 1 else { return false }
    return switch selectors[0] {
    case .name, .index: true
    case .wildcard, .slice, .filter: false
    }
  }
}

/// Which children of a node are meant (§2.3).
enum PathSelector: Sendable, Hashable {
  case name(String)
  case wildcard
  /// Negative ones count from the end.
  case index(Int)
  case slice(start: Int?, end: Int?, step: Int)
  case filter(PathCondition)
}
