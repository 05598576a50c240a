import MurphyContract
import MurphyHTTP
import MurphyModel

extension LoopRun {
  /// The whole measurement, as a value that may leave the loop.
  func finish() -> RunMeasurement {
    findStrays()
    for (operation, vacuous) in judge.vacuousSchemas {
      let occurrence = Occurrence(
        kind: vacuous.kind, severity: .warning, operation: operation, message: vacuous.message,
        details: vacuous.details,
        discriminator: vacuous.discriminator, at: recorder.lastEnd)
      recorder.find(occurrence) {
        Evidence(
          instancePointer: vacuous.instancePointer, schemaPointer: vacuous.schemaPointer, source: vacuous.source)
      }
    }
    var whole = recorder.measured
    whole.ledger.reusable = transport.reusable
    whole.ledger.reopened = transport.reopened
    whole.sessions.changeEach { $0.close() }
    whole.operations = recorder.operations.map { $0?.closed }
    whole.stages = recorder.operations.map { $0?.endedByStage }
    whole.peakUsers = peakUsers
    whole.rows = recorder.findings.rows.values.sorted { $0.finding.fingerprint < $1.finding.fingerprint }
    whole.beyond = recorder.findings.beyond
    (whole.coverage, whole.traffic) = (judge.coverage(), judge.traffic())
    whole.logs = [log]
    return whole
  }

  /// The loop's events, masked. The figures are read first, so that they exclude the time of the masking.
  private var log: EventLog {
    var end = LoopEnd(recorder, context)
    (end.loop, end.figures) = (number, loop.currentFigures())
    var log = EventLog(context)
    log.ends = [end]
    log.answers = recorder.answers.closed
    log.answers.absences = end.figures.absences.map {
      Absence(from: context.seconds($0.lowerBound), until: context.seconds($0.upperBound))
    }
    log.limits = recorder.limits.masked
    (log.limits.issues, log.limits.missesIssues) = (recorder.issues.issues, recorder.issues.isFull)
    (log.state, log.unmasked) = (recorder.state.masked, recorder.state)
    log.relations = relations
    log.dates = recorder.dates
    (log.secrets, log.hidesContent) = (recorder.secrets, recorder.hasForgottenSecrets)
    return log
  }

  private var relations: RelationLog {
    var log = recorder.relations.log
    judge.relations?.fill(&log)
    let requests = recorder.relations.requests
    log.requests = requests.map {
      var request = CurlRequest($0, context.mask, context.transport)
      request.url = context.mask.word(context.origin.text + $0.target)
      return request
    }
    for page in log.pages.reversed() where page.request >= 0 {
      let headers = requests[Int(page.request)].headers
      let known = log.senders[page.operation] ?? []
      if known.count < RelationLog.sendersKept, headers.names("Authorization"), !known.contains(headers) {
        log.senders[page.operation] = known + [headers]
      }
    }
    return log
  }
}

extension LimitRecorder {
  var masked: LimitLog {
    var log = log
    log.requests = requests.map { CurlRequest($0, context.mask, context.transport) }
    for field in Set(log.identities.flatMap(\.headers)) where !context.mask.word(field).variables.isEmpty {
      log.secretHeaders.insert(field.name)
    }
    return log
  }
}

extension StateRecorder {
  var masked: StateLog {
    var log = log
    log.requests = requests.requests.map { CurlRequest($0, context.mask, context.transport) }
    log.headers = headers.map { fields in fields.map { CurlRequest.Field($0.name, context.mask.word($0)) } }
    return log
  }
}
