import MurphyModel

/// How a run is made, beyond what the scenario says.
public struct EngineOptions: Sendable {
  public var seed: UInt64
  /// Changes the values that are meant to be unique and nothing else (`UniqueValues`); nil leaves them as
  /// the seed gives them.
  public var salt: UInt64?
  /// Whether the salt was drawn for this run alone: then keys made of such values have no history at the target.
  public var isSaltNew = false
  /// Loops, each a thread with users of its own; nil for one per core.
  public var loops: Int?
  /// Only sessions of these names, with their shares; empty for all.
  public var only: [String] = []
  /// Sessions written in Swift, beside the scenario's.
  public var sessions: [SwiftSession] = []
  /// Users with a session running at the same time; arrivals beyond are dropped and counted.
  public var userLimit = 20_000
  /// PEM file of trusted authorities; nil for the scenario's or the system's.
  public var authorities: String?
  /// The process's environment, for credentials.
  public var environment: [String: String] = [:]
  /// Bytes of a body that a finding's evidence shows.
  public var evidenceLimit = ByteCount(4096)
  /// Different findings that are kept apart; further ones are counted together.
  public var findingLimit = 500
  /// What the limit log keeps of the run.
  package var limitBound = LimitLog.Bound.usual

  public init(seed: UInt64) { self.seed = seed }
}
