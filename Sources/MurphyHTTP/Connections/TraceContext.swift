import MurphyModel

/// The ids that connect a request with the spans of its target (W3C Trace Context, Level 1).
package struct TraceContext: Sendable, Hashable {
  /// The upper 64 bits of the trace-id.
  package var high: UInt64
  /// The lower 64 bits of the trace-id.
  package var low: UInt64
  /// The parent-id (§3.2.2.4), not 0.
  package var parent: UInt64
  /// The flag that asks the target to record the trace (§3.2.2.5).
  package var isSampled: Bool
  /// The number of the run in `tracestate`.
  package var run: UInt32
  /// The number of the session in `tracestate`.
  package var session: UInt32

  package init(high: UInt64, low: UInt64, parent: UInt64, isSampled: Bool, run: UInt32, session: UInt32) {
    self.high = high
    self.low = low
    self.parent = parent
    self.isSampled = isSampled
    self.run = run
    self.session = session
  }

  /// The trace-id: 32 hexadecimal digits in lower case.
  package var id: String { high.padded(16, radix: 16) + low.padded(16, radix: 16) }

  /// The headers `traceparent` (§3.2) and `tracestate` (§3.3).
  var fields: [(name: String, value: String)] {
    [
      ("traceparent", "00-\(id)-\(parent.padded(16, radix: 16))-\(isSampled ? "01" : "00")"),
      ("tracestate", "murphy=\(run.padded(8, radix: 16))-\(session.padded(8, radix: 16))"),
    ]
  }
}

/// The headers of a trace as bytes. Each request replaces the ids of the last one in place, because formatting them as
/// strings would cost more than the rest of a request.
final class TraceLines {
  /// A header within the bytes.
  struct Field {
    let name: Range<Int>
    let value: Range<Int>
  }

  private static let template = Array(
    """
    traceparent: 00-00000000000000000000000000000000-0000000000000000-00\r
    tracestate: murphy=00000000-00000000\r\n
    """.utf8)
  static let fields = [Field(name: 0..<11, value: 13..<68), Field(name: 70..<80, value: 82..<106)]
  /// Header lines of HTTP/1.1, valid until the next `write`.
  let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: template.count, alignment: 8)

  init() { bytes.copyBytes(from: Self.template) }

  deinit { bytes.deallocate() }

  func write(_ trace: TraceContext) {
    put(trace.high, at: 16)
    put(trace.low, at: 32)
    put(trace.parent, at: 49)
    bytes[67] = trace.isSampled ? 0x31 : 0x30
    put(Self.digits(trace.run), at: 89)
    put(Self.digits(trace.session), at: 98)
  }

  @inline(__always)
  private func put(_ number: UInt64, at offset: Int) {
    put(Self.digits(UInt32(truncatingIfNeeded: number >> 32)), at: offset)
    put(Self.digits(UInt32(truncatingIfNeeded: number)), at: offset + 8)
  }

  @inline(__always)
  private func put(_ digits: Digits, at offset: Int) {
    bytes.storeBytes(of: digits.bytes, toByteOffset: offset, as: UInt64.self)
  }

  /// Eight hexadecimal digits in the order of memory.
  private struct Digits { let bytes: UInt64 }

  /// All eight digits at once, one byte each.
  @inline(__always)
  private static func digits(_ number: UInt32) -> Digits {
    var lanes = UInt64(number.byteSwapped)
    lanes = (lanes | lanes << 16) & 0x0000_FFFF_0000_FFFF
    lanes = (lanes | lanes << 8) & 0x00FF_00FF_00FF_00FF
    lanes = (lanes >> 4 | lanes << 8) & 0x0F0F_0F0F_0F0F_0F0F
    // 1 in the bytes of the digits a to f.
    let letters = ((lanes &+ 0x0606_0606_0606_0606) >> 4) & 0x0101_0101_0101_0101
    return Digits(bytes: (lanes &+ 0x3030_3030_3030_3030 &+ letters &* 0x27).littleEndian)
  }
}
