/// Escapes for GitHub Flavored Markdown.
package enum MarkdownText {
  /// Words that mean nothing but themselves, also in a table's cell: on one line, no markup, no HTML, no mention.
  package static func plain(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n", "\r", "\t": escaped += " "
      case "\\", "`", "*", "_", "[", "]", "#", "|", "~", "!": escaped += "\\\(scalar)"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "&": escaped += "&amp;"
      // A zero-width joiner keeps GitHub from notifying whoever bears that name.
      case "@": escaped += "@\u{200D}"
      case "\0"..<" ", "\u{7F}"..."\u{9F}", "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}": escaped += "\u{FFFD}"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// A code span, fenced by more backticks than it holds (CommonMark 0.31.2, 6.1).
  package static func code(_ text: String) -> String {
    let line = shown(text.split(whereSeparator: \.isNewline).joined(separator: " ")).replacing("|", with: "\\|")
    let fence = String(repeating: "`", count: longestRun(of: "`", in: line) + 1)
    let padding = line.hasPrefix("`") || line.hasSuffix("`") || line.isEmpty ? " " : ""
    return fence + padding + line + padding + fence
  }

  /// A fenced block (CommonMark 0.31.2, 4.5).
  package static func block(_ text: String, language: String) -> String {
    let fence = String(repeating: "`", count: max(longestRun(of: "`", in: text) + 1, 3))
    return "\(fence)\(language)\n\(shown(text))\n\(fence)"
  }

  /// Code without characters that a terminal would act on, for a summary is also read with `cat`.
  private static func shown(_ text: String) -> String {
    var shown = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n", "\t": shown.unicodeScalars.append(scalar)
      case "\0"..<" ", "\u{7F}"..."\u{9F}", "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}": shown += "\u{FFFD}"
      default: shown.unicodeScalars.append(scalar)
      }
    }
    return shown
  }

  private static func longestRun(of letter: Character, in text: String) -> Int {
    var longest = 0
    var run = 0
    for character in text {
      run = character == letter ? run + 1 : 0
      longest = max(longest, run)
    }
    return longest
  }
}
