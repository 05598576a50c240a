/// A stage of the load with its place in time.
public struct LoadStage: Sendable, Codable, Hashable {
  public enum Unit: String, Sendable, Codable {
    /// Sessions that begin in a second: the open model.
    case sessionsPerSecond = "sessions_per_second"
    /// Users with a session each: the closed model.
    case users
  }

  public var unit: Unit
  /// The load at the stage's beginning and end; it changes linearly in between.
  public var from: Double
  public var to: Double
  /// Seconds since the run's start.
  public var start: Double
  public var end: Double

  public init(_ unit: Unit, from: Double, to: Double, start: Double, end: Double) {
    self.unit = unit
    self.from = from
    self.to = to
    self.start = start
    self.end = end
  }

  /// The load, as a scenario says it: `ramp 0/s..20/s`, `hold 20/s`, `50 users`.
  public var words: String {
    switch unit {
    case .sessionsPerSecond:
      let ends = (Rate(perSecond: from).text, Rate(perSecond: to).text)
      return from == to ? "hold \(ends.0)" : "ramp \(ends.0)..\(ends.1)"
    case .users:
      let ends = (Int(saturating: from), Int(saturating: to))
      return (from == to ? "\(ends.0)" : "\(ends.0)..\(ends.1)") + " users"
    }
  }

  /// `ramp 0/s..20/s for 10s`
  public var text: String { "\(words) for \(Duration.saturating(seconds: end - start).text)" }
}

extension [LoadStage] {
  /// The stage at `time`, seconds since the run's start; what comes after the last belongs to it.
  public func index(at time: Double) -> Int { firstIndex { time < $0.end } ?? Swift.max(count - 1, 0) }
}
