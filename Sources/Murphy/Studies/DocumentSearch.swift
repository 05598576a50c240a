import Foundation
import MurphyContract
import MurphyHTTP
import MurphyModel
import MurphyServer

/// The search for an OpenAPI document, if the command line names none: first in folders, then at the target.
package struct DocumentSearch: Sendable {
  /// The folder of the search; a document of the target is saved here.
  package var folder = FileManager.default.currentDirectoryPath
  /// Nil to search only in folders.
  package var target: Target?
  package var authorities: String?
  package var certificate: ClientCertificate?
  /// Of the requests to the target.
  package var headers: [HeaderField] = []

  package struct Found: Sendable {
    /// Relative to the folder.
    package var file: String
    /// Where it was found, for the user.
    package var sentence: String
  }

  private static let folders = ["", "api/", "docs/", "doc/", "spec/", "openapi/"]
  private static let names = ["openapi", "swagger"]
  private static let extensions = [".yaml", ".yml", ".json"]
  private static let paths = [
    "/openapi.json", "/openapi.yaml", "/swagger.json", "/v3/api-docs", "/api/openapi.json", "/api/swagger.json",
    // Litestar, and Django REST framework with drf-spectacular.
    "/schema/openapi.json", "/api/schema/", "/schema/",
  ]

  package init() {}

  /// - Parameter verb: for the advice in an error.
  /// - Throws: a `GateError` that lists the searched places, or the reason why the target is not reachable.
  package func find(for verb: String) async throws(GateError) -> Found {
    // A document with the old name may be a Swagger 2.0 document, so it is the last choice.
    let files = Self.names.flatMap { name in
      Self.folders.flatMap { folder in Self.extensions.map { folder + name + $0 }.filter(isFile) }
    }
    if let file = files.first {
      let others = files.dropFirst()
      return Found(
        file: file,
        sentence: "using the OpenAPI document \(file)"
          + (others.isEmpty ? "" : "; other documents, not used: \(others.joined(separator: ", "))"))
    }
    var refusals: [String] = []
    if let found = try await findAtTarget(&refusals) { return found }
    throw .usage(sentence(for: verb, refusals))
  }

  private func isFile(_ name: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: folder + "/" + name, isDirectory: &isFolder) && !isFolder.boolValue
  }

  private func sentence(for verb: String, _ refusals: [String]) -> String {
    let places = ["this folder"] + Self.folders.dropFirst()
    let names = Self.names.flatMap { name in Self.extensions.map { name + $0 } }
    var text = """
      no OpenAPI document was named, and murphy found none.
        names: \(names.joined(separator: ", "))
        folders: \(places.joined(separator: ", "))
      """
    let urls = bases.flatMap { base in Self.paths.map { Self.shown(base) + $0 } }
    if !urls.isEmpty { text += "\n  URLs: \(urls.joined(separator: ", "))" }
    // A document that needs credentials, or is too large, is there all the same.
    if let refusal = refusals.first { text += "\n  " + refusal }
    return text + "\nName the document: murphy \(verb) FILE. If your framework generates the document, save the "
      + "document to a file first."
  }

  /// The target's URL. With a base path, also the root of its server.
  private var bases: [String] {
    guard case .url(let url)? = target else { return [] }
    guard var parts = URLComponents(string: url), !["", "/"].contains(parts.path) else { return [url] }
    parts.path = ""
    return [url] + [parts.string].compactMap(\.self)
  }

  /// Without credentials.
  private static func shown(_ base: String) -> String { (try? Origin(base))?.text ?? URLCredentials.masked(base) }

  /// Saves the first document that the target has. No local file has its name, or the search would have ended there.
  private func findAtTarget(_ refusals: inout [String]) async throws(GateError) -> Found? {
    for base in bases {
      for path in Self.paths {
        let url = Self.shown(base) + path
        let fetch = ContractFetch(
          base: base, path: path, name: url, authorities: authorities, certificate: certificate,
          headers: headers)
        guard let text = try await Self.document(fetch, &refusals) else { continue }
        let file = Self.isJSON(text) ? "openapi.json" : "openapi.yaml"
        do {
          try AtomicFile.write(text, to: folder + "/" + file)
        } catch {
          throw .usage("cannot save the OpenAPI document \(url) as \(file): \(error)")
        }
        return Found(file: file, sentence: "saved the OpenAPI document \(url) as \(file)")
      }
    }
    return nil
  }

  private static func isJSON(_ text: String) -> Bool { text.first { !$0.isWhitespace } == "{" }

  /// Nil for another status than 200, and for a response that is not an OpenAPI document, such as a page.
  private static func document(
    _ fetch: ContractFetch, _ refusals: inout [String]
  ) async throws(GateError) -> String? {
    let response: TargetRequest.Response
    do throws(GateError) {
      response = try await fetch.response()
    } catch {
      guard case .usage(let text) = error else { throw error }
      refusals.append(text)
      return nil
    }
    guard response.status == 200 else {
      if ![404, 405, 410].contains(response.status) { refusals.append(fetch.refusal(response.status)) }
      return nil
    }
    let text = String(decoding: response.bytes, as: UTF8.self)
    let source = SourceText(file: fetch.name, text: text)
    let root = MarkedDocument(source, as: isJSON(text) ? .json : .yaml).root
    return root?["openapi"] == nil && root?["swagger"] == nil ? nil : text
  }
}

extension BoundedFile.Failure {
  /// The reason as a sentence, with the file of a similar name in the same folder if `path` does not exist.
  package func sentence(of path: String) -> String {
    if path.hasPrefix("http://") || path.hasPrefix("https://") {
      let word = ShellWord(URLCredentials.masked(path)).quoted
      return "murphy reads only files here. Download it first: curl -sSfL -o openapi.json \(word)"
    }
    let url = URL(fileURLWithPath: path)
    guard !FileManager.default.fileExists(atPath: path),
      let files = try? FileManager.default.contentsOfDirectory(atPath: url.deletingLastPathComponent().path)
    else { return "\(self)." }
    return "\(self).\(didYouMean(url.lastPathComponent, among: files))"
  }
}
