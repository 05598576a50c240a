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
      message = message.replacingScalars("in OpenAPI 3.0", with: "in Swagger 2.0")
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
    documents[document].value.visit { name, text in
      if name == "$ref" { files.insert(String(text.prefix { $0 != "#" })) }
    }
    var found: [Int] = []
    for file in files.subtracting([""]).sorted() {
      let (path, name) = location(of: file, from: document)
      guard mayOpen(path) else { continue }
      if let index = try? open(path, named: name) { found.append(index) }
    }
    references[document] = found
    return found
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
        + "\(second.text)) both refer to this file, but their schemas have different meanings; give each document its "
        + "own copy",
      at: self.root(document))
  }
}

extension OpenAPIVersion {
  /// 3.1 and 3.2 have one schema language, 3.0 has another.
  fileprivate func hasOtherSchemas(than other: OpenAPIVersion) -> Bool { (line == .v30) != (other.line == .v30) }
}
