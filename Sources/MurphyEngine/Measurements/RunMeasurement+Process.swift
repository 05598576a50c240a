import MurphyContract
import MurphyHTTP
import MurphyModel

extension RunMeasurement {
  /// The measurement of a process, with its events in one log.
  ///
  /// - Parameters:
  ///   - info: with the end of the load and the result of the setup.
  ///   - setup: the measurement before the load. Its requests are in the log and in no count.
  ///   - starts: the reads before the load.
  ///   - loops: nil for each loop that did not end.
  ///   - finals: the reads of every key after the load.
  ///   - slowLoops: loops that did not end and were still working.
  ///   - resources: the resources of the machine that the run used.
  init(
    _ context: RunContext, _ info: RunInfo, setup: RunMeasurement?, starts: EventLog? = nil,
    loops: [RunMeasurement?] = [], finals: EventLog? = nil, slowLoops: Set<Int> = [],
    resources: GeneratorResources? = nil
  ) {
    self.init(RunFrame(context))
    if let setup { addFound(setup) }
    for loop in loops { if let loop { merge(loop) } }
    var whole = EventLog(context)
    whole.info = info
    whole.ends = logs.flatMap(\.ends)
    whole.answers = ResponseLog(logs.map(\.answers))
    // In the order of time; within the load, loop by loop.
    let before = [starts, setup?.logs.first].compactMap(\.self)
    for log in before + logs + [finals].compactMap(\.self) { whole.append(log) }
    whole.limits.settle()
    let stuckLoops = loops.indices.filter { loops[$0] == nil }
    // A loop that never returned its log may have written after every response.
    if !stuckLoops.isEmpty {
      for gap in whole.state.gaps.indices { whole.state.gaps[gap].unreadWrites += 1 }
    }
    whole.requests = ledger.sent
    whole.course = RateCourse(seconds: seconds.map(\.sent))
    whole.begun = sessions.reduce(0) { $0 + $1.started }
    whole.info.duration = Self.duration(whole, context)
    var dates = DateBounds()
    for log in logs { dates.merge(log.dates) }
    whole.info.shard = Self.shard(whole.info.duration, dates, context)
    whole.generator = generator(
      whole, resources, stuckLoops.map { Self.stuck($0, isSlow: slowLoops.contains($0), context) })
    logs = [whole]
  }

  /// From the load's zero to the last response. At least the load's own length unless the load ended early.
  private static func duration(_ log: EventLog, _ context: RunContext) -> Duration {
    let info = log.info
    let last = log.ends.map { Duration.nanoseconds($0.lastEnd) }.max() ?? .zero
    var planned = context.scenario.load.duration
    // Users with a fixed number of sessions may finish earlier.
    if context.plan.closed?.iterations != nil {
      planned = min(planned, log.ends.map { .nanoseconds($0.ended) }.max() ?? planned)
    }
    let isCut = info.cutShort || info.setup?.failed != nil
    return max(last, isCut ? .zero : info.aborted ?? info.lost?.at ?? info.lostCredentials?.at ?? planned)
  }

  private static func shard(_ duration: Duration, _ dates: DateBounds, _ context: RunContext) -> RunShard? {
    guard var shard = context.options.shardInfo else { return nil }
    var clock = ClockReading.at(context.start, timeOfDay: context.startTimeOfDay)
    // Measured before the load. A time service keeps its bound; another clock continues to drift.
    let drift = (duration + DateBounds.longestWait) * DateBounds.drift
    clock.bounds += shard.clock.bounds.map { $0.reference == .chrony ? $0 : $0.widened(by: drift) }
    if let bound = dates.bound { clock.bounds.append(bound) }
    shard.clock = clock
    if let wanted = context.options.startAt { shard.late = .nanoseconds(max(clock.wall - wanted, 0)) }
    return shard
  }
}

extension RunMeasurement {
  /// The measurement of a setup with times that count from the load's zero.
  ///
  /// It keeps only the writes of relations: the setup's responses are not judged by relations.
  ///
  /// - Parameter zero: the load's zero, nanoseconds after this measurement's.
  func before(_ zero: Int64, stages: Int) -> RunMeasurement {
    var setup = self
    setup.rows = rows(stages: stages) { _ in .zero }
    for index in logs.indices {
      setup.logs[index].unmasked = nil
      setup.logs[index].state.shift(by: -zero)
      setup.logs[index].relations = RelationLog()
      setup.logs[index].relations.writes = logs[index].relations.writes
      setup.logs[index].relations.shift(-zero, -zero)
    }
    return setup
  }

  /// Adds the findings of a teardown, and its failure.
  mutating func add(_ teardown: FixtureRun.Completion, loadBegan: Instant) {
    logs[0].info.teardown = teardown.result
    let shift = Duration.nanoseconds(teardown.began - loadBegan)
    guard let measured = teardown.measurement else { return }
    add(measured.rows(stages: logs[0].info.load.count) { $0 + shift })
    for log in measured.logs { logs[0].secrets.formUnion(log.secrets) }
  }

  /// The findings without a stage of the load.
  ///
  /// - Parameter moved: converts a time since this measurement's zero into the time since the load's zero.
  private func rows(stages: Int, moved: (Duration) -> Duration) -> [FindingTable.Row] {
    rows.map { row in
      var row = row
      row.byStage = Array(repeating: 0, count: max(stages, 1))
      row.finding.firstSeen = moved(row.finding.firstSeen)
      row.finding.lastSeen = moved(row.finding.lastSeen)
      return row
    }
  }
}

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
    log.answers = recorder.responses.closed
    log.answers.absences = end.figures.absences.map {
      Absence(from: context.seconds($0.lowerBound), until: context.seconds($0.upperBound))
    }
    log.changes = recorder.changes.changes(context)
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
