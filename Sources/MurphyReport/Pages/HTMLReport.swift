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
    let sections = Self.sections.map { ($0, section($0)) }
      .filter { $1.content != nil && !(result.explored != nil && Self.ofLoad.contains($0.id)) }
    let contents = sections.map { kind, section in
      (kind.id, kind.entry + (section.count.map { " \(Figure.count($0).text)" } ?? ""))
    }
    return Page(
      title: "\(result.verdict.word) · \(result.run.scenario)",
      body: .group([
        VerdictSection(result: result).markup,
        Page.contents(contents),
        element(.main) { for (_, section) in sections { section.markup } },
        footer,
      ])
    ).text
  }

  private func section(_ kind: any ReportSection.Type) -> any ReportSection {
    guard kind == ShardsSection.self else { return kind.init(result: result) }
    var shards = ShardsSection(result: result)
    shards.hasPages = hasShardPages
    return shards
  }

  private static let sections: [any ReportSection.Type] = [
    FindingsSection.self, ExploredSection.self, PromisesSection.self, OperationsSection.self, SessionsSection.self,
    TimeSection.self,
    DistributionSection.self, LimitsSection.self, StateSection.self, RelationsSection.self,
    CoverageSection.self, LedgerSection.self, ShardsSection.self, GeneratorSection.self, RunSection.self,
  ]

  /// Sections that say nothing of an exploration.
  private static let ofLoad = [SessionsSection.id, TimeSection.id, DistributionSection.id]

  private var footer: Markup {
    element(.footer) {
      element(
        .p,
        text:
          "murphy \(result.run.murphy) · seed \(result.run.seed) · the same numbers are in result.json (\(result.format))"
      )
    }
  }
}
