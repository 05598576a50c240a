import MurphyContract
import MurphyHTTP
import MurphyModel
import MurphySchema

extension LoopRun {
  /// Adds a completed request to the request accounting, judges its response and keeps the findings.
  ///
  /// - Parameter isRenewed: true for a response 401 to a token that murphy has renewed since. The request is sent again.
  /// - Returns: the meaning of the status, as it was counted.
  @discardableResult func record(
    _ transfer: Transfer, _ request: PreparedRequest, _ intent: Intent, by run: SessionRun, isRenewed: Bool = false
  ) -> StepOutcome {
    let operation = request.operation
    record(repeatsOf: transfer, request, by: run)
    let outcome = isRenewed ? StepOutcome(isExpectedFailure: true) : request.outcome(of: transfer, context)
    if recorder.isOpening, !isRenewed { recorder.recordOpening(transfer, request, outcome) }
    switch transfer.ending {
    case .answered:
      recorder.recordResponse(
        operation, transfer, intent, unread: loop.unread(sent: transfer.sent, ended: transfer.ended), outcome)
      if !request.http.isSafe, (200..<300).contains(transfer.status) {
        recorder.wrote(operation, transfer)
        recorder.changes.wrote(sent(transfer, request, run))
      }
      if outcome.isSuccess {
        recorder.changes.succeeded(operation, sent: transfer.sent)
      } else if transfer.status >= 500, !outcome.isExpectedFailure, !outcome.isRejected {
        recorder.changes.failed(operation, sent(transfer, request, run))
      }
      if context.credentialInterest.isSent, !outcome.isRejected, !isRenewed {
        recordCredentials(transfer, request, run, outcome)
      }
      judge(transfer, request, run, outcome, isRenewed: isRenewed)
      find(violationsOf: transfer, request, run)
    case .failed(let error):
      recorder.fail(operation, transfer, error, intent)
      if error.censoring == .timeout || error.censoring == .reset {
        recorder.changes.failed(operation, sent(transfer, request, run))
      }
      find(error, transfer, request, run)
    case .cancelled: recorder.cancel(operation, transfer, intent)
    case .abandoned, .inFlight:
      let isOverdue = isOverdue(since: transfer.sent, at: transfer.ended)
      recorder.abandon(operation, transfer, intent, isOverdue: isOverdue)
      recordUnanswered(transfer, request, run)
    }
    if !recorder.measured.tags.isEmpty, let call = request.call, !call.tags.isEmpty {
      recorder.count(tags: call.tags, transfer, intent, outcome)
    }
    if recorder.state.concerns(operation) {
      recorder.state.record(
        transfer, request.http, operation: operation, session: run.arrival.index, unique: run.scope.unique,
        body: ResponseBody(transfer: transfer, parser: parser))
    }
    if context.relations.writes[operation] {
      relate(write: transfer, request, run)
    } else if request.call == nil, context.relations.isStrangeWrite(request.http.method) {
      relate(write: transfer, request, run, as: -1)
    }
    if recorder.limits.concerns(operation, isRejected: outcome.isRejected)
      || transfer.status == 503 && context.goodput != nil
    {
      recorder.limits.record(
        operation, transfer, request.http, identity: run.identity(of: request.http.headers),
        isRejected: outcome.isRejected, body: ResponseBody(transfer: transfer, parser: parser))
    }
    return outcome
  }

  private func sent(_ transfer: Transfer, _ request: PreparedRequest, _ run: SessionRun) -> ChangeRecorder.Sent {
    let hasResponse = if case .answered = transfer.ending { true } else { false }
    return ChangeRecorder.Sent(
      request: request, secrets: run.scope.secrets, status: hasResponse ? transfer.status : nil, sent: transfer.sent,
      ended: transfer.ended)
  }

  /// Records the evidence of a response on the credentials that its request carried.
  private func recordCredentials(
    _ transfer: Transfer, _ request: PreparedRequest, _ run: SessionRun, _ outcome: StepOutcome
  ) {
    recorder.credentials.recordResponse(
      request.operation, status: transfer.status, sent: context.elapsed(transfer.sent),
      at: context.elapsed(transfer.ended), session: context.elapsed(run.began),
      isHandled: request.handles(status: transfer.status, outcome), hasLimitFields: transfer.fields.hasLimitFields,
      hasCredentials: hasCredentials(request))
  }

