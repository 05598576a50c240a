import CTerminal
import MurphyModel

/// Text for a terminal: columns, colours, and no control characters.
package enum TerminalText {
  /// SGR codes of ECMA-48.
  package enum Style: String, Sendable {
    case bold = "1"
    case faint = "2"
    case red = "31"
    case green = "32"
    case yellow = "33"
    case boldRed = "1;31"
    case boldGreen = "1;32"
    case boldYellow = "1;33"
  }

  /// Unchanged if `colour` is false.
  package static func paint(_ text: String, _ style: Style, _ colour: Bool) -> String {
    colour ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
  }

  /// The final word of a run.
  package static func verdict(_ verdict: Verdict, colour: Bool) -> String {
    switch verdict {
    case .pass: paint(verdict.word, .boldGreen, colour)
    case .fail: paint(verdict.word, .boldRed, colour)
    case .shard: verdict.word
    case .invalid, .noData: paint(verdict.word, .boldYellow, colour)
    }
  }

  /// Data on one line without control characters, so that no response of a server can control the terminal.
  package static func safe(_ text: String) -> String { cleaned(text, keepingLines: false) }

  /// Lines for a terminal without control characters: line feeds and tabs stay, nothing else moves the cursor.
  package static func harmless(_ text: String) -> String { cleaned(text, keepingLines: true) }

  private static func cleaned(_ text: String, keepingLines: Bool) -> String {
    var clean = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n", "\t": clean.append(keepingLines ? scalar : " ")
      case "\r": clean.append(" ")
      default: clean.append(scalar.steersTerminals ? "\u{FFFD}" : scalar)
      }
    }
    return String(clean)
  }

  /// Lines that the runner of GitHub Actions treats as text. A line that begins with `::`, or contains `##[`, would be
  /// one of its commands (actions/runner, `ActionCommand.cs`).
  package static func withoutWorkflowCommands(_ text: String) -> String {
    text.unicodeScalars.split(omittingEmptySubsequences: false) { Character($0).isNewline }.map { line in
      let words = line.drop { $0.properties.isWhitespace || $0 == "\u{FEFF}" }
      let isCommand = words.starts(with: "::".unicodeScalars)
      let plain = isCommand ? String(line[..<words.startIndex]) + ": :" + String(words.dropFirst(2)) : String(line)
      return plain.replacingScalars("##[", with: "## [")
    }.joined(separator: "\n")
  }

  /// The width of a text in columns, by the tables of the C library. East Asian wide letters and emoji have two,
  /// combining marks none. Characters that are joined into one emoji count once, as terminals render it.
  package static func columns(_ text: String) -> Int {
    if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return text.utf8.count }
    return text.reduce(0) { $0 + columns(of: $1) }
  }

  private static func columns(of letter: Character) -> Int {
    var columns = 0
    var isJoined = false
    for scalar in letter.unicodeScalars {
      if !isJoined, columns == 0 || !scalar.properties.isEmojiModifier {
        // The result is -1 for control characters and for letters newer than the C library.
        let width = terminal_columns(scalar.value)
        columns += width < 0 ? (scalar.properties.generalCategory == .control ? 0 : 1) : Int(width)
      }
      isJoined = scalar == "\u{200D}"
    }
    return columns
  }

  /// The text in at most `width` columns, with an ellipsis for the omitted part.
  package static func cut(_ text: String, to width: Int) -> String {
    guard columns(text) > width else { return text }
    return width > 0 ? head(of: text, width - 1) + "…" : ""
  }

  /// The letters that fit into `width` columns.
  private static func head(of text: String, _ width: Int) -> Substring {
    var used = 0
    return text.prefix { letter in
      used += columns(of: letter)
      return used <= width
    }
  }

  /// Words after a head, wrapped to `width` columns in total; the lines below begin with `indent` spaces.
  ///
  /// - Parameters:
  ///   - head: takes `indent` columns on the terminal; it may contain escape sequences.
  ///   - text: cleaned here.
  ///   - most: the maximum number of lines; longer text is cut.
  package static func hang(
    _ head: String, _ text: String, indent: Int, to width: Int, lines most: Int = .max
  ) -> [String] {
    let room = max(width - indent, narrowest)
    var lines = wrap(safe(text), to: room)
    if lines.count > most { lines[(most - 1)...] = [cut(lines[(most - 1)...].joined(separator: " "), to: room)] }
    return lines.enumerated().map { ($0 == 0 ? head : String(repeating: " ", count: indent)) + $1 }
  }

  /// The minimum width for words on a very narrow terminal.
  private static let narrowest = 12

  /// Lines of at most `width` columns, broken between words; longer words are cut where necessary.
  package static func wrap(_ text: String, to width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      var word = String(word)
      while columns(word) > width {
        if !line.isEmpty { lines.append(line) }
        // A letter of two columns is used even if only one is left.
        let fitting = head(of: word, width)
        let head = String(fitting.isEmpty ? word.prefix(1) : fitting)
        lines.append(head)
        word = String(word.dropFirst(head.count))
        line = ""
      }
      if line.isEmpty {
        line = word
      } else if columns(line) + 1 + columns(word) <= width {
        line += " " + word
      } else {
        lines.append(line)
        line = word
      }
    }
    return line.isEmpty ? lines : lines + [line]
  }
}

extension Unicode.Scalar {
  /// True for a control character, or one that changes the direction of the text around it.
  var steersTerminals: Bool {
    switch self {
    case "\0"..<" ", "\u{7F}"..."\u{9F}", "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}": true
    default: false
    }
  }
}
