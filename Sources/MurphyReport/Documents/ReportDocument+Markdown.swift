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
