import MurphyModel

/// The timeline in at most so many steps. Of a step's seconds the worst latency is kept, so that no spike is lost.
package struct TimelineSteps: Sendable {
  package struct Step: Sendable {
    /// Seconds since the start.
    package var start: Double
    /// Per second.
    package var planned: Double
    package var sent: Double
    package var limited: Double
    /// Server errors and lost requests.
    package var failed: Double
    package var users: Double
    package var findings: Int
    /// The highest of the step's seconds, microseconds.
    package var p50: Double?
    package var p95: Double?
    package var p99: Double?
    package var max: Double?
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

  /// Points of one series; nil where a step has no value, so that a line breaks there.
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
