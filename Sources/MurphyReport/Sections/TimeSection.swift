import MurphyModel

/// Latency, rate and users over one time axis.
struct TimeSection: ReportSection {
  static let id = "time"
  static let title = "Over time"

  let result: RunResult

  var blocks: [Block] {
    let steps = TimelineSteps(result.timeline)
    if !steps.steps.isEmpty {
      if hasLatency(steps) { Block.lead(sentence(steps)) }
      Block.panels((hasLatency(steps) ? [(latency(steps), 270)] : []) + [(rate(steps), 128), (users(steps), 96)])
      Block.fold("Data table", style: "numbers", [.table(table)])
      OperationCharts(result: result).blocks
    }
  }

  private func hasLatency(_ steps: TimelineSteps) -> Bool { steps.steps.contains { $0.max != nil } }

  private func sentence(_ steps: TimelineSteps) -> String {
    let width = Figure.time(.saturating(seconds: Double(steps.width))).text
    let points = steps.width == 1 ? "" : " Each point shows the worst second of \(width)."
    return
      "Latency starts at the scheduled send time, so it includes all stalls of the server (no coordinated omission). "
      + "Murphy computes the percentiles of each second.\(points)"
  }

  private var axis: Axis {
    .time(to: max(result.run.duration, .saturating(seconds: Double(result.timeline.map(\.second).max() ?? 0) + 1)))
  }

  private func latency(_ steps: TimelineSteps) -> Chart {
    let maxima = steps.points(\.max?.inMicroseconds).compactMap { $0 }
    let values = steps.steps.flatMap { [$0.p50, $0.p99, $0.max].compactMap { $0?.inMicroseconds } }
    var marks = stageRules()
    marks.append(Mark.scatter(maxima, style: "max", radius: 1.4, label: maxima.isEmpty ? nil : "max"))
    for (series, style) in [(\TimelineSteps.Step.p99, "p99"), (\.p95, "p95"), (\.p50, "p50")] {
      marks.append(Mark.line(steps.points { $0[keyPath: series]?.inMicroseconds }, style: style, label: style))
    }
    return Chart(
      id: "time-latency", title: "Latency over time", description: latencyWords(steps), x: axis,
      y: .latency(values), labelsX: false, marks: marks)
  }

  private func latencyWords(_ steps: TimelineSteps) -> String {
    guard let worst = steps.steps.max(by: { ($0.p99 ?? .zero) < ($1.p99 ?? .zero) }), let p99 = worst.p99 else {
      return "No response was received."
    }
    return "Highest p99 \(Figure.latency(p99).text) at \(Figure.time(.saturating(seconds: worst.start)).text)."
  }

  private func rate(_ steps: TimelineSteps) -> Chart {
    let width = Double(steps.width)
    let highest = steps.steps.map { max($0.sent, $0.planned) }.max() ?? 0
    func points(_ value: (TimelineSteps.Step) -> Double) -> [Point] { steps.steps.map { Point($0.start, value($0)) } }
    var marks = stageRules(labels: false)
    marks.append(Mark.steps(points(\.sent), width: width, style: "sent", label: "sent"))
    if steps.steps.contains(where: { $0.limited > 0 }) {
      marks.append(Mark.steps(points { $0.limited + $0.failed }, width: width, style: "limited", label: "limited"))
    }
    if steps.steps.contains(where: { $0.failed > 0 }) {
      marks.append(Mark.steps(points(\.failed), width: width, style: "failed", label: "failed"))
    }
    marks.append(Mark.line(steps.points(\.planned), style: "planned", label: "planned"))
    return Chart(
      id: "time-rate", title: "Requests per second over time",
      description: "The highest rate is \(Figure.digits(highest)) requests per second.", x: axis,
      y: .quantity(to: highest, title: "requests/s"), labelsX: false, marks: marks)
  }

