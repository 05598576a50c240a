import MurphyContract
import MurphyModel
import MurphyTransport

/// All that one loop measures. Belongs to its loop: no locks, merged when the run has ended.
final class Recorder {
  let context: RunContext
  private(set) var operations: [OperationTally?]
  var sessions: [SessionTally]
  var ledger = Ledger()
  private(set) var dropped: [DropReason: Int] = [:]
  private(set) var unchecked: [String: Int] = [:]
  private(set) var seconds: [SecondTally] = []
  private(set) var lateness = LatencyHistogram()
  /// Every answer by itself; nil unless it was asked for.
  private(set) var samples: [LatencySample]?
  /// Requests that failed for want of something on this machine.
  private(set) var lacking: [Scarcity: Int] = [:]
  /// By tag of the scenario; a histogram takes 0.5 MB.
  var tags: [TagRecord?]
  let findings: FindingTable
  var limits: LimitRecorder
  var state: StateRecorder
  var issues = IssueRecorder()
  var relations: RelationRecorder
  private(set) var credentials: CredentialRecorder
  /// How the first requests ended; nil where it is not asked for.
  private(set) var opening: Opening?
  /// Whether it is asked for, and all requests have ended in the same way.
  private(set) var isOpening = false
  private(set) var outcomes = Outcomes()
  private(set) var answers = AnswerWatch()
  /// Secrets that this loop's sessions made or met; at most `mostSecrets`.
  private(set) var secrets: Set<Secret> = []
  private static let mostSecrets = 5_000
  /// Whether there were more: then the result shows nothing that only the mask would keep secret.
  private(set) var hasForgottenSecrets = false
  /// When the last request ended, however it did.
  private(set) var lastEnd: Instant
  /// When the last answer was complete.
  private(set) var lastAnswer: Instant?
  /// Requests that timed out since the last answer of this loop: when the first was sent, and when the last ended.
  private(set) var timedOut: (sent: Instant, ended: Instant)?
  /// When the oldest request that had no answer at the end was sent.
  private(set) var oldestOpen: Instant?
  /// When what still ran was cut.
  var closed: Instant?
  /// What the dates of answers say of this machine's clock; of a shard of a run alone, and of some answers.
  private(set) var dates = DateBounds()
  private var nextDate: Instant
  /// Between two dates that are read, nanoseconds: no whole part of a second.
  private static let datePause: Int64 = 37_000_000

  init(context: RunContext) {
    self.context = context
    operations = Array(repeating: nil, count: context.contract.operations.count)
    sessions = Array(repeating: SessionTally(), count: context.scenario.sessions.count)
    tags = Array(repeating: nil, count: context.scenario.tags.count)
    findings = FindingTable(context: context)
    limits = LimitRecorder(context: context)
    state = StateRecorder(context: context)
    relations = RelationRecorder(loops: context.loops)
    credentials = CredentialRecorder(
      isOpen: context.credentialInterest.isOpen, isLogin: context.credentialInterest.isLogin,
      isLimitedBy403: context.credentialInterest.isLimitedBy403)
    lastEnd = context.start
    nextDate = context.options.shardInfo == nil ? Instant(nanoseconds: .max) : context.start
    if context.options.keepsSamples { samples = [] }
    if context.options.checksOpening { (opening, isOpening) = (Opening(), true) }
  }

  /// Histograms take 0.5 MB, so only operations that are called have them.
  func tally(_ operation: Int) -> OperationTally {
    if let tally = operations[operation] { return tally }
    let tally = OperationTally(
      stages: context.stages.count, bounds: context.bounds[operation], ladders: context.ladders[operation])
    operations[operation] = tally
    return tally
  }

  /// Changes the tally of the second in which `instant` lies.
  private func second(_ instant: Instant, _ change: (inout SecondTally) -> Void) {
    let index = max(Int(context.elapsed(instant) / 1_000_000_000), 0)
    while seconds.count <= index { seconds.append(SecondTally()) }
    change(&seconds[index])
  }

  /// Values that the run's result must not hold.
  func learn(_ more: [Secret]) {
    for secret in more where !secrets.contains(secret) {
      if secrets.count < Self.mostSecrets { secrets.insert(secret) } else { hasForgottenSecrets = true }
    }
  }

