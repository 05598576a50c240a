import Foundation
import HTTPTypes
import HummingbirdCore
import MurphyHTTP
import MurphyModel
import NIOCore

/// Answers a request with the target's response, and records both.
struct ProxyResponder: Sendable {
  let forwarder: Forwarder
  let session: RecordedSession

  /// The maximum bytes of a request body: the whole body is buffered before it is forwarded.
  static let mostBody = ByteCount(64 << 20)

  /// - Throws: the error of the connection, which then is closed.
  func respond(to request: Request, _ writer: consuming ResponseWriter) async throws {
    if let problem = refusal(of: request) {
      if let what = problem.unsupported { session.noteRefused(what) }
      return try await write(problem, writer)
    }
    if request.headers[.expect]?.lowercased() == "100-continue" {
      try await writer.writeInformationalHead(HTTPResponse(status: .continue))
    }
    let body: ByteBuffer
    do {
      body = try await request.body.collect(upTo: Self.mostBody.bytes)
    } catch is NIOTooManyBytesError {
      return try await write(.tooLarge("The request's body is longer than \(Self.mostBody.text)."), writer)
    }
    let isHead = request.method == .head
    let addresses = ProxyAddresses(forwarder.origin, proxy: authority(request))
    let sent = forwarded(request, Array(body.readableBytesView), addresses)
    let (began, clock) = (Date(), ContinuousClock.now)
    let outcome = await forwarder.send(sent)
    let took = ContinuousClock.now - clock
    func exchange(_ status: Int, _ headers: [HeaderField], _ body: [UInt8], _ failure: String?) -> RecordedExchange {
      RecordedExchange(
        began: began, took: took, method: sent.method, target: sent.target, requestHeaders: sent.headers,
        requestBody: RecordedBody(sent.body ?? [], sent.headers), status: status, responseHeaders: headers,
        responseBody: RecordedBody(body, headers), failure: failure)
    }
    let problem: ProxyProblem
    switch outcome {
    case .answered(let response):
      session.record(exchange(response.status, response.headers, response.body, nil))
      return try await write(response, isHead: isHead, addresses, writer)
    case .tooLong: problem = .badGateway("The target's response is longer than \(Forwarder.mostBody.text).")
    case .failed(let error): problem = ProxyProblem(error)
    case .given: problem = .badGateway("The recording ended before the target responded.")
    }
    session.record(exchange(0, [], [], problem.detail))
    try await write(problem, writer)
  }

  private func authority(_ request: Request) -> String { request.head.authority ?? "127.0.0.1" }

  /// The reason why a request is not forwarded; nil if it is.
  private func refusal(of request: Request) -> ProxyProblem? {
    if request.method == .connect {
      return .notSupported(
        "CONNECT", "This is a reverse proxy. Replace the target's address in the app with the proxy's address.")
    }
    if request.headers[.upgrade]?.lowercased().contains("websocket") == true {
      return .notSupported("WebSocket", "This proxy forwards requests and responses, not WebSocket connections.")
    }
    // The first one is the authority; another one stays among the headers.
    if let host = HTTPField.Name("Host"), request.headers[host] != nil {
      return .badRequest("The request has more than one host, in Host or in its target (RFC 9112 §3.2).")
    }
    guard let named = request.head.authority, !named.contains(where: { $0 == "," || $0.isWhitespace }) else {
      return .badRequest("The request has no host or more than one (RFC 9112 §3.2).")
    }
    guard ProxyAddresses.isOwn(authority(request), forwarder.origin) else {
      return .misdirected(
        "The request is for the host \(authority(request)). This proxy accepts IP addresses, localhost, names that end "
          + "with .internal, and the target's own host.")
    }
    return request.head.path?.hasPrefix("/") == true ? nil : .badRequest("The request's target is not a path.")
  }

  private func forwarded(
    _ request: Request, _ body: [UInt8], _ addresses: ProxyAddresses
  ) -> MurphyHTTP.HTTPRequest {
    var fields: [HeaderField] = []
    for field in request.headers { fields.append(HeaderField(field.name.rawName, field.value)) }
    fields = ProxyFields.endToEnd(fields).filter { $0.name.lowercased() != "expect" }
    fields = fields.map(addresses.forTarget).map(ProxyFields.withKnownCodings)
    let hasBody = request.headers[.contentLength] != nil || request.headers[.transferEncoding] != nil
    return MurphyHTTP.HTTPRequest(
      method: request.method.rawValue, target: request.head.path ?? "/", headers: fields, body: hasBody ? body : nil)
  }

  private func write(
    _ response: Forwarder.TargetResponse, isHead: Bool, _ addresses: ProxyAddresses, _ writer: consuming ResponseWriter
  ) async throws {
    var fields = HTTPFields()
    for field in ProxyFields.endToEnd(response.headers).map(addresses.forClient) {
      if let name = HTTPField.Name(field.name) { fields.append(HTTPField(name: name, value: field.value)) }
    }
    let status = HTTPResponse.Status(code: response.status)
    guard isHead else {
      let body = ByteBuffer(bytes: response.body)
      fields[.contentLength] = "\(body.readableBytes)"
      return try await writer.write(
        response: HTTPResponse(status: status, headerFields: fields), body: ResponseBody(byteBuffer: body))
    }
    fields[.contentLength] = ProxyFields.value("content-length", of: response.headers)
    // The writer is not ended: after a head without a length it would write a last chunk. A response to HEAD must not
    // have one.
    _ = try await writer.writeHead(HTTPResponse(status: status, headerFields: fields))
  }

  private func write(_ problem: ProxyProblem, _ writer: consuming ResponseWriter) async throws {
    let body = ByteBuffer(string: problem.text)
    let response = Response(
      status: HTTPResponse.Status(code: problem.status), headers: [.contentType: "application/problem+json"],
      body: ResponseBody(byteBuffer: body))
    try await writer.write(response: response.head, body: response.body)
  }
}
