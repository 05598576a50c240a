import MurphyModel

extension SpanExport {
  /// Reads OTLP in the binary format of Protocol Buffers. Unknown fields are skipped.
  init(protobuf bytes: [UInt8]) throws(Mistake) {
    try WireReader.read(bytes[...]) { field, resource throws(Mistake) in
      guard field == 1 else { return }
      try WireReader.read(resource.bytes()) { field, scope throws(Mistake) in
        guard field == 2 else { return }
        try WireReader.read(scope.bytes()) { field, span throws(Mistake) in
          if field == 2 { add(try ReceivedSpan(protobuf: span.bytes())) }
        }
      }
    }
  }
}

extension ReceivedSpan {
  /// Nil for ids of another length.
  fileprivate init?(protobuf bytes: ArraySlice<UInt8>) throws(SpanExport.Mistake) {
    var isValid = true
    var own = ReceivedSpan()
    try WireReader.read(bytes) { field, value throws(SpanExport.Mistake) in
      switch field {
      case 1:
        let id = try value.bytes()
        guard id.count == 16 else { return isValid = false }
        (own.traceHigh, own.traceLow) = (Self.bigEndian(id.prefix(8)), Self.bigEndian(id.suffix(8)))
      case 2:
        let id = try value.bytes()
        guard id.count == 8 else { return isValid = false }
        own.id = Self.bigEndian(id)
      case 4:
        let id = try value.bytes()
        guard id.isEmpty || id.count == 8 else { return isValid = false }
        own.parent = Self.bigEndian(id)
      case 5: own.name = String(String(decoding: try value.bytes(), as: UTF8.self).prefix(Self.longestName))
      case 6: own.kind = SpanKind(number: try value.varint())
      case 7: own.start = try value.fixed64()
      case 8: own.end = try value.fixed64()
      default: break
      }
    }
    guard isValid else { return nil }
    self = own
  }

  private static func bigEndian(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
}

/// Reads the fields of one message in the wire format of Protocol Buffers (protobuf.dev, Encoding).
private struct WireReader {
  typealias Mistake = SpanExport.Mistake

  /// The value of a field; a use as another type than its own is a mistake.
  struct Value {
    fileprivate enum Content { case varint(UInt64), fixed64(UInt64), fixed32, bytes(ArraySlice<UInt8>) }
    fileprivate let content: Content

    func varint() throws(Mistake) -> UInt64 {
      guard case .varint(let number) = content else { throw .malformed }
      return number
    }

    func fixed64() throws(Mistake) -> UInt64 {
      guard case .fixed64(let number) = content else { throw .malformed }
      return number
    }

    func bytes() throws(Mistake) -> ArraySlice<UInt8> {
      guard case .bytes(let bytes) = content else { throw .malformed }
      return bytes
    }
  }

  private var rest: ArraySlice<UInt8>

  /// Calls `use` with each field's number and value.
  static func read(_ message: ArraySlice<UInt8>, _ use: (UInt64, Value) throws(Mistake) -> Void) throws(Mistake) {
    var reader = WireReader(rest: message)
    while !reader.rest.isEmpty {
      let tag = try reader.varint()
      guard tag >> 3 > 0 else { throw .malformed }
      try use(tag >> 3, Value(content: try reader.content(tag & 7)))
    }
  }

  private mutating func content(_ type: UInt64) throws(Mistake) -> Value.Content {
    switch type {
    case 0: return .varint(try varint())
    case 1: return .fixed64(try take(8).reversed().reduce(0) { $0 << 8 | UInt64($1) })
    case 2:
      guard let count = Int(exactly: try varint()) else { throw .malformed }
      return .bytes(try take(count))
    case 5:
      _ = try take(4)
      return .fixed32
    default: throw .malformed
    }
  }

  private mutating func take(_ count: Int) throws(Mistake) -> ArraySlice<UInt8> {
    guard count <= rest.count else { throw .malformed }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  private mutating func varint() throws(Mistake) -> UInt64 {
    var number: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 70, by: 7) {
      guard let byte = rest.popFirst() else { throw .malformed }
      // The tenth byte has only the highest bit of the number.
      guard shift < 63 || byte <= 1 else { throw .malformed }
      number |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return number }
    }
    throw .malformed
  }
}
