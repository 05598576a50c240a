import MurphyContract
import MurphyJSON

/// Members of a body that name a thing of another collection: `book_id`, `authorId`.
package enum BodyNames {
  /// Their places, with the thing's noun.
  ///
  /// - Parameter isCollection: whether a name without `id` at its end is that of a collection: `task` with a number or a UUID.
  package static func references(
    in body: JSONValue, isCollection: (_ name: String, _ isNumber: Bool) -> Bool = { _, _ in false }
  ) -> [(pointer: JSONPointer, name: String)] {
    var found: [(JSONPointer, String)] = []
    func isBare(_ value: JSONValue, _ name: String, isElement: Bool) -> Bool {
      guard value.int != nil || value.string.map(isUUID) == true else { return false }
      return (isElement || DraftNames.singular(name) == name) && isCollection(name, value.int != nil)
    }
    func visit(_ value: JSONValue, _ pointer: JSONPointer, _ name: String, isElement: Bool = false) {
      guard pointer.tokens.count <= 4 else { return }
      switch value {
      case .object(let object):
        for member in object.members { visit(member.value, pointer.appending(member.key), member.key) }
      case .array(let items):
        for (index, item) in items.enumerated() { visit(item, pointer.appending(index), name, isElement: true) }
      case .string, .number:
        if isReference(name) || isBare(value, name, isElement: isElement) { found.append((pointer, name)) }
      default: break
      }
    }
    visit(body, .root, "")
    return found
  }

  package static func isUUID(_ text: String) -> Bool {
    text.wholeMatch(of: /[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}/) != nil
  }

  package static func isReference(_ name: String) -> Bool { suffix(of: name) != nil }

  /// `bookId` → `book`
  package static func noun(_ name: String) -> String {
    let stem = suffix(of: name).map { String(name.dropLast($0.count)) } ?? name
    return DraftNames.plain(DraftNames.singular(stem))
  }

  private static func suffix(of name: String) -> String? {
    ["_ids", "_id", "Ids", "IDs", "Id", "ID", "_uuid", "Uuid", "-id"].first {
      name.hasSuffix($0) && name.count > $0.count
    }
  }
}

/// The collections of a contract by the names that bodies have for their items.
package struct CollectionNames: Sendable {
  /// By noun: the shortest path, in segments.
  private var paths: [String: [String]] = [:]
  /// Those whose items have numbers for names.
  private var numbered: Set<[String]> = []

  package init(_ paths: some Sequence<[String]>, _ contract: Contract) {
    for (index, operation) in contract.operations.enumerated() {
      for (name, prefix) in PathShape(operation.path).parameters where contract.takesInteger(name, in: index) {
        numbered.insert(prefix)
      }
    }
    for path in paths.sorted(by: { ($0.count, $0.joined()) < ($1.count, $1.joined()) }) {
      guard let last = path.last else { continue }
      for noun in [DraftNames.singular(last), last].map(DraftNames.plain) where self.paths[noun] == nil {
        self.paths[noun] = path
      }
    }
  }

  /// The path of the collection whose item a member such as `bookId` or `author` names.
  package subscript(name: String) -> [String]? { paths[BodyNames.noun(name)] }

  package func references(in body: JSONValue) -> [(pointer: JSONPointer, name: String)] {
    // A number is no name where the items have texts, nor a text where they have numbers.
    BodyNames.references(in: body) { name, isNumber in self[name].map { numbered.contains($0) == isNumber } == true }
  }
}
