import MurphyModel

/// One part of the page, drawn from the result alone.
protocol ReportSection: Sendable {
  /// The anchor, unique in the page.
  static var id: String { get }
  static var title: String { get }
  /// The title's short form, for the contents.
  static var entry: String { get }

  init(result: RunResult)

  /// How much the section holds, for the contents; nil for nothing that is counted.
  var count: Int? { get }

  /// Whether it says nothing that needs attention: its content is folded then.
  var isFolded: Bool { get }

  /// Nil when the run has nothing to show here; the section and its entry in the contents are then left out.
  var content: Markup? { get }
}

extension ReportSection {
  static var entry: String { title }
  var count: Int? { nil }
  var isFolded: Bool { false }

  /// The section with its entry in the contents; nil where it has nothing to show.
  var section: ReportPage.Section? {
    content.map { content in
      .init(
        id: Self.id, title: Self.title, entry: Self.entry + (count.map { " \(Figure.count($0).text)" } ?? ""),
        content: content, isFolded: isFolded)
    }
  }
}

/// A sentence under a heading that says what the numbers below mean.
func lead(_ text: String) -> Markup { element(.p, .class("lead"), text: text) }

/// Small charts in rows, one figure each.
func multiples(_ charts: [Chart], _ size: ChartSize) -> Markup {
  element(.div, .class("multiples")) { for chart in charts { element(.figure) { chart.svg(size) } } }
}

/// How much of a list or a figure is left out; nothing where that is none of it.
func cut(_ count: Int, _ text: (Int) -> String) -> Markup {
  count > 0 ? element(.p, .class("cut"), text: text(count)) : .nothing
}

/// Sentences one below the other; nothing without one.
func list(_ lines: some Sequence<String>, _ style: String = "plain") -> Markup {
  let items = lines.map { element(.li, text: $0) }
  return items.isEmpty ? .nothing : element(.ul, .class(style)) { .group(items) }
}

/// `1 request`, `12 requests`, `2 policies`
package func counted(_ count: Int, _ singular: String, _ plural: String? = nil) -> String {
  let usual = singular.hasSuffix("cy") ? singular.dropLast() + "ies" : singular + "s"
  return "\(Figure.count(count).text) \(count == 1 ? singular : plural ?? usual)"
}

extension Collection<String> {
  /// The first ones, and a line that counts the rest.
  func first(_ most: Int, rest: (Int) -> String = { "and \($0) more" }) -> [String] {
    prefix(most) + (count > most ? [rest(count - most)] : [])
  }
}
