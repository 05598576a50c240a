import MurphyModel
import MurphySchema

/// The files of a contract, each read once, and the resolution of `$ref`s between them.
package struct DocumentSet: Sendable {
  /// The documents by their number, in the order in which they were opened.
  package private(set) var documents: [SourceDocument] = []
  private var indices: [String: Int] = [:]
  private var unreadable: [String: ContractError] = [:]
  /// The documents that references in a document name, by its number.
  private var references: [Int: [Int]] = [:]
  let reader: FileReader
  /// True if references may lead to documents on a network, which `reader` has.
  let isOnline: Bool
  /// The documents that the contract itself names; references may only lead into their folders.
  var roots = [0]
  /// For each document that states no version: the document whose version applies.
  var owners: [Int: Int] = [:]

  /// An empty set that reads documents with `reader`.
  ///
  /// - Parameter isOnline: true if references may lead to documents on a network.
  package init(reader: FileReader = .files, isOnline: Bool = false) {
    self.reader = reader
    self.isOnline = isOnline
  }

  /// The document of `file`, read on first use.
  package mutating func open(_ path: String, named file: String) throws(ContractError) -> Int {
    if let index = indices[path] { return index }
    if let error = unreadable[path] { throw error }
    do throws(ContractError) {
      return add(try document(path, named: file))
    } catch {
      unreadable[path] = error
      throw error
    }
  }

  /// The number of a document that is open.
  func index(of path: String) -> Int? { indices[path] }

  /// Adds a document that was read already.
  mutating func add(_ document: SourceDocument) -> Int {
    documents.append(document)
    indices[document.path] = documents.count - 1
    return documents.count - 1
  }

  /// Applies an overlay to a document that is already open; returns the overlay's mistakes.
  mutating func overlay(_ path: String, named file: String, over index: Int) throws(ContractError) -> [Diagnostic] {
    var overlay = Overlay(try document(path, named: file))
    guard !overlay.problems.contains(where: { $0.severity == .error }) else { return overlay.problems }
    let base = documents[index]
    var tree = base.marked()
    overlay.apply(to: &tree, file: base.nextFile)
    documents[index] = SourceDocument(base, tree, overlay: overlay.document.text)
    references[index] = nil
    return overlay.problems
  }

  /// True if a reference may lead to `path`. This is checked before any file is opened.
  func mayOpen(_ path: String) -> Bool {
    if Self.isOnNetwork(path) { return isOnline }
    return indices[path] != nil || (permits(path) && !reader.isSpecial(path))
  }

  /// Replaces a document by its bundle with the parts of other documents, if it needs one.
  ///
  /// - Returns: the references that cannot be followed.
  @discardableResult mutating func bundle(_ document: Int) -> [Diagnostic] {
    guard DocumentBundle.isNeeded(documents[document]) else { return [] }
    let bundle = DocumentBundle(self, root: document)
    documents[document] = SourceDocument(documents[document], bundle)
    references[document] = nil
    return bundle.problems
  }

  /// True if `path` is in a folder that references may lead to.
  func permits(_ path: String) -> Bool { roots.contains { reader.permits(path, from: documents[$0].path) } }

  /// A document that is not part of the set.
  func document(_ path: String, named file: String) throws(ContractError) -> SourceDocument {
    try SourceDocument(text: SourceText(file: file, bytes: try bytes(path, named: file)), path: path)
  }

  private func bytes(_ path: String, named file: String) throws(ContractError) -> [UInt8] {
    do {
      return try reader.read(path)
    } catch {
      let mark = SourceMark(file: file, line: 1, column: 1)
      let reason = (error as? BoundedFile.Failure).map { ": \($0)" } ?? ""
      throw ContractError([Diagnostic("cannot read \(path)\(reason)", at: mark)])
    }
  }

  /// The document whose version applies to `document`; the first document if there is none.
  func owner(of document: Int) -> Int {
    if let owner = owners[document] { return owner }
    let value = documents[document].value
    return value["openapi"] == nil && value["swagger"] == nil ? roots.first ?? 0 : document
  }

  /// The whole document with this number.
  package func root(_ document: Int) -> Located {
    Located(document: document, pointer: .root, value: documents[document].value)
  }

  /// The position of the value, or of its member name.
  package func mark(_ located: Located, ofName: Bool = true) -> SourceMark {
    documents[located.document].mark(located.pointer, ofName: ofName)
  }

  /// A position for the message about a value: without the name of the file if the value is in the same file.
  func words(of mark: SourceMark, near located: Located) -> String {
    guard mark.file == self.mark(located).file else { return mark.text }
    return mark.pointer ?? "line \(mark.line)"
  }

  /// A diagnostic at the position of a value, or of its member name.
  package func diagnostic(
    _ message: String, at located: Located, ofName: Bool = true, severity: Diagnostic.Severity = .error
  ) -> Diagnostic {
    documents[located.document].diagnostic(message, at: located.pointer, ofName: ofName, severity: severity)
  }

  /// A pointer as reports show it: `#/paths/…` in the root document, `file#/…` in others.
  package func pointerText(_ located: Located) -> String {
    let fragment = "#" + documents[located.document].originalPointer(located.pointer).description
    return located.document == 0 ? fragment : documents[located.document].text.file + fragment
  }

  /// The position of a schema's location in the documents; nil for other documents.
  package func located(_ location: SchemaLocation) -> Located? {
    guard let document = documents.firstIndex(where: { $0.uri == location.document }) else { return nil }
    let value = location.pointer.resolve(in: documents[document].value) ?? .null
    return Located(document: document, pointer: location.pointer, value: value)
  }

  /// A schema's mistake as a diagnostic.
  package func diagnostic(
    _ problem: SchemaError, severity: Diagnostic.Severity, _ consequence: String = ""
  ) -> Diagnostic {
    guard let site = located(problem.location) else {
      let mark = SourceMark(file: documents.first?.text.file ?? "", line: 1, column: 1)
      return Diagnostic("\(problem.location): \(problem.message)\(consequence)", at: mark, severity: severity)
    }
    var message = unresolvable(problem, at: site) ?? problem.message
    // Its schemas are read as those of OpenAPI 3.0.
    if root(owner(of: site.document))["swagger"] != nil {
      message = message.replacing("in OpenAPI 3.0", with: "in Swagger 2.0")
    }
    return diagnostic(message + consequence, at: site, severity: severity)
  }

  /// The message for a `$ref` that leads to a missing part of an existing document: with the most similar name.
  private func unresolvable(_ problem: SchemaError, at site: Located) -> String? {
    guard problem.kind == .unresolvedReference, site.pointer.tokens.last == "$ref", let text = site.value.string,
      !text.contains("#") || text.contains("#/")
    else { return nil }
    var sources = self
    do throws(Diagnostic) {
      _ = try sources.target(of: text, from: site)
      return nil
    } catch {
      return error.message
    }
  }
}

