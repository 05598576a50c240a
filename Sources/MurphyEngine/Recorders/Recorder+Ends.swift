import MurphyContract
import MurphyHTTP
import MurphyModel

extension Recorder {
  /// A complete response, or one that was cut off at the size limit. The time of a response that a rate limit rejected
  /// is excluded from the samples of the operation's latency.
  ///
  /// - Parameter unread: the maximum time that it may have been unread because the loop was busy, nanoseconds.
  func recordResponse(
    _ operation: Int, _ transfer: Transfer, _ intent: Intent, unread: Int64, _ outcome: StepOutcome
  ) {
    let tally = tally(operation)
    measured.ledger.answered += 1
    if (300..<400).contains(transfer.status), transfer.status != 304 { measured.ledger.redirects += 1 }
    var change = Outcomes()
    change.count(status: transfer.status, outcome)
    tally.record.outcomes += change
    tally.count(status: transfer.status)
    if outcome.isSuccess { tally.record.succeeded += 1 }
    tally.record.bytesReceived += transfer.bytesReceived
    tally.endedByStage[context.stage(at: transfer.ended)] += 1
    let latency = transfer.ended - intent.due
    if outcome.isRejected {
      if intent.due >= context.settled {
        tally.record.course.countResponse(latency: nil, isError: false, second: context.second(intent.due))
        tally.reject(
          latency: latency, late: intent.late, unread: unread, service: transfer.ended - transfer.sent)
      }
    } else if transfer.isCutOff {
      censor(tally, .cutOff, transfer, intent)
    } else if intent.due >= context.settled {
      let service = transfer.ended - transfer.sent
      tally.record.account.countResponse(
        latency: latency, late: intent.late, unread: unread, service: service, patience: intent.patience)
      if !transfer.isPlain { tally.record.phases.record(transfer.phases) }
      let delay = (intent.late > LatencyAccount.onTime ? intent.late : 0) + unread
      let second = context.second(intent.due)
      tally.recordLowerBound(latency: latency - delay, service: service - unread, second: second)
      let isError = change.errorResponses > 0
      tally.record.course.countResponse(
        latency: change.ok > 0 ? latency - delay : nil, isError: isError,
        isFault: isError && transfer.status >= 500, second: second)
      measured.samples?.append(
        LatencySample(operation: Int32(operation), due: intent.due, latency: latency, service: service))
    }
    lastResponse = max(lastResponse ?? transfer.ended, transfer.ended)
    timedOut = nil
    if transfer.ended >= nextDate { readDate(transfer) }
    end(transfer.ended, change)
    if let limits = context.goodput, outcome.isSuccess, latency - intent.late <= limits[operation] {
      second(transfer.ended) { $0.course.good += 1 }
    }
    if !outcome.isRejected { second(transfer.ended) { $0.record(latency: latency) } }
    responses.sign(
      at: context.elapsed(transfer.ended), sent: context.elapsed(transfer.sent), operation: operation)
  }

  func fail(_ operation: Int, _ transfer: Transfer, _ error: TransportError, _ intent: Intent) {
    let tally = tally(operation)
    measured.ledger.transport += 1
    var change = Outcomes()
    change.transport = 1
    tally.record.outcomes += change
    let cause = error.censoring
    if case .exhausted(let scarcity, _) = error {
      tally.record.exhausted += 1
      measured.lacking[scarcity, default: 0] += 1
    }
    if cause == .timeout { timedOut = (min(timedOut?.sent ?? transfer.sent, transfer.sent), transfer.ended) }
    censor(tally, cause, transfer, intent)
    tally.endedByStage[context.stage(at: transfer.ended)] += 1
    end(transfer.ended, change)
    switch error.life {
    case .shown: recordActivity(operation, transfer, at: transfer.ended)
    case .absent, .unreachable: lose(operation, transfer, kind: error.kind, at: transfer.ended)
    case .unknown: responses.withdrawn()
    }
  }

  func cancel(_ operation: Int, _ transfer: Transfer, _ intent: Intent) {
    let tally = tally(operation)
    measured.ledger.cancelled += 1
    var change = Outcomes()
    change.cancelled = 1
    tally.record.outcomes += change
    censor(tally, .superseded, transfer, intent)
    end(transfer.ended, change)
    responses.withdrawn()
  }

  /// A request in flight at the end.
  ///
  /// - Parameter isOverdue: true if it has waited for longer than a request that is merely in flight.
  func abandon(_ operation: Int, _ transfer: Transfer, _ intent: Intent, isOverdue: Bool) {
    let tally = tally(operation)
    measured.ledger.inFlightAtEnd += 1
    if isOverdue { tally.record.overdueAtEnd += 1 }
    censor(tally, .end, transfer, intent)
    oldestOpen = min(oldestOpen ?? transfer.sent, transfer.sent)
  }

  private func censor(_ tally: OperationTally, _ cause: CensoringCause, _ transfer: Transfer, _ intent: Intent) {
    guard intent.due >= context.settled else { return }
    let (waited, service) = (intent.waited(until: transfer.ended), transfer.ended - transfer.sent)
    tally.record.account.censor(cause, waited: waited, service: service, patience: intent.patience)
    let isUnsent = cause == .unsentMurphy
    let second = context.second(intent.due)
    tally.recordLowerBound(latency: isUnsent ? 0 : waited, service: isUnsent ? 0 : service, second: second)
    if cause == .timeout || cause == .reset { tally.record.course.fail(second: second) }
  }

