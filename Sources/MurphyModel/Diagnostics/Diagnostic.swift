/// A mistake in a file that a person wrote: what, where, and the nearest right thing.
public struct Diagnostic: Error, Sendable, Hashable {
  package enum Severity: String, Sendable, Codable { case error, warning }

  package var severity: Severity
  /// What is wrong, found and expected.
  public var message: String
  /// Where.
  public var mark: SourceMark
  /// The text of the marked line, without its line break.
  package var sourceLine: String?
  /// How many columns the caret underlines, at least one.
  package var width: Int

  /// Bytes.
  private static let longestMessage = 4_000

  package init(
    _ message: String, at mark: SourceMark, severity: Severity = .error, sourceLine: String? = nil, width: Int = 1
  ) {
    self.severity = severity
    // A value of a megabyte in it is nobody's help.
    self.message =
      message.utf8.count <= Self.longestMessage
      ? message : "\(message.prefix(Self.longestMessage / 2)) … \(message.suffix(Self.longestMessage / 10))"
    self.mark = mark
    self.sourceLine = sourceLine
    self.width = width
  }

  /// `file:line:column: error: message`, the source line and a caret.
  public var text: String {
    var text = "\(mark.text): \(severity.rawValue): \(message)"
    guard let sourceLine else { return text }
    let gutter = String(mark.line)
    let blank = String(repeating: " ", count: gutter.count)
    // Tabs stay tabs, so that the caret stands under its column however wide the terminal draws them.
    let lead = String(sourceLine.prefix(max(mark.column - 1, 0)).map { $0 == "\t" ? "\t" : " " })
    text += "\n \(gutter) | \(sourceLine)\n \(blank) | \(lead)\(String(repeating: "^", count: max(width, 1)))"
    return text
  }
}

/// A place in a file; lines and columns count from one.
public struct SourceMark: Sendable, Hashable, Codable {
  /// Its path, as it was given.
  public var file: String
  /// From 1.
  public var line: Int
  /// From 1, in characters.
  public var column: Int

  package init(file: String, line: Int, column: Int) {
    self.file = file
    self.line = line
    self.column = column
  }

  /// `gate.yaml:12:5`
  public var text: String { "\(file):\(line):\(column)" }
}

/// Why murphy could not do its job; what the API did wrong is a `Finding` instead.
public enum GateError: Error, Sendable, CustomStringConvertible {
  /// Wrong usage: a sentence.
  case usage(String)
  /// Mistakes in files, all that were found.
  case mistakes([Diagnostic])
  /// The target cannot be reached: a sentence.
  case unreachable(String)

  public var description: String {
    switch self {
    case .usage(let sentence), .unreachable(let sentence): sentence
    case .mistakes(let diagnostics): diagnostics.map(\.text).joined(separator: "\n")
    }
  }

  /// The status with which the command ends.
  public var exitStatus: ExitStatus {
    switch self {
    case .usage, .mistakes: .usage
    case .unreachable: .unreachable
    }
  }
}
