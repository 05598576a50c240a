import MurphyContract
import MurphyHTTP
import MurphyModel

/// The whole measurement of one loop. Belongs to its loop: it has no locks and is merged when the run has ended.
final class Recorder {
  let context: RunContext
  /// The counts. Operations, findings and events are added at the end.
  var measured: RunMeasurement
  var operations: [OperationTally?]
  let findings: FindingTable
  var limits: LimitRecorder
  var state: StateRecorder
  var issues = IssueRecorder()
  var relations: RelationRecorder
  var credentials: CredentialRecorder
  var changes: ChangeRecorder
  var opening: Opening?
  /// True if the opening is recorded, and all requests so far have ended in the same way.
  var isOpening = false
  var outcomes = Outcomes()
  var responses = ResponseWatch()
  /// Secrets that this loop's sessions generated or met; at most `mostSecrets`.
  var secrets: Set<Secret> = []
  private static let mostSecrets = 5_000
  /// True if there were more. The result then contains nothing that only the mask would keep secret.
  var hasForgottenSecrets = false
  /// The time at which the last request ended, with or without a response.
  var lastEnd: Instant
  var lastResponse: Instant?
  /// Requests that timed out since the last response of this loop: the time at which the first was sent, and the time
  /// at which the last ended.
  var timedOut: (sent: Instant, ended: Instant)?
  /// The time at which the oldest request without a response at the end was sent.
  var oldestOpen: Instant?
  /// The time at which the remaining requests were cancelled.
  var closed: Instant?
  /// The bounds on this machine's clock that the dates of responses give. Only for a shard of a run, and only for some
  /// responses.
  var dates = DateBounds()
  var nextDate: Instant

  init(context: RunContext) {
    self.context = context
    measured = RunMeasurement(RunFrame(context))
    operations = Array(repeating: nil, count: context.contract.operations.count)
    findings = FindingTable(context: context)
    limits = LimitRecorder(context: context)
    state = StateRecorder(context: context)
    relations = RelationRecorder(loops: context.loops)
    credentials = CredentialRecorder(
      isOpen: context.credentialInterest.isOpen, isLogin: context.credentialInterest.isLogin,
      isLimitedBy403: context.credentialInterest.isLimitedBy403)
    changes = ChangeRecorder(operations: operations.count)
    lastEnd = context.start
    nextDate = context.options.shardInfo == nil ? Instant(nanoseconds: .max) : context.start
    if context.options.keepsSamples { measured.samples = [] }
    if context.options.checksOpening { (opening, isOpening) = (Opening(), true) }
  }

  /// Histograms take 0.5 MB, so only operations that are called have them.
  func tally(_ operation: Int) -> OperationTally {
    if let tally = operations[operation] { return tally }
    let tally = OperationTally(
      context.contract.operations[operation], stages: context.stages.count, bounds: context.bounds[operation],
      ladders: context.ladders[operation])
    operations[operation] = tally
    return tally
  }

  /// Changes the tally of the second that contains `instant`.
  func second(_ instant: Instant, _ change: (inout SecondTally) -> Void) {
    let index = max(Int(context.elapsed(instant) / 1_000_000_000), 0)
    while measured.seconds.count <= index { measured.seconds.append(SecondTally()) }
    change(&measured.seconds[index])
  }

  /// Adds values that the run's result must not contain.
  func learn(_ more: [Secret]) {
    for secret in more where !secrets.contains(secret) {
      if secrets.count < Self.mostSecrets { secrets.insert(secret) } else { hasForgottenSecrets = true }
    }
  }

  func plan(_ operation: Int, at intended: Instant) {
    measured.ledger.planned += 1
    tally(operation).record.planned += 1
    second(intended) { $0.planned += 1 }
  }

  /// Records a request that its client repeats automatically.
  func retry(_ operation: Int) { tally(operation).record.retries += 1 }

  /// Records a call that its client serves from its cache.
  func skipCached(_ operation: Int) { tally(operation).record.spared += 1 }

  /// Records a planned request that will never be sent.
  ///
  /// - Parameter isOverdue: true if it has waited for the API for longer than a request that is merely in flight.
  func drop(_ operation: Int, _ reason: DropReason, _ intent: Intent, at now: Instant, isOverdue: Bool) {
    measured.dropped[reason, default: 0] += 1
    let tally = tally(operation)
    if intent.due >= context.settled {
      let waited = intent.waited(until: now)
      tally.record.account.censor(reason.cause, waited: waited, patience: intent.patience)
      tally.recordLowerBound(
        latency: reason.cause == .unsentMurphy ? 0 : waited, service: 0, second: context.second(intent.due))
    }
    guard reason.cause == .unsentApi else { return }
    if isOverdue { tally.record.overdueAtEnd += 1 }
    oldestOpen = min(oldestOpen ?? intent.due, intent.due)
  }

  /// Records a session that will never begin. Its first request counts as planned.
  func dropSession(_ reason: DropReason, at intended: Instant) {
    measured.ledger.planned += 1
    second(intended) { $0.planned += 1 }
    measured.dropped[reason, default: 0] += 1
  }

  func send(_ operation: Int, at sent: Instant) {
    measured.ledger.sent += 1
    tally(operation).record.sent += 1
    second(sent) { $0.sent += 1 }
    responses.sent(at: context.elapsed(sent))
  }

  func find(_ occurrence: Occurrence, evidence: () -> Evidence?) {
    second(occurrence.at) { $0.findings += 1 }
    findings.record(occurrence, evidence: evidence)
  }

  /// Once a second: the users, and the figures of the progress line.
  func snapshot(users: Int, _ streams: OpenStreams, at now: Instant) -> LoopSnapshot {
    second(now) { $0.users = users }
    var snapshot = LoopSnapshot()
    snapshot.planned = measured.ledger.planned
    snapshot.sent = measured.ledger.sent
    snapshot.outcomes = outcomes
    snapshot.users = users
    snapshot.fingerprints = findings.fingerprints
    snapshot.occurrences = findings.occurrences
    snapshot.vitals = responses.vitals(
      streams: streams.open, begun: streams.lastBegun.map(context.elapsed), at: context.elapsed(now))
    snapshot.opening = opening
    snapshot.credentials = credentials.standing
    snapshot.credentials?.published = context.elapsed(now)
    if measured.seconds.count > 1 { snapshot.lastSecond = measured.seconds[measured.seconds.count - 2] }
    if context.options.isWatched { snapshot.details = details }
    if context.scenario.settings.abortWhenLost != nil {
      snapshot.standing = BudgetStanding(operations, measured.sessions)
    }
    return snapshot
  }

  private static let secondsShown = 5

  private var details: ShardDetails {
    let first = max(measured.seconds.count - Self.secondsShown, 0)
    return ShardDetails(
      seconds: Array(measured.seconds[first...]), firstSecond: first,
      outcomes: operations.map { $0?.record.outcomes ?? Outcomes() },
      findings: findings.counts)
  }
}
