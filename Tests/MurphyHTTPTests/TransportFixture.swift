import Foundation
import MurphyHTTP
import MurphyModel

/// What carries HTTP/1.1: all must behave alike.
enum Route: CaseIterable {
  case direct, libcurl
  /// Murphy's own reading and writing below TLS, which HAProxy takes off in front of the server.
  case secure

  /// Where the server must see the client itself.
  static let plain: [Route] = [.direct, .libcurl]
}

/// Runs `body` on a loop of its own with a transport to `url`.
func withTransport<Value: Sendable>(
  to url: String, by route: Route = .direct, options: TransportOptions = TransportOptions(),
  _ body: @escaping @Sendable (Transport) async throws -> Value
) async throws -> Value {
  _ = LibcurlVersion.prepare
  let loop = try EventLoop(number: 0)
  defer { loop.shutdown() }
  var options = options
  options.prefersDirectPath = route != .libcurl
  var url = url
  let door = route == .secure ? try SecureDoor(before: url, protocols: "http/1.1") : nil
  defer { door?.stop() }
  if let door {
    url = door.url
    options.authorities = door.authority
    options.version = .http1
  }
  let settings = options
  let origin = try Origin(url)
  let resolved = try ResolvedHost(origin, settings)
  let result = await loop.submit { () -> Result<Value, any Error> in
    let transport = Transport(loop: loop, origin: origin, options: settings, resolved: resolved)
    defer { transport.close() }
    do { return .success(try await body(transport)) } catch { return .failure(error) }
  }.value
  return try result.get()
}

/// An ended exchange as a value.
struct Reply: Sendable {
  var ending: Transfer.Ending
  var status: Int
  var headerBlock: String
  var body: String
  var isCutOff: Bool
  var bodySize: Int
  var nanoseconds: Int64
  var violations: ProtocolViolations

  init(_ transfer: Transfer) {
    ending = transfer.ending
    status = transfer.status
    headerBlock = String(decoding: transfer.headerBlock, as: UTF8.self)
    body = String(decoding: transfer.bodyBytes.prefix(10_000), as: UTF8.self)
    isCutOff = transfer.isCutOff
    bodySize = transfer.bodyBytes.count
    nanoseconds = transfer.ended - transfer.sent
    violations = transfer.violations
  }

  var failure: TransportError? { if case .failed(let error) = ending { error } else { nil } }
  var isAnswered: Bool { if case .answered = ending { true } else { false } }
}

extension Connection {
  /// Sends a request, waits for its end and gives the transfer back.
  func reply(_ method: String = "GET", _ target: String = "/", headers: [HeaderField] = [], body: String? = nil) async
    -> Reply
  {
    let request = HTTPRequest(method: method, target: target, headers: headers, body: body.map { Array($0.utf8) })
    let transfer = start(request)
    await transfer.finished()
    defer { transfer.release() }
    return Reply(transfer)
  }
}
