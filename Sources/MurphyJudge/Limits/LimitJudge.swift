import MurphyModel

/// Judges rate limits from the client's log alone: a pure function, never a false alarm.
package enum LimitJudge {
  /// One row per policy, and a finding for every failed check: on the limits and on the limiter's statements.
  ///
  /// Near-linear in the log: a million requests on one key take well under a second in a release build.
  ///
  /// - Parameter rivals: limits that may have rejected instead of the judged ones, and are not judged themselves.
  package static func judge(
    log: LimitLog, policies declared: [LimitPolicy], beside rivals: [LimitPolicy] = [],
    options: LimitJudgeOptions = LimitJudgeOptions()
  ) -> (rows: [LimitRow], findings: [Finding]) {
    let log = CredentialKeys.marked(log)
    let flights = ConcurrencyJudges(log: log, policies: declared, beside: rivals, options: options)
    guard let flights else { return judgeWindows(log: log, policies: declared, and: rivals, options: options) }
    let windows = judgeWindows(
      log: flights.openLog, policies: declared.filter { !$0.isConcurrent },
      and: rivals.filter { !$0.isConcurrent }, options: options)
    let judged = flights.judge(declared)
    return (windows.rows + judged.rows, windows.findings + judged.findings)
  }

  /// The same for limits with a window.
  private static func judgeWindows(
    log: LimitLog, policies declared: [LimitPolicy], and rivals: [LimitPolicy], options: LimitJudgeOptions
  ) -> (rows: [LimitRow], findings: [Finding]) {
    let policies = declared + rivals
    let judged = policies.map { policy in
      JudgedPolicy(
        policy, log: log, shared: policies.contains { $0 != policy && $0.overlaps(policy) && !$0.repeats(policy) },
        options: options)
    }
    let responses = LimitResponse.read(log.headerSets)
    let verdicts = judged.indices.map { judged[$0].proofs(inexplicable: inexplicable($0, judged)) }
    let causes = RejectionCauses(judged, responses: responses, log: log)
    var evidence = judged.enumerated().map { index, policy in
      LimitEvidence(policy.wholeKeys, policy: policy.policy, edges: policy.edges()) {
        causes.names(index, for: $0)
          || !causes.namesAnother(than: index, for: $0) && policy.alone($0, beside: policy.rivals(among: judged))
      }
    }
    let isVerified = judged.indices.map { verdicts[$0].isEmpty && evidence[$0].isVerified }
    for index in judged.indices {
      let others = judged.indices.filter { other in
        judged[other].policy.overlaps(judged[index].policy)
          && !judged[other].policy.hasSizeAndKey(of: judged[index].policy)
      }
      evidence[index].unkeyed = judged[index].unkeyed
      evidence[index].rivals = LimitRivals(
        of: judged[index], among: others.map { judged[$0] }, isVerified: others.map { isVerified[$0] },
        besides: causes.named)
    }
    var rows: [LimitRow] = []
    var findings: [Finding] = []
    for (index, policy) in judged.prefix(declared.count).enumerated() {
      let verdicts = verdicts[index]
      func honesty(_ policy: JudgedPolicy, keeps: Bool) -> [Finding] {
        // The statements of headers are checked against all requests that the limiter counted.
        log.isIncomplete
          ? []
          : RateHeaderJudge(
            policy, responses: responses, among: policies, keepsPolicy: keeps,
            mixesCounters: !keeps && policy.mixesClients(in: verdicts)
          ).findings()
      }
      let said = honesty(policy, keeps: verdicts.isEmpty)
      let other = OtherKey(policy, verdicts, said) { honesty($0, keeps: true) }
      let proved = other.map { [$0.finding] } ?? policy.findings(verdicts)
      let isMeasured =
        options.measuresStrength && verdicts.isEmpty && other == nil && log.leftOut == 0 && !log.isIncomplete
      let strength =
        isMeasured ? LimitStrength(policy, mostRequests: ReplayedKeys.mostRequests / judged.count) : nil
      var row = policy.row(
        verdicts, findings: proved, evidence: evidence[index], strength: strength,
        quotas: verdicts.isEmpty ? strength?.allowances ?? policy.quotas() : nil)
      if policy.isShared { row.sentence += causes.sentence }
      if let other {
        row.conclude(other.verdict, trials: max(1, evidence[index].trials))
        row.sentence = other.sentence
      }
      if let reason = unread(policy, responses, policies) {
        row.sentence += " \(reason), so murphy did not check the rate-limit headers."
      }
      rows.append(row)
      findings += proved + (other?.honesty ?? said)
    }
    rows += AnnouncedQuotas.rows(in: log, responses: responses, besides: policies)
    return (rows, findings)
  }

  /// For a policy that shares operations or has no declared key: rejections that no policy explains; nil for another
  /// one.
  private static func inexplicable(_ index: Int, _ judged: [JudgedPolicy]) -> Set<Int>? {
    let policy = judged[index]
    guard policy.isShared || policy.tellsClientsApart else { return nil }
    let others = judged.indices.filter { other in
      other != index && judged[other].policy.overlaps(policy.policy) && !judged[other].policy.repeats(policy.policy)
    }
    return others.reduce(policy.unexplained) { left, other in
      // Another policy excuses a rejection only on an operation that it covers.
      left.filter { !judged[other].explains($0) }
    }
  }

  /// The reason why parts of the headers in the responses to a policy's operations were not judged.
  private static func unread(
    _ policy: JudgedPolicy, _ responses: [LimitResponse], _ policies: [LimitPolicy]
  ) -> String? {
    if HeaderScope(policy, responses: responses).hasOtherPartitions {
      return
        "The partition keys (`pk`) of RateLimit do not group clients by the key \(policy.policy.key.text)"
    }
    return policy.keys.lazy.flatMap(\.observations).compactMap { index -> String? in
      let headers = policy.log.observations[index].headers
      return headers < 0 ? nil : responses[Int(headers)].unread(policies)
    }.first
  }
}

