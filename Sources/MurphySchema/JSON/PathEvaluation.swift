/// Evaluates a query on one document.
struct PathEvaluation<Tree: PathTree> {
  struct Located {
    let node: Tree.Node
    /// Nil for the root, and if paths are not needed.
    let location: PathLocation?
  }

  let tree: Tree
  /// True if the path of each node is recorded.
  let tracks: Bool
  let patterns = PathPatterns()
  let work = PathWork()

  init(_ tree: Tree, tracks: Bool) {
    self.tree = tree
    self.tracks = tracks
  }

  func nodes(of query: PathQuery) -> [Located] {
    nodes(of: query, current: Located(node: tree.root, location: nil))
  }

  /// - Parameter current: the value of `@`.
  func nodes(of query: PathQuery, current: Located) -> [Located] {
    var nodes = [query.isAbsolute ? Located(node: tree.root, location: nil) : current]
    for segment in query.segments {
      var found: [Located] = []
      for node in nodes where !work.isOver {
        if segment.isDescendant {
          descend(from: node) { select(segment.selectors, from: $0, into: &found) }
        } else {
          select(segment.selectors, from: node, into: &found)
        }
      }
      nodes = work.isOver ? [] : found
      if nodes.isEmpty { break }
    }
    return nodes
  }

  /// The node of a singular query, without a list.
  func single(_ query: PathQuery, current: Tree.Node) -> Tree.Node? {
    var node = query.isAbsolute ? tree.root : current
    for segment in query.segments {
      let next: Tree.Node? =
        switch segment.selectors[0] {
        case .name(let name): tree.member(name, of: node)
        case .index(let index): element(index, of: node)
        case .wildcard, .slice, .filter: nil
        }
      guard let next else { return nil }
      node = next
    }
    return node
  }

  /// Visits `start` and everything below it, parents first, children in order (§2.5.2.2), with an explicit stack.
  private func descend(from start: Located, _ visit: (Located) -> Void) {
    var stack = [start]
    while let node = stack.popLast(), !work.isOver {
      visit(node)
      let before = stack.count
      tree.visitChildren(of: node.node, naming: tracks) { stack.append(located($1, $0, under: node)) }
      stack[before...].reverse()
    }
  }

  private func located(_ node: Tree.Node, _ step: @autoclosure () -> PathStep, under parent: Located) -> Located {
    Located(node: node, location: tracks ? PathLocation(step(), under: parent.location) : nil)
  }

  private func select(_ selectors: [PathSelector], from node: Located, into found: inout [Located]) {
    let before = found.count
    defer { work.visits += found.count - before + 1 }
    for selector in selectors {
      switch selector {
      case .name(let name):
        if let child = tree.member(name, of: node.node) { found.append(located(child, .name(name), under: node)) }
      case .index(let index):
        guard let length = tree.length(of: node.node) else { continue }
        let place = index < 0 ? length + index : index
        if let child = tree.element(place, of: node.node) { found.append(located(child, .index(place), under: node)) }
      case .wildcard:
        tree.visitChildren(of: node.node, naming: tracks) { found.append(located($1, $0, under: node)) }
      case .slice(let start, let end, let step):
        slice(node, start, end, step, into: &found)
      case .filter(let condition):
        tree.visitChildren(of: node.node, naming: tracks) { step, child in
          let child = located(child, step, under: node)
          if holds(condition, child) { found.append(child) }
        }
      }
    }
  }

  private func element(_ index: Int, of node: Tree.Node) -> Tree.Node? {
    if index >= 0 { return tree.element(index, of: node) }
    return tree.length(of: node).flatMap { tree.element($0 + index, of: node) }
  }

  /// §2.3.4.2.2: bounds are normalized and clamped to the array; a step of 0 selects nothing.
  private func slice(_ node: Located, _ start: Int?, _ end: Int?, _ step: Int, into found: inout [Located]) {
    guard step != 0, let length = tree.length(of: node.node), length > 0 else { return }
    func place(_ index: Int) -> Int { index >= 0 ? index : length + index }
    let indices: StrideTo<Int>
    if step > 0 {
      let lower = min(max(place(start ?? 0), 0), length)
      indices = stride(from: lower, to: min(max(place(end ?? length), 0), length), by: step)
    } else {
      let upper = min(max(place(start ?? length - 1), -1), length - 1)
      // Without an end the slice extends past the first element, to a position without an index.
      let lower = end.map { min(max(place($0), -1), length - 1) } ?? -1
      indices = stride(from: upper, to: lower, by: step)
    }
    for index in indices {
      if let child = tree.element(index, of: node.node) { found.append(located(child, .index(index), under: node)) }
    }
  }
}

