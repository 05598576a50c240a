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
        figure("capacity", result.capacity.map(result.text), "the highest load at which every check passed, confirmed"),
        figure("answers", result.throughput.map { Figure.rate($0).text }, "at that load"),
        figure("did not hold", result.broke.map(result.text), "the lowest load at which a check failed, twice"),
        figure("knee", result.knee.map { result.text($0.load) }, "the most answers for the least latency"),
      ],
      sections: [
        .init(
          id: "curve", title: "Latency and throughput over the load", entry: "Curve",
          content: CapacityCurve(result).markup),
        .init(id: "bounds", title: "What bounds it", entry: "Bounds", content: bounds),
        .init(id: "windows", title: "Every window", entry: "Windows", content: CapacityTable(result).markup),
        .init(id: "search", title: "The search", entry: "Search", content: search),
      ],
      footer: "murphy \(result.murphy) · seed \(result.seed) · the same numbers are in capacity.json (\(result.format))"
    ).text
  }

  private func figure(_ name: String, _ value: String?, _ meaning: String) -> ReportPage.KeyFigure {
    .init(name, value ?? "–", meaning)
  }

  @MarkupBuilder private var bounds: Markup {
    if let broke = result.broke, !result.bounds.isEmpty {
      lead("What did not hold at \(result.text(broke)), the decisive one first.")
      element(.ul, .class("plain")) { for cause in result.bounds { element(.li, text: cause.sentence) } }
    } else {
      lead("No load did not hold.")
    }
    if !result.untested.isEmpty {
      lead("No window was long enough for these checks.")
      element(.ul, .class("plain")) { for cause in result.untested { element(.li, text: cause.sentence) } }
    }
  }

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

/// One row for each window of load.
struct CapacityTable {
  let result: CapacityResult

  private static let rowsShown = 200

  init(_ result: CapacityResult) { self.result = result }

  @MarkupBuilder var markup: Markup {
    let steps = result.steps.filter { $0.purpose != .recover }
    lead(
      "A load fails only when two windows in a row fail a check. Latency counts from the moment at which a request was "
        + "meant to be sent, and holds requests without an answer with the time they waited.")
    Table(
      caption: "Every window of load",
      columns: [
        .text("load"), .text("for"), .text("came out"), .number("answers/s"), .number("p50 ms"), .number("p95 ms"),
        .number("p99 ms"), .number("errors"), .number("rejected"), .text("why"),
      ], rows: steps.prefix(Self.rowsShown).map(row), style: "dense"
    ).markup
    if steps.count > Self.rowsShown {
      element(.p, .class("cut"), text: "and \(counted(steps.count - Self.rowsShown, "more window"))")
    }
  }

  private func row(_ step: CapacityStep) -> [Markup] {
    let latencies = [step.p50, step.p95, step.p99].map { Markup.text($0.map { Figure.milliseconds($0) } ?? "–") }
    return [
      element(.span, .class("name"), text: result.text(step.load)), .text(step.purpose.word),
      element(.span, .class("badge \(step.outcome.tone)"), text: step.outcome.word),
      .text(Figure.digits(step.throughput)),
    ] + latencies + [
      .text(Figure.count(step.errors).text), .text(Figure.count(step.limited).text),
      .text(step.causes.first?.sentence ?? ""),
    ]
  }
}

extension CapacityStep.Standing {
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

  private static let rowsShown = 60

  package var text: String {
    let title = "# \(result.verdict.word) · \(MarkdownText.plain(result.scenario)), capacity"
    let reasons = result.reasons.map { "- \(MarkdownText.plain($0))" }
    let steps = result.steps.filter { $0.purpose != .recover }
    var lines = [title, ""] + reasons
    guard !steps.isEmpty else { return lines.joined(separator: "\n") + "\n" }
    lines += ["", "| load | came out | answers/s | p50 | p95 | p99 | why |", "|---:|---|---:|---:|---:|---:|---|"]
    lines += steps.suffix(Self.rowsShown).map(row)
    let cut = steps.count - Self.rowsShown
    if cut > 0 { lines.append("\nThe first \(cut) windows are left out.") }
    return lines.joined(separator: "\n") + "\n"
  }

  private func row(_ step: CapacityStep) -> String {
    let latencies = [step.p50, step.p95, step.p99].map { $0.map { Figure.latency($0).text } ?? "–" }
    let why = MarkdownText.plain(step.causes.first?.sentence ?? "")
    let cells = [result.text(step.load), step.outcome.word, Figure.digits(step.throughput)] + latencies + [why]
    return "| \(cells.joined(separator: " | ")) |"
  }
}
