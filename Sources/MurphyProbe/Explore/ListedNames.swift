import MurphySchema

/// Finds the names of items in responses that the document does not describe.
struct ListedNames {
  private let names: [String]

  /// - Parameter names: fields that may identify an item, the most probable first.
  init(_ names: [String]) { self.names = names }

  /// The place of the first item's name: in an array, in the only array of an object, or in a map of names to items.
  func place(in response: JSONValue) -> JSONPointer? {
    if let tokens = first(of: response) { return JSONPointer(tokens: tokens) }
    guard case .object(let object) = response else { return nil }
    let lists = object.members.compactMap { member in first(of: member.value).map { [member.key] + $0 } }
    if lists.count == 1 { return JSONPointer(tokens: lists[0]) }
    return (entry(of: object) ?? object.members.lazy.compactMap { inner($0.key, $0.value) }.first)
      .map { JSONPointer(tokens: $0) }
  }

  /// The place of the new item's name in the response to its creation; the item may be in a field of its own.
  func place(ofCreated response: JSONValue) -> JSONPointer? {
    if isId(response) { return .root }
    let item = Explorer.item(response)
    guard case .object(let object) = response, let name = names.first(where: { isName(item[$0]) }) else { return nil }
    let field = item == response ? nil : object.members.first { $0.value == item }?.key
    return JSONPointer(tokens: [field, name].compactMap(\.self))
  }

  /// True if the whole response is an id, and not a message.
  func isId(_ response: JSONValue) -> Bool {
    isName(response) && response.string?.contains(where: \.isWhitespace) != true
  }

  private func inner(_ key: String, _ value: JSONValue) -> [String]? {
    guard case .object(let object) = value else { return nil }
    return entry(of: object).map { [key] + $0 }
  }

  private func first(of value: JSONValue) -> [String]? {
    guard let item = value.array?.first else { return nil }
    if item.string != nil || item.int != nil { return ["0"] }
    return names.first { isName(item[$0]) }.map { ["0", $0] }
  }

  /// An item whose own field repeats its key: `{"a": {"name": "a"}}`.
  private func entry(of map: JSONObject) -> [String]? {
    map.members.lazy.compactMap { member in
      names.first { member.value[$0] == .string(member.key) }.map { [member.key, $0] }
    }.first
  }

  private func isName(_ value: JSONValue?) -> Bool { value?.string?.isEmpty == false || value?.int != nil }
}