/// The number of nodes that one evaluation visited. `$..*..*` visits each node once for each of its ancestors, and a
/// response may have 64 MB. Used by the evaluation's thread only.
final class PathWork {
  /// More than any query of names, indices and one `..` needs in a document of 20 MB.
  static let most = 5_000_000

  var visits = 0
  /// Then the result is empty.
  var isOver: Bool { visits > Self.most }
}

/// The patterns of one evaluation, each compiled once. Used by the evaluation's thread only.
final class PathPatterns {
  /// A document may contain as many patterns as nodes. Above this limit they are compiled each time.
  private static let most = 64

  private struct Key: Hashable {
    var pattern: String
    var whole: Bool
  }

  private var compiled: [Key: ECMAPattern?] = [:]
  private lazy var scratch = {
    let scratch = RegexScratch()
    scratch.slowTime = RegexScratch.slowTimeOfDocument
    return scratch
  }()

  /// True if an I-Regexp matches the whole string (`match`) or part of it (`search`).
  ///
  /// False for a pattern that is not an I-Regexp (RFC 9535 §2.4.6), and if the match exceeds its limit.
  func matches(_ text: String, _ pattern: String, whole: Bool) -> Bool {
    guard let regex = regex(Key(pattern: pattern, whole: whole)) else { return false }
    var text = text
    return text.withUTF8 { regex.matches(UnsafeRawBufferPointer($0), scratch) } == .yes
  }

  private func regex(_ key: Key) -> ECMAPattern? {
    if let known = compiled[key] { return known }
    let regex = try? ECMAPattern(key.pattern, syntax: .interoperable, whole: key.whole)
    if compiled.count < Self.most { compiled[key] = .some(regex) }
    return regex
  }
}

extension PathEvaluation {
  /// True if a filter's condition is met with `current` as `@`.
  func holds(_ condition: PathCondition, _ current: Located) -> Bool {
    switch condition {
    case .or(let parts): parts.contains { holds($0, current) }
    case .and(let parts): parts.allSatisfy { holds($0, current) }
    case .not(let part): !holds(part, current)
    case .exists(let query):
      query.isSingular ? single(query, current: current.node) != nil : !nodes(of: query, current: current).isEmpty
    case .comparison(let left, let comparison, let right):
      comparison.holds(value(left, current), value(right, current))
    case .test(let call): matches(call, current)
    }
  }

  /// The value of an operand; nil is RFC 9535's Nothing.
  private func value(_ operand: PathOperand, _ current: Located) -> JSONValue? {
    switch operand {
    case .literal(let value): value
    case .query(let query): single(query, current: current.node).map { tree.value(of: $0) }
    case .call(let call): value(call, current)
    }
  }

  private func value(_ call: PathCall, _ current: Located) -> JSONValue? {
    switch call.function {
    case .length:
      switch value(call.arguments[0], current) {
      case .string(let text): JSONValue(text.unicodeScalars.count)
      case .array(let elements): JSONValue(elements.count)
      case .object(let object): JSONValue(object.count)
      default: nil
      }
    case .count: JSONValue(nodes(call.arguments[0], current).count)
    case .value: onlyValue(of: nodes(call.arguments[0], current))
    // The parser accepts these as conditions only.
    case .match, .search: nil
    }
  }

  private func onlyValue(of nodes: [Located]) -> JSONValue? {
    guard nodes.count == 1 else { return nil }
    return tree.value(of: nodes[0].node)
  }

  private func nodes(_ operand: PathOperand, _ current: Located) -> [Located] {
    if case .query(let query) = operand { nodes(of: query, current: current) } else { [] }
  }

  private func matches(_ call: PathCall, _ current: Located) -> Bool {
    guard case .string(let text)? = value(call.arguments[0], current),
      case .string(let pattern)? = value(call.arguments[1], current)
    else { return false }
    return patterns.matches(text, pattern, whole: call.function == .match)
  }
}

extension PathComparison {
  /// §2.3.5.2.2. Nothing is equal only to Nothing; only numbers and strings are ordered.
  func holds(_ left: JSONValue?, _ right: JSONValue?) -> Bool {
    switch self {
    case .equal: left == right
    case .notEqual: left != right
    case .less: Self.isLess(left, right)
    case .greater: Self.isLess(right, left)
    case .lessOrEqual: left == right || Self.isLess(left, right)
    case .greaterOrEqual: left == right || Self.isLess(right, left)
    }
  }

  private static func isLess(_ left: JSONValue?, _ right: JSONValue?) -> Bool {
    switch (left, right) {
    case (.number(let a)?, .number(let b)?): a < b
    // UTF-8 has the same order as the Unicode scalars.
    case (.string(let a)?, .string(let b)?): a.utf8.lexicographicallyPrecedes(b.utf8)
    default: false
    }
  }
}
