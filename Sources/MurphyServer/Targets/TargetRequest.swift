import MurphyHTTP
import MurphyModel

/// One request to a target outside of any load: no redirects, bounded in time and size.
package struct TargetRequest: Sendable {
  /// The target's URL.
  package var base: String
  package var method = "GET"
  /// Below the base path of the target.
  package var path: String
  package var headers: [HeaderField] = []
  package var body: [UInt8]?
  /// PEM file of trusted authorities.
  package var authorities: String?
  /// The client certificate of the TLS handshake; nil for none.
  package var certificate: ClientCertificate?
  /// The beginning of the sentence of an error.
  package var failure: String

  /// The whole response.
  package struct Response: Sendable {
    package var status: Int
    package var headers: [HeaderField]
    package var bytes: [UInt8]
  }

  package init(base: String, path: String, failure: String) {
    self.base = base
    self.path = path
    self.failure = failure
  }

  private static let timeout: Duration = .seconds(30)
  /// The largest public contracts have about 12 MB.
  private static let limit = ByteCount(32 << 20)

  /// - Throws: a `GateError` if a complete response does not arrive within the bounds.
  package func response() async throws(GateError) -> Response {
    _ = LibcurlVersion.prepare
    let origin: Origin
    let resolved: ResolvedHost
    let loop: EventLoop
    do throws(OriginError) { origin = try Origin(base) } catch { throw .usage(error.description) }
    do throws(TransportError) {
      resolved = try ResolvedHost(origin, options)
    } catch {
      throw .unreachable(Self.ended("\(failure): \(error.sentence)"))
    }
    do throws(SystemError) { loop = try EventLoop(number: 0) } catch { throw .usage("\(failure): \(error)") }
    defer { loop.shutdown() }
    return try await loop.submit { await ask(loop, origin, resolved) }.value.get()
  }

  /// A sentence with a full stop, unless it ends with a question mark.
  private static func ended(_ text: String) -> String { text.hasSuffix("?") || text.hasSuffix(".") ? text : text + "." }

  private var options: TransportOptions {
    var options = TransportOptions()
    options.timeout = Self.timeout
    options.bodyLimit = Self.limit
    (options.authorities, options.certificate) = (authorities, certificate)
    return options
  }

  private func ask(_ loop: EventLoop, _ origin: Origin, _ resolved: ResolvedHost) async -> Result<Response, GateError> {
    let transport = Transport(loop: loop, origin: origin, options: options, resolved: resolved)
    defer { transport.close() }
    do {
      let connection = try transport.connect(sourceAddress: nil, keepsCookies: false)
      let transfer = connection.start(
        HTTPRequest(method: method, target: path, headers: headers, body: body, timeout: nil))
      defer { transfer.release() }
      await transfer.finished()
      return result(of: transfer)
    } catch {
      return .failure(.unreachable("\(failure): \(error)."))
    }
  }

  private func result(of transfer: Transfer) -> Result<Response, GateError> {
    switch transfer.ending {
    case .failed(let error): return .failure(.unreachable(Self.ended("\(failure): \(error.sentence)")))
    case .answered where transfer.status == 200 && transfer.isCutOff:
      return .failure(.usage("\(failure): the response is longer than \(Self.limit.text)."))
    case .answered:
      return .success(
        Response(
          status: Int(transfer.status), headers: [HeaderField](lines: transfer.headerBlock),
          bytes: Array(transfer.bodyBytes)))
    case .cancelled, .inFlight, .abandoned: return .failure(.unreachable("\(failure): the request was cancelled."))
    }
  }
}
