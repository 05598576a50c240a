import MurphyModel
import Testing

@testable import Murphy

@Suite struct SpanExportTests {
  /// A field of Protocol Buffers with a length.
  private static func field(_ number: UInt8, _ bytes: [UInt8]) -> [UInt8] {
    precondition(bytes.count < 16_384)
    let length: [UInt8] =
      bytes.count < 128 ? [UInt8(bytes.count)] : [UInt8(bytes.count & 127) | 128, UInt8(bytes.count >> 7)]
    return [number << 3 | 2] + length + bytes
  }

  private static func time(_ number: UInt8, _ value: UInt64) -> [UInt8] {
    [number << 3 | 1] + (0..<8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  private static let trace = (1...16).map(UInt8.init)
  private static let span = (21...28).map(UInt8.init)
  private static let parent = (31...38).map(UInt8.init)

  /// `Span` with fields that murphy does not read: trace_state, attributes, flags.
  private static var whole: [UInt8] {
    field(1, trace) + field(2, span) + field(3, Array("a=b".utf8)) + field(4, parent)
      + field(5, Array("SELECT laws".utf8)) + [6 << 3, 3] + time(7, 1_000) + time(8, 5_000)
      + field(9, field(1, Array("key".utf8))) + [10 << 3, 0xFF, 0x01, 16 << 3 | 5 & 7 | 0x80, 0x01, 1, 2, 3, 4]
  }

  private static func export(_ spans: [UInt8]...) -> [UInt8] {
    field(1, field(1, []) + field(2, field(1, [10, 1, 65]) + spans.flatMap { field(2, $0) }))
  }

  private static let expected: ReceivedSpan = {
    var span = ReceivedSpan()
    (span.traceHigh, span.traceLow) = (0x0102_0304_0506_0708, 0x090A_0B0C_0D0E_0F10)
    (span.id, span.parent) = (0x1516_1718_191A_1B1C, 0x1F20_2122_2324_2526)
    (span.name, span.kind, span.start, span.end) = ("SELECT laws", .client, 1_000, 5_000)
    return span
  }()

  @Test func `both formats have the same spans`() throws {
    let binary = try SpanExport(protobuf: Self.export(Self.whole, Self.whole))
    #expect(binary.spans == [Self.expected, Self.expected] && binary.invalid == 0)
    let json = """
      {"resourceSpans":[{"resource":{},"scopeSpans":[{"scope":{"name":"x"},"spans":[{
        "traceId":"0102030405060708090A0b0c0d0e0f10","spanId":"15161718191a1b1c","parentSpanId":"1f20212223242526",
        "name":"SELECT laws","kind":3,"startTimeUnixNano":"1000","endTimeUnixNano":5000,"unknown":[1]}]}]}]}
      """
    #expect(try SpanExport(json: Array(json.utf8)).spans == [Self.expected])
    #expect(try SpanExport(protobuf: []).spans.isEmpty)
    #expect(try SpanExport(json: Array("{}".utf8)).spans.isEmpty)
  }

  @Test func `a span without valid ids and times is counted`() throws {
    let wrong: [[UInt8]] = [
      [], Self.field(1, Self.trace), Self.field(1, Self.span) + Self.field(2, Self.span),
      Self.field(1, Self.trace) + Self.field(2, Self.span) + Self.time(7, 2_000) + Self.time(8, 1_000),
      Self.field(1, Self.trace) + Self.field(2, Self.span) + Self.time(7, 1) + Self.time(8, .max),
      Self.field(1, Array(repeating: 0, count: 16)) + Self.field(2, Self.span) + Self.time(7, 1) + Self.time(8, 1),
    ]
    for span in wrong {
      let read = try SpanExport(protobuf: Self.export(span, Self.whole))
      #expect(read.invalid == 1 && read.spans == [Self.expected])
    }
    for span in [
      "{}", "1", #"{"traceId":"AQIDBAUGBwgJCgsMDQ4PEA==","spanId":"15161718191a1b1c"}"#,
      #"{"traceId":"+1020304050607080102030405060708","spanId":"15161718191a1b1c","startTimeUnixNano":1,"endTimeUnixNano":2}"#,
      #"{"traceId":"01020304050607080102030405060708","spanId":"15161718191a1b1c","startTimeUnixNano":-1,"endTimeUnixNano":2}"#,
    ] {
      let read = try SpanExport(json: Array(#"{"resourceSpans":[{"scopeSpans":[{"spans":[\#(span)]}]}]}"#.utf8))
      #expect(read.invalid == 1 && read.spans.isEmpty, "\(span)")
    }
  }

  @Test func `bytes that are not an export are a mistake, and nothing crashes`() throws {
    let whole = Self.export(Self.whole)
    for bytes in [Array(whole.dropLast()), [0xFF], [8], [0, 0], [1 << 3 | 3], Array(repeating: 0xFF, count: 12)]
      as [[UInt8]]
    {
      #expect(throws: SpanExport.Mistake.self) { try SpanExport(protobuf: bytes) }
    }
    for text in ["", "[]", "1", "{\"resourceSpans\":1}", #"{"resourceSpans":[{"scopeSpans":{}}]}"#, "{", "\u{0}"] {
      #expect(throws: SpanExport.Mistake.self) { try SpanExport(json: Array(text.utf8)) }
    }
    var random = RandomSource(seed: 3)
    for _ in 0..<50_000 {
      var bytes = whole
      for _ in 0...(random.next() % 3) { bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(random.next() & 255) }
      bytes = Array(bytes.prefix(Int(random.next() % UInt64(bytes.count + 1))))
      if let read = try? SpanExport(protobuf: bytes) { #expect(read.spans.allSatisfy { $0.isValid }) }
    }
  }
}
