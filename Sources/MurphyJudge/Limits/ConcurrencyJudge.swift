import MurphyModel

/// Judges a limit on requests in flight from the client's log (docs/rate-limits.md §2.8).
///
/// The limiter counts a request for an unknown part of the time between its send and its response. So a rejection j
/// contradicts a limit of N only if
///
///     #{i other than j : S(i) ≤ R(j), R(i) + linger ≥ S(j)} < N
///
/// This is true for every part of that time: the sum includes each request that the limiter can have counted when it
/// decided j. A rejection with at most N such admitted requests excludes every larger limit. Nothing excludes that the
/// limiter had finished a request long before its response came, so admissions are never a contradiction.
struct ConcurrencyJudge {
  /// One rejection, with its key and its index in the key's trace.
  struct Refusal {
    var key: Int
    var request: Int
    /// The observation in the log.
    var id: Int
    /// Admitted and unanswered requests that the limiter may have counted when it decided.
    var occupants: Int
    /// The same with other rejected requests: some limiters count a request before they reject it.
    var most: Int
  }

  let policy: LimitPolicy
  let log: LimitLog
  let options: LimitJudgeOptions
  let keys: [KeyedTrace]
  let refusals: [Refusal]
  /// The largest number of admitted requests of one key that were certainly in flight at the same time, if a response
  /// takes no longer than a rejection.
  let together: Int
  private let unkeyed: Int

  /// A server may count a request until some time after its response, in seconds.
  private static let linger = 0.05
  /// The shortest time for the way of a request or a response, in seconds.
  private static let way = 0.005

  init(_ policy: LimitPolicy, log: LimitLog, options: LimitJudgeOptions) {
    (self.policy, self.log, self.options) = (policy, log, options)
    (keys, unkeyed) = KeyedTrace.traces(of: log, under: policy, options: options)
    let linger = Self.linger + Double(log.clockWidth) * 1e-9
    var refusals: [Refusal] = []
    var rides: [Double] = []
    for (index, key) in keys.enumerated() {
      let requests = key.trace.requests
      let occupants = Spans(requests.filter { $0.role != .refused }, lingering: linger, in: log)
      let rejected = Spans(requests.filter { $0.role == .refused }, lingering: Self.way, in: log)
      for j in key.trace.refused {
        let refusal = requests[j]
        let others = occupants.count(within: refusal)
        refusals.append(
          Refusal(
            key: index, request: j, id: refusal.id, occupants: others,
            most: others + rejected.count(within: refusal) - 1
          ))
        rides.append(refusal.settled - refusal.sent)
      }
    }
    self.refusals = refusals
    rides.sort()
    let way = max(Self.way, rides.isEmpty ? 0 : rides[rides.count / 2])
    together = keys.map { Self.most($0.trace.requests, way: way) }.max() ?? 0
  }

  /// Rejections that the limit explains.
  var explained: Set<Int> { Set(refusals.lazy.filter { $0.most >= policy.allowance }.map(\.id)) }

  /// The spans of some requests, for counting.
  private struct Spans {
    let begins: [Double]
    let ends: [Double]

    init(_ requests: [LimitTrace.Request], lingering: Double, in log: LimitLog) {
      begins = requests.map(\.sent).sorted()
      // A server may work on a request without a response for any time.
      ends = requests.map { log.observations[$0.id].answered == nil ? .infinity : $0.settled + lingering }.sorted()
    }

    /// The requests that may have been in flight at some time between the send and the response of `refusal`.
    func count(within refusal: LimitTrace.Request) -> Int {
      begins.count(upTo: refusal.settled) - ends.count(below: refusal.sent)
    }
  }

  /// The largest number of admitted requests in flight, each without the time of its two ways.
  private static func most(_ requests: [LimitTrace.Request], way: Double) -> Int {
    let inner = requests.filter { $0.role == .certain && $0.settled - $0.sent > 2 * way }
    let begins = inner.map { $0.sent + way }.sorted()
    let ends = inner.map { $0.settled - way }.sorted()
    return begins.map { begins.count(upTo: $0) - ends.count(below: $0) }.max() ?? 0
  }
}

