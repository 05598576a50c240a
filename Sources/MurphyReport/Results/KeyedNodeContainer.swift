/// The members of an object, their names as snake_case.
struct KeyedNodeContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let node: EncodedNode
  let codingPath: [any CodingKey]

  private func member(_ key: Key) -> NodeEncoder {
    NodeEncoder(node: node.member(snakeCase(key.stringValue)), codingPath: codingPath + [key])
  }

  func encodeNil(forKey key: Key) { member(key).encodeNil() }
  func encode(_ value: some Encodable, forKey key: Key) throws { try member(key).encode(value) }

  func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) -> KeyedEncodingContainer<Nested>
  {
    member(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { member(key).unkeyedContainer() }
  func superEncoder() -> any Encoder { NodeEncoder(node: node, codingPath: codingPath) }
  func superEncoder(forKey key: Key) -> any Encoder { member(key) }
}
