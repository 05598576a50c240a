import Foundation
import HTTPTypes
import Hummingbird
import Synchronization

/// The spans of one request of a reference API: one for the request, and one for each of its parts.
final class RequestSpans: Sendable {
  private let exporter: SpanExporter
  private let trace: String
  private let parent: String
  private let id: String
  private let start = RequestSpans.now
  private let parts = Mutex<[SpanExporter.Span]>([])

  private static let traceparent = HTTPField.Name("traceparent")!

  /// Nil for a request that need not be recorded: without `traceparent`, or with its flag `sampled` unset.
  init?(_ request: Request, _ exporter: SpanExporter?) {
    guard let exporter, let header = request.headers[Self.traceparent] else { return nil }
    let words = header.split(separator: "-", omittingEmptySubsequences: false)
    guard words.count >= 4, words[1].utf8.count == 32, words[2].utf8.count == 16,
      let flags = UInt8(words[3], radix: 16), flags & 1 == 1
    else { return nil }
    self.exporter = exporter
    (trace, parent, id) = (String(words[1]), String(words[2]), exporter.id())
  }

  /// Runs a part of the request as a span.
  func part<Value>(_ name: String, _ work: () async throws -> Value) async throws -> Value {
    let start = Self.now
    defer {
      let span = SpanExporter.Span(
        trace: trace, id: exporter.id(), parent: id, name: name, start: start, end: Self.now)
      parts.withLock { $0.append(span) }
    }
    return try await work()
  }

  /// - Parameter name: the name of the request's own span.
  func finish(_ name: String) {
    let whole = SpanExporter.Span(
      trace: trace, id: id, parent: parent, name: name, isServer: true, start: start, end: Self.now)
    exporter.add(parts.withLock(\.self) + [whole])
  }

  private static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}

extension RequestSpans? {
  /// The same; without spans only the work.
  func part<Value>(_ name: String, _ work: () async throws -> Value) async throws -> Value {
    if let self { try await self.part(name, work) } else { try await work() }
  }
}
