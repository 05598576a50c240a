/// A logical expression of a filter (RFC 9535 §2.3.5.1).
indirect enum PathCondition: Sendable, Hashable {
  case or([PathCondition])
  case and([PathCondition])
  case not(PathCondition)
  /// True when the query finds at least one node.
  case exists(PathQuery)
  case comparison(PathOperand, PathComparison, PathOperand)
  /// A function with a boolean result: `match`, `search`.
  case test(PathCall)
}

enum PathComparison: String, Sendable, Hashable, CaseIterable {
  case equal = "=="
  case notEqual = "!="
  case lessOrEqual = "<="
  case greaterOrEqual = ">="
  case less = "<"
  case greater = ">"
}

/// One side of a comparison, or an argument of a function.
indirect enum PathOperand: Sendable, Hashable {
  case literal(JSONValue)
  case query(PathQuery)
  case call(PathCall)
}

struct PathCall: Sendable, Hashable {
  var function: PathFunction
  var arguments: [PathOperand]
}

/// The functions of RFC 9535 §2.4.4 to §2.4.8.
enum PathFunction: String, Sendable, Hashable, CaseIterable {
  case length, count, match, search, value

  /// The declared types of arguments and results (§2.4.1).
  enum ParameterType: Sendable { case value, logical, nodes }

  var parameters: [ParameterType] {
    switch self {
    case .length: [.value]
    case .count, .value: [.nodes]
    case .match, .search: [.value, .value]
    }
  }

  var result: ParameterType {
    switch self {
    case .length, .count, .value: .value
    case .match, .search: .logical
    }
  }
}

/// The parsed form of a query: a start and segments (RFC 9535 §2.1).
struct PathQuery: Sendable, Hashable {
  /// True for `$`, false for `@`, the current node of a filter.
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

/// The selected children of a node (§2.3).
enum PathSelector: Sendable, Hashable {
  case name(String)
  case wildcard
  /// A negative index counts from the end.
  case index(Int)
  case slice(start: Int?, end: Int?, step: Int)
  case filter(PathCondition)
}
