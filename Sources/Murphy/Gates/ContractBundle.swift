import MurphyContract
import MurphyHTTP
import MurphyModel
import MurphySchema
import MurphyServer

/// Combines an OpenAPI document and all documents that it refers to into one document.
package enum ContractBundle {
  /// The maximum number of documents that are fetched.
  private static let mostFetched = 1_000

  /// Fetches the documents that the document needs from a network, and the documents that these need.
  ///
  /// - Throws: a `GateError` for a document that cannot be read or fetched.
  package static func read(_ file: String) async throws(GateError) -> Contract.Bundle {
    var fetched: [String: [UInt8]] = [:]
    while true {
      let bundle: Contract.Bundle
      do throws(ContractError) {
        bundle = try Contract.bundle(file, fetched: fetched)
      } catch {
        throw .mistakes(error.diagnostics)
      }
      guard !bundle.missing.isEmpty else { return bundle }
      guard fetched.count + bundle.missing.count <= mostFetched else {
        throw .usage(
          """
          \(file) refers to more than \(mostFetched) documents on the network. Murphy downloads at most \(mostFetched) \
          documents.
          """)
      }
      for url in bundle.missing { fetched[url] = try await bytes(of: url) }
    }
  }

  private static func bytes(of url: String) async throws(GateError) -> [UInt8] {
    let failure = "cannot download the document \(URLCredentials.masked(url))"
    let response = try await TargetRequest(url: url, failure: failure).response()
    guard response.status == 200 else {
      let place =
        response.headers.first { $0.name.lowercased() == "location" }
        .map { " The new address is \($0.value)." } ?? ""
      throw .usage("\(failure): the server returned status \(response.status).\(place)")
    }
    return response.bytes
  }
}

extension TargetRequest {
  /// A request to a URL of any server.
  init(url: String, failure: String) {
    let parts = URIReference(url)
    self.init(
      base: "\(parts.scheme ?? "")://\(parts.authority ?? "")",
      path: (parts.path.isEmpty ? "/" : parts.path) + (parts.query.map { "?\($0)" } ?? ""), failure: failure)
  }
}
