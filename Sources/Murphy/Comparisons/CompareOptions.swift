import MurphyJudge
import MurphyServer

/// What a live comparison is asked for.
package struct CompareOptions: Sendable {
  /// What is known to be good.
  package var base: Target
  /// What may be slower.
  package var candidate: Target
  /// Seed, size of the load, sessions, threads and credentials, alike for both. Its target and duration are not used.
  package var run = RunOptions()
  package var baseReference = ReferenceOptions()
  package var candidateReference = ReferenceOptions()
  /// Starts the base at its URL for each group, in a shell; nil for one that is there already.
  package var baseCommand: String?
  /// The same for the candidate.
  package var candidateCommand: String?
  /// The metrics that decide.
  package var metrics = CompareMetric.usual
  /// The load of one slice; its sessions end after it.
  package var slice: Duration = .seconds(2)
  /// Pairs of slices in a group; even.
  package var blocks = 4
  /// The groups begin within this time.
  package var limit: Duration = .seconds(900)
  /// The seed of the coins; nil draws one.
  package var coins: UInt64?

  package init(base: Target, candidate: Target) {
    self.base = base
    self.candidate = candidate
  }
}

/// How far a comparison is.
package struct CompareProgress: Sendable {
  /// The group under way, from 1.
  package var group: Int
  /// Slices that are done, of those of the group.
  package var slice: Int
  /// Slices of the group, those for warming up included.
  package var slices: Int
  /// Groups at the next look.
  package var lookAt: Int
  /// Seconds since the start.
  package var elapsed: Double
}
