import MurphyModel
import MurphySchema

extension DocumentSet {
  /// Follows `$ref`s from `located` to a value that is not a reference, across files.
  ///
  /// - Throws: a diagnostic at a reference that cannot be resolved or is circular.
  package mutating func resolved(_ located: Located) throws(Diagnostic) -> Located {
    var current = located
    var visited: Set<LocationKey> = []
    while let reference = current.value["$ref"]?.string {
      guard visited.insert(current.key).inserted else {
        throw diagnostic("this $ref leads back to itself", at: located["$ref"] ?? located, ofName: false)
      }
      current = try target(of: reference, from: current)
    }
    return current
  }

  /// The target of the reference `text`, which occurs in `located`.
  package mutating func target(of text: String, from located: Located) throws(Diagnostic) -> Located {
    let site = located["$ref"] ?? located
    let parts = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    let document = try document(of: parts.first.map(String.init) ?? "", from: site, base: located.document)
    let fragment = parts.count > 1 ? PercentEncoding.decode(parts[1]) : ""
    guard let pointer = JSONPointer(fragment) else {
      throw diagnostic(
        "\"\(text)\" is not a JSON Pointer: after the # a path such as /components/schemas/Name is expected", at: site,
        ofName: false)
    }
    // By RFC 6901 `file.yaml#/` means the member with the empty name. No document has one, so it means the whole file.
    if fragment == "/", pointer.resolve(in: documents[document].value) == nil { return root(document) }
    guard let value = pointer.resolve(in: documents[document].value) else {
      throw unresolved(text, pointer, in: document, at: site)
    }
    return Located(document: document, pointer: pointer, value: value)
  }

  /// True if a reference names a document on a network.
  static func isOnNetwork(_ name: String) -> Bool { name.hasPrefix("http://") || name.hasPrefix("https://") }

  private mutating func document(of name: String, from site: Located, base: Int) throws(Diagnostic) -> Int {
    if name.isEmpty { return base }
    if documents[base].isRemote {
      throw diagnostic(
        "\"\(name)\" is another document, but a contract that is fetched from the target is a single document; save "
          + "both and use the copy", at: site, ofName: false)
    }
    if Self.isOnNetwork(name) {
      throw diagnostic(
        "\"\(name)\" is on the network, and references are not fetched; save it next to this file and refer to the copy",
        at: site, ofName: false)
    }
    let (path, file) = location(of: name, from: base)
    guard mayOpen(path) else {
      if permits(path) { throw diagnostic("\"\(name)\" is not a regular file", at: site, ofName: false) }
      throw diagnostic(
        "\"\(name)\" lies outside of the contract's folder \(FileReader.directory(of: documents[0].path)); the "
          + "environment variable \(FileReader.foldersVariable)=FOLDER allows references to it",
        at: site, ofName: false)
    }
    do throws(ContractError) {
      return try open(path, named: file)
    } catch {
      let reason = error.diagnostics.first.map { "\($0.mark.text): \($0.message)" } ?? "it cannot be read"
      throw diagnostic("\"\(name)\" cannot be used: \(reason)", at: site, ofName: false)
    }
  }

  /// The absolute path of `name`, which is a reference in document `base`, and its name for messages.
  func location(of name: String, from base: Int) -> (path: String, file: String) {
    let relative = PercentEncoding.decode(name.hasPrefix("file://") ? String(name.dropFirst(7)) : name)
    let from = documents[base]
    let path = FileReader.absolute(relative, relativeTo: FileReader.directory(of: from.path))
    let directory = from.text.file.lastIndex(of: "/").map { String(from.text.file[...$0]) } ?? ""
    return (path, FileReader.normalized(relative.hasPrefix("/") ? relative : directory + relative))
  }

  /// A diagnostic with the part of the pointer that exists and the name that was probably meant.
  private func unresolved(_ text: String, _ pointer: JSONPointer, in document: Int, at site: Located) -> Diagnostic {
    var value = documents[document].value
    for token in pointer.tokens {
      if let next = JSONPointer(tokens: [token]).resolve(in: value) {
        value = next
        continue
      }
      let hint = suggestion(for: token, among: value.object?.keys ?? [])
      return diagnostic("\"\(text)\" cannot be resolved: there is no \"\(token)\"\(hint)", at: site, ofName: false)
    }
    return diagnostic("\"\(text)\" cannot be resolved", at: site, ofName: false)
  }
}
