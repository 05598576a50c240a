import Glibc
import MurphyModel

/// A file's bytes and the offsets of its lines.
package struct SourceText: Sendable {
  /// The name that the user gave, for messages.
  package let file: String
  /// The whole file, unchanged.
  package let bytes: [UInt8]
  /// Offset of each line's first byte.
  private let lineStarts: [Int]

  /// - Parameter bytes: a UTF-8 byte order mark is removed.
  package init(file: String, bytes: [UInt8]) {
    self.file = file
    let bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    self.bytes = bytes
    // A text that starts like this is JSON, in which only line feeds count.
    let first = bytes.first { $0 != 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
    let isJSON = first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    lineStarts = isJSON ? Self.lineFeeds(in: bytes) : Self.lineBreaks(in: bytes)
  }

  /// The bytes of `text` as UTF-8.
  package init(file: String, text: String) { self.init(file: file, bytes: Array(text.utf8)) }

  /// Line by line and not byte by byte, because a line may have 60 MB.
  private static func lineFeeds(in bytes: [UInt8]) -> [Int] {
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

  /// Counts as libyaml does: line feeds, carriage returns, NEL, LS and PS.
  private static func lineBreaks(in bytes: [UInt8]) -> [Int] {
    var starts = [0]
    bytes.withUnsafeBytes { buffer in
      func holds(_ rest: [UInt8], at index: Int) -> Bool {
        index + rest.count <= buffer.count && rest.indices.allSatisfy { buffer[index + $0] == rest[$0] }
      }
      for index in buffer.indices {
        switch buffer[index] {
        case 0x0A: starts.append(index + 1)
        case 0x0D: if !holds([0x0A], at: index + 1) { starts.append(index + 1) }
        case 0xC2: if holds([0x85], at: index + 1) { starts.append(index + 2) }
        case 0xE2:
          if holds([0x80, 0xA8], at: index + 1) || holds([0x80, 0xA9], at: index + 1) { starts.append(index + 3) }
        default: continue
        }
      }
    }
    return starts
  }

  /// Line `number`, counted from one, without its line break; nil after the last line.
  package func line(_ number: Int) -> String? {
    guard number >= 1, number <= lineStarts.count else { return nil }
    let start = lineStarts[number - 1]
    let end = number < lineStarts.count ? lineStarts[number] : bytes.count
    var line = String(decoding: bytes[start..<end], as: UTF8.self)
    if line.last?.isNewline == true { line.removeLast() }
    return line
  }

  /// True if line `number` is too long to be read, as in minified JSON.
  func isLong(_ number: Int) -> Bool {
    guard number >= 1, number <= lineStarts.count else { return false }
    let end = number < lineStarts.count ? lineStarts[number] : bytes.count
    return end - lineStarts[number - 1] > Diagnostic.longestLine
  }

  /// The offset of the first byte of the character at a position; nil if there is none. Columns count scalars, from 1.
  package func offset(line: Int, column: Int) -> Int? {
    guard lineStarts.indices.contains(line - 1) else { return nil }
    var offset = lineStarts[line - 1]
    for _ in 1..<max(column, 1) {
      offset += 1
      while offset < bytes.count, bytes[offset] & 0xC0 == 0x80 { offset += 1 }
    }
    return offset < bytes.count ? offset : nil
  }

  /// The first position of `wanted` at or after a position, within the next `within` lines. Line and column from 1.
  package func find(_ wanted: String, line: Int, column: Int, within: Int) -> (line: Int, column: Int)? {
    let last = min(line - 1 + max(within, 1), lineStarts.count)
    let end = last < lineStarts.count ? lineStarts[last] : bytes.count
    guard let begin = offset(line: line, column: column),
      let found = bytes.place(of: Array(wanted.utf8), from: begin, before: end)?.lowerBound,
      let number = (line - 1..<last).last(where: { lineStarts[$0] <= found })
    else { return nil }
    return (number + 1, bytes[lineStarts[number]..<found].count { $0 & 0xC0 != 0x80 } + 1)
  }

  /// A diagnostic at a line and a column, from 1.
  package func diagnostic(
    _ message: String, line: Int, column: Int, severity: Diagnostic.Severity = .error, width: Int = 1
  ) -> Diagnostic {
    let mark = SourceMark(file: file, line: line, column: column)
    return diagnostic(message, at: mark, severity: severity, width: width)
  }

  /// A diagnostic with its source line and a caret. A long line is omitted.
  package func diagnostic(
    _ message: String, at mark: SourceMark, severity: Diagnostic.Severity = .error, width: Int = 1
  ) -> Diagnostic {
    let shown = isLong(mark.line) ? nil : line(mark.line)
    return Diagnostic(message, at: mark, severity: severity, sourceLine: shown, width: width)
  }
}
