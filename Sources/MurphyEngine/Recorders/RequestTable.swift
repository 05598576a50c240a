import MurphyModel
import MurphyTransport

/// The different requests that a limit log tells of, each once and without the header fields that say who sent it.
package struct RequestTable: Sendable {
  /// Unmasked; entry `request` of an observation.
  package private(set) var requests: [HTTPRequest] = []
  /// By hash: the newest request that has it.
  private var newest: [Int: Int32] = [:]
  /// Of each request the one before it with the same hash, or -1.
  private var earlier: [Int32] = []
  private var bytes = 0
  private let longestContent: Int
  /// Bytes of all of them together.
  private static let most = 16_000_000

  /// - Parameter longestContent: bytes; a request with longer content is not kept.
  package init(longestContent: Int = 16_384) { self.longestContent = longestContent }

  /// The number of a request; -1 where its content is too long, or where too many are kept already.
  ///
  /// - Parameter isKey: whether a header field of that name says who sent it.
  package mutating func number(of request: HTTPRequest, isKey: (String) -> Bool) -> Int32 {
    var hasher = Hasher()
    hasher.combine(request.method)
    hasher.combine(request.target)
    hasher.combine(request.body)
    for field in request.headers where !isKey(field.name) { hasher.combine(field) }
    let hash = hasher.finalize()
    let first = newest[hash] ?? -1
    var candidate = first
    while candidate >= 0 {
      if isSame(requests[Int(candidate)], request, isKey) { return candidate }
      candidate = earlier[Int(candidate)]
    }
    let content = request.body?.count ?? 0
    let size = request.target.utf8.count + content + 200
    guard content <= longestContent, bytes + size <= Self.most else { return -1 }
    bytes += size
    let number = Int32(requests.count)
    requests.append(
      HTTPRequest(
        method: request.method, target: request.target, headers: request.headers.filter { !isKey($0.name) },
        body: request.body))
    newest[hash] = number
    earlier.append(first)
    return number
  }

  /// Whether a request is one that was kept, the header fields that say who sent it aside.
  private func isSame(_ kept: HTTPRequest, _ request: HTTPRequest, _ isKey: (String) -> Bool) -> Bool {
    guard kept.target == request.target, kept.method == request.method, kept.body == request.body else { return false }
    var next = 0
    for field in request.headers where !isKey(field.name) {
      guard next < kept.headers.count, kept.headers[next] == field else { return false }
      next += 1
    }
    return next == kept.headers.count
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
