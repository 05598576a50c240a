extension JSONValue {
  /// Parses one JSON text (RFC 8259), UTF-8 only. Strict: no comments, no trailing commas, no byte order mark.
  /// A name that repeats keeps its last value. A lone surrogate (`"\ud800"`) reads as U+FFFD.
  /// Nesting beyond `maximumDepth` is an error, not a crash. Cost: linear.
  public static func parse(_ bytes: some Collection<UInt8>) throws(JSONError) -> JSONValue {
    let result: Result<JSONValue, JSONError>? = bytes.withContiguousStorageIfAvailable { buffer in
      parse(buffer: UnsafeRawBufferPointer(buffer))
    }
    if let result { return try result.get() }
    return try Array(bytes).withUnsafeBytes { parse(buffer: $0) }.get()
  }

  /// Reads one JSON text (RFC 8259).
  ///
  /// - Throws: a `JSONError` with the place of the first mistake.
  public static func parse(_ text: String) throws(JSONError) -> JSONValue {
    var text = text
    return try text.withUTF8 { parse(buffer: UnsafeRawBufferPointer($0)) }.get()
  }

  private static func parse(buffer: UnsafeRawBufferPointer) -> Result<JSONValue, JSONError> {
    var parser = JSONParser(buffer)
    do throws(JSONError) {
      return .success(try parser.document())
    } catch {
      return .failure(error)
    }
  }
}
