import Foundation
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
      reasons: (Self.sentences(result) + unreadable).map { Phrase($0) },
      tiles: [.init("runs", .count(runs.count))]
        + [Verdict.pass, .fail, .noData, .invalid].map { verdict in
          .init(verdict.word, .count(runs.count { $0.verdict == verdict }))
        },
      sections: result.scenarios.enumerated().map { index, scenario in
        .init("scenario-\(index)", scenario.scenario) { content(index, scenario) }
      },
      footer: "murphy trend · \(result.format) · informational only")
  }

  private var unreadable: [String] {
    let files = result.unreadable ?? []
    guard !files.isEmpty else { return [] }
    return ["\(counted(files.count, "file")) left out:"]
      + files.map { "\($0.file): \($0.detail)" }.first(8) { "and \(counted($0, "more file")), listed in trend.json" }
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
              "\(operation.operation): \(metric.words) changed from \(metric.valueText(last.before)) to "
                + "\(metric.valueText(last.after)) in the run of \(run.started.prefix(10)) "
                + "\(run.started.dropFirst(11).prefix(5))"
            ))
        }
      }
    }
    if found.isEmpty {
      let few = result.scenarios.filter { $0.runs.count(where: \.isSound) < ChangePoints.fewest }
      let rest = result.scenarios.count - few.count
      return few.map { scenario in
        "\(scenario.scenario): \(counted(scenario.runs.count(where: \.isSound), "complete run"))\(scenario.leftOut), but a "
          + "change is detectable only in at least \(ChangePoints.fewest) runs."
      } + (rest > 0 || few.isEmpty ? ["No change was detected."] : [])
    }
    return found.sorted { $0.size > $1.size }.map(\.text).first(8) {
      "and \(counted($0, "more change")), marked in the charts"
    }
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
      "Each point is a run, the oldest first. Large red points are failed runs. Rings are runs without a valid "
        + "measurement. A vertical line is a detected change. A horizontal line is a budget. At a dotted line, the "
        + "machine, the load or the version of murphy changed.")
    for (number, operation) in shown.enumerated() {
      Block.heading(operation.operation)
      Block.multiples(
        operation.series.filter { $0.values.contains { $0 != nil } }.map { series in
          TrendChart(scenario: scenario, operation: operation.operation, series: series).chart(
            id: "trend-\(index)-\(number)-\(series.metric.rawValue)")
        }, TrendChart.size)
    }
    Block.cut(ranked.count - shown.count) { "Not shown: \(counted($0, "operation")) with fewer changes." }
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

/// One metric of one operation over all runs.
struct TrendChart {
  let scenario: TrendScenario
  let operation: String
  let series: TrendSeries

  static let size = ChartSize(width: 320, height: 180, left: 56, right: 14, top: 40)

  func chart(id: String) -> Chart {
    let metric = series.metric
    let known = series.values.compactMap { $0 }
    let budget = series.budget.flatMap { isNear($0, known) ? $0 : nil }
    let last = known.last.map(metric.valueText) ?? "–"
    let bound = series.budget.map { " · budget \(metric.valueText($0))" } ?? ""
    return Chart(
      id: id, title: "\(operation), \(metric.words), over \(series.values.count) runs",
      description: description, x: .ordinal(series.values.count, title: "run"),
      y: axis(known + [budget].compactMap(\.self)), heading: [metric.title, "last \(last)\(bound)"],
      marks: marks(budget))
  }

  private var description: String {
    let metric = series.metric
    let known = series.values.compactMap { $0 }
    guard let first = known.first, let last = known.last else { return "No run measured this metric." }
    let changes = series.changes.map {
      "Run \($0.run + 1) changed the value from \(metric.valueText($0.before)) to \(metric.valueText($0.after))."
    }
    return "First run: \(metric.valueText(first)). Last run: \(metric.valueText(last)). "
      + changes.joined(separator: " ")
  }

  /// A budget far above all values would compress the chart; then only the heading states it.
  private func isNear(_ budget: Double, _ values: [Double]) -> Bool {
    guard let high = values.max() else { return false }
    return budget <= high * 3
  }

  private func axis(_ values: [Double]) -> Axis {
    let metric = series.metric
    let (low, high) = (values.min() ?? 0, values.max() ?? 1)
    let from = metric.isRatio && low > 0.6 * high ? low - (high - low) * 0.15 - low * 0.02 : 0
    let to = high + max((high - from) * 0.08, high * 0.01)
    return Axis(from...max(to, from + (metric.isRatio ? 1e-3 : 0.001)), title: "") { metric.valueText($0) }
  }

  private func marks(_ budget: Double?) -> [Mark] {
    let runs = scenario.runs
    var sound: [Point] = []
    var failed: [Point] = []
    var unsound: [Point] = []
    for (index, value) in series.values.enumerated() {
      guard let value else { continue }
      let point = Point(Double(index + 1), value)
      if !runs[index].isSound {
        unsound.append(point)
      } else if runs[index].verdict == .fail {
        failed.append(point)
      } else {
        sound.append(point)
      }
    }
    let other = runs.indices.dropFirst().filter { index in
      (runs[index].machine, runs[index].load, runs[index].murphy)
        != (runs[index - 1].machine, runs[index - 1].load, runs[index - 1].murphy)
    }
    return other.map { Mark.rule(x: Double($0) + 0.5, style: "other") }
      + series.changes.map { change in
        Mark.rule(
          x: Double(change.run) + 0.5, style: change.change > 0 ? "limit" : "better",
          label: series.metric.text(series.metric.isRatio ? log1p(max(change.change, -0.999)) : change.change))
      }
      + (budget.map { [Mark.rule(y: $0, style: "limit")] } ?? [])
      + levels + [
        Mark.scatter(sound, style: "p50", radius: 2.6), Mark.scatter(failed, style: "broken", radius: 4.2),
        Mark.scatter(unsound, style: "max", radius: 3, ring: true),
      ]
  }

  /// The median of each level as a line over its runs.
  private var levels: [Mark] {
    guard let first = series.changes.first else { return [] }
    let count = series.values.count
    let starts = [0] + series.changes.map(\.run)
    let heights = [first.before] + series.changes.map(\.after)
    return starts.indices.map { index in
      let end = index + 1 < starts.count ? starts[index + 1] : count
      return Mark.line(
        [Point(Double(starts[index]) + 0.5, heights[index]), Point(Double(end) + 0.5, heights[index])], style: "p50")
    }
  }
}

extension TrendScenario {
  /// ` (left out: r04/result.json)`: runs whose load ended early, or that have no verdict on the API.
  fileprivate var leftOut: String {
    let files = runs.filter { !$0.isSound }.map(\.file)
    guard !files.isEmpty else { return "" }
    return " (left out: \(files.prefix(3).joined(separator: ", "))"
      + (files.count > 3 ? " and \(files.count - 3) more)" : ")")
  }
}
