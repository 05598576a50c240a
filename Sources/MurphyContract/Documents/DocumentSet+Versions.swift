import MurphyModel

extension DocumentSet {
  /// The version of OpenAPI in which a document is read: its own, or that of the document whose references lead to it.
  func version(of document: Int) -> OpenAPIVersion? { OpenAPIVersion(root(owner(of: document))) }

  /// The dialect of the document's schemas without a `$schema`.
  func dialect(of document: Int) -> Dialect {
    let owner = root(owner(of: document))
    if OpenAPIVersion(owner)?.line == .v30 { return .openAPI30 }
    return owner["jsonSchemaDialect"]?.value.string.flatMap { Dialect(uri: $0) } ?? .openAPI31
  }

  /// Finds for each document that states no version of its own the one from which references lead to it.
  ///
  /// - Returns: a mistake for each document that is used by two whose schema languages differ.
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
      "\(documents[known].text.file) (OpenAPI \(first.text)) and \(documents[root].text.file) (OpenAPI \(second.text)) "
        + "both refer to this file, and their schemas mean different things; give each a copy of its own",
      at: self.root(document))
  }
}

extension OpenAPIVersion {
  /// 3.1 and 3.2 have one schema language, 3.0 has another.
  fileprivate func hasOtherSchemas(than other: OpenAPIVersion) -> Bool { (line == .v30) != (other.line == .v30) }
}