/// The row and the finding.
extension ConcurrencyJudge {
  /// - Parameter isOurs: true for a rejection, by its observation, that no other limit explains.
  func judge(isOurs: (Int) -> Bool) -> (row: LimitRow, findings: [Finding]) {
    var row = LimitRow(
      name: policy.name, operations: policy.operations, policy: policy.text, declaredBy: policy.declaredBy,
      sentence: "", keys: keys.count, requests: 0, admitted: 0, refused: refusals.count, unknown: 0,
      allowance: Double(policy.allowance))
    for key in keys {
      row.requests += key.observations.count
      row.unknown += key.observations.count { log.observations[$0].answered == nil || log.observations[$0].status == 0 }
    }
    row.admitted = row.requests - row.refused - row.unknown
    let ours = refusals.filter { isOurs($0.id) }
    let proofs = isPartial ? [] : ours.filter { $0.most < policy.allowance }
    let (tests, trials) = tests(ours, proofs)
    row.tests = tests
    row.strips = keys.prefix(4).map { $0.strip(policy: policy, witness: []) }
    guard let worst = proofs.min(by: { ($0.most, $0.id) < ($1.most, $1.id) }), isFirm(proofs) else {
      let open = tests.filter { $0.outcome == .notTested }
      let isKept = !open.contains(where: \.required) && tests.contains { $0.outcome == .kept }
      row.conclude(isKept ? .consistent : .inconclusive, trials: trials)
      row.sentence =
        tests.text
        + (unkeyed == 0
          ? ""
          : " \(counted(unkeyed, "request")) without \(policy.key.text) \(unkeyed == 1 ? "was" : "were") not checked.")
      return (row, [])
    }
    row.conclude(.overThrottling, trials: max(trials, proofs.count))
    row.sentence = sentence(worst)
    row.witness = witness(worst)
    let finding = finding(worst, proofs)
    row.findings = [finding.fingerprint]
    return (row, [finding])
  }

  /// True if other clients may have requests in flight that are not in the log.
  private var isPartial: Bool {
    log.isIncomplete || log.leftOut > 0 || (log.spansMachines && policy.key.parts.contains(.sourceAddress))
  }

  /// True if requests from before the run cannot be the cause.
  private func isFirm(_ proofs: [Refusal]) -> Bool {
    let sent = proofs.map { keys[$0.key].trace.requests[$0.request].sent }
    return proofs.contains { keys[$0.key].trace.startsQuiet || keys[$0.key].trace.isFresh }
      || (sent.max() ?? 0) - (sent.min() ?? 0) >= 1
  }

  private func tests(_ ours: [Refusal], _ proofs: [Refusal]) -> (tests: [LimitTest], trials: Int) {
    let limit = policy.allowance
    let sharp = isPartial ? [] : ours.filter { $0.occupants <= limit }
    let renewed = Set(
      ours.filter { refusal in
        let trace = keys[refusal.key].trace
        return trace.certainSent.last ?? -.infinity > trace.requests[refusal.request].settled
      }.map(\.key))
    func test(_ name: LimitTest.Name, _ isKept: Bool, _ seen: String, _ missing: String) -> LimitTest {
      LimitTest(
        test: name, outcome: isKept ? .kept : .notTested, sentence: isKept ? seen : missing,
        required: policy.requires(name.aspect))
    }
    var tests = [
      test(
        .reached, !sharp.isEmpty,
        "\(counted(sharp.count, "rejection")) with at most \(counted(limit, "admitted request")) in flight",
        missingRejection(ours)),
      test(
        .held, together >= limit,
        "\(counted(together, "admitted request")) \(together == 1 ? "was" : "were") in flight at the same time",
        "at most \(counted(together, "admitted request")) of one key \(together == 1 ? "was" : "were") certainly in "
          + "flight at the same time: a smaller limit also matches"),
      test(
        .renewed, !renewed.isEmpty,
        "\(counted(renewed.count, "rejected key")) \(renewed.count == 1 ? "was" : "were") admitted again later",
        "no rejected key was admitted again"),
    ]
    if !proofs.isEmpty {
      tests[1] = LimitTest(
        test: .held, outcome: isFirm(proofs) ? .broken : .notTested,
        sentence: "requests were rejected although fewer requests than allowed were in flight", required: true)
    }
    return (tests, sharp.count + (together >= limit ? 1 : 0) + renewed.count)
  }

