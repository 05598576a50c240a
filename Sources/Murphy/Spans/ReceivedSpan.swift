import MurphyModel
import MurphySchema

/// The part of an exported span that murphy reads (opentelemetry-proto, trace/v1/trace.proto, `Span`).
struct ReceivedSpan: Sendable, Hashable {
  /// The upper half of the trace id.
  var traceHigh: UInt64 = 0
  var traceLow: UInt64 = 0
  var id: UInt64 = 0
  /// 0 for a span without a parent.
  var parent: UInt64 = 0
  var name = ""
  var kind = SpanKind.unspecified
  /// Nanoseconds since 1970.
  var start: UInt64 = 0
  var end: UInt64 = 0

  /// A longer name is cut: it has no place in a report.
  static let longestName = 200

  /// False for ids that consist of zeros, and for times before 1970 or after 2262.
  var isValid: Bool {
    (traceHigh | traceLow) != 0 && id != 0 && start > 0 && start <= end && end <= UInt64(Int64.max)
  }
}

/// The spans of one export (`ExportTraceServiceRequest`).
struct SpanExport: Sendable {
  var spans: [ReceivedSpan] = []
  /// Spans without valid ids and times.
  var invalid = 0

  /// Why an export could not be read.
  enum Mistake: Error, Sendable { case malformed }

  mutating func add(_ span: ReceivedSpan?) {
    if let span, span.isValid { spans.append(span) } else { invalid += 1 }
  }
}

extension SpanExport {
  /// Reads OTLP/JSON: field names in lowerCamelCase, ids in hexadecimal, times as strings or numbers (OTLP 1.x, JSON
  /// Protobuf Encoding).
  init(json bytes: [UInt8]) throws(Mistake) {
    guard let value = try? JSONValue.parse(bytes), value.object != nil else { throw .malformed }
    for resource in try Self.list(value, "resourceSpans") {
      for scope in try Self.list(resource, "scopeSpans") {
        for span in try Self.list(scope, "spans") { add(ReceivedSpan(json: span)) }
      }
    }
  }

  private static func list(_ value: JSONValue, _ key: String) throws(Mistake) -> [JSONValue] {
    guard let member = value[key], !member.isNull else { return [] }
    guard let elements = member.array else { throw .malformed }
    return elements
  }
}

extension ReceivedSpan {
  /// Nil for ids or times in another form.
  fileprivate init?(json: JSONValue) {
    guard let trace = json["traceId"]?.string, trace.utf8.count == 32, let high = Self.hexadecimal(trace.prefix(16)),
      let low = Self.hexadecimal(trace.suffix(16)), let own = json["spanId"]?.string,
      let id = Self.hexadecimal(own[...]), let start = Self.number(json["startTimeUnixNano"]),
      let end = Self.number(json["endTimeUnixNano"])
    else { return nil }
    (traceHigh, traceLow, self.id, self.start, self.end) = (high, low, id, start, end)
    if let text = json["parentSpanId"]?.string, !text.isEmpty {
      guard let parent = Self.hexadecimal(text[...]) else { return nil }
      self.parent = parent
    }
    name = String((json["name"]?.string ?? "").prefix(Self.longestName))
    kind = SpanKind(number: Self.number(json["kind"]) ?? 0)
  }

  private static func hexadecimal(_ text: Substring) -> UInt64? {
    guard text.utf8.count == 16, text.utf8.allSatisfy({ $0 != 0x2B && $0 != 0x2D }) else { return nil }
    return UInt64(text, radix: 16)
  }

  /// A 64-bit number: a string in canonical JSON, and often a number.
  private static func number(_ value: JSONValue?) -> UInt64? {
    value?.string.flatMap { UInt64($0) } ?? value?.int.flatMap { UInt64(exactly: $0) }
  }
}
