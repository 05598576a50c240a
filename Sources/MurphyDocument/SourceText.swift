import Glibc
import MurphyModel

/// A file's bytes and where its lines begin.
package struct SourceText: Sendable {
  /// As the user named it, for messages.
  package let file: String
  package let bytes: [UInt8]
  /// Offset of each line's first byte.
  private let lineStarts: [Int]

  /// - Parameter bytes: a byte order mark before UTF-8 is left out.
  package init(file: String, bytes: [UInt8]) {
    self.file = file
    let bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    self.bytes = bytes
    lineStarts = Self.lineStarts(of: bytes)
  }

  /// Line by line rather than byte by byte: a line may have 60 MB.
  private static func lineStarts(of bytes: [UInt8]) -> [Int] {
    var starts = [0]
    bytes.withUnsafeBytes { buffer in
      guard let base = buffer.baseAddress else { return }
      while let last = starts.last, last < buffer.count,
        let found = memchr(base + last, CInt(UInt8(ascii: "\n")), buffer.count - last)
      {
        starts.append(UnsafeRawPointer(found) - base + 1)
      }
    }
    return starts
  }

  /// Line `number`, counted from one, without its line break; nil past the end.
  package func line(_ number: Int) -> String? {
    guard number >= 1, number <= lineStarts.count else { return nil }
    let start = lineStarts[number - 1]
    var end = number < lineStarts.count ? lineStarts[number] - 1 : bytes.count
    if end > start, bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
    return String(decoding: bytes[start..<max(start, end)], as: UTF8.self)
  }

  /// A diagnostic with its source line and a caret.
  ///
  /// Lines longer than 400 characters, as in minified JSON, are cut to the surroundings of the mark.
  package func diagnostic(
    _ message: String, at mark: SourceMark, severity: Diagnostic.Severity = .error, width: Int = 1
  ) -> Diagnostic {
    let text = line(mark.line)
    let readable = text.flatMap { $0.utf8.count <= 400 ? $0 : nil }
    return Diagnostic(message, at: mark, severity: severity, sourceLine: readable, width: width)
  }
}
