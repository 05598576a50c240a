import Foundation
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
  /// The budget that ended the load; nil when none did.
  var lost: LostBudget?
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
  var setup: ShardRecord?
  /// False where a failed setup kept the load from beginning.
  var isBegun = true

  /// All that was sent, in the order of the time.
  var logs: [ShardRecord] { [setup].compactMap(\.self) + shards }

  var record: RunRecord {
    var record = RunRecord(
      info: info, operations: operations, sessions: sessions, ledger: ledger, findings: findings,
      coverage: Coverage(items: coverage), timeline: seconds.enumerated().map { $1.point(second: $0) },
      limitLog: limitLog, generator: generator, answers: answers)
    if context.options.keepsSamples { record.samples = shards.flatMap { $0.samples ?? [] } }
    record.relations = relations
    record.tags = tags
    record.mask = context.mask.adding(logs.flatMap(\.secrets))
    record.stateLog = stateLog
    return record
  }

  /// Seconds from the load's zero to the last answer, at least the load's own length unless it ended early.
  var duration: Double {
    let last = shards.map { context.seconds($0.lastEnd) }.max() ?? 0
    var planned = context.scenario.load.duration.inSeconds
    // Users who have a number of sessions to run may be done before.
    if context.plan.closed?.iterations != nil {
      planned = min(planned, shards.map { context.seconds($0.ended) }.max() ?? planned)
    }
    return max(last, isCutShort || !isBegun ? 0 : aborted ?? lost?.at ?? planned)
  }

  private var info: RunInfo {
    var info = RunInfo(
      scenario: context.scenario.name, scenarioFile: context.scenario.file, contractFile: context.contract.file,
      seed: context.options.seed, target: context.mask.masked(context.origin.text), started: Machine.started(context),
      duration: duration, cutShort: isCutShort, murphy: ProductVersion.text, libcurl: LibcurlVersion.text,
      machine: Machine.text, load: context.stages,
      aborted: aborted, salt: context.options.salt, contractFiles: context.contract.files)
    info.lost = lost
    info.lookup = context.resolved.lookup.map { Double($0.nanoseconds) / 1000 }
    return info
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
      whole.reusable += shard.ledger.reusable
      whole.reopened += shard.ledger.reopened
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
    guard var whole = logs.first?.coverage else { return [] }
    for shard in logs.dropFirst() { whole.merge(shard.coverage) }
    return whole
  }

  private var relations: RelationLog {
    var whole = RelationLog()
    let hides = shards.contains(where: \.hasForgottenSecrets)
    for shard in shards {
      var part = shard.relations
      part.requests = shard.relationRequests.map {
        var request = CurlRequest($0, context.mask, context.transport)
        request.url = context.mask.word(context.origin.text + $0.target)
        return request
      }
      for page in part.pages.reversed() where page.request >= 0 {
        let headers = shard.relationRequests[Int(page.request)].headers
        let known = part.senders[page.operation] ?? []
        if known.count < RelationLog.sendersKept, headers.names("Authorization"), !known.contains(headers) {
          part.senders[page.operation] = known + [headers]
        }
      }
      whole.append(part)
    }
    whole.writes += setup?.relations.writes ?? []
    if hides {
      whole.requests = []
      for index in whole.pages.indices { whole.pages[index].request = -1 }
      for index in whole.doubts.indices {
        whole.doubts[index].request = -1
        whole.doubts[index].evidence = nil
      }
    }
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
    for shard in logs {
      whole.append(
        shard.limitLog, issues: shard.issues.issues,
        requests: shard.limitRequests.map { CurlRequest($0, context.mask, context.transport) })
    }
    whole.cut()
    whole.observations.sort { $0.sent < $1.sent }
    whole.missesIssues = logs.contains { $0.issues.isFull }
    for field in Set(whole.identities.flatMap(\.headers)) where !context.mask.word(field).variables.isEmpty {
      whole.secretHeaders.insert(field.name)
    }
    if logs.contains(where: \.hasForgottenSecrets) { whole.hideContent() }
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

/// What the record says of the machine and the time.
package enum Machine {
  /// `Linux 6.1.0 x86_64, 2 cores, 24 GB`
  package static var text: String {
    var name = utsname()
    uname(&name)
    func field<Bytes>(_ bytes: Bytes) -> String {
      withUnsafeBytes(of: bytes) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
    let process = ProcessInfo.processInfo
    let memory = ByteCount(Int(process.physicalMemory)).text
    return "\(field(name.sysname)) \(field(name.release)) \(field(name.machine)), "
      + "\(process.activeProcessorCount) cores, \(memory)"
  }

  /// When the load began, RFC 3339 in UTC.
  static func started(_ context: RunContext) -> String {
    let ago = Double(Instant.now - context.start) / 1e9
    return Date(timeIntervalSinceNow: -ago).formatted(.iso8601)
  }
}

extension RecordMerge {
  /// The target was silent where no loop saw a sign of life; what was lost, by the moment of its send.
  var answers: AnswerLog {
    var whole = AnswerLog()
    whole.gaps = shards.first?.answers.gaps ?? []
    for shard in shards.dropFirst() { whole.gaps = Self.common(whole.gaps, shard.answers.gaps) }
    whole.losses = shards.flatMap(\.answers.losses).sorted { ($0.sent, $0.ended) < ($1.sent, $1.ended) }
    whole.waits = shards.flatMap(\.answers.waits)
    whole.absences = shards.flatMap(\.figures.absences).map {
      Absence(from: context.seconds($0.lowerBound), until: context.seconds($0.upperBound))
    }
    whole.uncounted = shards.reduce(0) { $0 + $1.answers.uncounted }
    let end = max(duration, whole.losses.map(\.ended).max() ?? 0)
    whole.gaps = whole.gaps.compactMap { gap in
      var gap = gap
      if gap.resumedBySent == nil { gap.until = max(end, gap.from) }
      return gap.until - gap.from >= AnswerLog.shortestGap ? gap : nil
    }
    return whole
  }

  /// Where both are silent. Both ascend, and gaps of one loop do not overlap.
  static func common(_ left: [AnswerGap], _ right: [AnswerGap]) -> [AnswerGap] {
    var common: [AnswerGap] = []
    var (i, j) = (0, 0)
    while i < left.count, j < right.count {
      let (a, b) = (left[i], right[j])
      let from = max(a.from, b.from)
      let until = min(a.until, b.until)
      if from < until {
        common.append(
          AnswerGap(
            from: from, until: until, lastAnsweredSent: max(a.lastAnsweredSent, b.lastAnsweredSent),
            resumedBySent: a.until <= b.until ? a.resumedBySent : b.resumedBySent))
      }
      if a.until < b.until { i += 1 } else { j += 1 }
    }
    return common
  }
}
