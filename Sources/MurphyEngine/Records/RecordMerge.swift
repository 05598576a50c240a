import MurphyContract
import MurphyModel
import MurphyTransport

/// Puts the loops' records together.
struct RecordMerge {
  let context: RunContext
  let shards: [ShardRecord]
  let isCutShort: Bool
  /// Seconds after which the target's silence ended the load; nil when it did not.
  var aborted: Double?
  /// Loops that did not hand their records over.
  var stuckLoops: [Int] = []
  /// Of those, loops that were at work until the run went on without them.
  var slowLoops: Set<Int> = []

  var record: RunRecord {
    var record = RunRecord(
      info: info, operations: operations, sessions: sessions, ledger: ledger, findings: findings,
      coverage: Coverage(items: coverage), timeline: seconds.enumerated().map { $1.point(second: $0) },
      limitLog: limitLog, generator: generator, answers: answers)
    record.mask = context.mask.adding(shards.flatMap(\.secrets))
    return record
  }

  /// Seconds from the load's zero to the last answer, at least the load's own length unless it ended early.
  var duration: Double {
    let last = shards.map { context.seconds($0.lastEnd) }.max() ?? 0
    return max(last, isCutShort ? 0 : aborted ?? context.scenario.load.duration.inSeconds)
  }

  private var info: RunInfo {
    RunInfo(
      scenario: context.scenario.name, scenarioFile: context.scenario.file, contractFile: context.contract.file,
      seed: context.options.seed, target: context.mask.masked(context.origin.text), started: Machine.started(context),
      duration: duration, cutShort: isCutShort, murphy: context.options.version, libcurl: LibcurlVersion.text,
      machine: Machine.text, load: context.stages,
      aborted: aborted, salt: context.options.salt, contractFiles: context.contract.files)
  }

  var operations: [OperationRecord] {
    context.contract.operations.indices.map { index in
      let operation = context.contract.operations[index]
      var whole = OperationRecord(operation: operation.id, method: operation.method, path: operation.path)
      for part in shards.compactMap({ $0.operations[index] }) { whole.merge(part) }
      whole.statuses.sort { $0.status < $1.status }
      if isSilentEnd { whole.countOpenAsErrors() }
      whole.isDocumented = operation.isDocumented
      return whole
    }
  }

  /// Whether the API had fallen silent when the run ended: for more than a second, and for longer than any answer
  /// took, requests waited or timed out and none was answered. Then nothing that was open was merely under way.
  private var isSilentEnd: Bool {
    guard let oldest = shards.compactMap(\.oldestOpen).min(), let end = shards.map(\.ended).max() else { return false }
    let lastAnswer = shards.compactMap(\.lastAnswer).max()
    let timedOut = shards.compactMap(\.timedOut).filter { $0.ended > lastAnswer ?? context.start }.map(\.sent).min()
    let asked = min(oldest, timedOut ?? oldest)
    let longest = shards.flatMap(\.operations).compactMap { $0?.service.max }.max() ?? 0
    return end - max(lastAnswer ?? asked, asked) > max(1_000_000_000, longest)
  }

  private var sessions: [SessionResult] {
    context.scenario.sessions.indices.map { index in
      let parts = shards.map { $0.sessions[index] }
      var failed: [String: Int] = [:]
      var left: [String: Int] = [:]
      for part in parts {
        failed.merge(part.failed)
        left.merge(part.left)
      }
      return SessionResult(
        session: context.scenario.sessions[index].name, started: parts.reduce(0) { $0 + $1.started },
        completed: parts.reduce(0) { $0 + $1.completed }, failed: failed.reasons,
        unfinished: parts.reduce(0) { $0 + $1.unfinished }, left: left.reasons)
    }
  }

  private var ledger: Ledger {
    var whole = Ledger()
    var dropped: [DropReason: Int] = [:]
    var unchecked: [String: Int] = [:]
    for shard in shards {
      whole.planned += shard.ledger.planned
      whole.sent += shard.ledger.sent
      whole.answered += shard.ledger.answered
      whole.transport += shard.ledger.transport
      whole.cancelled += shard.ledger.cancelled
      whole.inFlightAtEnd += shard.ledger.inFlightAtEnd
      whole.conformant += shard.ledger.conformant
      whole.violating += shard.ledger.violating
      whole.redirects += shard.ledger.redirects
      whole.repeated += shard.ledger.repeated
      dropped.merge(shard.dropped)
      unchecked.merge(shard.unchecked)
    }
    whole.dropped = dropped.reasons
    whole.unchecked = unchecked.reasons
    return whole
  }

  private var seconds: [SecondTally] {
    var whole: [SecondTally] = []
    for shard in shards {
      for (index, second) in shard.seconds.enumerated() {
        if whole.count <= index { whole.append(SecondTally()) }
        whole[index].merge(second)
      }
    }
    return whole
  }

  private var coverage: [CoverageItem] {
    guard var whole = shards.first?.coverage else { return [] }
    for shard in shards.dropFirst() { whole.merge(shard.coverage) }
    return whole
  }

  private var limitLog: LimitLog {
    var whole = LimitLog(start: context.start)
    whole.operations = context.contract.operations.map(\.id)
    for shard in shards {
      whole.append(
        shard.limitLog, issues: shard.issues.issues,
        requests: shard.limitRequests.map { CurlRequest($0, context.mask, context.transport) })
    }
    whole.cut()
    whole.observations.sort { $0.sent < $1.sent }
    whole.missesIssues = shards.contains { $0.issues.isFull }
    for field in Set(whole.identities.flatMap(\.headers)) where !context.mask.word(field).variables.isEmpty {
      whole.secretHeaders.insert(field.name)
    }
    if shards.contains(where: \.hasForgottenSecrets) { whole.hideContent() }
    return whole
  }
}

extension LimitLog {
  /// Leaves out what single requests said, for it may hold a secret that nobody remembers.
  fileprivate mutating func hideContent() {
    hidesContent = true
    secretHeaders.formUnion(identities.flatMap(\.headers).map(\.name))
    for index in observations.indices { observations[index].request = -1 }
    for index in issues.indices { issues[index].login = -1 }
    requests = []
  }

  /// Takes another loop's log over; its texts keep their own numbers behind those that are there.
  fileprivate mutating func append(_ other: LimitLog, issues values: [IssuedValue], requests more: [CurlRequest]) {
    let (identity, header, body) = (UInt32(identities.count), Int32(headerSets.count), Int32(bodies.count))
    let request = Int32(requests.count)
    takeGap(of: other)
    requests += more
    issues += values.map { value in
      var moved = value
      if moved.login >= 0 { moved.login += request }
      return moved
    }
    identities += other.identities
    headerSets.append(contentsOf: other.headerSets)
    bodies += other.bodies
    observations += other.observations.map { observation in
      var moved = observation
      moved.identity += identity
      if moved.headers >= 0 { moved.headers += header }
      if moved.body >= 0 { moved.body += body }
      if moved.request >= 0 { moved.request += request }
      return moved
    }
  }
}
