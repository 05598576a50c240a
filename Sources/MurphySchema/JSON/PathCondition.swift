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

extension PathParser {
  /// `logical-or-expr = logical-and-expr *(S "||" S logical-and-expr)`
  mutating func condition() throws(JSONPathError) -> PathCondition {
    var alternatives = [try conjunction()]
    while skipOperator("||") { alternatives.append(try conjunction()) }
    return alternatives.count == 1 ? alternatives[0] : .or(alternatives)
  }

  /// `logical-and-expr = basic-expr *(S "&&" S basic-expr)`
  private mutating func conjunction() throws(JSONPathError) -> PathCondition {
    var parts = [try basic()]
    while skipOperator("&&") { parts.append(try basic()) }
    return parts.count == 1 ? parts[0] : .and(parts)
  }

  /// Consumes `S operator S`, or nothing.
  private mutating func skipOperator(_ name: String) -> Bool {
    let start = position
    skipBlanks()
    guard name.unicodeScalars.enumerated().allSatisfy({ peek($0.offset) == $0.element }) else {
      position = start
      return false
    }
    position += name.unicodeScalars.count
    skipBlanks()
    return true
  }

  /// `basic-expr = paren-expr / comparison-expr / test-expr`
  private mutating func basic() throws(JSONPathError) -> PathCondition {
    if skip(if: "!") {
      skipBlanks()
      if next == "(" { return .not(try parenthesised()) }
      let start = position
      let operand = try operand()
      if comparison(peekOnly: true) != nil {
        throw mistake("a comparison after ! must be in parentheses", at: start)
      }
      return .not(try test(operand, at: start))
    }
    if next == "(" { return try parenthesised() }
    let start = position
    let left = try operand()
    guard let comparison = comparison(peekOnly: false) else { return try test(left, at: start) }
    try checkComparable(left, at: start)
    let rightStart = position
    let right = try operand()
    try checkComparable(right, at: rightStart)
    return .comparison(left, comparison, right)
  }

  private mutating func parenthesised() throws(JSONPathError) -> PathCondition {
    position += 1
    skipBlanks()
    let inner = try nested { (parser) throws(JSONPathError) in try parser.condition() }
    skipBlanks()
    guard skip(if: ")") else { throw mistake("expected ), && or ||; found \(found)") }
    return inner
  }

  /// A comparison operator with the blanks around it.
  private mutating func comparison(peekOnly: Bool) -> PathComparison? {
    let start = position
    defer { if peekOnly { position = start } }
    return PathComparison.allCases.first { skipOperator($0.rawValue) }
  }

  /// An operand without a comparison must be a query or a function that returns a boolean or nodes.
  private func test(_ operand: PathOperand, at start: Int) throws(JSONPathError) -> PathCondition {
    switch operand {
    case .query(let query): return .exists(query)
    case .call(let call) where call.function.result == .logical: return .test(call)
    case .call(let call):
      throw mistake("\(call.function.rawValue)() returns a value, which must be compared with another value", at: start)
    case .literal:
      throw mistake("a literal alone is not a condition; compare the literal with another value", at: start)
    }
  }

  /// Only operands with at most one value can be compared (§2.4.3).
  private func checkComparable(_ operand: PathOperand, at start: Int) throws(JSONPathError) {
    switch operand {
    case .literal: return
    case .query(let query):
      if !query.isSingular { throw mistake("a query in a comparison must not find several nodes", at: start) }
    case .call(let call):
      if call.function.result != .value {
        throw mistake("\(call.function.rawValue)() returns true or false, which cannot be compared", at: start)
      }
    }
  }
}
