/// A JSONPath query (RFC 9535), parsed once and evaluated many times.
public struct JSONPath: Sendable, Hashable {
  /// The original spelling.
  public let text: String
  let query: PathQuery

  /// Parses a query. Cost: linear in its length.
  public init(_ text: String) throws(JSONPathError) {
    var parser = PathParser(text)
    query = try parser.document()
    self.text = text
  }

  /// True if it can find at most one node: only names and indices (RFC 9535 §2.3.5.1).
  package var isSingular: Bool { query.isSingular }
}

extension JSONPath: CustomStringConvertible {
  public var description: String { text }
}

extension JSONPath {
  /// The same query as a jq filter that returns its nodes one after another; nil for one with slices, conditions or
  /// descendants.
  package var filter: String? {
    var text = ""
    for segment in query.segments {
      guard !segment.isDescendant, segment.selectors.count == 1 else { return nil }
      switch segment.selectors[0] {
      case .name(let name): text += Self.member(name)
      case .index(let index): text += "[\(index)]?"
      case .wildcard: text += "[]?"
      case .slice, .filter: return nil
      }
    }
    return "." + text
  }

  /// A step of a query, as far as its text tells.
  package enum Step: Sendable, Hashable {
    case name(String)
    /// An item of an array; nil for any of them.
    case item(Int?)
    /// Any member or item.
    case any
  }

  /// The steps of the query up to the first one that other values decide: a condition or descendants.
  package var outline: [Step] {
    var steps: [Step] = []
    for segment in query.segments {
      guard !segment.isDescendant, segment.selectors.count == 1 else { break }
      switch segment.selectors[0] {
      case .name(let name): steps.append(.name(name))
      case .index(let index): steps.append(.item(index < 0 ? nil : index))
      case .slice: steps.append(.item(nil))
      case .wildcard: steps.append(.any)
      // A condition may read other parts of the document.
      case .filter: return text.dropFirst().contains("$") ? [] : steps
      }
    }
    return steps
  }

  /// A member as a jq filter.
  package static func member(_ name: String) -> String { "[\(JSONValue.string(name).text)]?" }

  /// A node that a query found.
  package struct Node: Sendable, Hashable {
    /// Its normalized path (RFC 9535 §2.7): `$['data'][0]['id']`.
    package let path: String
    /// The value at the path.
    package let value: JSONValue
  }

  /// The values found, in document order if RFC 9535 leaves it open.
  ///
  /// Cost: linear in the nodes visited; a query such as `$..*..*` visits nodes as often as the RFC requires. A query
  /// that visits more than five million nodes finds nothing.
  public func values(in document: JSONValue) -> [JSONValue] {
    PathEvaluation(ValueTree(root: document), tracks: false).nodes(of: query).map(\.node)
  }

  /// As `values(in:)`, but builds only the values found. They do not depend on the tape's lifetime.
  package func values(in tape: Tape) -> [JSONValue] {
    PathEvaluation(TapeTree(tape: tape), tracks: false).nodes(of: query).map { tape.value(at: $0.node) }
  }

  /// The nodes found, with their normalized paths.
  ///
  /// - Throws: if the query visits more than five million nodes.
  package func nodes(in document: JSONValue) throws(PathExcess) -> [Node] {
    try located(in: document).map {
      Node(path: Self.normalizedPath(PathLocation.steps(to: $0.location)), value: $0.node)
    }
  }

  private func located(
    in document: JSONValue
  ) throws(PathExcess) -> [PathEvaluation<ValueTree>.Located] {
    let evaluation = PathEvaluation(ValueTree(root: document), tracks: true)
    let found = evaluation.nodes(of: query)
    guard !evaluation.work.isOver else { throw PathExcess(query: text) }
    return found
  }

  /// The pointers of the nodes found, in order.
  ///
  /// - Throws: if the query visits more than five million nodes.
  package func pointers(in document: JSONValue) throws(PathExcess) -> [JSONPointer] {
    try located(in: document).map { found in
      JSONPointer(
        tokens: PathLocation.steps(to: found.location).map { step in
          switch step {
          case .index(let index): String(index)
          case .name(let name): name
          }
        })
    }
  }

  /// RFC 9535 §2.7.
  static func normalizedPath(_ steps: [PathStep]) -> String {
    steps.reduce(into: "$") { path, step in
      switch step {
      case .index(let index): path += "[\(index)]"
      case .name(let name):
        path += "['"
        for scalar in name.unicodeScalars { path += scalar.escaped(within: "'") }
        path += "']"
      }
    }
  }
}

