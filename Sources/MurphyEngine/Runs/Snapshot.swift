import MurphyContract
import MurphyModel
import MurphyScenario
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

  /// What every loop says of one thing; nil until all have spoken.
  func told<Value>(_ part: (LoopSnapshot) -> Value?) -> [Value]? {
    let all = all
    let told = all.compactMap(part)
    return told.count == all.count ? told : nil
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
  var outcomes: [Outcomes]
  var findings: [SnapshotDetails.FindingCount]
}

extension RunContext {
  func snapshot(elapsed: Double) -> Snapshot {
    var whole = Snapshot()
    whole.elapsed = elapsed
    whole.duration = scenario.load.duration.inSeconds
    var last = SecondTally()
    var fingerprints: Set<String> = []
    for part in board.all {
      whole.planned += part.planned
      whole.sent += part.sent
      whole.outcomes += part.outcomes
      whole.users += part.users
      whole.occurrences += part.occurrences
      fingerprints.formUnion(part.fingerprints)
      last.merge(part.lastSecond)
    }
    whole.findings = fingerprints.count
    whole.rate = last.sent
    whole.p95 = last.percentile(0.95)
    if options.isWatched { whole.details = details }
    return whole
  }

  private var details: SnapshotDetails {
    var seconds: [Int: SecondTally] = [:]
    var outcomes = contract.operations.map { _ in Outcomes() }
    var counts: [[String]: SnapshotDetails.FindingCount] = [:]
    let parts = board.all.compactMap(\.details)
    // Loops publish one after the other: of an older second only some of them tell.
    let first = parts.map(\.firstSecond).max() ?? 0
    for part in parts {
      for (offset, tally) in part.seconds.enumerated() {
        seconds[part.firstSecond + offset, default: SecondTally()].merge(tally)
      }
      for (index, count) in part.outcomes.enumerated() { outcomes[index] += count }
      for found in part.findings {
        let key = [found.kind.rawValue, found.operation ?? ""]
        if var known = counts[key] {
          known.count += found.count
          known.firstSeen = min(known.firstSeen, found.firstSeen)
          counts[key] = known
        } else {
          counts[key] = found
        }
      }
    }
    var details = SnapshotDetails()
    details.points = seconds.filter { $0.key >= first }.sorted { $0.key < $1.key }.map {
      $0.value.point(second: $0.key)
    }
    details.latencySums = seconds.filter { $0.key >= first }.mapValues { Double($0.total) / 1e9 }
    details.operations = zip(contract.operations, outcomes).filter { $0.1 != Outcomes() }.map { ($0.id, $1) }
    details.findings = counts.values.sorted { ($0.firstSeen, $0.kind.rawValue) < ($1.firstSeen, $1.kind.rawValue) }
    return details
  }
}
