import MurphyContract
import MurphyHTTP
import MurphyModel
import MurphyScenario
import Synchronization

/// The state of a run, once a second: for the progress line.
public struct Snapshot: Sendable {
  /// The time since the load began.
  public var elapsed: Duration = .zero
  /// The length of the load.
  public var duration: Duration = .zero
  /// The number of requests that came due.
  public var planned = 0
  /// The number of requests that were sent.
  public var sent = 0
  /// The results of the requests that ended.
  public var outcomes = Outcomes()
  /// The number of requests sent in the last whole second.
  public var rate = 0
  /// The number of users with a session running.
  public var users = 0
  /// The number of different findings so far, and of their occurrences.
  public var findings = 0
  /// The number of findings so far; each occurrence is counted.
  public var occurrences = 0
  /// The latency's 95th percentile in the last whole second; nil without responses.
  public var p95: Duration?

  /// The details of a run that is observed (`EngineOptions.isWatched`); nil otherwise.
  package var details: SnapshotDetails?

  /// The state before the beginning.
  package init() {}
}

/// The data of a live page in addition to the progress line.
package struct SnapshotDetails: Sendable {
  /// The last seconds, which may still grow; those of a later snapshot are final.
  package var points: [TimelinePoint] = []
  /// The sum of all latencies of a point, by its second.
  package var latencySums: [Int: Duration] = [:]
  /// The results of requests so far, by operation.
  package var operations: [(operation: String, outcomes: Outcomes)] = []
  /// By kind and operation, without messages: a secret that is detected later cannot be masked in text already shown.
  package var findings: [FindingCount] = []

  /// The number of findings of one kind on an operation.
  package struct FindingCount: Sendable {
    package var kind: FindingKind
    package var severity: Finding.Severity
    /// The operationId.
    package var operation: String?
    package var count: Int
    /// Since the load began.
    package var firstSeen: Duration
  }
}

/// The last publication of each loop. A loop takes the lock of its slot once a second.
final class SnapshotBoard: Sendable {
  private let places: Mutex<[LoopSnapshot]>

  init(loops: Int) { places = Mutex(Array(repeating: LoopSnapshot(), count: loops)) }

  func publish(_ snapshot: LoopSnapshot, of loop: Int) { places.withLock { $0[loop] = snapshot } }

  var all: [LoopSnapshot] { places.withLock { $0 } }

  /// The values of one property from all loops; nil until every loop has published it.
  func published<Value>(_ part: (LoopSnapshot) -> Value?) -> [Value]? {
    let all = all
    let published = all.compactMap(part)
    return published.count == all.count ? published : nil
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
  /// The counts of the budgets; nil where no budget may end the load.
  var standing: BudgetStanding?
  /// Nil before the first snapshot.
  var credentials: CredentialStanding?
  /// Nil before the first snapshot, and where it is not needed.
  var opening: Opening?
  /// Nil without an observer.
  var details: ShardDetails?
}

/// One loop's part of a snapshot's details.
struct ShardDetails: Sendable {
  /// The last seconds, beginning with `firstSecond`.
  var seconds: [SecondTally]
  var firstSecond: Int
  var outcomes: [Outcomes]
  var findings: [SnapshotDetails.FindingCount]
}

extension RunContext {
  func snapshot(elapsed: Duration) -> Snapshot {
    var whole = Snapshot()
    whole.elapsed = elapsed
    whole.duration = scenario.load.duration
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
    // Loops publish one after the other, so only some of them contain an older second.
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
    details.latencySums = seconds.filter { $0.key >= first }.mapValues { .nanoseconds($0.total) }
    details.operations = zip(contract.operations, outcomes).filter { $0.1 != Outcomes() }.map { ($0.id, $1) }
    details.findings = counts.values.sorted { ($0.firstSeen, $0.kind.rawValue) < ($1.firstSeen, $1.kind.rawValue) }
    return details
  }
}

/// Observes the load while it runs. It ends the load early if the target is silent, or a budget or the credentials are
/// lost. It also ends the load if the first responses show a wrong target.
struct RunMonitor {
  private let context: RunContext
  private var silence: SilenceDetector?
  /// Nil where no budget ends the load. A shard has too little of the run to end it.
  private let budgets: BudgetAbort?
  private let credentials: CredentialWatch
  private var end = EarlyEnd()

