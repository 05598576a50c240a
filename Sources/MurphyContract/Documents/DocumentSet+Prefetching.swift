import MurphyJSON

extension DocumentSet {
  /// Opens every file that any `$ref` in the documents names, and those that they name in turn.
  ///
  /// What cannot be opened is left out here: whoever needs it says so, at the reference.
  package mutating func openReferenced() {
    var next = 0
    while next < documents.count {
      defer { next += 1 }
      _ = referenced(by: next)
    }
  }

  /// The documents that references in one name, opened where they can be.
  mutating func referenced(by document: Int) -> [Int] {
    // What the target says must not lead to files of this machine.
    guard !documents[document].isRemote else { return [] }
    var files: Set<String> = []
    Self.collectFiles(documents[document].value, into: &files)
    var found: [Int] = []
    for file in files.sorted() where !file.contains("://") || file.hasPrefix("file://") {
      let (path, name) = location(of: file, from: document)
      if let index = try? open(path, named: name) { found.append(index) }
    }
    return found
  }

  private static func collectFiles(_ value: JSONValue, into files: inout Set<String>) {
    switch value {
    case .object(let object):
      for member in object.members {
        if member.key == "$ref", let text = member.value.string, let file = file(of: text) {
          files.insert(file)
        } else {
          collectFiles(member.value, into: &files)
        }
      }
    case .array(let items): for item in items { collectFiles(item, into: &files) }
    default: break
    }
  }

  private static func file(of reference: String) -> String? {
    let file = reference.prefix { $0 != "#" }
    return file.isEmpty ? nil : String(file)
  }
}
