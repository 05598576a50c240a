/// Text for a terminal: columns, colours, and nothing in it that could steer the terminal.
package enum TerminalText {
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

  /// Data on one line without control characters, so that no answer of a server reaches the terminal as a command.
  package static func safe(_ text: String) -> String { cleaned(text, keepingLines: false) }

  /// Lines for a terminal without control characters: line feeds and tabs stay, nothing else moves the cursor.
  package static func harmless(_ text: String) -> String { cleaned(text, keepingLines: true) }

  private static func cleaned(_ text: String, keepingLines: Bool) -> String {
    var clean = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n", "\t": clean.append(keepingLines ? scalar : " ")
      case "\r": clean.append(" ")
      case "\0"..<" ", "\u{7F}"..."\u{9F}", "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}": clean.append("\u{FFFD}")
      default: clean.append(scalar)
      }
    }
    return String(clean)
  }

  /// Lines that the runner of GitHub Actions takes for text: a line that begins with `::`, or holds `##[`, would be
  /// one of its commands (actions/runner, `ActionCommand.cs`).
  package static func withoutWorkflowCommands(_ text: String) -> String {
    text.split(omittingEmptySubsequences: false) { $0.isNewline }.map { line in
      let words = line.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
      let plain = words.hasPrefix("::") ? line[..<words.startIndex] + ": :" + words.dropFirst(2) : line
      return plain.replacing("##[", with: "## [")
    }.joined(separator: "\n")
  }

  /// The columns that a text takes: two for East Asian wide letters and emoji, none for combining marks.
  package static func columns(_ text: String) -> Int {
    text.reduce(0) { sum, letter in
      guard let scalar = letter.unicodeScalars.first else { return sum }
      switch scalar.value {
      case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
        0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F900...0x1F9FF, 0x20000...0x3FFFD:
        return sum + 2
      case 0x300...0x36F, 0x200B...0x200F: return sum
      default: return sum + 1
      }
    }
  }

  /// The text in at most `width` columns, an ellipsis for what was cut.
  package static func cut(_ text: String, to width: Int) -> String {
    guard columns(text) > width else { return text }
    var kept = ""
    var used = 0
    for letter in text {
      let next = columns(String(letter))
      if used + next > width - 1 { break }
      kept.append(letter)
      used += next
    }
    return width > 0 ? kept + "…" : ""
  }

  /// Lines of at most `width` columns, broken between words; longer words are cut where they must be.
  package static func wrap(_ text: String, to width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      var word = String(word)
      while columns(word) > width {
        if !line.isEmpty { lines.append(line) }
        let head = String(word.prefix(width))
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
