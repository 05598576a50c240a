import Glibc

/// A text that is not JSON, or more than the parsers take.
public struct JSONError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What sort of mistake it is.
  public enum Kind: Sendable, Hashable {
    case syntax
    /// Nested deeper than `JSONValue.maximumDepth`.
    case tooDeep
    /// Larger than the parser's bound.
    case tooLarge
  }

  /// What sort of mistake it is.
  public let kind: Kind
  /// Bytes from the start of the text.
  public let offset: Int
  /// From 1. Lines end with LF.
  public let line: Int
  /// From 1, in bytes.
  public let column: Int
  /// What was found and what was expected, without the place.
  public let message: String

  /// A mistake at a byte offset from 0; line and column from 1.
  public init(kind: Kind, offset: Int, line: Int, column: Int, message: String) {
    self.kind = kind
    self.offset = offset
    self.line = line
    self.column = column
    self.message = message
  }

  init(_ kind: Kind, at offset: Int, in text: UnsafeRawBufferPointer, _ message: String) {
    let end = min(offset, text.count)
    var (line, lineStart) = (1, 0)
    // Line by line rather than byte by byte: a server's line may have megabytes.
    if let base = text.baseAddress {
      while lineStart < end, let found = memchr(base + lineStart, 0x0A, end - lineStart) {
        line += 1
        lineStart = UnsafeRawPointer(found) - base + 1
      }
    }
    self.init(kind: kind, offset: offset, line: line, column: offset - lineStart + 1, message: message)
  }

  public var description: String { "line \(line), column \(column): \(message)" }
}
