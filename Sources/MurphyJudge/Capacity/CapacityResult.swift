import MurphyModel

/// The result of `murphy capacity`: the public record, with all data of its page.
///
/// In the file, the keys are in snake_case. Latencies are microseconds, times are seconds since the search began.
package struct CapacityResult: Sendable, Codable {
  /// The format and its version, as a reader of the file checks it.
  package static let currentFormat = "murphy-capacity/1"

  package var format = CapacityResult.currentFormat
  /// INVALID until the search has ended.
  package var verdict = Verdict.invalid
  /// The reason why the search ended.
  package var ending = CapacityEnding.interrupted
  /// The reasons in sentences, the most important first.
  package var reasons: [String] = []
  /// The name of the scenario.
  package var scenario: String
  package var scenarioFile: String
  /// With credentials masked.
  package var target: String
  /// RFC 3339, UTC.
  package var started: String
  /// Seconds.
  package var duration = 0.0
  package var seed: UInt64
  /// System, cores and memory.
  package var machine: String
  /// The version of murphy.
  package var murphy: String
  /// The unit of a load: sessions that begin in a second, or users.
  package var unit: LoadStage.Unit
  /// The highest load at which every check passed, confirmed by a longer window; nil where none was confirmed.
  package var capacity: Double?
  /// Responses per second at that load.
  package var throughput: Double?
  /// The highest load that passed, confirmed or not; nil where none did.
  package var held: Double?
  /// The lowest load that failed; nil where all passed.
  package var broke: Double?
  /// The checks that failed there, the decisive one first.
  package var bounds: [CapacityCause] = []
  /// The required precision of the two ends: 0.05 for 5 %.
  package var precision: Double
  /// The maximum load of the search; nil for none.
  package var most: Double?
  /// The required load; nil where none was required.
  package var required: Double?
  /// The judged part of a window, seconds.
  package var window: Double
  /// Checks that no window could test.
  package var untested: [CapacityCause] = []
  /// Nil if the steps show none.
  package var knee: CapacityKnee?
  /// The windows in the order of the search.
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

/// The reason for the end of the search.
package enum CapacityEnding: String, Sendable, Codable, CaseIterable {
  /// The two ends are close enough together, and the lower one was confirmed.
  case found
  /// All checks passed up to the highest requested load.
  case reachedMost = "reached-most"
  /// Checks failed even at the lowest load.
  case nothingHeld = "nothing-held"
  /// Murphy itself was the bottleneck above the load that passed.
  case generator
  /// A check cannot be decided in a window of the maximum length.
  case untested
  /// The time limit of the search was reached.
  case outOfTime = "out-of-time"
  /// A load that passed in one window failed in a longer one, three times.
  case unsteady
  /// After an excessive load the target did not return to its earlier state.
  case notRecovered = "not-recovered"
  /// Ctrl-C.
  case interrupted
}

/// The load with the best ratio of throughput to latency.
package struct CapacityKnee: Sendable, Codable, Hashable {
  /// Sessions per second, or users.
  package var load: Double
  /// Responses per second.
  package var throughput: Double
  /// Microseconds.
  package var p95: Double

  /// Kleinrock's power (1979), throughput over latency. Below its maximum, more load costs little latency; beyond it,
  /// latency grows faster than throughput. It uses the windows that murphy itself did not limit; nil for fewer than
  /// three.
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
