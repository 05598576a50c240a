/// The elements of an array.
struct NodeListContainer: UnkeyedEncodingContainer {
  let node: EncodedNode
  let codingPath: [any CodingKey]

  var count: Int {
    if case .array(let nodes) = node.content { nodes.count } else { 0 }
  }

  private func element() -> NodeEncoder { NodeEncoder(node: node.element(), codingPath: codingPath) }

  func encodeNil() { element().encodeNil() }
  func encode(_ value: some Encodable) throws { try element().encode(value) }

  func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
    element().container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { element().unkeyedContainer() }
  func superEncoder() -> any Encoder { NodeEncoder(node: node, codingPath: codingPath) }
}
