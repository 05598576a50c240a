import MurphyModel

/// What `murphy capacity` found: the public record, and all that its page is drawn from.
///
/// In the file the keys are snake_case. Latencies are microseconds, times are seconds since the search began.
package struct CapacityResult: Sendable, Codable {
  package static let currentFormat = "murphy-capacity/1"

  package var format = CapacityResult.currentFormat
  package var verdict = Verdict.invalid
  package var ending = CapacityEnding.interrupted
  /// Why, in sentences, the most important first.
  package var reasons: [String] = []
  package var scenario: String
  package var scenarioFile: String
  /// Credentials masked.
  package var target: String
  /// RFC 3339, UTC.
  package var started: String
  /// Seconds.
  package var duration = 0.0
  package var seed: UInt64
  package var machine: String
  package var murphy: String
  /// What a load counts: sessions that begin in a second, or users.
  package var unit: LoadStage.Unit
  /// The highest load at which every promise held, confirmed by a longer window; nil where none was confirmed.
  package var capacity: Double?
  /// Answers per second at that load.
  package var throughput: Double?
  /// The highest load that held, confirmed or not; nil where none did.
  package var held: Double?
  /// The lowest load that did not hold; nil where all did.
  package var broke: Double?
  /// What did not hold there, the decisive one first.
  package var bounds: [CapacityCause] = []
  /// How close the two ends should come: 0.05 for 5 %.
  package var precision: Double
  /// The load that the search was told not to exceed; nil for none.
  package var most: Double?
  /// The load that was asked for; nil where none was.
  package var required: Double?
  /// Seconds of a window that are judged.
  package var window: Double
  /// Promises that no window could test.
  package var untested: [CapacityCause] = []
  package var knee: CapacityKnee?
  package var steps: [CapacityStep] = []

  package init(
    scenario: String, scenarioFile: String, target: String, started: String, seed: UInt64, machine: String,
    murphy: String, unit: LoadStage.Unit, precision: Double, window: Double
  ) {
    self.scenario = scenario
    self.scenarioFile = scenarioFile
    self.target = target
    self.started = started
    self.seed = seed
    self.machine = machine
    self.murphy = murphy
    self.unit = unit
    self.precision = precision
    self.window = window
  }
}

/// Why the search ended.
package enum CapacityEnding: String, Sendable, Codable, CaseIterable {
  /// The two ends lie close enough together, and the lower one was confirmed.
  case found
  /// Everything held up to the highest load that was asked for.
  case reachedMost = "reached-most"
  /// Not even the lowest load held.
  case nothingHeld = "nothing-held"
  /// Murphy itself was the bottleneck beyond what held.
  case generator
  /// A promise cannot be judged in a window of the longest length.
  case untested
  /// The time of the search was over.
  case outOfTime = "out-of-time"
  /// What held in a window did not hold in a longer one, three times.
  case unsteady
  /// After a load that was too much the target did not come back to what it was before.
  case notRecovered = "not-recovered"
  /// Ctrl-C.
  case interrupted
}

/// The load with the best relation of throughput and latency.
package struct CapacityKnee: Sendable, Codable, Hashable {
  package var load: Double
  /// Answers per second.
  package var throughput: Double
  /// Microseconds.
  package var p95: Double

  /// Kleinrock's power (1979), throughput over latency: below its maximum more load costs little latency, beyond it
  /// latency grows faster than throughput. Of the windows that murphy itself did not bound; nil for fewer than three.
  package init?(_ steps: [CapacityStep]) {
    let curve = steps.filter { $0.isOnCurve && $0.throughput > 0 && ($0.p95 ?? 0) > 0 }
    guard Set(curve.map(\.load)).count > 2,
      let best = curve.max(by: { $0.throughput / ($0.p95 ?? 1) < $1.throughput / ($1.p95 ?? 1) }), let p95 = best.p95
    else { return nil }
    load = best.load
    throughput = best.throughput
    self.p95 = p95
  }
}

extension CapacityResult {
  /// A load in words: `198.4/s`, `19 users`.
  package func text(_ load: Double) -> String {
    switch unit {
    case .sessionsPerSecond: Rate(perSecond: load).text
    case .users: "\(Int(saturating: load)) user\(load == 1 ? "" : "s")"
    }
  }
}
