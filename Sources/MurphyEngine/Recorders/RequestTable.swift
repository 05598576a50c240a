import MurphyModel
import MurphyTransport

/// The different requests that a limit log tells of, each once and without the header fields that say who sent it.
package struct RequestTable: Sendable {
  /// Unmasked; entry `request` of an observation.
  package private(set) var requests: [HTTPRequest] = []
  private var numbers: [Sent: Int32] = [:]
  private var bytes = 0
  private let longestContent: Int
  /// Bytes of all of them together.
  private static let most = 16_000_000

  /// - Parameter longestContent: bytes; a request with longer content is not kept.
  package init(longestContent: Int = 16_384) { self.longestContent = longestContent }

  private struct Sent: Hashable {
    let method: String
    let target: String
    let headers: [HeaderField]
    let body: [UInt8]?
  }

  /// The number of a request; -1 where its content is too long, or where too many are kept already.
  ///
  /// - Parameter isKey: whether a header field of that name says who sent it.
  package mutating func number(of request: HTTPRequest, isKey: (String) -> Bool) -> Int32 {
    let sent = Sent(
      method: request.method, target: request.target, headers: request.headers.filter { !isKey($0.name) },
      body: request.body)
    if let known = numbers[sent] { return known }
    let content = sent.body?.count ?? 0
    let size = sent.target.utf8.count + content + 200
    guard content <= longestContent, bytes + size <= Self.most else { return -1 }
    bytes += size
    let number = Int32(requests.count)
    requests.append(HTTPRequest(method: sent.method, target: sent.target, headers: sent.headers, body: sent.body))
    numbers[sent] = number
    return number
  }
}

extension CurlRequest {
  /// A request as it was sent, masked; the URL is what follows the target's.
  package init(_ request: HTTPRequest, _ mask: SecretMask, _ options: TransportOptions) {
    self.init(
      method: request.method, url: mask.word(request.target),
      headers: request.headers.map { Field($0.name, mask.word($0)) }, body: request.body.map(mask.word),
      authorities: options.authorities, checksCertificates: options.checksCertificates)
  }
}
