import CSimdjson

/// What a parse ends in.
public enum TapeResult {
  case tape(Tape)
  /// JSON that the tape cannot hold (whole numbers beyond 64 bits, numbers beyond a double), by the exact parser.
  case value(JSONValue)
  case malformed(JSONError)
}

/// A simdjson parser that keeps its memory from one document to the next. Belongs to one thread.
public final class TapeParser {
  private let parser: OpaquePointer
  private let maximumSize: Int

  /// - Parameter maximumSize: bytes of the largest document taken; a larger one is an error of kind `tooLarge`.
  ///   simdjson keeps up to 18 times the size of the largest document it has seen.
  public init(maximumSize: Int = 128 << 20) {
    self.maximumSize = maximumSize
    guard let parser = csimdjson_create(maximumSize, JSONValue.maximumDepth) else {
      // A few hundred bytes were asked for; without them nothing else works either.
      preconditionFailure("out of memory")
    }
    self.parser = parser
  }

  deinit { csimdjson_destroy(parser) }

  /// Parses one document. The tape is valid until the next call, and while `bytes` live.
  /// Does not allocate once the parser has seen a document of that size.
  public func parse(_ bytes: UnsafeRawBufferPointer) -> TapeResult {
    var tape = csimdjson_tape()
    let start = bytes.assumingMemoryBound(to: UInt8.self).baseAddress
    if csimdjson_parse(parser, start, bytes.count, &tape) == 0 {
      return .tape(Tape(words: tape.words, strings: tape.strings, source: bytes, parser: parser))
    }
    return explain(bytes)
  }

  /// simdjson says neither what nor where, and refuses some numbers: the exact parser decides.
  private func explain(_ bytes: UnsafeRawBufferPointer) -> TapeResult {
    if bytes.count > maximumSize {
      let message = "\(bytes.count) bytes, and at most \(maximumSize) are parsed"
      return .malformed(JSONError(.tooLarge, at: 0, in: bytes, message))
    }
    do throws(JSONError) {
      return .value(try JSONValue.parse(bytes))
    } catch {
      return .malformed(error)
    }
  }
}
