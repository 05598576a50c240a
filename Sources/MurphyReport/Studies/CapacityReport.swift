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
        \(result.target), windows of \(Figure.time(result.window).text), seed \(result.seed), \
        \(Figure.time(result.duration).text) in total
        """,
      reasons: result.reasons.map { Phrase($0) },
      tiles: [
        .init("capacity", result.capacity.map(result.text), "the highest load at which all checks passed (confirmed)"),
        .init("responses", result.throughput.map { Figure.rate($0).text }, "at that load"),
        .init("failing load", result.broke.map(result.text), "the lowest load at which a check failed twice"),
        .init("knee", result.knee.map { result.text($0.load) }, "the load with the best throughput per latency"),
      ],
      sections: [
        .init("curve", "Latency and throughput over the load", entry: "Curve") { CapacityCurve(result).blocks },
        .init("bounds", "Limiting factors", entry: "Bounds") { bounds },
        .init("windows", "Every window", entry: "Windows", in: [.page, .summary]) {
          Block.lead(
            "A load fails only if two windows in a row fail a check. Latency starts at the scheduled send time. A "
              + "request without a response counts with the time that it waited.")
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
      Block.lead("These checks failed at \(result.text(broke)). The decisive check is first.")
      Block.lines(result.bounds.map(\.sentence))
    } else {
      Block.lead("No load failed.")
    }
    if !result.untested.isEmpty {
      Block.lead("These checks were not tested, because no window was long enough.")
      Block.lines(result.untested.map(\.sentence))
    }
  }

  private var search: Block {
    let steps = result.steps.count { $0.purpose != .recover }
    return .facts([
      ("scenario", result.scenarioFile), ("target", result.target), ("started", result.started),
      ("duration", Figure.time(result.duration).text),
      ("windows", "\(counted(steps, "window")), \(counted(result.steps.count - steps, "second")) of recovery"),
      ("checked part of a window", Figure.time(result.window).text),
      ("precision", Figure.percent(result.precision).text),
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
      [
        .text(result.unit == .users ? "users" : "sessions/s"), .text("purpose", spare: 2), .text("result"),
        .number("responses/s"),
      ] + latencies
        + [.number("errors", spare: 1), .number("rejected", spare: 0), .note("why")],
      result.steps.filter { $0.purpose != .recover }.map { step in
        let outcome = element(.span, .class("badge \(step.outcome.tone)"), text: step.outcome.word)
        return [
          .name(result.digits(step.load)), .text(step.purpose.rawValue), Cell(step.outcome.word, markup: outcome),
          // An interrupted window has responses of a part of its time only.
          .text(step.outcome == .interrupted ? "–" : Figure.digits(step.throughput)), .latency(step.p50),
          .latency(step.p95), .latency(step.p99),
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

/// Latency and responses over the load: the loads that passed and failed, and the knee between them.
struct CapacityCurve {
  let result: CapacityResult
  /// Windows of one load, by ascending load.
  private let loads: [(load: Double, steps: [CapacityStep])]

  init(_ result: CapacityResult) {
    self.result = result
    let steps = result.steps.filter(\.isOnCurve)
    loads = Dictionary(grouping: steps, by: \.load).sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  @BlockBuilder var blocks: [Block] {
    if loads.isEmpty {
      Block.lead("No window was measured.")
    } else {
      Block.lead(
        "Each dot is a window. Each line connects the medians of the loads. The shaded range is between the highest "
          + "load that passed and the lowest load that failed. The ring is the knee: the load with the best "
          + "throughput per latency (throughput divided by p95, Kleinrock's power).")
      Block.panels([(latency, 300), (throughput, 190)])
    }
  }

  private var x: Axis {
    let highest = loads.last?.load ?? 1
    return Axis(0...max(highest * 1.05, 1), title: "") { Figure.digits($0) + (result.unit == .users ? "" : "/s") }
  }

  private func line(_ value: (CapacityStep) -> Double?) -> [Point?] {
    loads.compactMap { load in
      let values = load.steps.compactMap(value).sorted()
      return values.isEmpty ? nil : Point(load.load, values[values.count / 2])
    }
  }

  private func dots(_ value: (CapacityStep) -> Double?) -> [Point] {
    loads.flatMap { load in load.steps.compactMap { value($0).map { Point(load.load, $0) } } }
  }

  /// The capacity, or its known bounds.
  private var edges: [Mark] {
    var marks: [Mark] = []
    if let held = result.held, let broke = result.broke {
      marks.append(Mark.band([held...max(broke, held)], style: "window"))
    }
    return marks
  }

  private func edgeRules(labels: Bool) -> [Mark] {
    [
      result.held.map { Mark.rule(x: $0, style: "stage", label: labels ? "passed \(result.text($0))" : nil) },
      result.broke.map { Mark.rule(x: $0, style: "limit") },
    ].compactMap { $0 }
  }

  private var latency: Chart {
    let percentiles: [(String, (CapacityStep) -> Double?)] = [
      ("p99", \.p99?.inMicroseconds), ("p95", \.p95?.inMicroseconds), ("p50", \.p50?.inMicroseconds),
    ]
    let values = percentiles.flatMap { dots($0.1).map(\.y) }
    var marks = edges + edgeRules(labels: true)
    for (style, value) in percentiles {
      marks.append(Mark.line(line(value), style: style, label: style))
      marks.append(Mark.scatter(dots(value), style: style, radius: 2))
    }
    if let knee = result.knee {
      marks.append(Mark.scatter([Point(knee.load, knee.p95.inMicroseconds)], style: "p95", radius: 7, ring: true))
    }
    return Chart(
      id: "capacity-latency", title: "Latency over the load", description: words, x: x, y: .latency(values),
      marks: marks)
  }

  private var throughput: Chart {
    let answers = dots(\.throughput)
    let highest = loads.flatMap { $0.steps.map { max($0.offered, $0.throughput) } }.max() ?? 1
    let marks: [Mark] =
      edges + edgeRules(labels: false) + [
        Mark.line(line(\.offered), style: "planned", label: "planned"),
        Mark.line(line(\.throughput), style: "p50", label: "responses"), Mark.scatter(answers, style: "p50", radius: 2),
      ]
    return Chart(
      id: "capacity-throughput", title: "Responses per second over the load",
      description: "The highest rate is \(Figure.digits(answers.map(\.y).max() ?? 0)) responses/s.", x: x,
      y: .quantity(to: highest, title: "requests/s"), marks: marks)
  }

  private var words: String {
    let ends = [loads.first, loads.last].compactMap { end in
      end.flatMap { end in
        end.steps.compactMap(\.p95).min().map { "p95 \(Figure.latency($0).text) at \(result.text(end.load))" }
      }
    }
    return ends.joined(separator: ", ") + "."
  }
}
