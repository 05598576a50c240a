import MurphyJudge
import MurphyServer

/// The options of a live comparison.
package struct CompareOptions: Sendable {
  /// The version that is known to be good.
  package var base: Target
  /// The version that may be slower.
  package var candidate: Target
  /// Seed, size of the load, sessions, threads and credentials, equal for both. Its target and duration are not used.
  package var run = RunOptions()
  package var baseReference = ReferenceOptions()
  package var candidateReference = ReferenceOptions()
  /// Starts the base at its URL for each group, in a shell; nil for a running one.
  package var baseCommand: String?
  /// The same for the candidate.
  package var candidateCommand: String?
  /// The metrics that decide.
  package var metrics = CompareMetric.usual
  /// The load duration of one slice; its sessions end after it.
  package var slice: Duration = .seconds(2)
  /// Pairs of slices in a group; an even number.
  package var blocks = 4
  /// All groups begin within this time.
  package var limit: Duration = .seconds(900)
  /// The seed of the coins; nil generates one.
  package var coins: UInt64?

  package init(base: Target, candidate: Target) {
    self.base = base
    self.candidate = candidate
  }
}

/// The progress of a comparison.
package struct CompareProgress: Sendable {
  /// The current group, from 1.
  package var group: Int
  /// The number of finished slices in the group.
  package var slice: Int
  /// Slices of the group, including those for warming up.
  package var slices: Int
  /// Groups at the next look.
  package var lookAt: Int
  /// Seconds since the start.
  package var elapsed: Double
}
