import MurphyModel
import MurphySchema

extension Contract {
  /// An OpenAPI document with all parts of other documents in it.
  package struct Bundle: Sendable {
    /// The URLs of documents that are needed and were not given. If there are any, all other fields are empty.
    package var missing: [String] = []
    /// The document as JSON.
    package var text = ""
    /// Every mistake of the document, as `check` lists them.
    package var diagnostics: [Diagnostic] = []
    /// Nil if it cannot be used.
    package var contract: Contract?
  }

  /// Puts a document and the parts of other documents, to which its references lead, into one document.
  ///
  /// - Parameter fetched: the documents of a network, by URL.
  package static func bundle(
    _ file: String, fetched: [String: [UInt8]] = [:], reader: FileReader = .files
  ) throws(ContractError) -> Bundle {
    var sources = DocumentSet(reader: reader.serving(fetched), isOnline: true)
    _ = try sources.open(FileReader.absolute(file), named: file)
    sources.openReferenced()
    let missing = sources.networkDocuments.filter { fetched[$0] == nil }
    guard missing.isEmpty else { return Bundle(missing: missing) }
    let lost = sources.bundle(0)
    let (contract, found) = examine(&sources, file)
    // The lint reports a reference that OpenAPI defines. Others have a warning of their own.
    let known = Set(found.map(\.mark))
    return Bundle(
      text: sources.documents[0].sourceValue.pretty + "\n",
      diagnostics: lost.filter { !known.contains($0.mark) } + found,
      contract: contract)
  }
}

extension DocumentSet {
  /// The URLs of the documents that references name, sorted. A URL that is the `$id` of a schema is
  /// not one of them.
  var networkDocuments: [String] {
    var urls: Set<String> = []
    var identifiers: Set<String> = []
    for index in documents.indices {
      documents[index].sourceValue.visit { name, text in
        if name == "$id" { identifiers.insert(text) }
        guard name == "$ref", !text.hasPrefix("#") else { return }
        let path = location(of: String(text.prefix { $0 != "#" }), from: index).path
        if Self.isOnNetwork(path), URIReference(path).authority != "json-schema.org" { urls.insert(path) }
      }
    }
    return urls.subtracting(identifiers).sorted()
  }
}
