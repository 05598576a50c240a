import MurphyJSON

/// A value of a document together with the place it was found at.
package struct Located: Sendable {
  /// Index into the ``DocumentSet``.
  package let document: Int
  package let pointer: JSONPointer
  package let value: JSONValue

  package init(document: Int, pointer: JSONPointer, value: JSONValue) {
    self.document = document
    self.pointer = pointer
    self.value = value
  }

  package subscript(key: String) -> Located? {
    value[key].map { Located(document: document, pointer: pointer.appending(key), value: $0) }
  }

  /// The members of an object, in order; none for other values.
  package var members: [(key: String, located: Located)] {
    guard case .object(let object) = value else { return [] }
    return object.members.map {
      ($0.key, Located(document: document, pointer: pointer.appending($0.key), value: $0.value))
    }
  }

  /// The items of an array, in order; none for other values.
  package var items: [Located] {
    guard case .array(let items) = value else { return [] }
    return items.enumerated().map {
      Located(document: document, pointer: pointer.appending($0.offset), value: $0.element)
    }
  }

  package var key: LocationKey { LocationKey(document: document, pointer: pointer.description) }
}

/// A place in the documents, for tables.
package struct LocationKey: Sendable, Hashable {
  package let document: Int
  package let pointer: String
}
