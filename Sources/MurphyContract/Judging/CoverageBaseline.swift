import MurphyModel

/// The items of a contract that earlier runs covered. Covered items are only ever added.
///
/// A text file, one line for each covered item, sorted, so that it is easy to merge and review:
/// ```
/// # murphy coverage baseline 1
/// status listLaws 200
/// enum listLaws 200 /data/*/order = "asc"
/// ```
package struct CoverageBaseline: Sendable, Hashable {
  private static let heading = "# murphy coverage baseline 1"

  /// `kind operation name` of every covered item.
  package private(set) var seen: Set<String>

  /// Keeps the items that were covered at least once.
  package init(_ items: some Sequence<CoverageItem>) {
    seen = Set(items.lazy.filter { $0.count > 0 }.map(Self.line))
  }

  /// Reads the file's text. Blank lines and lines that start with `#` are skipped.
  /// - Throws: a diagnostic if the heading is missing, because then it is a different kind of file.
  package init(text: String, file: String) throws(Diagnostic) {
    let lines = text.textLines.map(\.trimmed)
    guard lines.first.map(String.init) == Self.heading else {
      throw Diagnostic(
        "not a coverage baseline: the first line must be \"\(Self.heading)\"",
        at: SourceMark(file: file, line: 1, column: 1), sourceLine: lines.first.map(String.init))
    }
    seen = Set(lines.filter { !$0.isEmpty && !$0.hasPrefix("#") }.map(String.init))
  }

  /// The content of the file.
  package var text: String { ([Self.heading] + seen.sorted()).joined(separator: "\n") + "\n" }

  /// The baseline's items that `items` did not cover. Items that the contract no longer has are ignored.
  package func lost(in items: some Sequence<CoverageItem>) -> [CoverageItem] {
    items.filter { $0.count == 0 && seen.contains(Self.line($0)) }
  }

  /// The baseline extended by the items of this run, without items that the contract no longer has.
  package func advanced(by items: some Sequence<CoverageItem>) -> CoverageBaseline {
    var next = self
    next.seen = Set(items.lazy.filter { $0.count > 0 || seen.contains(Self.line($0)) }.map(Self.line))
    return next
  }

  private static func line(_ item: CoverageItem) -> String { "\(item.kind) \(item.operation) \(item.name)" }
}
