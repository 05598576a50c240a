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
    let (document, pointer) = try split(text, from: site)
    // By RFC 6901 `file.yaml#/` means the member with the empty name. No document has one, so it means the whole file.
    if pointer.tokens == [""], pointer.resolve(in: documents[document].value) == nil { return root(document) }
    guard let value = pointer.resolve(in: documents[document].value) else {
      throw unresolved(text, pointer, in: document, at: site)
    }
    return Located(document: document, pointer: pointer, value: value)
  }

  /// The document and the pointer that a reference names.
  private mutating func split(
    _ text: String, from site: Located
  ) throws(Diagnostic) -> (document: Int, pointer: JSONPointer) {
    let parts = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    let document = try document(of: parts.first.map(String.init) ?? "", from: site, base: site.document)
    guard let pointer = JSONPointer(parts.count > 1 ? PercentEncoding.decode(parts[1]) : "") else {
      throw diagnostic(
        "\"\(text)\" is not a JSON Pointer; expected a path such as /components/schemas/Name after the #", at: site,
        ofName: false)
    }
    return (document, pointer)
  }

  /// The document and the pointer that the reference `text` in a document names, by the documents as they are in their
  /// files.
  mutating func place(
    of text: String, in base: Int, at place: SourceMarks.Place
  ) throws(Diagnostic) -> (document: Int, pointer: JSONPointer) {
    do throws(Diagnostic) {
      var (document, pointer) = try split(text, from: root(base))
      let value = documents[document].sourceValue
      if pointer.tokens == [""], pointer.resolve(in: value) == nil { pointer = .root }
      guard pointer.resolve(in: value) != nil else {
        throw unresolved(text, pointer, in: document, at: root(base))
      }
      return (document, pointer)
    } catch {
      let file = documents[base].file(of: place)
      throw file.diagnostic(error.message, at: documents[base].mark(place, nil), severity: .warning)
    }
  }

  /// True if a reference names a document on a network.
  static func isOnNetwork(_ name: String) -> Bool { name.hasPrefix("http://") || name.hasPrefix("https://") }

  private mutating func document(of name: String, from site: Located, base: Int) throws(Diagnostic) -> Int {
    if name.isEmpty { return base }
    if documents[base].isRemote, !isOnline {
      throw diagnostic(
        "\"\(name)\" is another document, but a contract that is fetched from the target is a single document; save "
          + "both documents and use the local copies", at: site, ofName: false)
    }
    if Self.isOnNetwork(name), !isOnline {
      throw diagnostic(
        "\"\(name)\" is on the network, and murphy does not fetch it. `murphy check --bundle=FILE` fetches it and "
          + "writes a single document", at: site, ofName: false)
    }
    let (path, file) = location(of: name, from: base)
    guard mayOpen(path) else {
      if permits(path) { throw diagnostic("\"\(name)\" is not a regular file", at: site, ofName: false) }
      throw diagnostic(
        "\"\(name)\" is outside of the contract's folder \(FileReader.directory(of: documents[0].path)); set the "
          + "environment variable \(FileReader.foldersVariable)=FOLDER to allow references to another folder",
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
    if Self.isOnNetwork(name) || documents[base].isRemote {
      let url = URIReference(name).resolved(against: URIReference(documents[base].path)).text
      return (url, url)
    }
    let relative = PercentEncoding.decode(name.hasPrefix("file://") ? String(name.dropFirst(7)) : name)
    let from = documents[base]
    let path = FileReader.absolute(relative, relativeTo: FileReader.directory(of: from.path))
    let directory = from.text.file.lastIndex(of: "/").map { String(from.text.file[...$0]) } ?? ""
    return (path, FileReader.normalized(relative.hasPrefix("/") ? relative : directory + relative))
  }

  /// A diagnostic with the part of the pointer that exists and the name that was probably meant.
  private func unresolved(_ text: String, _ pointer: JSONPointer, in document: Int, at site: Located) -> Diagnostic {
    var value = documents[document].sourceValue
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

extension JSONValue {
  /// Calls `body` for each member that is a string, on all levels.
  func visit(_ body: (_ name: String, _ text: String) -> Void) {
    switch self {
    case .object(let object):
      for member in object.members {
        if let text = member.value.string { body(member.key, text) } else { member.value.visit(body) }
      }
    case .array(let items): for item in items { item.visit(body) }
    default: break
    }
  }
}
