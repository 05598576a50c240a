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

/// `1 request`, `12 requests`
package func counted(_ count: Int, _ singular: String, _ plural: String? = nil) -> String {
  "\(Figure.count(count).text) \(count == 1 ? singular : plural ?? singular + "s")"
}
