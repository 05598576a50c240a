import MurphyModel

/// The result of `murphy selfcheck`: the distributions with the true values, the conditions, and the failures.
package struct SelfcheckReport {
  private let result: SelfcheckResult

  package init(_ result: SelfcheckResult) { self.result = result }

  package var document: ReportDocument {
    ReportDocument(
      title: "\(result.verdict.word) · selfcheck", verdict: result.verdict, kicker: "selfcheck",
      name: "murphy \(result.murphy) on \(result.machine)",
      setting: "\(counted(result.loops, "loop")), seed \(result.seed), \(Figure.time(result.duration).text)",
      reasons: result.reasons.map { Phrase($0) },
      sections: [
        .init("distributions", "Distributions", in: [.page, .summary, .terminal]) { distributions },
        .init("conditions", "Conditions", in: [.page, .summary, .terminal]) {
          Block.facts(
            result.checks.map { row -> (String, String) in
              let state: Check.State = row.verdict == .pass ? .passed : .failed
              return ("\(state.sign) \(row.check.title)", row.sentence)
            })
        },
      ])
  }

  /// A heading for each distribution, and a row for each of its percentiles.
  private var distributions: ReportTable {
    ReportTable(
      "Percentiles of known delays",
      [
        .text("percentile"), .number("imposed"), .number("measured"), .number("reported"), .number("error"),
        .number("of which histogram", spare: 0),
      ],
      (result.distributions + [result.freeze.row]).flatMap { row -> [[ReportTable.Cell]] in
        [[.text("\(row.distribution): \(counted(row.samples, "sample"))")]] + row.quantiles.map(cells)
      })
  }

  private func cells(_ quantile: QuantileRow) -> [ReportTable.Cell] {
    let times = [
      quantile.imposed, quantile.recorded, quantile.reported, quantile.measuringError, quantile.recordingError,
    ]
    return [.text("  " + quantile.title)] + times.map { .text(Figure.latency($0).text) }
  }
}
