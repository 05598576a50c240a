import MurphyContract
import MurphyModel
import MurphyTransport

/// Puts the records of a process's loops together.
struct ProcessPart {
  let context: RunContext
  let loops: [LoopRecord]
  let isCutShort: Bool
  /// Seconds after which the target's silence ended the load; nil when it did not.
  var aborted: Double?
  /// The budget that ended the load; nil when none did.
  var lost: LostBudget?
  /// The credentials that stopped working and ended the load; nil when they did not.
  var credentials: LostCredentials?
  /// Loops that did not hand their records over.
  var stuckLoops: [Int] = []
  /// Of those, loops that were at work until the run went on without them.
  var slowLoops: Set<Int> = []
  /// What the run used of its machine.
  var resources: GeneratorResources?
  /// The reads before the load.
  var starts: StateReads?
  /// The reads of every key behind the load.
  var finals: StateRecorder?
  /// What was sent before the load: it stands in the logs, and in no count of the load.
  var setup: LoopRecord?
  /// False where a failed setup kept the load from beginning.
  var isBegun = true

  /// All that was sent, in the order of the time.
  var logs: [LoopRecord] { [setup].compactMap(\.self) + loops }

  var part: RunPart {
    var sums = RunSums(RunFrame(context))
    if let setup { sums.addFound(setup.sums) }
    for loop in loops { sums.merge(loop.sums) }
    var log = ProcessLog(
      info: info, generator: generator(sums), start: context.start, invariants: context.state.invariants.count)
    log.shard = log.info.shard?.number ?? 1
    log.requests = sums.ledger.sent
    log.course = RateCourse(seconds: sums.seconds.map(\.sent))
    log.begun = sums.sessions.reduce(0) { $0 + $1.started }
    log.ends = loops.map { LoopEnd($0, context) }
    log.hidesContent = logs.contains(where: \.hasForgottenSecrets)
    log.secrets = logs.reduce(into: []) { $0.formUnion($1.secrets) }
    log.limits = limitLog
    log.state = stateLog
    log.relations = relations
    log.answers = answers
    return RunPart(sums: sums, logs: [log])
  }

  /// Seconds from the load's zero to the last answer, at least the load's own length unless it ended early.
  var duration: Double {
    let last = loops.map { context.seconds($0.lastEnd) }.max() ?? 0
    var planned = context.scenario.load.duration.inSeconds
    // Users who have a number of sessions to run may be done before.
    if context.plan.closed?.iterations != nil {
      planned = min(planned, loops.map { context.seconds($0.ended) }.max() ?? planned)
    }
    return max(last, isCutShort || !isBegun ? 0 : aborted ?? lost?.at ?? credentials?.at ?? planned)
  }

  private var info: RunInfo {
    var info = RunInfo(
      scenario: context.scenario.name, scenarioFile: context.scenario.file, contractFile: context.contract.file,
      seed: context.options.seed, target: context.mask.masked(context.origin.text), started: Machine.started(context),
      duration: duration, cutShort: isCutShort, murphy: ProductVersion.text, libcurl: LibcurlVersion.text,
      machine: Machine.text, load: context.stages,
      aborted: aborted, salt: context.options.salt, contractFiles: context.contract.files)
    info.lost = lost
    info.lostCredentials = credentials
    info.shard = shard
    info.lookup = context.resolved.lookup.map { Double($0.nanoseconds) / 1000 }
    return info
  }

  private var shard: RunShard? {
    guard var shard = context.options.shardInfo else { return nil }
    var clock = ClockReading.at(context.start, timeOfDay: context.startTimeOfDay)
    // Measured before the load; a time service keeps its bound, another clock drifts on.
    let drift = DateBounds.drift * (duration + DateBounds.longestWait)
    clock.bounds += shard.clock.bounds.map { $0.reference == .chrony ? $0 : $0.widened(by: drift) }
    var dates = DateBounds()
    for loop in loops { dates.merge(loop.dates) }
    if let bound = dates.bound { clock.bounds.append(bound) }
    shard.clock = clock
    if let wanted = context.options.startAt { shard.late = max(Double(clock.wall - wanted) / 1e9, 0) }
    return shard
  }

  private var relations: RelationLog {
    var whole = RelationLog()
    for loop in loops {
      var part = loop.relations
      part.requests = loop.relationRequests.map {
        var request = CurlRequest($0, context.mask, context.transport)
        request.url = context.mask.word(context.origin.text + $0.target)
        return request
      }
      for page in part.pages.reversed() where page.request >= 0 {
        let headers = loop.relationRequests[Int(page.request)].headers
        let known = part.senders[page.operation] ?? []
        if known.count < RelationLog.sendersKept, headers.names("Authorization"), !known.contains(headers) {
          part.senders[page.operation] = known + [headers]
        }
      }
      whole.append(part)
    }
    whole.writes += setup?.relations.writes ?? []
    return whole
  }

  private var limitLog: LimitLog {
    var whole = LimitLog(start: context.start)
    whole.operations = context.contract.operations.map(\.id)
    if let starts {
      whole.append(
        starts.limits.log, issues: [],
        requests: starts.limits.requests.map { CurlRequest($0, context.mask, context.transport) })
    }
    for loop in logs {
      whole.append(
        loop.limitLog, issues: loop.issues.issues,
        requests: loop.limitRequests.map { CurlRequest($0, context.mask, context.transport) })
    }
    whole.cut()
    whole.observations.sort { $0.sent < $1.sent }
    whole.missesIssues = logs.contains { $0.issues.isFull }
    for field in Set(whole.identities.flatMap(\.headers)) where !context.mask.word(field).variables.isEmpty {
      whole.secretHeaders.insert(field.name)
    }
    return whole
  }
}

extension ProcessPart {
  /// The target was silent where no loop saw a sign of life.
  private var answers: AnswerLog {
    var whole = AnswerLog()
    whole.gaps = loops.first?.answers.gaps ?? []
    for loop in loops.dropFirst() { whole.gaps = AnswerGap.common(whole.gaps, loop.answers.gaps) }
    whole.losses = loops.flatMap(\.answers.losses)
    whole.waits = loops.flatMap(\.answers.waits)
    whole.absences = loops.flatMap(\.figures.absences).map {
      Absence(from: context.seconds($0.lowerBound), until: context.seconds($0.upperBound))
    }
    whole.uncounted = loops.reduce(0) { $0 + $1.answers.uncounted }
    for loop in loops { whole.writes.merge(loop.answers.writes) }
    return whole
  }
}
