import MurphyModel

/// `report.html`: one file that needs no network and no script, drawn from the result alone.
package struct HTMLReport: Sendable {
  package let result: RunResult
  /// Whether pages of single shards (`ShardPage`) stand beside it.
  private let hasShardPages: Bool

  package init(_ result: RunResult, hasShardPages: Bool = false) {
    self.result = result
    self.hasShardPages = hasShardPages
  }

  /// The whole document. Its size is bounded: long lists are cut, and the page says what was cut.
  package var text: String {
    var page = VerdictHeader(result).page
    page.sections = Self.sections.filter { result.explored == nil || !Self.ofLoad.contains($0.id) }
      .compactMap { section($0).section }
    page.footer =
      "murphy \(result.run.murphy) · seed \(result.run.seed) · the same numbers are in result.json (\(result.format))"
    return page.text
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