  /// True if a request carries credentials other than cookies that the API set.
  private func hasCredentials(_ request: PreparedRequest) -> Bool {
    let known = context.credentials[request.operation]
    return !known.query.isEmpty || !known.cookies.isEmpty
      || request.http.headers.contains { context.mask.isSecret(headerNamed: $0.name) }
  }

  private func judge(
    _ transfer: Transfer, _ request: PreparedRequest, _ run: SessionRun, _ outcome: StepOutcome, isRenewed: Bool
  ) {
    let view = ResponseView(
      status: transfer.status, fields: transfer.fields, body: transfer.bodyBytes,
      bodyIncomplete: transfer.isCutOff, target: request.http.target)
    var judgement = judge.judge(view, operation: request.operation)
    // A contract may omit the 401 of a client that lets its token expire.
    if isRenewed, case .violating = judgement { judgement = .unchecked(Judgement.renewedToken) }
    if isTraced { self.judgement = judgement }
    if let relations = judge.relations {
      if relations.hasNews { relate(relations, transfer, request, run) }
      if relations.subject == .item {
        relations.recordItem(sent: context.elapsed(transfer.sent), answered: context.elapsed(transfer.ended))
      }
    }
    recorder.judge(
      judgement, request.operation, transfer, target: request.http.target, outcome)
    if transfer.isCutOff { findCutOff(transfer, request, run) }
    if transfer.isStreamed { recorder.tally(request.operation).record.streams += transfer.streamFigures }
    if case .conformant = judgement { return }
    // An event stream that was received complete at once.
    if !transfer.isStreamed, transfer.isEventStream, transfer.bytesReceived > 0 {
      recorder.tally(request.operation).record.streams += transfer.streamFigures
    }
    guard case .violating(let violations) = judgement else { return }
    for violation in violations {
      let occurrence = Occurrence(
        kind: violation.kind, operation: request.operation, message: violation.claim ?? violation.message,
        details: violation.details, discriminator: violation.discriminator, at: transfer.ended,
        whole: violation.message, found: violation.claim == nil ? [] : violation.found, places: violation.places,
        cause: violation.rule)
      recorder.find(occurrence) {
        var evidence = self.evidence(transfer, request, run.evidenceHistory)
        evidence.instancePointer = violation.instancePointer
        evidence.schemaPointer = violation.schemaPointer
        evidence.source = violation.source
        return evidence
      }
    }
  }

  private func find(
    _ error: TransportError, _ transfer: Transfer, _ request: PreparedRequest, _ run: SessionRun
  ) {
    let occurrence = Occurrence(
      kind: error.kind, severity: error.isRace ? .warning : nil, operation: request.operation,
      message: error.cause, details: error.distinction == nil ? ["the first attempt failed: \(error.detail)"] : [],
      discriminator: "\(error.kind.name) \(error.cause)", at: transfer.ended, whole: error.sentence,
      found: [error.distinction].compactMap(\.self))
    recorder.find(occurrence) { evidence(transfer, request, run.evidenceHistory) }
  }

  /// True if a request that was open at the end of the run was not merely in flight. It had waited for its whole
  /// timeout, or for half of the grace that the run gave it; or the target's silence ended the run.
  func isOverdue(since begin: Instant, at end: Instant) -> Bool {
    let waited = Duration.nanoseconds(end - begin)
    let settings = context.scenario.settings
    return context.aborting.isRequested || waited >= settings.timeout
      || (!context.cutting.isRequested && waited > patience)
  }

  /// A request that has waited for longer is not merely in flight at the end.
  private var patience: Duration { max(context.scenario.settings.grace / 2, .seconds(1)) }

  /// A request that was open at the end of the run after half of the grace: it was not merely in flight. When the
  /// target's silence ended the run, all requests in flight are lost.
  private func recordUnanswered(_ transfer: Transfer, _ request: PreparedRequest, _ run: SessionRun) {
    let now = Instant.now
    // Data that was received while the loop was stopped is not read yet.
    let waited = Duration.nanoseconds(now - transfer.sent - loop.away(since: transfer.sent))
    let isLong = waited > patience
    let isAborted = context.aborting.isRequested
    guard isAborted || (isLong && !context.cutting.isRequested) else { return recorder.responses.withdrawn() }
    // Only a running target begins a response.
    if transfer.hasBegun {
      recorder.recordActivity(request.operation, transfer, at: now)
    } else {
      recorder.lose(request.operation, transfer, kind: isLong ? .transportUnanswered : nil, at: now)
    }
    if isLong { findUnanswered(transfer, request, run, at: now) }
  }

