import Foundation
import MurphyJudge
import MurphyModel
import Simulation
import Testing

/// Servers that tell the truth are never called liars; each lie is found under its name.
@Suite struct HonestyTests {
  /// How a server says what it says.
  struct Manner: Sendable {
    var wait: @Sendable (_ seconds: Double, _ window: Double) -> Int = { seconds, _ in
      Int(seconds.rounded(.up))
    }
    var dated = false
    var tick = 0.0
    var remaining: @Sendable (_ truth: Int) -> Int = { $0 }
    var resetScale = 1.0
    /// In seconds: the age of `Date`, and the time from a window's end to the announced reset.
    var dateAge = 0.0
    var resetDelay = 0.0
    var contentType = "application/json"
    var status: UInt16 = 429
    var bodyOffset = 0.0
  }

  /// Runs clients against a limiter: bursts, waits as told, early polls.
  static func log(
    _ algorithm: LimitAlgorithm, _ allowance: Int, _ window: Double, _ manner: Manner, _ random: inout RandomSource
  ) -> LimitLog {
    var builder = LogBuilder()
    let phase = (random.uniform(0, window) / max(manner.tick, 1e-3)).rounded(.down) * max(manner.tick, 1e-3)
    var limiter = LimiterModel(algorithm, allowance: allowance, window: window, phase: phase)
    let epoch = 1_800_000_000.0
    let offset = random.unit()
    var used: [Double] = []
    func server(_ moment: Double) -> Double {
      guard manner.tick > 0 else { return moment + offset }
      return ((moment + offset) / manner.tick).rounded(.down) * manner.tick
    }
    func request(_ sent: Double) -> (admitted: Bool, settled: Double, wait: Double) {
      let decided = sent + 0.008 * exp(0.5 * random.normal())
      let settled = decided + 0.008 * exp(0.5 * random.normal())
      let now = server(decided)
      let admitted = limiter.admits(at: now)
      if admitted { used.append(now) }
      var headers = [
        HeaderField("date", HTTPDateText.text(epoch + decided + offset - manner.dateAge)),
        HeaderField("content-type", admitted ? "application/json" : manner.contentType),
      ]
      if algorithm == .fixed || algorithm == .fixedAligned {
        let start =
          algorithm == .fixed ? windowStart(used, window) : ((now - phase) / window).rounded(.down) * window + phase
        let left = manner.remaining(max(0, allowance - used.count { $0 >= start }))
        headers.append(HeaderField("x-ratelimit-limit", "\(allowance)"))
        headers.append(HeaderField("x-ratelimit-remaining", "\(left)"))
        let reset = (epoch + start + window + manner.resetDelay).rounded(.up) * manner.resetScale
        headers.append(HeaderField("x-ratelimit-reset", "\(Int64(reset))"))
      }
      guard !admitted else {
        builder.add(sent, settled, 200, headers: headers)
        return (true, settled, 0)
      }
      // A sliding counter admits below the limit, so not yet at the very moment at which its estimate reaches it.
      let truth = max(0, limiter.release(after: now) - now + (algorithm == .slidingCounter ? 1e-6 : 0))
      let wait = manner.wait(truth, window)
      if manner.dated {
        headers.append(
          HeaderField("retry-after", HTTPDateText.text((epoch + decided + offset).rounded(.down) + Double(wait))))
      } else {
        headers.append(HeaderField("retry-after", "\(wait)"))
      }
      let body =
        manner.contentType.contains("html")
        ? "<html>slow down</html>"
        : #"{"error":"Rate limit exceeded","retry_after": \#(Int(Double(wait) + manner.bodyOffset))}"#
      builder.add(sent, settled, manner.status, headers: headers, body: body)
      return (false, settled, Double(wait))
    }
    var moment = random.uniform(0, 1)
    for _ in 0..<4 {
      var refusals = 0
      var promise = 0.0
      for _ in 0..<(6 * allowance + 20) {
        let result = request(moment)
        moment = result.settled + 0.002
        if !result.admitted {
          refusals += 1
          promise = result.settled + result.wait
          if refusals == 5 { break }
          moment += random.uniform(0, 0.15) * window / (algorithm == .tokenBucket ? Double(allowance) : 1)
        }
      }
      // Poll early, then as told.
      while moment < min(promise, moment + 2 * window) {
        let result = request(moment)
        if result.admitted {
          moment = result.settled + 0.002
          break
        }
        promise = result.settled + result.wait
        moment = result.settled + random.uniform(0.1, 0.4) * window
      }
      let end = request(max(promise, moment) + 0.003).settled
      moment = end + random.uniform(0, 1.5) * window
    }
    return builder.log
  }

