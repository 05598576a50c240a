import MurphyJudge
import MurphyModel

/// The result of `murphy capacity`: throughput and latency over the load, and the load at which checks begin to fail.
package struct CapacityReport: Sendable {
  let result: CapacityResult

  package init(_ result: CapacityResult) { self.result = result }

  package var document: ReportDocument {
    ReportDocument(
      title: "\(result.verdict.word) · capacity · \(result.scenario)", verdict: result.verdict, kicker: "capacity",
      name: result.scenario, deed: "capacity",
      setting: """
        \(result.target), windows of \(Figure.seconds(result.window).text), seed \(result.seed), \
        \(Figure.seconds(result.duration).text) in all
        """,
      reasons: result.reasons.map { Phrase($0) },
      tiles: [
        .init("capacity", result.capacity.map(result.text), "the highest load at which all checks passed (confirmed)"),
        .init("responses", result.throughput.map { Figure.rate($0).text }, "at that load"),
        .init("failing load", result.broke.map(result.text), "the lowest load at which a check failed twice"),
        .init("knee", result.knee.map { result.text($0.load) }, "the best throughput per latency"),
      ],
      sections: [
        .init("curve", "Latency and throughput over the load", entry: "Curve") { CapacityCurve(result).blocks },
        .init("bounds", "Limiting factors", entry: "Bounds") { bounds },
        .init("windows", "Every window", entry: "Windows", in: [.page, .summary]) {
          Block.lead(
            "A load fails only when two windows in a row fail a check. Latency is measured from the scheduled "
              + "send time. Requests without a response count with the time that they waited.")
          Block.table(.windows(result), most: 200)
        },
        .init("rows", "Every window", in: [.terminal]) { ReportTable.windows(result) },
        .init("search", "The search", entry: "Search") { search },
      ],
      footer: "murphy \(result.murphy) · seed \(result.seed) · the same numbers are in capacity.json (\(result.format))"
    )
  }

  @BlockBuilder private var bounds: [Block] {
    if let broke = result.broke, !result.bounds.isEmpty {
      Block.lead("Limiting factors at \(result.text(broke)), the decisive one first.")
      Block.lines(result.bounds.map(\.sentence))
    } else {
      Block.lead("No load failed.")
    }
    if !result.untested.isEmpty {
      Block.lead("No window was long enough for these checks.")
      Block.lines(result.untested.map(\.sentence))
    }
  }

  private var search: Block {
    let steps = result.steps.count { $0.purpose != .recover }
    return .facts([
      ("scenario", result.scenarioFile), ("target", result.target), ("started", result.started),
      ("duration", Figure.seconds(result.duration).text),
      ("windows", "\(counted(steps, "window")), \(counted(result.steps.count - steps, "second")) of recovery"),
      ("judged part", Figure.seconds(result.window).text),
      ("precision", "\(Figure.decimals(result.precision * 100, 1))%"),
      ("required", result.required.map(result.text) ?? "nothing"),
      ("maximum", result.most.map(result.text) ?? "none"),
      ("ended", result.ending.rawValue), ("machine", result.machine),
    ])
  }

  /// A window in a line, for the progress output.
  package static func line(_ step: CapacityStep, of result: CapacityResult) -> String {
    let cause = step.causes.first.map { ": " + $0.sentence } ?? ""
    return "\(step.purpose.rawValue) \(result.text(step.load))  \(step.outcome.word)\(cause)"
  }
}

extension ReportTable {
  /// One row for each window of load.
  static func windows(_ result: CapacityResult) -> ReportTable {
    let latencies = [("p50", 3), ("p95", 4), ("p99", nil)].map { Column.number($0, unit: "ms", spare: $1) }
    return ReportTable(
      "Every window of load",
      [.text("load"), .text("purpose", spare: 2), .text("result"), .number("responses/s")] + latencies
        + [.number("errors", spare: 1), .number("rejected", spare: 0), .note("why")],
      result.steps.filter { $0.purpose != .recover }.map { step in
        let outcome = element(.span, .class("badge \(step.outcome.tone)"), text: step.outcome.word)
        return [
          .name(result.text(step.load)), .text(step.purpose.rawValue), Cell(step.outcome.word, markup: outcome),
          .text(Figure.digits(step.throughput)), .latency(step.p50), .latency(step.p95), .latency(step.p99),
          .count(step.errors), .count(step.limited), Cell("", lines: step.causes.prefix(1).map(\.sentence)),
        ]
      }, style: "dense", noun: "window")
  }
}

extension CapacityStep.Standing {
  /// As reports call it.
  package var word: String {
    switch self {
    case .held: "passed"
    case .broke: "failed"
    case .generator: "murphy was the bottleneck"
    case .untested: "not tested"
    case .interrupted: "interrupted"
    }
  }

  fileprivate var tone: String {
    switch self {
    case .held: "kept"
    case .broke: "broken"
    case .generator: "doubt"
    case .untested, .interrupted: "none"
    }
  }
}
