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
