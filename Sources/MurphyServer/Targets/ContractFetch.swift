import MurphyHTTP
import MurphyModel

/// Fetches the contract from the target.
package struct ContractFetch: Sendable {
  private var request: TargetRequest
  /// For messages.
  package let name: String

  /// - Parameters:
  ///   - base: the target's URL.
  ///   - path: `/openapi.json`
  ///   - headers: in addition to the usual ones, such as credentials.
  package init(
    base: String, path: String, name: String, authorities: String?, certificate: ClientCertificate? = nil,
    headers: [HeaderField] = []
  ) {
    self.name = name
    request = TargetRequest(base: base, path: path, failure: "cannot download the contract \(name)")
    request.headers = [HeaderField("Accept", "application/json, application/yaml;q=0.9, */*;q=0.1")] + headers
    (request.authorities, request.certificate) = (authorities, certificate)
  }

  /// - Throws: a `GateError` that describes the response if its status is not 200.
  package func bytes() async throws(GateError) -> [UInt8] {
    let response = try await response()
    guard response.status == 200 else { throw .usage(refusal(response.status)) }
    return response.bytes
  }

  /// The sentence for a response with another status than 200.
  package func refusal(_ status: Int) -> String {
    "\(request.failure): the target returned status \(status). Is the path right?"
  }

  /// - Throws: a `GateError` if a complete response does not arrive within the bounds.
  package func response() async throws(GateError) -> TargetRequest.Response { try await request.response() }
}