  private func readDate(_ transfer: Transfer) {
    nextDate = transfer.ended + Self.datePause
    guard let line = transfer.fields.lines.first(where: { $0.is(.date) }),
      let date = HTTPDate.seconds(String(decoding: line.value, as: UTF8.self))
    else { return }
    dates.add(
      date: date, sent: context.timeOfDay(transfer.lastSent), answered: context.timeOfDay(transfer.ended))
  }

  /// A request's moment has come.
  func plan(_ operation: Int, at intended: Instant) {
    ledger.planned += 1
    tally(operation).planned += 1
    second(intended) { $0.planned += 1 }
  }

  /// A request that its client sends again by itself.
  func retry(_ operation: Int) { tally(operation).retries += 1 }

  /// An answer that was a stream of events.
  func stream(_ operation: Int, _ figures: StreamFigures) { tally(operation).streams += figures }

  /// A request that its client answers from what it has.
  func skipCached(_ operation: Int) { tally(operation).spared += 1 }

  /// A planned request that will never be sent.
  ///
  /// - Parameter isOverdue: it has waited for the API for longer than a request that is merely under way.
  func drop(_ operation: Int, _ reason: DropReason, _ intent: Intent, at now: Instant, isOverdue: Bool) {
    dropped[reason, default: 0] += 1
    let tally = tally(operation)
    if intent.due >= context.settled {
      let waited = intent.waited(until: now)
      tally.account.censor(reason.cause, waited: waited, patience: intent.patience)
      tally.recordLowerBound(latency: reason.cause == .unsentMurphy ? 0 : waited, service: 0, second: context.second(intent.due))
    }
    guard reason.cause == .unsentApi else { return }
    if isOverdue { tally.overdueAtEnd += 1 }
    oldestOpen = min(oldestOpen ?? intent.due, intent.due)
  }

  /// A session that will never begin: its first request counts as planned.
  func dropSession(_ reason: DropReason, at intended: Instant) {
    ledger.planned += 1
    second(intended) { $0.planned += 1 }
    dropped[reason, default: 0] += 1
  }

  func send(_ operation: Int, at sent: Instant) {
    ledger.sent += 1
    tally(operation).sent += 1
    second(sent) { $0.sent += 1 }
    answers.sent(at: context.elapsed(sent))
  }

  /// - Parameter late: nanoseconds between the intended moment and the one at which murphy could send.
  func note(late: Int64) { lateness.record(late) }

  /// A complete response, or one that was cut off at the size limit. The time of a response that a rate limit rejected
  /// is no sample of the operation's latency.
  ///
  /// - Parameter unread: nanoseconds that it may have lain unread at most because the loop was away.
  func answer(
    _ operation: Int, _ transfer: Transfer, _ intent: Intent, unread: Int64, _ outcome: StepOutcome
  ) {
    let tally = tally(operation)
    ledger.answered += 1
    if (300..<400).contains(transfer.status), transfer.status != 304 { ledger.redirects += 1 }
    let before = tally.outcomes
    tally.count(status: transfer.status, outcome)
    if outcome.isSuccess { tally.succeeded += 1 }
    tally.bytesReceived += transfer.bytesReceived
    tally.endedByStage[context.stage(at: transfer.ended)] += 1
    let latency = transfer.ended - intent.due
    if outcome.isRejected {
      if intent.due >= context.settled {
        tally.course.answer(latency: nil, isError: false, second: context.second(intent.due))
        tally.reject(
          latency: latency, late: intent.late, unread: unread, service: transfer.ended - transfer.sent)
      }
    } else if transfer.isCutOff {
      censor(tally, .cutOff, transfer, intent)
    } else if intent.due >= context.settled {
      let service = transfer.ended - transfer.sent
      tally.account.answer(
        latency: latency, late: intent.late, unread: unread, service: service, patience: intent.patience)
      if !transfer.isPlain { tally.phases.record(transfer.phases) }
      let delay = (intent.late > LatencyAccount.onTime ? intent.late : 0) + unread
      let second = context.second(intent.due)
      tally.recordLowerBound(latency: latency - delay, service: service - unread, second: second)
      let isError = tally.outcomes.errorAnswers > before.errorAnswers
      tally.course.answer(
        latency: tally.outcomes.ok > before.ok ? latency - delay : nil, isError: isError,
        isFault: isError && transfer.status >= 500, second: second)
      samples?.append(
        LatencySample(operation: Int32(operation), due: intent.due, latency: latency, service: service))
    }
    lastAnswer = max(lastAnswer ?? transfer.ended, transfer.ended)
    timedOut = nil
    if transfer.ended >= nextDate { readDate(transfer) }
    end(transfer.ended, before, tally.outcomes)
    if !outcome.isRejected { second(transfer.ended) { $0.record(latency: latency) } }
    answers.sign(
      at: context.elapsed(transfer.ended), sent: context.elapsed(transfer.sent), operation: operation)
  }