/// The path from the root to a node, last step first. Nodes below the same parent share it.
final class PathLocation: Sendable {
  let parent: PathLocation?
  let step: PathStep

  init(_ step: PathStep, under parent: PathLocation?) {
    self.step = step
    self.parent = parent
  }

  /// The steps from the root.
  static func steps(to location: PathLocation?) -> [PathStep] {
    var steps: [PathStep] = []
    var current = location
    while let place = current {
      steps.append(place.step)
      current = place.parent
    }
    return steps.reversed()
  }
}

/// The error for a query that visits more nodes of a document than allowed.
package struct PathExcess: Error, CustomStringConvertible {
  let query: String

  package var description: String { "\(query) visits more than \(PathWork.most) nodes of the document" }
}

/// A text that is not a JSONPath query.
public struct JSONPathError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The original spelling.
  public let query: String
  /// The number of Unicode scalars before the mistake.
  public let offset: Int
  /// The found and the expected.
  public let message: String

  /// The message, the query and a caret under the mistake.
  public var description: String {
    // A line break in the query would shift the caret.
    let line = String(String.UnicodeScalarView(query.unicodeScalars.map { $0.value < 0x20 ? " " : $0 }))
    return "not a JSONPath query: \(message)\n  \(line)\n  \(String(repeating: " ", count: offset))^"
  }
}

/// The access to a document that a query needs, independent of its storage.
protocol PathTree {
  associatedtype Node

  var root: Node { get }
  func member(_ name: String, of node: Node) -> Node?
  /// `index` counts from 0; nil outside of the array or for any other kind of node.
  func element(_ index: Int, of node: Node) -> Node?
  /// The number of elements of an array; nil for any other kind of node.
  func length(of node: Node) -> Int?
  /// Visits every child in order. Names are created only if `naming` is true.
  func visitChildren(of node: Node, naming: Bool, _ visit: (PathStep, Node) -> Void)
  /// The node with all its descendants.
  func value(of node: Node) -> JSONValue
}

/// From a node to one of its children.
enum PathStep: Sendable, Hashable {
  case name(String)
  case index(Int)
}

/// A document as a value.
struct ValueTree: PathTree {
  let root: JSONValue

  func member(_ name: String, of node: JSONValue) -> JSONValue? { node[name] }

  func element(_ index: Int, of node: JSONValue) -> JSONValue? { node[index] }

  func length(of node: JSONValue) -> Int? { node.array?.count }

  func visitChildren(of node: JSONValue, naming: Bool, _ visit: (PathStep, JSONValue) -> Void) {
    switch node {
    case .array(let elements):
      for (index, element) in elements.enumerated() { visit(.index(index), element) }
    case .object(let object):
      for member in object.members { visit(.name(member.key), member.value) }
    default: return
    }
  }

  func value(of node: JSONValue) -> JSONValue { node }
}

/// A document as a tape: nodes are positions on it.
struct TapeTree: PathTree {
  let tape: Tape

  var root: Int { tape.root }

  func member(_ name: String, of node: Int) -> Int? { tape.member(name, of: node) }

  func element(_ index: Int, of node: Int) -> Int? {
    guard tape.kind(at: node) == .array, index >= 0 else { return nil }
    let contents = tape.contents(at: node)
    var position = contents.lowerBound
    for _ in 0..<index {
      guard position < contents.upperBound else { return nil }
      position = tape.next(after: position)
    }
    return position < contents.upperBound ? position : nil
  }

  func length(of node: Int) -> Int? {
    guard tape.kind(at: node) == .array else { return nil }
    let contents = tape.contents(at: node)
    var position = contents.lowerBound
    var count = 0
    while position < contents.upperBound {
      count += 1
      position = tape.next(after: position)
    }
    return count
  }

  func visitChildren(of node: Int, naming: Bool, _ visit: (PathStep, Int) -> Void) {
    switch tape.kind(at: node) {
    case .array:
      let contents = tape.contents(at: node)
      var position = contents.lowerBound
      var index = 0
      while position < contents.upperBound {
        visit(.index(index), position)
        index += 1
        position = tape.next(after: position)
      }
    case .object:
      let contents = tape.contents(at: node)
      var position = contents.lowerBound
      while position < contents.upperBound {
        visit(.name(naming ? tape.string(at: position) : ""), position + 1)
        position = tape.next(after: position + 1)
      }
    default: return
    }
  }

  func value(of node: Int) -> JSONValue { tape.value(at: node) }
}
