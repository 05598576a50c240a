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

  /// Empty when the run has nothing to show here; the section and its entry in the contents are then left out.
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

extension Sequence {
  /// Elements with equal keys together, in the order of the first ones.
  func grouped<Key: Hashable>(by key: (Element) -> Key) -> [(key: Key, elements: [Element])] {
    let groups = Dictionary(grouping: self, by: key)
    var seen: Set<Key> = []
    return map(key).filter { seen.insert($0).inserted }.map { ($0, groups[$0] ?? []) }
  }
}

extension Collection<String> {
  /// The first ones, and a line that counts the rest.
  func first(_ most: Int, rest: (Int) -> String = { "and \($0) more" }) -> [String] {
    prefix(most) + (count > most ? [rest(count - most)] : [])
  }
}

/// `report.html`: one file that needs no network and no script, drawn from the result alone.
package struct HTMLReport: Sendable {
  let result: RunResult
  /// Whether pages of single shards (`ShardPage`) stand beside it.
  private let hasShardPages: Bool

  package init(_ result: RunResult, hasShardPages: Bool = false) {
    (self.result, self.hasShardPages) = (result, hasShardPages)
  }

  /// The whole document. Its size is bounded: long lists are cut, and the page says what was cut.
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

  /// Sections that say nothing of an exploration.
  private static let ofLoad = [SessionsSection.id, TimeSection.id, DistributionSection.id]
}