  /// A request that was in flight when the load ended, and had waited long enough for a response.
  /// - Parameter kind: the kind of its finding; nil when it has none.
  func lose(_ operation: Int, _ transfer: Transfer, kind: FindingKind?, at now: Instant) {
    responses.lost(
      operation: operation, kind: kind, sent: context.elapsed(transfer.sent), at: context.elapsed(now))
  }

  /// Records that the target began a response that was not complete by then.
  func recordActivity(_ operation: Int, _ transfer: Transfer, at now: Instant) {
    responses.sign(
      at: context.elapsed(now), sent: context.elapsed(transfer.sent), operation: operation, isAnswer: false)
  }

  private func end(_ instant: Instant, _ change: Outcomes) {
    outcomes += change
    second(instant) { $0.outcomes += change }
    if instant > lastEnd { lastEnd = instant }
  }

  /// Records a completed request of the beginning of the load; it does nothing once the requests differ. A separate
  /// function, so that later requests cost nothing.
  @inline(never) func recordOpening(_ transfer: Transfer, _ request: PreparedRequest, _ outcome: StepOutcome) {
    let operation = request.operation
    let isMeant =
      outcome.isSuccess || outcome.isRejected || (transfer.status == 403 && transfer.fields.hasLimitFields)
    if case .answered = transfer.ending, !isMeant, opening?.countsAgain(operation, status: transfer.status) == true {
      return
    }
    let target = request.http.target
    defer { isOpening = opening?.isOver == false }
    switch transfer.ending {
    case .answered:
      // An operation without credentials, such as a login, may be rejected because of its body.
      if [401, 403].contains(transfer.status), context.credentialInterest.isOpen[operation],
        request.handles(status: transfer.status, outcome)
      {
        return
      }
      let isSent = { [contract = context.contract] in
        contract.carriesCredentials(request.http.headers, target: target, operation: operation)
      }
      opening?.recordEnd(
        operation, status: transfer.status, target: target, body: transfer.bodyBytes,
        rejection: [401, 403].contains(transfer.status) ? (transfer.headers, isSent()) : nil,
        isMeant: isMeant)
    case .failed(.closed), .failed(.notHTTP): opening?.recordEnd(operation, status: 0, target: target, isMeant: false)
    case .failed: opening?.recordEnd(operation, status: 0, target: target, isMeant: true)
    case .cancelled, .abandoned, .inFlight: break
    }
  }

  func wrote(_ operation: Int, _ transfer: Transfer) {
    responses.wrote(
      operation, transfer.status, sent: context.elapsed(transfer.sent), at: context.elapsed(transfer.ended))
  }

  func judge(
    _ judgement: Judgement, _ operation: Int, _ transfer: Transfer, target: String, _ outcome: StepOutcome
  ) {
    let isBroken = !transfer.violations.isEmpty && transfer.violations.each.contains { $0.kind.rule.severity == .error }
    let tally = tally(operation)
    tally.count(judgement, status: transfer.status, outcome, isBroken: isBroken)
    switch judgement {
    case .conformant:
      measured.ledger.conformant += 1
      // A response that a rate limit rejected shows nothing about the resource that its path or query names.
      if !outcome.isRejected { tally.record.checked.count(target, second: context.second(transfer.ended)) }
    case .violating: measured.ledger.violating += 1
    case .unchecked(let reason), .opaque(let reason): measured.unchecked.count(reason)
    }
  }

  /// Records that the response judged last is not the one that its step expects.
  func expectationFailed(_ operation: Int) { tally(operation).expectationFailed() }

  /// The time between two dates that are read, nanoseconds. It is not a whole fraction of a second.
  private static let datePause: Int64 = 37_000_000

  private func readDate(_ transfer: Transfer) {
    nextDate = transfer.ended + Self.datePause
    guard let line = transfer.fields.lines.first(where: { $0.is(.date) }),
      let date = HTTPDate.seconds(String(decoding: line.value, as: UTF8.self))
    else { return }
    dates.add(
      date: date, sent: context.timeOfDay(transfer.lastSent), answered: context.timeOfDay(transfer.ended))
  }

  /// Counts an ended request for each tag of its step.
  func count(tags named: [Int], _ transfer: Transfer, _ intent: Intent, _ outcome: StepOutcome) {
    var outcomes = Outcomes()
    var latency: Int64?
    switch transfer.ending {
    case .answered:
      outcomes.count(status: transfer.status, outcome)
      if outcomes.limited == 0, !transfer.isCutOff, intent.due >= context.settled {
        latency = transfer.ended - intent.due
      }
    case .failed: outcomes.transport = 1
    case .cancelled: outcomes.cancelled = 1
    case .abandoned, .inFlight: return
    }
    for index in named {
      if measured.tags[index] == nil { measured.tags[index] = TagRecord(tag: context.scenario.tags[index]) }
      measured.tags[index]?.outcomes += outcomes
      if let latency { measured.tags[index]?.latency.record(latency) }
    }
  }
}

extension TransportError {
  /// The cause of a missing response, and the waiting time.
  var censoring: CensoringCause {
    switch self {
    case .timeout, .connectTimeout: .timeout
    case .exhausted: .unsentMurphy
    default: .reset
    }
  }
}
