import MurphyModel

extension ReportDocument {
  /// In GitHub Flavored Markdown, for a reviewer of a pull request.
  package var markdown: String {
    let shown = sections.filter { $0.media.contains(.summary) && !$0.blocks.isEmpty }
    let parts =
      [heading, answer.inMarkdown, Block.list(reasons.map { .init(words: $0) }).markdown]
      + next.filter { !$0.value.text.isEmpty }.map { "**\($0.name):** \($0.value.inMarkdown)" }
      + shown.map(Self.markdown) + [setting.inMarkdown]
    return parts.paragraphs + "\n"
  }

  private var heading: String {
    let sign = verdict.map { "\($0.sign) \($0.word) · " } ?? ""
    return "# \(sign)\(MarkdownText.plain(name))" + (deed.map { ", \($0)" } ?? "")
  }

  private static func markdown(_ section: Section) -> String {
    let content = section.blocks.markdown
    return section.isFolded
      ? Block.fold(Phrase(section.title), section.blocks).markdown
      : ["## \(MarkdownText.plain(section.title))", content].paragraphs
  }
}

extension Phrase {
  fileprivate var inMarkdown: String { markdown ?? MarkdownText.plain(text) }
}

extension [String] {
  /// The strings that are not empty, with a blank line between them.
  fileprivate var paragraphs: String { filter { !$0.isEmpty }.joined(separator: "\n\n") }
}

extension [Block] {
  fileprivate var markdown: String { map(\.markdown).paragraphs }
}

extension Block {
  private static let itemsShown = 100

  var markdown: String {
    switch self {
    case .text(let words, _): words.inMarkdown
    case .heading(let text): "### \(MarkdownText.plain(text))"
    case .list(let items, let most, _):
      (items.prefix(min(most, Self.itemsShown)).map { item in
        "- \(item.words.inMarkdown)" + (item.command.map { "\n\n\(MarkdownText.block($0, language: "sh"))\n" } ?? "")
      } + (items.count > min(most, Self.itemsShown) ? ["- and \(items.count - min(most, Self.itemsShown)) more"] : []))
      .joined(separator: "\n")
    case .facts(let rows, _):
      rows.map { "- \(MarkdownText.plain($0)): \($1.inMarkdown)" }.joined(separator: "\n")
    case .table(let table, let most): table.rows.isEmpty ? "" : table.markdown(most: most)
    case .multiples(let charts, _): charts.map { MarkdownText.plain($0.words) }.paragraphs
    case .panels(let charts, _, _): charts.map { MarkdownText.plain($0.0.words) }.paragraphs
    case .code(let text, let language): MarkdownText.block(text, language: language)
    case .fold(let title, _, _, let blocks):
      ["<details><summary>\(title.inMarkdown)</summary>", blocks.markdown, "</details>"].paragraphs
    case .finding(let article): article.markdown
    case .drawing: ""
    }
  }
}

extension Chart {
  /// A text alternative of the chart.
  var words: String { "\(title): \(description)" }
}

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