  /// A request of the load's beginning that ended; nothing once they differ.
  func noteOpening(_ operation: Int, _ transfer: Transfer, target: String, isHandled: Bool) {
    defer { isOpening = opening?.isOver == false }
    switch transfer.ending {
    case .answered:
      opening?.note(
        operation, status: transfer.status, target: target, body: transfer.bodyBytes,
        isHandled: isHandled || (transfer.status == 403 && transfer.fields.hasLimitFields))
    case .failed(.closed), .failed(.notHTTP): opening?.note(operation, status: 0, target: target, isHandled: false)
    case .failed: opening?.note(operation, status: 0, target: target, isHandled: true)
    case .cancelled, .abandoned, .inFlight: break
    }
  }

  /// A write request that succeeded.
  func wrote(_ operation: Int, _ transfer: Transfer) {
    answers.wrote(operation, transfer.status, sent: context.elapsed(transfer.sent), at: context.elapsed(transfer.ended))
  }

  /// Whether a response that no rate limit rejected says that credentials work, or that they do not.
  func noteCredentials(
    _ operation: Int, _ transfer: Transfer, session: Instant, isHandled: @autoclosure () -> Bool,
    hasCredentials: @autoclosure () -> Bool
  ) {
    credentials.note(
      operation, status: transfer.status, sent: context.elapsed(transfer.sent), at: context.elapsed(transfer.ended),
      session: context.elapsed(session),
      isHandled: isHandled(), hasLimitFields: transfer.fields.hasLimitFields, hasCredentials: hasCredentials())
  }

  func fail(_ operation: Int, _ transfer: Transfer, _ error: TransportError, _ intent: Intent) {
    let tally = tally(operation)
    let before = tally.outcomes
    ledger.transport += 1
    tally.outcomes.transport += 1
    let cause = error.censoring
    if case .exhausted(let scarcity, _) = error {
      tally.exhausted += 1
      lacking[scarcity, default: 0] += 1
    }
    if cause == .timeout { timedOut = (min(timedOut?.sent ?? transfer.sent, transfer.sent), transfer.ended) }
    censor(tally, cause, transfer, intent)
    tally.endedByStage[context.stage(at: transfer.ended)] += 1
    end(transfer.ended, before, tally.outcomes)
    noteFailure(operation, transfer)
  }

  func cancel(_ operation: Int, _ transfer: Transfer, _ intent: Intent) {
    let tally = tally(operation)
    let before = tally.outcomes
    ledger.cancelled += 1
    tally.outcomes.cancelled += 1
    censor(tally, .superseded, transfer, intent)
    end(transfer.ended, before, tally.outcomes)
    answers.withdrawn()
  }

  /// A request in flight at the end.
  ///
  /// - Parameter isOverdue: it has waited for longer than one that is merely under way.
  func abandon(_ operation: Int, _ transfer: Transfer, _ intent: Intent, isOverdue: Bool) {
    let tally = tally(operation)
    ledger.inFlightAtEnd += 1
    if isOverdue { tally.overdueAtEnd += 1 }
    censor(tally, .end, transfer, intent)
    oldestOpen = min(oldestOpen ?? transfer.sent, transfer.sent)
  }

  private func censor(_ tally: OperationTally, _ cause: CensoringCause, _ transfer: Transfer, _ intent: Intent) {
    guard intent.due >= context.settled else { return }
    let (waited, service) = (intent.waited(until: transfer.ended), transfer.ended - transfer.sent)
    tally.account.censor(cause, waited: waited, service: service, patience: intent.patience)
    let isUnsent = cause == .unsentMurphy
    let second = context.second(intent.due)
    tally.recordLowerBound(latency: isUnsent ? 0 : waited, service: isUnsent ? 0 : service, second: second)
    if cause == .timeout || cause == .reset { tally.course.fail(second: second) }
  }

