import MurphyModel

/// A file as its author sees it, for messages.
struct SourceText: Sendable {
  let file: String
  let text: String
  /// Without their line breaks.
  let lines: [String]

  /// - Parameter text: a byte order mark before it is left out.
  init(file: String, text: String) {
    self.file = file
    let text = text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
    self.text = text
    lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }.map(String.init)
  }

  /// The text of line `number`, from 1; nil outside of the file.
  func line(_ number: Int) -> String? { lines.indices.contains(number - 1) ? lines[number - 1] : nil }

  func diagnostic(
    _ message: String, line: Int, column: Int, severity: Diagnostic.Severity = .error, width: Int = 1
  ) -> Diagnostic {
    Diagnostic(
      message, at: SourceMark(file: file, line: line, column: column), severity: severity, sourceLine: self.line(line),
      width: width)
  }

  /// Where `wanted` stands, at or behind a place, within the next `within` lines. Line and column from 1.
  func find(_ wanted: String, line: Int, column: Int, within: Int) -> (line: Int, column: Int)? {
    let needle = Array(wanted)
    guard !needle.isEmpty else { return nil }
    for number in line..<(line + max(within, 1)) {
      guard let text = self.line(number) else { return nil }
      let characters = Array(text)
      var start = number == line ? max(column - 1, 0) : 0
      while start + needle.count <= characters.count {
        if characters[start] == needle[0], characters[start..<start + needle.count].elementsEqual(needle) {
          return (number, start + 1)
        }
        start += 1
      }
    }
    return nil
  }
}