extension DocumentSet {
  /// Opens every file that any `$ref` in the documents names, and the files that those name, recursively.
  ///
  /// A file that cannot be opened is skipped here. The error is reported where its reference is resolved.
  package mutating func openReferenced() {
    var next = 0
    while next < documents.count {
      defer { next += 1 }
      _ = referenced(by: next)
    }
  }

  /// The documents that references in `document` name, opened if possible.
  mutating func referenced(by document: Int) -> [Int] {
    // A document from the target must not lead to files of this machine.
    guard isOnline || !documents[document].isRemote else { return [] }
    if let known = references[document] { return known }
    var files: Set<String> = []
    Self.collectFiles(documents[document].value, into: &files)
    var found: [Int] = []
    for file in files.sorted() {
      let (path, name) = location(of: file, from: document)
      guard mayOpen(path) else { continue }
      if let index = try? open(path, named: name) { found.append(index) }
    }
    references[document] = found
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

extension DocumentSet {
  /// The version of OpenAPI that applies to a document: its own, or that of the document whose references lead to it.
  func version(of document: Int) -> OpenAPIVersion? { OpenAPIVersion(root(owner(of: document))) }

  /// The dialect of the document's schemas without a `$schema`.
  func dialect(of document: Int) -> Dialect {
    let owner = root(owner(of: document))
    if OpenAPIVersion(owner)?.line == .v30 { return .openAPI30 }
    return owner["jsonSchemaDialect"]?.value.string.flatMap { Dialect(uri: $0) } ?? .openAPI31
  }

  /// For each document without a version of its own, finds the document from which references lead to it.
  ///
  /// - Returns: a mistake for each document that is used by two documents with different schema languages.
  mutating func settleVersions() -> [Diagnostic] {
    var problems: [Diagnostic] = []
    for root in documents.indices where OpenAPIVersion(self.root(root)) != nil {
      var pending = [root]
      var visited: Set<Int> = [root]
      while let document = pending.popLast() {
        for next in referenced(by: document)
        where OpenAPIVersion(self.root(next)) == nil && visited.insert(next).inserted {
          pending.append(next)
          if let problem = own(next, by: root) { problems.append(problem) }
        }
      }
    }
    return problems
  }

  private mutating func own(_ document: Int, by root: Int) -> Diagnostic? {
    guard let known = owners[document] else {
      owners[document] = root
      return nil
    }
    guard let first = version(of: known), let second = version(of: root), first.hasOtherSchemas(than: second) else {
      return nil
    }
    return diagnostic(
      "\(documents[known].text.file) (OpenAPI \(first.text)) and \(documents[root].text.file) (OpenAPI "
        + "\(second.text)) both refer to this file, and their schemas mean different things; give each its own copy",
      at: self.root(document))
  }
}

extension OpenAPIVersion {
  /// 3.1 and 3.2 have one schema language, 3.0 has another.
  fileprivate func hasOtherSchemas(than other: OpenAPIVersion) -> Bool { (line == .v30) != (other.line == .v30) }
}

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
        "\"\(text)\" is not a JSON Pointer: after the # a path such as /components/schemas/Name is expected", at: site,
        ofName: false)
    }
    return (document, pointer)
  }

  /// The document and the pointer that the reference `text` in a document names, by the documents as they are in their
  /// files.
  mutating func place(
    of text: String, in base: Int, at place: SourceMarks.Place
  ) throws(Diagnostic) -> (document: Int, pointer: JSONPointer) {
    let file = documents[base].file(of: place)
    do throws(Diagnostic) {
      var (document, pointer) = try split(text, from: root(base))
      let value = documents[document].sourceValue
      if pointer.tokens == [""], pointer.resolve(in: value) == nil { pointer = .root }
      guard pointer.resolve(in: value) != nil else {
        throw unresolved(text, pointer, in: document, at: root(base))
      }
      return (document, pointer)
    } catch {
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
          + "both and use the copy", at: site, ofName: false)
    }
    if Self.isOnNetwork(name), !isOnline {
      throw diagnostic(
        "\"\(name)\" is on the network, and murphy does not fetch it; `murphy check --bundle=FILE` fetches it and writes "
          + "one document", at: site, ofName: false)
    }
    let (path, file) = location(of: name, from: base)
    guard mayOpen(path) else {
      if permits(path) { throw diagnostic("\"\(name)\" is not a regular file", at: site, ofName: false) }
      throw diagnostic(
        "\"\(name)\" is outside of the contract's folder \(FileReader.directory(of: documents[0].path)); the "
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