  static func policy(_ algorithm: LimitAlgorithm, _ allowance: Int, _ window: Double, tick: Double) -> LimitPolicy {
    LimitPolicy(
      name: "voteLaw", operations: ["voteLaw"], algorithm: algorithm, allowance: allowance, window: .seconds(window),
      key: .header("x-device-id"), tick: .seconds(tick))
  }

  static func kinds(_ log: LimitLog, _ policy: LimitPolicy) -> Set<FindingKind> {
    let found = LimitJudge.judge(log: log, policies: [policy], options: LimitJudgeOptions(startsQuiet: true)).findings
    return Set(found.filter { $0.severity != .note }.map(\.kind))
  }

  @Test(arguments: LimitAlgorithm.concrete)
  func `an honest server is never called a liar`(_ algorithm: LimitAlgorithm) {
    var random = RandomSource(seed: 41, stream: UInt64(algorithm.rawValue.count))
    let logs = SimulationSize.count(1000, least: 60)
    var alarms = 0
    for index in 0..<logs {
      let allowance = 3 + Int(random.unit() * 38)
      let window = Double(5 + Int(random.unit() * 26))
      var manner = Manner()
      manner.tick = [0, 0.001, 1][index % 3]
      manner.dated = index % 4 == 3
      if manner.dated { manner.wait = { seconds, _ in Int(seconds.rounded(.up)) + 1 } }
      let log = Self.log(algorithm, allowance, window, manner, &random)
      let kinds = Self.kinds(log, Self.policy(algorithm, allowance, window, tick: max(0.001, manner.tick)))
      if !kinds.isEmpty {
        alarms += 1
        print(algorithm.rawValue, allowance, window, manner.tick, manner.dated, kinds)
      }
    }
    print("honesty \(algorithm.rawValue): \(alarms) false alarms in \(logs) logs")
    #expect(alarms == 0)
  }

  /// uvicorn renews `Date` once a second, and slowapi announces a reset one second after the window's end.
  @Test func `an old date makes no reset implausible`() {
    var random = RandomSource(seed: 12)
    var manner = Manner()
    (manner.dateAge, manner.resetDelay) = (1, 1)
    for _ in 0..<20 {
      let kinds = Self.kinds(Self.log(.fixed, 10, 1, manner, &random), Self.policy(.fixed, 10, 1, tick: 0.001))
      #expect(!kinds.contains(.limitResetImplausible))
    }
  }

  @Test(
    arguments: [
      ("constant", .limitRetryAfterDrift), ("constant", .limitRetryAfterTooLong),
      ("milliseconds", .limitRetryAfterTooLong),
      ("padded", .limitRetryAfterTooLong), ("zero", .limitRetryAfterTooShort),
      ("html", .limitRefusalBody), ("stuck remaining", .limitRemainingRepeats),
      ("reset in milliseconds ahead", .limitResetImplausible),
      ("another number in the body", .limitBodyContradictsHeader),
      ("some remaining when refused", .limitRemainingImpossible), ("one more than is left", .limitRemainingTooHigh),
      ("500", .limitWrongStatus),
    ] as [(String, FindingKind)])
  func `each lie is found by name`(_ lie: String, _ kind: FindingKind) {
    var random = RandomSource(seed: 7)
    var found = 0
    let logs = 20
    for index in 0..<logs {
      let algorithm: LimitAlgorithm = index % 2 == 0 ? .fixed : .fixedAligned
      let allowance = 6 + Int(random.unit() * 30)
      let window = Double(10 + Int(random.unit() * 20))
      var manner = Manner()
      switch lie {
      case "constant": manner.wait = { _, window in Int(window) }
      case "milliseconds": manner.wait = { seconds, _ in Int((seconds * 1000).rounded(.up)) }
      case "padded": manner.wait = { seconds, _ in Int(seconds.rounded(.up)) + 3 }
      case "zero": manner.wait = { _, _ in 0 }
      case "html": manner.contentType = "text/html"
      case "stuck remaining": manner.remaining = { ($0 + 1) / 2 * 2 }
      case "reset in milliseconds ahead": manner.resetScale = 1.0001
      case "another number in the body": manner.bodyOffset = 30
      case "some remaining when refused": manner.remaining = { max($0, 1) }
      case "one more than is left": manner.remaining = { $0 == 0 ? 0 : $0 + 1 }
      default: manner.status = 500
      }
      let log = Self.log(algorithm, allowance, window, manner, &random)
      let policy = Self.policy(algorithm, allowance, window, tick: 0.001)
      if Self.kinds(log, policy).contains(kind) { found += 1 }
      // However many rules show it, a wrong wait is one finding.
      let waits = LimitJudge.judge(log: log, policies: [policy]).findings.map(\.kind).filter {
        $0.name.hasPrefix("retry-after")
      }
      #expect(Set(waits).count == waits.count)
    }
    print("honesty, \(lie): \(kind.rawValue) found in \(found) of \(logs) logs")
    #expect(found >= logs * 8 / 10)
  }