  /// The interval between two readings of the clock.
  private static let pulse: Duration = .milliseconds(20)
  /// The interval between two readings of the machine's free resources, nanoseconds.
  private static let look: Int64 = 500_000_000

  /// The reason of an early end of the load; empty where the load completed or was stopped.
  struct EarlyEnd {
    /// The time at which silence ended the load.
    var silent: Duration?
    var lost: LostBudget?
    var credentials: LostCredentials?
    /// The reason why the first responses show that no load should be sent there.
    var opening: String?

    var isNatural: Bool { silent == nil && lost == nil && credentials == nil && opening == nil }
  }

  init(_ context: RunContext) {
    self.context = context
    silence = context.scenario.settings.abortAfter.map(SilenceDetector.init)
    budgets = context.options.shard.count == 1 ? BudgetAbort(context) : nil
    credentials = CredentialWatch(
      isRenewed: context.credentialInterest.isRenewed, isShared: context.credentialInterest.isShared)
  }

  /// Runs until the task is cancelled.
  ///
  /// - Returns: the reason of an early end of the load, and the resources of the machine that the run used.
  consuming func watch(
    since before: MachineFigures, _ progress: @Sendable (Snapshot) -> Void
  ) async -> (end: EarlyEnd, resources: GeneratorResources) {
    var shown = 0
    var resources = GeneratorResources(before)
    var looked = Instant.now
    while !Task.isCancelled {
      try? await Task.sleep(for: Self.pulse)
      let now = Instant.now
      if now - looked > Self.look {
        resources.recordUsage(.now, since: before)
        looked = now
      }
      checkSilence(now)
      if context.second(now) > shown {
        shown = context.second(now)
        checkEachSecond(now)
        progress(context.snapshot(elapsed: context.time(now)))
      }
    }
    if end.isNatural, !context.cutting.isRequested {
      end.opening = context.board.published(\.opening).flatMap(context.fault)
    }
    if end.isNatural, !context.cutting.isRequested {
      end.credentials = context.board.published(\.credentials).flatMap { credentials.lost($0, isOver: true) }
    }
    resources.recordUsage(.now, since: before)
    return (end, resources)
  }

  private func isUnderWay(_ now: Instant) -> Bool { !context.cutting.isRequested && now < context.loadEnd }

  private mutating func checkSilence(_ now: Instant) {
    guard isUnderWay(now), !isRecoveryJudged(now), let loops = context.board.published(\.vitals),
      silence?.isOver(loops, at: context.elapsed(now)) == true
    else { return }
    end.silent = context.time(now)
    context.aborting.request()
    context.cutting.request()
  }

  /// After a disturbance of the load, `expect: recovery:` judges how long the target is silent.
  private func isRecoveryJudged(_ now: Instant) -> Bool {
    guard context.scenario.expectations.recovery != nil, let first = context.scenario.load.disturbances.first else {
      return false
    }
    return context.time(now) >= first.from
  }

  private mutating func checkEachSecond(_ now: Instant) {
    if isUnderWay(now), let budgets, let parts = context.board.published(\.standing) {
      end.lost = budgets.lost(parts.reduce(into: BudgetStanding()) { $0.merge($1) }, at: context.time(now))
      if end.lost != nil { context.cutting.request() }
    }
    if !context.cutting.isRequested, let openings = context.board.published(\.opening) {
      end.opening = context.fault(openings)
      if end.opening != nil { context.cutting.request() }
    }
    if isUnderWay(now), let standings = context.board.published(\.credentials) {
      end.credentials = credentials.lost(standings)
      if end.credentials != nil { context.cutting.request() }
    }
  }
}

extension RunContext {
  /// The reason why a load with these first responses should not continue; nil for none.
  fileprivate func fault(_ openings: [Opening]) -> String? {
    var anyone = transport
    (anyone.checksCertificates, anyone.connectTimeout) = (false, .seconds(2))
    return OpeningWatch(
      contract: contract, origin: origin, missing: { [credentials] in credentials[$0].missing },
      speaksTLS: { [origin] in (try? Reachability.check(origin, anyone, isEncrypted: true)) != nil }
    ).fault(openings).map { mask.masked("\(origin.text): \($0)") }
  }
}
