import MurphyModel

/// One part of the page, generated only from the result.
protocol ReportSection: Sendable {
  /// The anchor, unique in the page.
  static var id: String { get }
  static var title: String { get }
  /// The title's short form, for the contents.
  static var entry: String { get }

  init(result: RunResult)

  /// The number of elements in the section, for the contents; nil if nothing is counted.
  var count: Int? { get }

  /// True if nothing in it needs attention: its content is folded then.
  var isFolded: Bool { get }

  /// Empty if the run has no data for it; the section and its entry in the contents are then omitted.
  @BlockBuilder var blocks: [Block] { get }
}

extension ReportSection {
  static var entry: String { title }
  var count: Int? { nil }
  var isFolded: Bool { false }

  /// The section with its entry in the contents.
  var section: ReportDocument.Section {
    .init(
      Self.id, Self.title, entry: Self.entry + (count.map { " \(Figure.count($0).text)" } ?? ""), isFolded: isFolded
    ) { blocks }
  }
}

/// `1 request`, `12 requests`, `2 policies`
package func counted(_ count: Int, _ singular: String, _ plural: String? = nil) -> String {
  let usual = singular.hasSuffix("cy") ? singular.dropLast() + "ies" : singular + "s"
  return "\(Figure.count(count).text) \(count == 1 ? singular : plural ?? usual)"
}

extension Collection {
  /// Groups elements by their keys, in the order of the first ones.
  func grouped<Key: Hashable>(by key: (Element) -> Key) -> [(key: Key, elements: [Element])] {
    let groups = Dictionary(grouping: self, by: key)
    var seen: Set<Key> = []
    return map(key).filter { seen.insert($0).inserted }.map { ($0, groups[$0] ?? []) }
  }
}

extension Collection<String> {
  /// The first ones, and a line with the number of the others.
  func first(_ most: Int, rest: (Int) -> String = { "and \($0) more" }) -> [String] {
    prefix(most) + (count > most ? [rest(count - most)] : [])
  }
}

/// `report.html`: one file that needs no network and no script, generated only from the result.
package struct HTMLReport: Sendable {
  let result: RunResult
  /// True if there are pages of single shards (`ShardPage`) next to it.
  private let hasShardPages: Bool

  package init(_ result: RunResult, hasShardPages: Bool = false) {
    (self.result, self.hasShardPages) = (result, hasShardPages)
  }

  /// The whole document. Its size is bounded: long lists are cut, and the page states the omitted parts.
  package var text: String {
    var document = VerdictHeader(result).document
    document.sections = Self.sections.filter { result.explored == nil || !Self.ofLoad.contains($0.id) }
      .map { section($0).section }
    document.footer =
      "murphy \(result.run.murphy) · seed \(result.run.seed) · the same numbers are in result.json (\(result.format))"
    return document.html
  }

  private func section(_ kind: any ReportSection.Type) -> any ReportSection {
    guard kind == ShardsSection.self else { return kind.init(result: result) }
    var shards = ShardsSection(result: result)
    shards.hasPages = hasShardPages
    return shards
  }

  private static let sections: [any ReportSection.Type] = [
    FindingsSection.self, ExploredSection.self, ChecksSection.self, OperationsSection.self, SessionsSection.self,
    TimeSection.self,
    DistributionSection.self, LimitsSection.self, StateSection.self, RelationsSection.self,
    CoverageSection.self, LedgerSection.self, ShardsSection.self, GeneratorSection.self, RunSection.self,
  ]

  /// Sections that do not apply to an exploration.
  private static let ofLoad = [SessionsSection.id, TimeSection.id, DistributionSection.id]
}
