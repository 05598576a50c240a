import MurphyJudge
import MurphyModel

/// The result of `murphy trend`: every operation over many runs; it has no verdict.
package struct TrendReport: Sendable {
  let result: TrendResult

  package init(_ result: TrendResult) { self.result = result }

  /// The maximum of operations; those with the most changes are kept.
  static let operationsShown = 60

  package var document: ReportDocument {
    let runs = result.scenarios.flatMap(\.runs)
    return ReportDocument(
      title: "Trend · " + result.scenarios.map(\.scenario).joined(separator: ", "), kicker: "trend", name: title,
      reasons: Self.sentences(result).map { Phrase($0) },
      tiles: [.init("runs", .count(runs.count))]
        + [Verdict.pass, .fail, .noData, .invalid].map { verdict in
          .init(verdict.word, .count(runs.count { $0.verdict == verdict }))
        },
      sections: result.scenarios.enumerated().map { index, scenario in
        .init("scenario-\(index)", scenario.scenario) { content(index, scenario) }
      },
      footer: "murphy trend · \(result.format) · informational only")
  }

  private var title: String {
    let runs = result.scenarios.flatMap(\.runs).map(\.started).sorted()
    guard let first = runs.first, let last = runs.last else { return "No runs" }
    return "\(counted(runs.count, "run")), \(first.prefix(10)) to \(last.prefix(10))"
  }

  /// The changes of the last level of each series, the largest first.
  package static func sentences(_ result: TrendResult) -> [String] {
    var found: [(size: Double, text: String)] = []
    for scenario in result.scenarios {
      for operation in scenario.operations {
        for series in operation.series {
          guard let last = series.changes.last else { continue }
          let metric = series.metric
          let run = scenario.runs[last.run]
          found.append(
            (
              last.change.magnitude,
              "\(operation.operation): \(metric.words) went from \(metric.valueText(last.before)) to "
                + "\(metric.valueText(last.after)) with the run of \(run.started.prefix(10)) \(run.started.dropFirst(11).prefix(5))"
            ))
        }
      }
    }
    if found.isEmpty {
      let few = result.scenarios.filter { $0.runs.count(where: \.isSound) < ChangePoints.fewest }
      let rest = result.scenarios.count - few.count
      return few.map { scenario in
        "\(scenario.scenario): \(counted(scenario.runs.count(where: \.isSound), "run")): at least \(ChangePoints.fewest) are "
          + "needed to detect a change."
      } + (rest > 0 || few.isEmpty ? ["No change was detected."] : [])
    }
    return found.sorted { $0.size > $1.size }.map(\.text).first(8) { "and \($0) more changes, marked below" }
  }

  @BlockBuilder private func content(_ index: Int, _ scenario: TrendScenario) -> [Block] {
    let ranked = scenario.operations.enumerated().sorted {
      let changes = (
        $0.element.series.reduce(0) { $0 + $1.changes.count }, $1.element.series.reduce(0) { $0 + $1.changes.count }
      )
      return changes.0 == changes.1 ? $0.offset < $1.offset : changes.0 > changes.1
    }.map(\.element)
    let shown = ranked.prefix(Self.operationsShown)
    Block.lead(
      "One point per run, oldest first. Large red points: failed runs. Rings: runs without a valid measurement. Vertical "
        + "line: detected change. Horizontal line: budget. Dotted lines: another machine, load or murphy version.")
    for (number, operation) in shown.enumerated() {
      Block.heading(operation.operation)
      Block.multiples(
        operation.series.filter { $0.values.contains { $0 != nil } }.map { series in
          TrendChart(scenario: scenario, operation: operation.operation, series: series).chart(
            id: "trend-\(index)-\(number)-\(series.metric.rawValue)")
        }, TrendChart.size)
    }
    Block.cut(ranked.count - shown.count) { "\($0) operations with fewer changes are not shown." }
    runs(scenario)
  }

  private func runs(_ scenario: TrendScenario) -> Block {
    let table = ReportTable(
      "Runs of \(scenario.scenario)",
      [.number("run"), .text("started"), .text("verdict"), .text("load"), .text("machine"), .text("file")],
      scenario.runs.enumerated().map { number, run in
        [
          .text(String(number + 1)), .text(run.started), .text(run.verdict.word), .text(run.load),
          .text("\(run.machine), murphy \(run.murphy)"), .init(run.file, markup: element(.code, text: run.file)),
        ]
      }, style: "dense")
    return .fold("The \(counted(scenario.runs.count, "run"))", [.table(table)])
  }
}