  @Test(arguments: [([], .note), (["application/json"], .warning)] as [([String], Finding.Severity)])
  func `a page as the body of a rejection does not fail the limit`(_ types: [String], _ severity: Finding.Severity) {
    var random = RandomSource(seed: 9)
    var manner = Manner()
    manner.contentType = "text/html"
    let log = Self.log(.fixed, 8, 10, manner, &random)
    var options = LimitJudgeOptions(startsQuiet: true)
    var operation = OperationSummary(
      id: "voteLaw", method: "POST", path: "/vote", parameters: [], takesBody: false, requiresBody: false,
      statuses: ["200", "429"])
    operation.rejectionTypes = types
    options.operations = [operation]
    let judged = LimitJudge.judge(log: log, policies: [Self.policy(.fixed, 8, 10, tick: 0.001)], options: options)
    #expect(judged.rows.map(\.verdict) == [.consistent])
    #expect(judged.findings.map(\.kind) == [.limitRefusalBody])
    #expect(judged.findings.first?.severity == severity)
  }

  @Test(arguments: [0, 1, 2, 3])
  func `a wait or a remainder that the declared window cannot have is found in one window`(_ lie: Int) {
    var builder = LogBuilder()
    builder.drawsDevices = true
    for index in 0..<5 {
      let sent = 1 + Double(index) * 0.1
      let remaining = 3 - index + (lie == 1 ? 1 : 0)
      let said =
        index < 4
        ? [HeaderField("x-ratelimit-limit", "4"), HeaderField("x-ratelimit-remaining", "\(remaining)")]
        : [HeaderField("retry-after", lie == 2 ? "10" : lie == 3 ? "90" : "20")]
      builder.add(sent, sent + 0.01, index < 4 ? 200 : 429, headers: said)
    }
    let policy = Self.policy(.fixed, 4, 20, tick: 0.001)
    let found = LimitJudge.judge(log: builder.log, policies: [policy]).findings.filter { $0.severity == .error }
    let kinds = Set(found.map(\.kind))
    let expected: [Set<FindingKind>] = [
      [], [.limitRemainingTooHigh], [.limitRetryAfterTooShort], [.limitRetryAfterTooLong],
    ]
    #expect(kinds == expected[lie])
  }

  @Test(arguments: [false, true])
  func `neighbours of a rejected client are only said to be slowed when they are`(_ slowed: Bool) {
    var random = RandomSource(seed: 5)
    var builder = LogBuilder()
    for second in 0..<20 {
      // One client hammers in every other second.
      let storm = second % 2 == 0
      if storm {
        for index in 0..<40 {
          let sent = Double(second) + Double(index) * 0.002
          builder.add(sent, sent + 0.003, index < 30 && second == 0 ? 200 : 429, device: "abuser")
        }
      }
      for index in 0..<8 {
        let sent = Double(second) + 0.2 + Double(index) * 0.09
        let took = 0.004 + random.exponential(mean: 0.003) + (slowed && storm ? 0.4 : 0)
        builder.add(sent, sent + took, 200, device: "neighbour-\(second % 5)")
      }
    }
    let kinds = Self.kinds(builder.log, Self.policy(.fixed, 100, 60, tick: 0.001))
    #expect(kinds.contains(.limitSlowsNeighbours) == slowed)
  }

  private static func windowStart(_ used: [Double], _ window: Double) -> Double {
    var start = -Double.infinity
    for moment in used where moment >= start + window { start = moment }
    return start
  }
}
