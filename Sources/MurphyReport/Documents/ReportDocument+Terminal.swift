import CTerminal
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

  /// The text in at most `width` columns, with an ellipsis for the omitted part. It never ends with a part of a number,
  /// which would be another number.
  package static func cut(_ text: String, to width: Int) -> String {
    guard columns(text) > width else { return text }
    guard width > 0 else { return "" }
    var kept = head(of: text, width - 1)
    if let next = text[kept.endIndex...].first, isOfNumber(next) {
      while let last = kept.last, isOfNumber(last) { kept.removeLast() }
    }
    return kept + "…"
  }

  private static func isOfNumber(_ letter: Character) -> Bool { letter.isNumber || letter == "." || letter == "," }

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
