import MurphySchema

/// A value of a document and its position.
package struct Located: Sendable {
  /// Index into the ``DocumentSet``.
  package let document: Int
  /// The path within the document.
  package let pointer: JSONPointer
  package let value: JSONValue

  package subscript(key: String) -> Located? {
    value[key].map { Located(document: document, pointer: pointer.appending(key), value: $0) }
  }

  /// The members of an object, in order; empty for other values.
  package var members: [(key: String, located: Located)] {
    guard case .object(let object) = value else { return [] }
    return object.members.map {
      ($0.key, Located(document: document, pointer: pointer.appending($0.key), value: $0.value))
    }
  }

  /// The items of an array, in order; empty for other values.
  package var items: [Located] {
    guard case .array(let items) = value else { return [] }
    return items.enumerated().map {
      Located(document: document, pointer: pointer.appending($0.offset), value: $0.element)
    }
  }

  /// For tables; two places with equal keys are the same.
  package var key: LocationKey { LocationKey(document: document, pointer: pointer.description) }
}

/// The keywords of a schema itself, without the schemas that it refers to.
extension Located {
  /// The names under `type`, one or a list of them; nil without `type`.
  var types: [String]? {
    guard let type = value["type"] else { return nil }
    return type.string.map { [$0] } ?? type.array?.compactMap(\.string)
  }

  var required: [String] { value["required"]?.array?.compactMap(\.string) ?? [] }
}

extension [Located] {
  /// The members that schemas of one value name, each once with all its schemas, in the order of first occurrence.
  var properties: [(name: String, schemas: [Located])] {
    var order: [String] = []
    var schemas: [String: [Located]] = [:]
    for (name, schema) in flatMap({ $0["properties"]?.members ?? [] }) {
      if schemas[name] == nil { order.append(name) }
      schemas[name, default: []].append(schema)
    }
    return order.map { ($0, schemas[$0] ?? []) }
  }
}

/// A place in the documents, for tables.
package struct LocationKey: Sendable, Hashable {
  /// The number of the document in its set.
  package let document: Int
  /// The text of the pointer.
  package let pointer: String
}
