import MurphyCapacity
import MurphyModel

/// The page of `murphy capacity`: how throughput and latency grow with the load, and where the promises end; drawn from
/// the result alone.
package struct CapacityReport: Sendable {
  package let result: CapacityResult

  package init(_ result: CapacityResult) { self.result = result }

  package var text: String {
    ReportPage(
      title: "\(result.verdict.word) · capacity · \(result.scenario)", style: result.verdict.rawValue,
      kicker: "capacity", word: result.verdict.word, name: result.scenario,
      reasons: result.reasons.map { .text($0) },
      figures: [
        .init("capacity", result.capacity.map(result.text), "the highest load at which every check passed, confirmed"),
        .init("answers", result.throughput.map { Figure.rate($0).text }, "at that load"),
        .init("did not hold", result.broke.map(result.text), "the lowest load at which a check failed, twice"),
        .init("knee", result.knee.map { result.text($0.load) }, "the most answers for the least latency"),
      ],
      sections: [
        .init(
          id: "curve", title: "Latency and throughput over the load", entry: "Curve",
          content: CapacityCurve(result).markup),
        .init(id: "bounds", title: "What bounds it", entry: "Bounds", content: bounds),
        .init(id: "windows", title: "Every window", entry: "Windows", content: windows),
        .init(id: "search", title: "The search", entry: "Search", content: search),
      ],
      footer: "murphy \(result.murphy) · seed \(result.seed) · the same numbers are in capacity.json (\(result.format))"
    ).text
  }

  @MarkupBuilder private var bounds: Markup {
    if let broke = result.broke, !result.bounds.isEmpty {
      lead("What did not hold at \(result.text(broke)), the decisive one first.")
      list(result.bounds.map(\.sentence))
    } else {
      lead("No load did not hold.")
    }
    if !result.untested.isEmpty {
      lead("No window was long enough for these checks.")
      list(result.untested.map(\.sentence))
    }
  }

  @MarkupBuilder private var windows: Markup {
    lead(
      "A load fails only when two windows in a row fail a check. Latency counts from the moment at which a request was "
        + "meant to be sent, and holds requests without an answer with the time they waited.")
    ReportTable.windows(result).markup(most: Self.rowsShown)
  }

  private static let rowsShown = 200

  private var search: Markup {
    let steps = result.steps.count { $0.purpose != .recover }
    let rows: [(String, String)] = [
      ("scenario", result.scenarioFile), ("target", result.target), ("started", result.started),
      ("duration", Figure.seconds(result.duration).text),
      ("windows", "\(counted(steps, "window")), \(counted(result.steps.count - steps, "second")) of recovery"),
      ("judged part", Figure.seconds(result.window).text),
      ("precision", "\(Figure.decimals(result.precision * 100, 1))%"),
      ("asked for", result.required.map(result.text) ?? "nothing"),
      ("at most", result.most.map(result.text) ?? "no end"),
      ("ended", result.ending.rawValue), ("machine", result.machine),
    ]
    return facts(rows)
  }
}

extension ReportTable {
  /// One row for each window of load.
  static func windows(_ result: CapacityResult) -> ReportTable {
    let latencies = [("p50", 3), ("p95", 4), ("p99", nil)].map { Column.number($0, unit: "ms", spare: $1) }
    return ReportTable(
      "Every window of load",
      [.text("load"), .text("purpose", spare: 2), .text("result"), .number("answers/s")] + latencies
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
  package var word: String {
    switch self {
    case .held: "held"
    case .broke: "did not hold"
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

/// `capacity.md`, in GitHub Flavored Markdown: what a reviewer reads of a search in a pull request.
package struct CapacityMarkdown: Sendable {
  package let result: CapacityResult

  package init(_ result: CapacityResult) { self.result = result }

  private static let rowsShown = 200

  package var text: String {
    let table = ReportTable.windows(result)
    let title = "# \(result.verdict.word) · \(MarkdownText.plain(result.scenario)), capacity"
    let lines =
      [title, ""] + result.reasons.map { "- \(MarkdownText.plain($0))" }
      + (table.rows.isEmpty ? [] : ["", table.markdown(most: Self.rowsShown)])
    return lines.joined(separator: "\n") + "\n"
  }
}