  /// A request that was under way when the load ended, and had waited long enough for an answer.
  /// - Parameter kind: the kind of its finding; nil when it has none.
  func lose(_ operation: Int, _ transfer: Transfer, kind: FindingKind?, at now: Instant) {
    answers.lost(
      operation: operation, kind: kind, sent: context.elapsed(transfer.sent), at: context.elapsed(now))
  }

  /// The target began an answer that was not complete by then.
  func noteSign(_ operation: Int, _ transfer: Transfer, at now: Instant) {
    answers.sign(
      at: context.elapsed(now), sent: context.elapsed(transfer.sent), operation: operation, isAnswer: false)
  }

  /// A request that was merely under way when the run ended.
  func withdraw() { answers.withdrawn() }

  private func noteFailure(_ operation: Int, _ transfer: Transfer) {
    guard case .failed(let error) = transfer.ending else { return }
    let (sent, ended) = (context.elapsed(transfer.sent), context.elapsed(transfer.ended))
    switch error.life {
    case .shown: answers.sign(at: ended, sent: sent, operation: operation, isAnswer: false)
    case .absent: answers.lost(operation: operation, kind: error.kind, sent: sent, at: ended)
    case .unknown: answers.withdrawn()
    }
  }

  private func end(_ instant: Instant, _ before: Outcomes, _ after: Outcomes) {
    let change = after.difference(from: before)
    outcomes += change
    second(instant) { $0.outcomes += change }
    if instant > lastEnd { lastEnd = instant }
  }

  /// - Parameter target: what was asked for.
  func judge(
    _ judgement: Judgement, _ operation: Int, _ transfer: Transfer, target: String, _ outcome: StepOutcome
  ) {
    let isBroken = !transfer.violations.isEmpty && transfer.violations.each.contains { $0.kind.rule.severity == .error }
    let tally = tally(operation)
    tally.count(judgement, status: transfer.status, outcome, isBroken: isBroken)
    switch judgement {
    case .conformant:
      ledger.conformant += 1
      // A response that a rate limit rejected shows nothing of what its path or query names.
      if !outcome.isRejected { tally.check(target, second: context.second(transfer.ended)) }
    case .violating: ledger.violating += 1
    case .unchecked(let reason), .opaque(let reason): unchecked.count(reason)
    }
  }

  /// The answer that was judged last is not what its step expects.
  func expectationFailed(_ operation: Int) { tally(operation).expectationFailed() }

  func find(_ occurrence: Occurrence, evidence: () -> Evidence?) {
    second(occurrence.at) { $0.findings += 1 }
    findings.record(occurrence, evidence: evidence)
  }

  /// Once a second: users and what the progress line shows.
  func snapshot(users: Int, _ streams: OpenStreams, at now: Instant) -> LoopSnapshot {
    second(now) { $0.users = users }
    var snapshot = LoopSnapshot()
    snapshot.planned = ledger.planned
    snapshot.sent = ledger.sent
    snapshot.outcomes = outcomes
    snapshot.users = users
    snapshot.fingerprints = findings.fingerprints
    snapshot.occurrences = findings.occurrences
    snapshot.vitals = answers.vitals(
      streams: streams.open, begun: streams.lastBegun.map(context.elapsed), at: context.elapsed(now))
    snapshot.opening = opening
    snapshot.credentials = credentials.standing
    snapshot.credentials?.published = context.elapsed(now)
    if seconds.count > 1 { snapshot.lastSecond = seconds[seconds.count - 2] }
    if context.options.isWatched { snapshot.details = details }
    if context.scenario.settings.abortWhenLost != nil { snapshot.standing = BudgetStanding(operations, sessions) }
    return snapshot
  }

  private static let secondsShown = 5

  private var details: ShardDetails {
    let first = max(seconds.count - Self.secondsShown, 0)
    return ShardDetails(
      seconds: Array(seconds[first...]), firstSecond: first, outcomes: operations.map { $0?.outcomes ?? Outcomes() },
      findings: findings.counts)
  }
}

extension TransportError {
  /// Whose doing it is that no answer came, and after what.
  fileprivate var censoring: CensoringCause {
    switch self {
    case .timeout, .connectTimeout: .timeout
    case .exhausted: .unsentMurphy
    default: .reset
    }
  }
}
