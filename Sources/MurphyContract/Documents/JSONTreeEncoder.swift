import MurphyModel
import MurphySchema

/// Encodes a value as JSON with snake_case keys, in the order in which the type encodes them.
///
/// Foundation's encoder offers only hash order and alphabetical order. Then a reader cannot find the verdict between
/// histograms of a thousand lines.
package enum JSONTreeEncoder {
  /// - Parameters:
  ///   - mask: removes secrets from every string except the values of murphy's own closed lists: kinds of findings,
  ///     units, verdicts. A secret with the same spelling as one of them would make the result unreadable.
  ///   - isExact: uses the types' own keys and encodes histograms without loss (`CodingUserInfoKey.isExact`).
  package static func encode(
    _ value: some Encodable, masking mask: SecretMask? = nil, isExact: Bool = false
  ) throws -> JSONValue {
    let node = EncodedNode()
    try value.encode(to: NodeEncoder(node: node, codingPath: [], style: EncodingStyle(mask: mask, isExact: isExact)))
    return node.value
  }
}

/// How values are written.
struct EncodingStyle {
  var mask: SecretMask?
  var isExact: Bool
  /// True for the content of messages: no string is a sentence of murphy.
  var isData = false

  var data: EncodingStyle { EncodingStyle(mask: mask, isExact: isExact, isData: true) }

  func name(_ key: any CodingKey) -> String { isExact ? key.stringValue : snakeCase(key.stringValue) }
}

/// Writes one value into its node. It is also the container of a single value.
struct NodeEncoder: Encoder, SingleValueEncodingContainer {
  let node: EncodedNode
  let codingPath: [any CodingKey]
  let style: EncodingStyle
  var userInfo: [CodingUserInfoKey: Any] { style.isExact ? [.isExact: true] : [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    if case .none = node.content { node.content = .object([]) }
    return KeyedEncodingContainer(KeyedNodeContainer<Key>(node: node, codingPath: codingPath, style: style))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    if case .none = node.content { node.content = .array([]) }
    return NodeListContainer(node: node, codingPath: codingPath, style: style)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  func encodeNil() { node.content = .scalar(.null) }
  func encode(_ value: Bool) { node.content = .scalar(.bool(value)) }
  func encode(_ value: String) { node.content = .scalar(.string(value)) }

  func encode(_ value: some BinaryInteger & Encodable) {
    guard let number = JSONNumber(text: String(value)) else { return }
    node.content = .scalar(.number(number))
  }

  /// JSON has no infinity and no NaN (RFC 8259 §6). One such number must not make a run lose its record: infinities
  /// become the largest number, NaN becomes 0.
  func encode(_ value: some BinaryFloatingPoint & Encodable) {
    let bound = Double.greatestFiniteMagnitude
    let finite = value.isNaN ? 0 : min(max(Double(value), -bound), bound)
    node.content = .scalar(.number(JSONNumber(finite)))
  }

  func encode(_ value: some Encodable) throws {
    // A generic call through a container would bypass the fast cases above.
    switch value {
    // A value of a closed list has its own type and writes its raw value itself.
    case let value as String: encode(style.mask?.masked(value, isProse: !style.isData) ?? value)
    case let value as Exchange: try value.encode(to: NodeEncoder(node: node, codingPath: codingPath, style: style.data))
    case let value as ShellScript: encode((style.mask?.masked(value) ?? value).text)
    case let value as Int: encode(value)
    case let value as Int64: encode(value)
    case let value as Double: encode(value)
    default: try value.encode(to: self)
    }
  }
}

/// The members of an object, with names in snake_case.
struct KeyedNodeContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let node: EncodedNode
  let codingPath: [any CodingKey]
  let style: EncodingStyle

  private func member(_ key: Key) -> NodeEncoder {
    NodeEncoder(node: node.member(style.name(key)), codingPath: codingPath + [key], style: style)
  }

  func encodeNil(forKey key: Key) { member(key).encodeNil() }
  func encode(_ value: some Encodable, forKey key: Key) throws { try member(key).encode(value) }

  func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) -> KeyedEncodingContainer<Nested>
  {
    member(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { member(key).unkeyedContainer() }
  func superEncoder() -> any Encoder { NodeEncoder(node: node, codingPath: codingPath, style: style) }
  func superEncoder(forKey key: Key) -> any Encoder { member(key) }
}

/// The elements of an array.
struct NodeListContainer: UnkeyedEncodingContainer {
  let node: EncodedNode
  let codingPath: [any CodingKey]
  let style: EncodingStyle

  var count: Int {
    if case .array(let nodes) = node.content { nodes.count } else { 0 }
  }

  private func element() -> NodeEncoder { NodeEncoder(node: node.element(), codingPath: codingPath, style: style) }

  func encodeNil() { element().encodeNil() }
  func encode(_ value: some Encodable) throws { try element().encode(value) }

  func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
    element().container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { element().unkeyedContainer() }
  func superEncoder() -> any Encoder { NodeEncoder(node: node, codingPath: codingPath, style: style) }
}

/// A value under construction. A type's containers share it during encoding.
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
      // Released first, so that the array is extended in place.
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

/// `inFlightAtEnd` as `in_flight_at_end`.
package func snakeCase(_ name: String) -> String {
  // Character.isUppercase looks up Unicode tables, and a large result has 100,000 keys. Names in Swift code are ASCII.
  var bytes: [UInt8] = []
  bytes.reserveCapacity(name.utf8.count + 8)
  for byte in name.utf8 {
    if UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte {
      if !bytes.isEmpty { bytes.append(UInt8(ascii: "_")) }
      bytes.append(byte + 0x20)
    } else {
      bytes.append(byte)
    }
  }
  return String(decoding: bytes, as: UTF8.self)
}
