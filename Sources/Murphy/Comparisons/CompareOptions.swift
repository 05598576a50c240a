import MurphyCompare
import MurphyServer
import MurphyTarget

/// What a live comparison is asked for.
public struct CompareOptions: Sendable {
  /// What is known to be good.
  public var base: Target
  /// What may be slower.
  public var candidate: Target
  /// Seed, size of the load, sessions, threads and credentials, alike for both. Its target and duration are not used.
  public var run = RunOptions()
  /// Options of an embedded base.
  package var baseReference = ReferenceOptions()
  /// Options of an embedded candidate.
  package var candidateReference = ReferenceOptions()
  /// Starts the base at its URL for each group, in a shell; nil for one that is there already.
  public var baseCommand: String?
  /// The same for the candidate.
  public var candidateCommand: String?
  /// The metrics that decide.
  package var metrics = CompareMetric.usual
  /// The load of one slice; its sessions end after it.
  public var slice: Duration = .seconds(2)
  /// Pairs of slices in a group; even.
  public var blocks = 4
  /// The groups begin within this time.
  public var limit: Duration = .seconds(900)
  /// The seed of the coins; nil draws one.
  public var coins: UInt64?

  /// Two targets, and all else as it is by default.
  public init(base: Target, candidate: Target) {
    self.base = base
    self.candidate = candidate
  }
}

/// How far a comparison is.
public struct CompareProgress: Sendable {
  /// The group under way, from 1.
  public var group: Int
  /// Slices that are done, of those of the group.
  public var slice: Int
  /// Slices of the group, those for warming up included.
  public var slices: Int
  /// Groups at the next look.
  public var lookAt: Int
  /// Seconds since the start.
  public var elapsed: Double
}
