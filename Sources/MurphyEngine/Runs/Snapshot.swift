import MurphyModel
import Synchronization

/// Where a run is, once a second: for the progress line.
public struct Snapshot: Sendable {
  /// Seconds since the load began.
  public var elapsed: Double = 0
  /// Seconds that the load lasts.
  public var duration: Double = 0
  /// Requests that came due.
  public var planned = 0
  /// Requests that were sent.
  public var sent = 0
  /// How the requests that ended did so.
  public var outcomes = Outcomes()
  /// Sent requests in the last whole second.
  public var rate = 0
  /// Users with a session running.
  public var users = 0
  /// Different findings so far, and how often they came.
  public var findings = 0
  /// Findings so far, each occurrence counted.
  public var occurrences = 0
  /// The latency's 95th percentile in the last whole second, microseconds; nil without answers.
  public var p95: Double?

  /// What only a run that is watched tells (`EngineOptions.isWatched`); nil otherwise.
  package var details: SnapshotDetails?

  /// Before anything happened.
  package init() {}
}

/// What a live page shows beyond the progress line.
package struct SnapshotDetails: Sendable {
  /// The last seconds, which may still grow; a later snapshot's are right.
  package var points: [TimelinePoint] = []
  /// Seconds of all latencies of a point, by its second.
  package var latencySums: [Int: Double] = [:]
  /// How requests ended so far, by operation that was called.
  package var operations: [(operation: String, outcomes: Outcomes)] = []
  /// By kind and operation, without messages: a secret that is learnt later cannot be masked in what was shown.
  package var findings: [FindingCount] = []

  /// How often an operation showed one kind of finding.
  package struct FindingCount: Sendable {
    package var kind: FindingKind
    package var severity: Finding.Severity
    /// The operationId.
    package var operation: String?
    package var count: Int
    /// Seconds since the load began.
    package var firstSeen: Double
  }
}

/// What each loop published last. A loop takes its place's lock once a second.
final class SnapshotBoard: Sendable {
  private let places: Mutex<[LoopSnapshot]>

  init(loops: Int) { places = Mutex(Array(repeating: LoopSnapshot(), count: loops)) }

  func publish(_ snapshot: LoopSnapshot, of loop: Int) { places.withLock { $0[loop] = snapshot } }

  var all: [LoopSnapshot] { places.withLock { $0 } }

  /// What each loop says of the target's life; nil until all have spoken.
  var vitals: [LoopVitals]? {
    places.withLock { places in
      let told = places.compactMap(\.vitals)
      return told.count == places.count ? told : nil
    }
  }

  /// What each loop knows of requests with credentials; nil until all have spoken.
  var credentials: [CredentialStanding]? {
    let told = all.compactMap(\.credentials)
    return told.count == places.withLock { $0.count } ? told : nil
  }

  /// How the first requests of each loop ended; nil until all have spoken, and where it is not asked for.
  var openings: [Opening]? {
    let told = all.compactMap(\.opening)
    return told.count == places.withLock { $0.count } ? told : nil
  }

  /// What the budgets count, over all loops; nil until all have spoken.
  var standing: BudgetStanding? {
    let told = all.compactMap(\.standing)
    guard told.count == all.count, var whole = told.first else { return nil }
    for part in told.dropFirst() { whole.merge(part) }
    return whole
  }
}

/// One loop's part of a snapshot.
struct LoopSnapshot: Sendable {
  var planned = 0
  var sent = 0
  var outcomes = Outcomes()
  var users = 0
  var fingerprints: Set<String> = []
  var occurrences = 0
  var lastSecond = SecondTally()
  /// Nil before the first snapshot.
  var vitals: LoopVitals?
  /// What the budgets count; nil where no budget may end the load.
  var standing: BudgetStanding?
  /// Nil before the first snapshot.
  var credentials: CredentialStanding?
  /// Nil before the first snapshot, and where it is not asked for.
  var opening: Opening?
  /// Nil where nobody watches.
  var details: ShardDetails?
}

/// One loop's part of a snapshot's details.
struct ShardDetails: Sendable {
  /// The last seconds, the first of them `firstSecond`.
  var seconds: [SecondTally]
  var firstSecond: Int
  /// By operation.
  var outcomes: [Outcomes]
  var findings: [SnapshotDetails.FindingCount]
}
