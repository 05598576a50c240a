/// A text that is not JSON, or more than the parsers take.
public struct JSONError: Error, Sendable, Hashable, CustomStringConvertible {
  public enum Kind: Sendable, Hashable {
    case syntax
    /// Nested deeper than `JSONValue.maximumDepth`.
    case tooDeep
    /// Larger than the parser's bound.
    case tooLarge
  }

  public let kind: Kind
  /// Bytes from the start of the text.
  public let offset: Int
  /// From 1. Lines end with LF.
  public let line: Int
  /// From 1, in bytes.
  public let column: Int
  public let message: String

  public init(kind: Kind, offset: Int, line: Int, column: Int, message: String) {
    self.kind = kind
    self.offset = offset
    self.line = line
    self.column = column
    self.message = message
  }

  init(_ kind: Kind, at offset: Int, in text: UnsafeRawBufferPointer, _ message: String) {
    let before = text[..<min(offset, text.count)]
    let line = before.reduce(1) { $1 == 0x0A ? $0 + 1 : $0 }
    let lineStart = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    self.init(kind: kind, offset: offset, line: line, column: offset - lineStart + 1, message: message)
  }

  public var description: String { "line \(line), column \(column): \(message)" }
}
