import HTTPTypes
import Hummingbird
import MurphyEngine
import MurphyHTTP
import MurphyModel
import NIOCore

/// Receives the spans of the target during a run: OTLP/HTTP on the loopback.
///
///     /v1/traces               ExportTraceServiceRequest, as Protocol Buffers or JSON
///     /v1/metrics, /v1/logs    accepted and ignored, because exporters send them to the same endpoint
package final class SpanReceiver: Sendable {
  /// The value of `OTEL_EXPORTER_OTLP_ENDPOINT` for the target.
  package let endpoint: String
  let collector: SpanCollector
  private let server: LoopbackServer

  private init(_ server: LoopbackServer, _ collector: SpanCollector) {
    endpoint = "http://127.0.0.1:\(server.port)"
    self.server = server
    self.collector = collector
  }

  /// The port of OTLP/HTTP, to which exporters send by default.
  package static let usualPort = 4318

  /// Exporters of OpenTelemetry send their spans every five seconds.
  private static let patience: Duration = .seconds(8)
  private static let pulse: Duration = .milliseconds(50)

  /// Starts the receiver and returns once it accepts connections.
  ///
  /// - Parameter port: 0 for any free one.
  /// - Throws: `LiveError` if the port is not available.
  package static func start(port: Int = usualPort) async throws(LiveError) -> SpanReceiver {
    let collector = SpanCollector(runs: TracedRuns())
    let server = try await LoopbackServer.start(
      port: port, purpose: "cannot receive spans", option: "--otlp", SpanRoutes.responder(collector))
    return SpanReceiver(server, collector)
  }

  /// Waits for the spans of the last requests.
  ///
  /// - Parameter expected: the number of requests that had a response.
  func settle(requests expected: Int, stop: StopSignal) async {
    let clock = ContinuousClock()
    let end = clock.now + Self.patience
    while collector.joined < expected, clock.now < end, !stop.isRequested { try? await Task.sleep(for: Self.pulse) }
  }

  /// Ends the receiver.
  package func stop() async { await server.stop() }
}

/// The routes of the receiver.
enum SpanRoutes {
  /// The maximum bytes of an export, as it is sent and decompressed.
  private static let longest = 4 << 20
  private static let longestDecoded = 32 << 20

  static func responder(_ collector: SpanCollector) -> some HTTPResponder<BasicRequestContext> {
    let router = Router()
    router.add(middleware: LoopbackOnly())
    router.post("/v1/traces") { request, _ in
      do {
        let isJSON = try isJSON(request)
        collector.receive(try export(try await body(of: request), isJSON: isJSON))
        return response(isJSON: isJSON)
      } catch {
        collector.reject()
        throw error
      }
    }
    for path in ["/v1/metrics", "/v1/logs"] {
      router.post(RouterPath(path)) { request, _ in
        let isJSON = try isJSON(request)
        _ = try await body(of: request)
        return response(isJSON: isJSON)
      }
    }
    return router.buildResponder()
  }

  /// - Throws: 415 for another media type.
  private static func isJSON(_ request: Request) throws(HTTPError) -> Bool {
    let type = request.headers[.contentType] ?? ""
    switch type.prefix(while: { $0 != ";" && $0 != " " }).lowercased() {
    case "application/json": return true
    case "application/x-protobuf": return false
    default: throw HTTPError(.unsupportedMediaType, message: "Expected application/x-protobuf or application/json.")
    }
  }

  /// - Throws: 413 for a longer body, 415 for another content coding, 400 for bytes that are not in it.
  private static func body(of request: Request) async throws(HTTPError) -> [UInt8] {
    let buffer: ByteBuffer
    do { buffer = try await request.body.collect(upTo: longest) } catch { throw HTTPError(.contentTooLarge) }
    let bytes = Array(buffer.readableBytesView)
    let codings = request.headers[.contentEncoding].map { [$0] } ?? []
    guard codings.allSatisfy({ ["identity", "gzip"].contains($0.lowercased()) }) else {
      throw HTTPError(.unsupportedMediaType, message: "Expected the content coding gzip, or none.")
    }
    guard let decoded = ContentDecoder.decoded(bytes, codings: codings, limit: longestDecoded) else {
      throw HTTPError(.badRequest, message: "The body is not gzip, or too long.")
    }
    return decoded
  }

  private static func export(_ bytes: [UInt8], isJSON: Bool) throws(HTTPError) -> SpanExport {
    do throws(SpanExport.Mistake) {
      return isJSON ? try SpanExport(json: bytes) : try SpanExport(protobuf: bytes)
    } catch {
      throw HTTPError(.badRequest, message: "The body is not an ExportTraceServiceRequest.")
    }
  }

  /// An empty `ExportTraceServiceResponse`.
  private static func response(isJSON: Bool) -> Response {
    Response(
      status: .ok, headers: [.contentType: isJSON ? "application/json" : "application/x-protobuf"],
      body: ResponseBody(byteBuffer: ByteBuffer(string: isJSON ? "{}" : "")))
  }
}
