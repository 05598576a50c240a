import MurphyModel

/// Escapes for GitHub Flavored Markdown.
package enum MarkdownText {
  /// Plain text, also in a table cell: on one line, without markup, HTML or mentions.
  package static func plain(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n", "\r", "\t": escaped += " "
      case "\\", "`", "*", "_", "[", "]", "#", "|", "~", "!": escaped += "\\\(scalar)"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "&": escaped += "&amp;"
      // A zero-width joiner keeps GitHub from notifying the user with that name.
      case "@": escaped += "@\u{200D}"
      default: escaped.unicodeScalars.append(scalar.steersTerminals ? "\u{FFFD}" : scalar)
      }
    }
    return escaped
  }

  /// A code span, fenced by more backticks than it holds (CommonMark 0.31.2, 6.1).
  package static func code(_ text: String) -> String {
    let line = shown(text.textLines.filter { !$0.isEmpty }.joined(separator: " ")).escaping(["|": "\\|"])
    let fence = String(repeating: "`", count: longestRun(of: "`", in: line) + 1)
    let isFenced = [line.utf8.first, line.utf8.last].contains(UInt8(ascii: "`"))
    let padding = isFenced || line.isEmpty ? " " : ""
    return fence + padding + line + padding + fence
  }

  /// A fenced block (CommonMark 0.31.2, 4.5).
  package static func block(_ text: String, language: String) -> String {
    let fence = String(repeating: "`", count: max(longestRun(of: "`", in: text) + 1, 3))
    return "\(fence)\(language)\n\(shown(text))\n\(fence)"
  }

  /// Code without characters that a terminal would interpret, because a summary is also read with `cat`.
  private static func shown(_ text: String) -> String {
    let scalars = text.unicodeScalars.map { $0.steersTerminals && $0 != "\n" && $0 != "\t" ? "\u{FFFD}" : $0 }
    return String(String.UnicodeScalarView(scalars))
  }

  private static func longestRun(of letter: Unicode.Scalar, in text: String) -> Int {
    var longest = 0
    var run = 0
    for scalar in text.unicodeScalars {
      run = scalar == letter ? run + 1 : 0
      longest = max(longest, run)
    }
    return longest
  }
}

extension Verdict {
  /// The sign of a check in a list of results.
  var sign: String {
    switch self {
    case .pass: "✅"
    case .fail: "❌"
    case .invalid: "⚠️"
    case .noData: "⚪"
    case .shard: "➗"
    }
  }
}
