import MurphyModel

/// The terminal that text is formatted for.
struct Terminal: Sendable {
  var width: Int
  /// True if escape sequences for colours may be used (ECMA-48, 8.3.117).
  var colour = false
  /// The place of omitted content, after its count: ` in the report`.
  var elsewhere = ""

  func wrapped(_ text: String) -> [String] { TerminalText.hang("", text, indent: 0, to: width) }
  func indented(_ text: String) -> [String] { TerminalText.hang("  ", text, indent: 2, to: width) }
  func paint(_ text: String, _ style: TerminalText.Style) -> String { TerminalText.paint(text, style, colour) }

  /// A name and its text, wrapped after the name.
  func named(_ name: String, _ text: String, column: Int) -> [String] {
    let name = TerminalText.cut(TerminalText.safe(name), to: column)
    let gap = String(repeating: " ", count: max(column - TerminalText.columns(name), 0) + 2)
    return TerminalText.hang(name + gap, text, indent: column + 2, to: width)
  }
}

extension ReportDocument {
  /// The action, the sections, the reasons, and finally the word of the verdict.
  ///
  /// - Parameters:
  ///   - width: columns of the terminal.
  ///   - page: the file that shows the same in a browser; nil if there is none.
  package func terminal(width: Int = 80, page: String? = nil) -> String {
    let terminal = Terminal(width: max(width, 40))
    let column = next.map(\.name.count).max() ?? 0
    var parts = [terminal.wrapped(name)]
    for (name, value) in next { parts[0] += terminal.named(name, value.text, column: column) }
    parts[0] += terminal.wrapped(setting.text)
    for section in sections where section.media.contains(.terminal) { parts.append(section.blocks.lines(terminal)) }
    parts.append(reasons.flatMap { TerminalText.hang("- ", $0.text, indent: 2, to: terminal.width) })
    if let page { parts.append(["Report: \(TerminalText.safe(page))"]) }
    if let verdict { parts.append([verdict.word]) }
    return parts.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }.joined(separator: "\n\n") + "\n"
  }
}

extension [Block] {
  func lines(_ terminal: Terminal) -> [String] { flatMap { $0.lines(terminal) } }
}

extension Block {
  private static let itemsShown = 10

  fileprivate func lines(_ terminal: Terminal) -> [String] {
    switch self {
    case .text(let words, let style):
      let lines = terminal.wrapped(words.text)
      return style == "cut" ? lines.map { terminal.paint($0, .faint) } : lines
    case .heading(let text): return terminal.wrapped(text).map { terminal.paint($0, .faint) }
    case .list(let items, let most, _):
      let shown = items.prefix(min(most, Self.itemsShown))
      // A command is not wrapped, so that it can be pasted.
      return shown.flatMap { item in
        terminal.indented(item.words.text)
          + (item.command.map { ["    reproduce: \(TerminalText.safe($0))"] } ?? [])
      } + (items.count > shown.count ? ["  and \(items.count - shown.count) more"] : [])
    case .facts(let rows, _):
      let column = rows.map { TerminalText.columns($0.0) }.max() ?? 0
      return rows.flatMap { terminal.named($0, $1.text, column: min(column, terminal.width / 2)) }
    case .table(let table, let most): return table.lines(width: terminal.width, most: most, colour: terminal.colour)
    case .multiples(let charts, _): return charts.flatMap { terminal.wrapped($0.words) }
    case .panels(let charts, _, _): return charts.flatMap { terminal.wrapped($0.0.words) }
    case .code(let text, _): return [TerminalText.harmless(text)]
    case .fold(let title, _, _, let blocks): return terminal.wrapped(title.text) + blocks.lines(terminal)
    case .finding(let article): return article.lines(terminal)
    case .drawing: return []
    }
  }
}