  private func users(_ steps: TimelineSteps) -> Chart {
    let highest = steps.steps.map(\.users).max() ?? 0
    let points = steps.steps.map { Point($0.start, $0.users) }
    return Chart(
      id: "time-users", title: "Users with a session running, over time",
      description: "The highest number is \(counted(Int(saturating: highest), "user")).", x: axis,
      y: .quantity(to: highest, title: "users"),
      marks: stageRules(labels: false) + [
        Mark.steps(points, width: Double(steps.width), style: "users", label: "users")
      ])
  }

  private func stageRules(labels: Bool = true) -> [Mark] {
    result.run.load.map { stage in
      Mark.rule(
        x: stage.start.inSeconds, style: "stage", label: labels ? stage.words : nil,
        room: (stage.end - stage.start).inSeconds)
    }
  }

  private var table: ReportTable {
    let latencies = ["p50", "p95", "p99", "max"].map { ReportTable.Column.number($0, unit: "ms") }
    return ReportTable(
      "Load and latency over time",
      [.text("from")] + ["sent/s", "5xx or lost/s", "limited/s", "users"].map { .number($0) } + latencies,
      TimelineSteps(result.timeline, atMost: 60).steps.map { step in
        [.text(Figure.time(.saturating(seconds: step.start)).text)]
          + [step.sent, step.failed, step.limited, step.users].map { .text(Figure.digits($0)) }
          + [step.p50, step.p95, step.p99, step.max].map { .latency($0) }
      }, style: "dense")
  }
}

/// The timeline in at most this many steps. Each step keeps the worst latency of its seconds, so that every spike is
/// visible.
package struct TimelineSteps: Sendable {
  /// Several seconds of the run.
  package struct Step: Sendable {
    /// Seconds since the start.
    package var start: Double
    /// Per second.
    package var planned: Double
    /// Requests sent in the step.
    package var sent: Double
    package var limited: Double
    /// Server errors and lost requests.
    package var failed: Double
    package var users: Double
    /// Occurrences of findings in the step.
    package var findings: Int
    /// The highest of the step's seconds.
    package var p50: Duration?
    /// The worst second; nil without a response.
    package var p95: Duration?
    /// The worst second; nil without a response.
    package var p99: Duration?
    /// The worst second; nil without a response.
    package var max: Duration?
  }

  /// Seconds per step.
  package let width: Int
  package let steps: [Step]

  package init(_ timeline: [TimelinePoint], atMost limit: Int = 240) {
    let last = (timeline.map(\.second).max() ?? -1) + 1
    let width = Swift.max((last + limit - 1) / Swift.max(limit, 1), 1)
    self.width = width
    let groups = Dictionary(grouping: timeline) { $0.second / width }
    steps = groups.keys.sorted().map { index in
      Step(groups[index] ?? [], start: index * width, seconds: Swift.min(width, last - index * width))
    }
  }

  /// Points of one series; nil for a step without a value, so that a line has a gap there.
  package func points(_ value: (Step) -> Double?) -> [Point?] {
    steps.map { step in value(step).map { Point(step.start + Double(width) / 2, $0) } }
  }
}

extension TimelineSteps.Step {
  init(_ points: [TimelinePoint], start: Int, seconds: Int) {
    func mean(_ value: (TimelinePoint) -> Int) -> Double {
      Double(points.reduce(0) { $0 + value($1) }) / Double(Swift.max(seconds, 1))
    }
    self.start = Double(start)
    planned = mean(\.planned)
    sent = mean(\.sent)
    limited = mean(\.outcomes.limited)
    failed = mean { $0.outcomes.serverError + $0.outcomes.transport }
    users = Double(points.map(\.users).max() ?? 0)
    findings = points.reduce(0) { $0 + $1.findings }
    p50 = points.compactMap(\.p50).max()
    p95 = points.compactMap(\.p95).max()
    p99 = points.compactMap(\.p99).max()
    max = points.compactMap(\.max).max()
  }
}
