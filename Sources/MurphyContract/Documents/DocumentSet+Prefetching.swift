import MurphyJSON

extension DocumentSet {
  /// Opens every file that any `$ref` in the documents names, and those that they name in turn.
  ///
  /// What cannot be opened is left out here: whoever needs it says so, at the reference.
  package mutating func openReferenced() {
    var next = 0
    while next < documents.count {
      defer { next += 1 }
      // What the target says must not lead to files of this machine.
      guard !documents[next].isRemote else { continue }
      var files: Set<String> = []
      Self.collectFiles(documents[next].value, into: &files)
      for file in files.sorted() where !file.contains("://") || file.hasPrefix("file://") {
        let (path, name) = location(of: file, from: next)
        _ = try? open(path, named: name)
      }
    }
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
