import MurphyModel

/// What earlier runs saw of a contract: a ratchet that only turns one way.
///
/// A text file, one line for each item that was seen, sorted, so that it merges and reviews well:
/// ```
/// # murphy coverage baseline 1
/// status listLaws 200
/// enum listLaws 200 /data/*/order = "asc"
/// ```
package struct CoverageBaseline: Sendable, Hashable {
  private static let heading = "# murphy coverage baseline 1"

  /// `kind operation name` of every item seen.
  package private(set) var seen: Set<String>

  package init(_ items: some Sequence<CoverageItem>) {
    seen = Set(items.lazy.filter { $0.count > 0 }.map(Self.line))
  }

  /// Reads the file's text. Blank lines and lines that begin with `#` are skipped.
  /// - Throws: a diagnostic when the heading is missing, for then it is some other file.
  package init(text: String, file: String) throws(Diagnostic) {
    let lines = text.textLines.map(\.trimmed)
    guard lines.first.map(String.init) == Self.heading else {
      throw Diagnostic(
        "not a coverage baseline: the first line must be \"\(Self.heading)\"",
        at: SourceMark(file: file, line: 1, column: 1), sourceLine: lines.first.map(String.init))
    }
    seen = Set(lines.filter { !$0.isEmpty && !$0.hasPrefix("#") }.map(String.init))
  }

  package var text: String { ([Self.heading] + seen.sorted()).joined(separator: "\n") + "\n" }

  /// Items of the contract that the baseline saw and `items` did not. What the contract no longer has is not missed.
  package func lost(in items: some Sequence<CoverageItem>) -> [CoverageItem] {
    items.filter { $0.count == 0 && seen.contains(Self.line($0)) }
  }

  /// The baseline turned forward: what either has seen, without what the contract no longer has.
  package func advanced(by items: some Sequence<CoverageItem>) -> CoverageBaseline {
    var next = self
    next.seen = Set(items.lazy.filter { $0.count > 0 || seen.contains(Self.line($0)) }.map(Self.line))
    return next
  }

  private static func line(_ item: CoverageItem) -> String { "\(item.kind) \(item.operation) \(item.name)" }
}
