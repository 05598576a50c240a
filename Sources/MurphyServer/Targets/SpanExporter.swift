import MurphyModel
import MurphySchema
import Synchronization

/// Sends the spans of a reference API in batches: OTLP/HTTP with JSON. It never blocks a response.
final class SpanExporter: Sendable {
  struct Span: Sendable {
    var trace: String
    /// 16 hexadecimal digits.
    var id: String
    /// 16 hexadecimal digits; empty for none.
    var parent: String
    var name: String
    var isServer = false
    /// Nanoseconds since 1970.
    var start: Int64
    var end: Int64
  }

  private let endpoint: String
  private let service: String
  private let waiting = Mutex<[Span]>([])
  private let sender = Mutex<Task<Void, Never>?>(nil)
  private let nextID: Mutex<RandomSource>

  /// Further spans are dropped until the next batch.
  private static let most = 50_000
  private static let mostOfBatch = 2_000
  private static let pause: Duration = .milliseconds(200)

  /// - Parameter endpoint: the URL of the receiver, to which `/v1/traces` is added.
  init(endpoint: String, service: String) {
    self.endpoint = endpoint.hasSuffix("/") ? String(endpoint.dropLast()) : endpoint
    self.service = service
    nextID = Mutex(RandomSource(seed: UInt64.random(in: .min ... .max)))
    let task = Task { [weak self] in
      while !Task.isCancelled {
        try? await Task.sleep(for: Self.pause)
        guard let self else { return }
        await self.flush()
      }
    }
    sender.withLock { $0 = task }
  }

  /// An id for a new span, not 0.
  func id() -> String { nextID.withLock { $0.next() | 1 }.padded(16, radix: 16) }

  func add(_ spans: [Span]) {
    waiting.withLock { waiting in if waiting.count + spans.count <= Self.most { waiting += spans } }
  }

  /// Sends the spans that wait, and ends.
  func stop() async {
    let task = sender.withLock { $0.take() }
    task?.cancel()
    await task?.value
    await flush()
  }

  private func flush() async {
    while true {
      let batch = waiting.withLock { waiting in
        defer { waiting.removeFirst(min(Self.mostOfBatch, waiting.count)) }
        return Array(waiting.prefix(Self.mostOfBatch))
      }
      guard !batch.isEmpty else { return }
      var request = TargetRequest(base: endpoint, path: "/v1/traces", failure: "cannot export spans")
      request.method = "POST"
      request.headers = [HeaderField("Content-Type", "application/json")]
      request.body = Array(text(batch).utf8)
      // A receiver that has ended loses the spans, as with other exporters.
      guard (try? await request.response()) != nil else { return }
    }
  }

  private func text(_ spans: [Span]) -> String {
    let spans: [JSONValue] = spans.map { span in
      [
        "traceId": .string(span.trace), "spanId": .string(span.id),
        "parentSpanId": .string(span.parent), "name": .string(span.name), "kind": span.isServer ? 2 : 1,
        "startTimeUnixNano": .string(String(span.start)), "endTimeUnixNano": .string(String(span.end)),
      ]
    }
    let resource: JSONValue = ["attributes": [["key": "service.name", "value": ["stringValue": .string(service)]]]]
    let scope: JSONValue = ["scope": ["name": "murphy serve"], "spans": .array(spans)]
    return JSONValue.object(["resourceSpans": [["resource": resource, "scopeSpans": [scope]]]]).text
  }
}
