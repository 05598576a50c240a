import MurphyModel

/// How a run is made, beyond what the scenario says.
package struct EngineOptions: Sendable {
  package var seed: UInt64
  /// Changes the values that are meant to be unique and nothing else (`UniqueValues`); nil leaves them as
  /// the seed gives them.
  package var salt: UInt64?
  /// Whether the salt was drawn for this run alone: then keys made of such values have no history at the target.
  package var isSaltNew = false
  /// Loops, each a thread with users of its own; nil for one per core.
  package var loops: Int?
  /// Only sessions of these names, with their shares; empty for all.
  package var only: [String] = []
  /// Sessions written in Swift, beside the scenario's.
  package var sessions: [SwiftSession] = []
  /// Users with a session running at the same time; arrivals beyond are dropped and counted.
  package var userLimit = 20_000
  /// PEM file of trusted authorities; nil for the scenario's or the system's.
  package var authorities: String?
  /// The process's environment, for credentials.
  package var environment: [String: String] = [:]
  /// Requests that come due earlier than this after the load's zero are counted like all others, and their latency is
  /// not: for comparisons, whose slices begin with the target still warm from another load.
  package var settling: Duration = .zero
  /// Whether snapshots tell of each of the last seconds, of operations and of findings.
  package var isWatched = false
  /// Whether every answer's latency is kept by itself, 32 bytes each: to check the histograms.
  package var keepsSamples = false
  /// Bytes of a body that a finding's evidence shows.
  package var evidenceLimit = ByteCount(4096)
  /// Different findings that are kept apart; further ones are counted together.
  package var findingLimit = 500
  /// What the limit log keeps of the run.
  package var limitBound = LimitLog.Bound.usual
  /// What the log of the invariants keeps of the run.
  package var stateBound = StateLog.Bound.usual

  package init(seed: UInt64) { self.seed = seed }
}
