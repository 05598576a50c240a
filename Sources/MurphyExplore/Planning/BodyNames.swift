import MurphyDraft
import MurphyJSON

/// Members of a body that name a thing of another collection: `book_id`, `authorId`.
enum BodyNames {
  /// Their places, with the thing's noun.
  ///
  /// - Parameter isCollection: whether a name without `id` at its end is that of a collection: `task` with a number or a UUID.
  static func references(
    in body: JSONValue, isCollection: (String) -> Bool = { _ in false }
  ) -> [(pointer: JSONPointer, name: String)] {
    var found: [(JSONPointer, String)] = []
    func isBare(_ value: JSONValue, _ name: String, isElement: Bool) -> Bool {
      guard
        value.int != nil || value.string?.wholeMatch(of: /[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}/) != nil
      else { return false }
      return (isElement || DraftNames.singular(name) == name) && isCollection(name)
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

  static func isReference(_ name: String) -> Bool { suffix(of: name) != nil }

  /// `bookId` → `book`
  static func noun(_ name: String) -> String {
    let stem = suffix(of: name).map { String(name.dropLast($0.count)) } ?? name
    return DraftNames.plain(DraftNames.singular(stem))
  }

  private static func suffix(of name: String) -> String? {
    ["_ids", "_id", "Ids", "IDs", "Id", "ID", "_uuid", "Uuid", "-id"].first {
      name.hasSuffix($0) && name.count > $0.count
    }
  }
}
