import MurphyJSON

/// A value under construction; containers of a type share it while it encodes itself.
final class EncodedNode {
  enum Content {
    case none
    case scalar(JSONValue)
    case array([EncodedNode])
    case object([(key: String, node: EncodedNode)])
  }

  var content = Content.none

  var value: JSONValue {
    switch content {
    case .none: .object(JSONObject())
    case .scalar(let value): value
    case .array(let nodes): .array(nodes.map(\.value))
    case .object(let members): .object(JSONObject(members.map { ($0.key, $0.node.value) }))
    }
  }

  func member(_ key: String) -> EncodedNode {
    let node = EncodedNode()
    if case .object(var members) = content {
      // Freed first, so that the array is grown in place.
      content = .none
      members.append((key, node))
      content = .object(members)
    } else {
      content = .object([(key, node)])
    }
    return node
  }

  func element() -> EncodedNode {
    let node = EncodedNode()
    if case .array(var nodes) = content {
      content = .none
      nodes.append(node)
      content = .array(nodes)
    } else {
      content = .array([node])
    }
    return node
  }
}