  private func findUnanswered(_ transfer: Transfer, _ request: PreparedRequest, _ run: SessionRun, at now: Instant) {
    let occurrence = Occurrence(
      kind: .transportUnanswered, operation: request.operation,
      message: (transfer.hasBegun ? "the response was not complete" : "no response had been received")
        + " when the run ended, more than \(patience.text) after the request was sent",
      discriminator: transfer.hasBegun ? "incomplete" : "unanswered", at: now)
    recorder.find(occurrence) { evidence(transfer, request, run.evidenceHistory) }
  }

  private func findCutOff(_ transfer: Transfer, _ request: PreparedRequest, _ run: SessionRun) {
    let limit = context.transport.bodyLimit.text
    let occurrence = Occurrence(
      kind: .transportBodyLimit, severity: .warning, operation: request.operation,
      message: """
        the body is longer than \(limit), so murphy did not read the rest; to raise the limit, set `settings: \
        max-body`
        """,
      discriminator: "body-limit", at: transfer.ended)
    recorder.find(occurrence) { evidence(transfer, request, run.evidenceHistory) }
  }

  /// The exchange and the script that reproduces it, masked.
  func evidence(_ transfer: Transfer, _ request: PreparedRequest, _ history: RequestHistory) -> Evidence {
    var search = SecretSearch(context, transfer, request, known: history.secrets, isMadeUp: history.script != nil)
    for call in history.calls(before: request.reads) { search.add(call) }
    recorder.learn(search.found)
    let writer = EvidenceWriter(
      context: context, mask: context.mask.adding(search.found, isNested: search.found.count <= 20))
    return writer.evidence(transfer, request, history)
  }
}

extension LoopRun {
  /// Records the relations that the response read last shows.
  func relate(_ reader: RelationReader, _ transfer: Transfer, _ request: PreparedRequest, _ run: SessionRun) {
    let response = RelationRecorder.Response(
      operation: request.operation, request: request.http, sent: context.elapsed(transfer.sent),
      answered: context.elapsed(transfer.ended), fields: transfer.fields, session: Int64(run.arrival.index),
      sendsCookies: run.connection.cookiesSet > 0)
    recorder.relations.recordResponse(reader, response) { evidence(transfer, request, run.evidenceHistory) }
  }

  /// Records that a request may have changed something, unless it was rejected.
  ///
  /// - Parameter other: -1 for a method that is not the operation's: its effect is unknown.
  func relate(write transfer: Transfer, _ request: PreparedRequest, _ run: SessionRun, as other: Int? = nil) {
    var end = Int64.max
    if case .answered = transfer.ending {
      // If it was sent twice, the first attempt may have taken effect anyway.
      if (400..<500).contains(transfer.status), transfer.repeats.isEmpty { return }
      if (200..<400).contains(transfer.status), transfer.status != 202 { end = context.elapsed(transfer.ended) }
      // Without its cookies a user may not be authorised to read the created resource.
      if transfer.status == 201, transfer.fields.has(.location), run.connection.cookiesSet == 0 {
        recorder.relations.created(transfer, request.operation, request.http)
      }
    }
    // A request that was sent twice may take effect twice, and the time of the first effect is unknown.
    if !transfer.repeats.isEmpty { end = .max }
    if let shape = context.relations.returns[request.operation] { relate(shape, transfer, request) }
    recorder.relations.write(
      other ?? request.operation, sent: context.elapsed(transfer.sent), end: end,
      item: other == nil ? context.relations.item(request.http.target, of: request.operation) : 0)
  }
}

extension LoopRun {
  /// Records which strings of a body were returned.
  private func relate(_ shape: ReturnShape, _ transfer: Transfer, _ request: PreparedRequest) {
    guard case .answered = transfer.ending, (200..<300).contains(transfer.status), let body = request.http.body,
      let sent = try? JSONValue.parse(body),
      let response = shape.path.reduce(ResponseBody(transfer: transfer, parser: parser).value, { $0?[$1] })
    else { return }
    recorder.relations.returned(
      RelationLog.Return(
        operation: Int32(request.operation), sent: context.elapsed(transfer.sent),
        answered: context.elapsed(transfer.ended),
        thing: request.http.method == "POST" ? 0 : RelationHash.of(request.http.target),
        given: shape.members.map { RelationHash.of(nonce: sent[$0]) },
        found: shape.members.map { RelationHash.of(nonce: response[$0]) }),
      request.http)
  }
}