extension LimitPolicy {
  /// True if both count some operation.
  func overlaps(_ other: LimitPolicy) -> Bool {
    operations.isEmpty || other.operations.isEmpty || operations.contains(where: other.operations.contains)
  }

  /// True if both declare the same number in the same time for the same key: a request that one rejects, the other also
  /// rejects.
  func hasSizeAndKey(of other: LimitPolicy) -> Bool {
    key == other.key && allowance == other.allowance && window == other.window
  }

  /// True if the two are one counter that is declared twice, by the scenario and by the contract.
  package func repeats(_ other: LimitPolicy) -> Bool {
    hasSizeAndKey(of: other) && Set(operations) == Set(other.operations)
  }
}

/// Quotas that headers announce for operations that no policy covers.
///
/// The headers do not name the key, and a wrong guess would report a correct server. So they are rows without a
/// decision, with the missing data.
enum AnnouncedQuotas {
  static func rows(in log: LimitLog, responses: [LimitResponse], besides policies: [LimitPolicy]) -> [LimitRow] {
    let rejections = RejectionRules(operations: log.operations, policies: policies)
    let open = log.operations.map { name in !policies.contains { $0.covers(name) } }
    var found: [UInt32: (response: LimitResponse?, requests: Int, refused: Int, unknown: Int)] = [:]
    for observation in log.observations where open[Int(observation.operation)] {
      let response = observation.headers < 0 ? nil : responses[Int(observation.headers)]
      var entry = found[observation.operation] ?? (nil, 0, 0, 0)
      if entry.response == nil, let response, !response.quotas.isEmpty { entry.response = response }
      entry.requests += 1
      let isRejected = rejections.rejects(
        Int(observation.operation), status: Int(observation.status),
        headers: observation.headers < 0 ? [] : log.headerSets[Int(observation.headers)])
      if isRejected { entry.refused += 1 }
      if observation.status == 0 { entry.unknown += 1 }
      found[observation.operation] = entry
    }
    return found.sorted { $0.key < $1.key }.flatMap { operation, entry -> [LimitRow] in
      guard let response = entry.response else { return [] }
      let name = log.operations[Int(operation)]
      func row(_ policy: String, _ sentence: String, _ quota: LimitQuota?) -> LimitRow {
        LimitRow(
          name: name, operations: [name], policy: policy, declaredBy: .headers,
          sentence: sentence, keys: 0, requests: entry.requests,
          admitted: entry.requests - entry.refused - entry.unknown, refused: entry.refused, unknown: entry.unknown,
          allowance: quota.map { Double($0.quota) }, window: quota?.window.map(Double.init))
      }
      return response.quotas.map { quota in
        row(
          quota.text + ", from its headers",
          quota.unit == .requests
            ? "The headers announce \(quota.text) without a key. To check this limit, declare its key under `expect: "
              + "limits: \(name)`."
            : "The headers announce \(quota.text), but murphy checks only limits on the number of requests.",
          quota.unit == .requests ? quota : nil)
      }
    }
  }
}

/// The inputs of the limit judge in addition to the log and the policies.
package struct LimitJudgeOptions: Sendable {
  /// True if the counters were empty when the run began, as with an embedded target started for it. Otherwise a key
  /// counts as quiet only once the log itself shows a whole window without it.
  package var startsQuiet: Bool
  /// The step of the server's clock where it is known, for policies that do not declare it.
  package var tick: Duration?
  /// True if the server runs on this machine, so that both clocks advance equally.
  package var sharesClock: Bool
  /// The maximum time after the sending of a lost request at which the server may still decide on it.
  package var decisionTimeout: Duration
  /// The URL of the API for `curl` lines, without a slash at the end; empty: the shell variable `TARGET`.
  package var target: String
  /// The operations of the contract.
  package var operations: [OperationSummary]
  /// A rejection slower than this, 99th percentile, is a finding; nil: not judged.
  package var refusalBudget: Duration?
  /// Computes the sensitivity for every limit without a contradiction; takes up to a second in an optimised build.
  package var measuresStrength = false
  /// The measured window of the limiter, seconds: a `Retry-After` within it is correct, for every declared window.
  package var foundWindow = 0.0

  package init(
    startsQuiet: Bool = false, tick: Duration? = nil, sharesClock: Bool = false,
    decisionTimeout: Duration = .seconds(60),
    target: String = "", operations: [OperationSummary] = [], refusalBudget: Duration? = nil
  ) {
    self.startsQuiet = startsQuiet
    self.tick = tick
    self.sharesClock = sharesClock
    self.decisionTimeout = decisionTimeout
    self.target = target
    self.operations = operations
    self.refusalBudget = refusalBudget
  }
}