  /// The reason why no rejection excludes a larger limit.
  private func missingRejection(_ ours: [Refusal]) -> String {
    if isPartial { return "requests that are not in the log may have been in flight" }
    guard let least = ours.map(\.occupants).min() else {
      return refusals.isEmpty
        ? "no request was rejected, and up to \(counted(together, "admitted request")) of one key "
          + "\(together == 1 ? "was" : "were") in flight"
        : "another declared limit may have caused each rejection"
    }
    return "at each rejection, \(least) or more admitted requests may have been in flight: a limit of up to \(least) "
      + "also matches"
  }

  private func sentence(_ refusal: Refusal) -> String {
    let request = keys[refusal.key].trace.requests[refusal.request]
    let most = refusal.most == 0 ? "no other request" : "at most \(counted(refusal.most, "other request"))"
    return "rejected a request although \(most) can have been in flight; the limit is \(policy.text) (key "
      + "\(keys[refusal.key].key), at \(Figure.exact(.saturating(seconds: request.sent)).text))."
  }

  /// The rejection, and the requests that may have been in flight.
  private func involved(_ refusal: Refusal) -> [Int] {
    let requests = keys[refusal.key].trace.requests
    let rejected = requests[refusal.request]
    return requests.indices.filter {
      requests[$0].sent <= rejected.settled && requests[$0].settled + Self.linger >= rejected.sent
    }
  }

  private func witness(_ refusal: Refusal) -> [WitnessRequest] {
    involved(refusal).map { log.witness(keys[refusal.key].trace.requests[$0]) }
  }

  private func finding(_ worst: Refusal, _ proofs: [Refusal]) -> Finding {
    let moments = proofs.map { keys[$0.key].trace.requests[$0.request].sent }
    let only = policy.operations.count == 1 ? policy.operations[0] : nil
    let script = LimitScript(log: log, options: options, key: policy.key)
    let ids = involved(worst).map { keys[worst.key].trace.requests[$0].id }
    return Finding(
      kind: .limitOverThrottling, operation: only,
      message: (only == policy.name ? "" : policy.name + " ") + sentence(worst), count: proofs.count,
      firstSeen: .saturating(seconds: moments.min() ?? 0), lastSeen: .saturating(seconds: moments.max() ?? 0),
      discriminator: policy.name + " " + policy.notation, evidence: Evidence(curl: script.replay(ids)))
  }
}

/// The limits on requests in flight of a run, next to its limits with windows.
struct ConcurrencyJudges {
  private let judges: [ConcurrencyJudge]
  /// Limits with windows that cover some of the same operations.
  private let windows: [JudgedPolicy]
  private let log: LimitLog

  /// Nil if there is no such limit.
  init?(log: LimitLog, policies: [LimitPolicy], beside rivals: [LimitPolicy], options: LimitJudgeOptions) {
    let all = policies + rivals
    let concurrent = all.filter(\.isConcurrent)
    guard !concurrent.isEmpty else { return nil }
    self.log = log
    judges = concurrent.map { ConcurrencyJudge($0, log: log, options: options) }
    windows = all.filter { other in !other.isConcurrent && concurrent.contains { $0.overlaps(other) } }
      .map { JudgedPolicy($0, log: log, shared: true, options: options) }
  }

  /// The log for the other limits. A rejection that a limit on requests in flight explains has an unknown decision.
  var openLog: LimitLog {
    var open = log
    for id in judges.reduce(into: Set<Int>(), { $0.formUnion($1.explained) }) {
      (open.observations[id].answered, open.observations[id].status) = (nil, 0)
    }
    return open
  }

  func judge(_ declared: [LimitPolicy]) -> (rows: [LimitRow], findings: [Finding]) {
    let explained = judges.map(\.explained)
    let judged = judges.indices.filter { declared.contains(judges[$0].policy) }.map { index in
      judges[index].judge { id in
        !windows.contains { $0.policy.overlaps(judges[index].policy) && $0.explains(id) }
          && !explained.indices.contains { $0 != index && explained[$0].contains(id) }
      }
    }
    return (judged.map(\.row), judged.flatMap(\.findings))
  }
}
