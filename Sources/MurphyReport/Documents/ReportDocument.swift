import MurphyModel

/// A report as data: the content of its header, and its sections. Each report builds one from its result. Three
/// renderers write it: `html` writes all of it; `markdown` and `terminal(width:)` write the sections that are meant for
/// them.
package struct ReportDocument: Sendable {
  enum Medium: Sendable { case page, summary, terminal }

  struct Section: Sendable {
    /// The anchor, unique in the page.
    var id: String
    var title: String
    /// Its name in the contents; nil for its title.
    var entry: String?
    var isFolded = false
    var media: Set<Medium>
    /// A section without blocks is omitted.
    var blocks: [Block]

    init(
      _ id: String, _ title: String, entry: String? = nil, isFolded: Bool = false, in media: Set<Medium> = [.page],
      @BlockBuilder blocks: () -> [Block]
    ) {
      (self.id, self.title, self.entry, self.isFolded) = (id, title, entry, isFolded)
      (self.media, self.blocks) = (media, blocks())
    }
  }

  /// A label with its value.
  struct Tile: Sendable {
    var name: String
    var value: Markup
    var isLong: Bool
    var meaning: String?

    /// - Parameter value: nil if it is not known.
    init(_ name: String, _ value: String?, _ meaning: String? = nil) {
      self.init(name, Figure(value ?? "–"), meaning)
    }

    init(_ name: String, _ figure: Figure, _ meaning: String? = nil) {
      (self.name, value, self.meaning) = (name, figure.markup, meaning)
      isLong = figure.text.count > Self.mostCharacters
    }

    private static let mostCharacters = 9
  }

  /// The title of the window.
  var title: String
  /// Nil for a report without a verdict.
  var verdict: Verdict?
  /// `PASS`; nil for the verdict's word.
  var word: String?
  /// The subject of the report, next to the name of the program.
  var kicker: String
  var name: String
  /// The action, after the name in a summary's heading.
  var deed: String?
  /// The procedure, in a sentence: below the name on a terminal, at the end of a summary.
  var setting = Phrase("")
  /// The decision in a sentence.
  var answer = Phrase("")
  var reasons: [Phrase] = []
  var next: [(name: String, value: Phrase)] = []
  /// Only on the page.
  var tiles: [Tile] = []
  var sections: [Section] = []
  /// True if links to the sections come before them.
  var hasContents = true
  /// The footer of the page.
  var footer: String?
}

/// Words for every medium.
struct Phrase: Sendable, ExpressibleByStringInterpolation {
  /// Empty for content that only the page has.
  var text: String
  /// Nil for the text.
  var markup: Markup?
  /// Nil for the text, escaped.
  var markdown: String?

  init(_ text: String, markup: Markup? = nil, markdown: String? = nil) {
    (self.text, self.markup, self.markdown) = (text, markup, markdown)
  }

  init(stringLiteral text: String) { self.init(text) }
}

/// A part of a section.
indirect enum Block: Sendable {
  struct Item: Sendable {
    var words: Phrase
    /// The command that reproduces it.
    var command: String?
  }

  /// - Parameter style: its class on the page.
  case text(Phrase, style: String = "")
  case heading(String)
  /// More than `most` items are counted instead of listed; media with less space show fewer.
  case list([Item], most: Int = .max, style: String = "plain")
  /// Names with their values.
  case facts([(String, Phrase)], style: String = "facts")
  /// More than `most` rows are counted instead of listed.
  case table(ReportTable, most: Int = .max)
  /// Small charts in rows.
  case multiples([Chart], ChartSize)
  /// Charts one below the other, each with its height.
  case panels([(Chart, Double)], style: String = "panels", caption: Phrase? = nil)
  case code(String, language: String = "")
  /// Content that is shown on request, if the medium allows it.
  case fold(Phrase, style: String = "fold", id: String? = nil, [Block])
  case finding(FindingArticle)
  /// Only on the page: other blocks contain the same information as text.
  case drawing(Markup)

  /// A sentence below a heading that explains the numbers.
  static func lead(_ text: String) -> Block { .text(Phrase(text), style: "lead") }

  static func lines(_ lines: some Sequence<String>, most: Int = .max, style: String = "plain") -> Block {
    .list(lines.map { Item(words: Phrase($0)) }, most: most, style: style)
  }

  /// The omitted part of a list or a figure; empty if nothing was omitted.
  static func cut(_ count: Int, _ text: (Int) -> String) -> [Block] {
    count > 0 ? [.text(Phrase(text(count)), style: "cut")] : []
  }

  static func facts(_ rows: [(String, String)]) -> Block { .facts(rows.map { ($0, Phrase($1)) }) }
}

/// Allows blocks to be written one below the other, with `if` and `for` between them.
@resultBuilder
enum BlockBuilder {
  static func buildExpression(_ block: Block) -> [Block] { [block] }
  static func buildExpression(_ blocks: [Block]) -> [Block] { blocks }
  static func buildExpression(_ table: ReportTable) -> [Block] { [.table(table)] }
  static func buildExpression(_ markup: Markup) -> [Block] { [.drawing(markup)] }
  static func buildBlock(_ parts: [Block]...) -> [Block] { parts.flatMap(\.self) }
  static func buildOptional(_ blocks: [Block]?) -> [Block] { blocks ?? [] }
  static func buildEither(first: [Block]) -> [Block] { first }
  static func buildEither(second: [Block]) -> [Block] { second }
  static func buildArray(_ parts: [[Block]]) -> [Block] { parts.flatMap(\.self) }
}
