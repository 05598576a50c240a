import MurphyHTTP
import MurphyJudge
import MurphyModel
import MurphyProbe
import Simulation
import Testing

/// What `murphy limits` said wrong of real limiters, each by its mechanism.
@Suite struct FoundLimiterTests {
  private static func truth(_ algorithm: LimitAlgorithm = .fixed, key: LimitKey = .header("x-device-id")) -> LimitTruth
  {
    LimitTruth(limits: [LimitTruth.Limit(algorithm: algorithm, allowance: 6, window: 3, key: key)])
  }

  private static func declared(_ algorithm: LimitAlgorithm = .fixed) -> LimitPolicy {
    LimitPolicy(
      name: "votes", operations: ["voteLaw"], algorithm: algorithm, allowance: 6, window: .seconds(3),
      key: .header("x-device-id"))
  }

  @Test func `a redirect is no admission, and a 503 of a limiter that responds 429 no rejection`() {
    let subject = LimitTruthTests.subject()
    let route = ProbeRequest(variant: ProbeVariant(dimension: .route, number: 1))
    var responses = ProbeResponses()
    func decision(_ request: ProbeRequest, _ status: Int) -> LimitDecision {
      let decision = subject.decision(on: request, status: status, headers: [], responses: responses)
      responses.recordResponse(status, request, decision)
      return decision
    }
    #expect(decision(.base, 200) == .admitted && decision(.base, 503) == .refused)
    #expect(decision(.base, 429) == .refused && decision(.base, 503) == .unknown)
    #expect(decision(route, 307) == .unknown && decision(.base, 301) == .unknown)
    #expect(responses.unavailable == 0)
  }

  @Test(arguments: [LimitAlgorithm.tokenBucket, .fixed], 0..<6)
  func `a declared clock of whole seconds is not called another limiter`(_ algorithm: LimitAlgorithm, _ seed: UInt64)
    async throws
  {
    var declared = Self.declared(algorithm)
    declared.tick = .seconds(1)
    var options = ProbeOptions(time: .seconds(200), declared: declared)
    options.tick = 1
    var limiter = LimiterModel(algorithm, allowance: 6, window: 3)
    var random = RandomSource(seed: 5, stream: seed)
    let offset = random.unit()
    var target = VirtualTarget(
      admits: { _, moment in limiter.admits(at: (moment + offset).rounded(.down)) }, random: random)
    var prober = Prober(operation: "voteLaw", options: options)
    let report = try await prober.run(on: &target)
    #expect(report.contradiction == nil && report.outcome != .unexplained, "\(report.sentences)")
    // The kinds known count by the millisecond.
    #expect(report.outcome != .identified, "\(report.sentences)")
  }

  @Test func `a limit that the judge refutes is not confirmed`() async throws {
    // Five a second and twenty in eight: only the short one is declared.
    let limits = [(5, 1.0), (20, 8.0)].map { allowance, window in
      LimitTruth.Limit(algorithm: .fixed, allowance: allowance, window: window, key: .header("x-device-id"))
    }
    for seed in 0..<6 as Range<UInt64> {
      let policy = LimitPolicy(
        name: "votes", operations: ["voteLaw"], algorithm: .fixed, allowance: 5, window: .seconds(1),
        key: .header("x-device-id"))
      let (limit, _) = try await LimitTruthTests.probed(LimitTruth(limits: limits), [policy], seed: seed)
      let isRefuted = limit.row.map { ![.consistent, .inconclusive].contains($0.verdict) } == true
      let isConfirmed = limit.report.facts.contains { if case .declared(_, .confirmed) = $0 { true } else { false } }
      #expect(!(isRefuted && isConfirmed), "\(limit.report.sentences) \(limit.row?.sentence ?? "")")
    }
  }

  /// What a probe of six requests in three seconds comes to whose prober calls the terms contradicted.
  private static func contradicted(_ outcome: ProbeReport.End, statuses: [Int] = [200]) -> ProbedLimit {
    let declared = declared()
    var responses = ProbeResponses()
    for status in statuses { responses.recordResponse(status, .base, status == 200 ? .admitted : .refused) }
    var report = ProbeReport(operation: "voteLaw", outcome: outcome)
    report.trials = 20
    report.agreesWithDeclared = false
    report.say(.declared(policy: declared.text, .contradicted(.overThrottling)))
    let log = ProbeSession.Log(
      report: report, log: LimitLog(start: Instant(nanoseconds: 0)), variants: [], responses: responses)
    return ProbedLimit(ProbeChoice(operation: 0, policy: declared, name: "votes"), log, LimitJudgeOptions())
  }

  @Test func `a probe fails only with a finding that shows it`() {
    let open = Self.contradicted(.unexplained)
    #expect(open.verdict == .noData && open.findings.isEmpty, "\(open.findings)")
    #expect(open.report.contradiction == nil && open.report.agreesWithDeclared == nil, "\(open.report.sentences)")
    let unlimited = Self.contradicted(.unlimited)
    #expect(unlimited.verdict == .fail && unlimited.findings.map(\.kind) == [.limitUnlimited])
    #expect(unlimited.report.contradiction != nil)
  }

  @Test(arguments: [(80, true), (5, false)])
  func `a status that may be a rejection is named`(rejections: Int, isNamed: Bool) {
    var responses = ProbeResponses()
    for _ in 0..<(100 - rejections) { responses.recordResponse(200, .base, .admitted) }
    for _ in 0..<rejections { responses.recordResponse(403, .base, .admitted) }
    var report = ProbeReport(operation: "voteLaw", outcome: .unfinished)
    report.say(.unlimited(requests: 100, seconds: 2))
    let log = ProbeSession.Log(
      report: report, log: LimitLog(start: Instant(nanoseconds: 0)), variants: [], responses: responses)
    let sentences = ProbedLimit(ProbeChoice(operation: 0, policy: nil, name: "votes"), log, LimitJudgeOptions())
      .report.sentences
    #expect(!sentences.contains { $0.contains("rejected") }, "\(sentences)")
    #expect(sentences.contains { $0.contains("80 responses had status 403") && $0.contains("[403]") } == isNamed)
  }

  /// HAProxy's `http_req_rate`: a sliding counter that counts rejected requests. No kind that murphy measures is one.
  @Test func `a declared kind that is not measured is not called wrong`() async throws {
    for algorithm in [LimitAlgorithm.slidingCounter, .slidingLog] {
      var declared = Self.declared(algorithm)
      declared.counts.refused = .yes
      var options = ProbeOptions(time: .seconds(120), declared: declared)
      options.tick = 0.01
      var counts: [Int: Double] = [:]
      var target = VirtualTarget(
        admits: { _, moment in
          let (number, part) = (Int(moment / 3), (moment / 3).truncatingRemainder(dividingBy: 1))
          counts[number, default: 0] += 1
          return counts[number]! + counts[number - 1, default: 0] * (1 - part) <= 6
        }, random: RandomSource(seed: 7))
      var prober = Prober(operation: "voteLaw", options: options)
      let report = try await prober.run(on: &target)
      #expect(report.agreesWithDeclared != true || algorithm == .slidingCounter)
      let isWrong = report.sentences.contains { $0.contains("probably wrong") }
      #expect(algorithm == .slidingCounter ? !isWrong : report.contradiction != nil || isWrong, "\(report.sentences)")
    }
  }

  @Test func `a rejection with another status is a warning`() {
    let limit = Self.contradicted(.unexplained, statuses: [200] + [Int](repeating: 503, count: 8))
    #expect(limit.findings.map(\.kind) == [.limitWrongStatus])
    #expect(limit.findings.map(\.severity) == [.warning] && limit.verdict == .noData)
  }

  /// A burst of 1,500 connections breaks real servers.
  @Test(arguments: [(5, [128]), (300, [128, 512])])
  func `without a declaration the first burst grows only while nothing is rejected`(_ quota: Int, _ sizes: [Int]) {
    var prober = Prober(operation: "voteLaw", options: ProbeOptions())
    var limiter = LimiterModel(.fixed, allowance: quota, window: 60)
    for size in sizes {
      guard let volley = prober.next() else { return #expect(Bool(false), "the probe ended") }
      #expect(volley.requests.count == size && volley.at < 1)
      prober.receive(
        volley.requests.indices.map { index in
          let sent = volley.at + Double(index) * volley.spacing
          let admitted = limiter.admits(at: sent)
          return ProbeObservation(
            index: index, sent: sent, settled: sent + 0.002, decision: admitted ? .admitted : .refused,
            status: admitted ? 200 : 429)
        })
    }
    // The bursts count as one.
    prober.interrupt()
    #expect(prober.report.trials > 0)
  }

  /// nginx `limit_req` with `burst` and without `nodelay`.
  @Test(arguments: [(21, false), (25, true)])
  func `a queue is compared with the declared limit`(_ burst: Int, _ isWrong: Bool) throws {
    var declared = Self.declared(.tokenBucket)
    (declared.allowance, declared.window) = (burst, .saturating(seconds: Double(burst) / 10))
    var prober = Prober(operation: "voteLaw", options: ProbeOptions(declared: declared))
    for _ in 0..<2 {
      let next = prober.next()
      let volley = try #require(next)
      prober.receive(
        (0..<40).map { index in
          let sent = volley.at + Double(index) * 0.001
          let settled = index <= 20 ? volley.at + 0.005 + Double(index) * 0.1 : sent + 0.002
          return ProbeObservation(
            index: index, sent: sent, settled: settled, decision: index <= 20 ? .admitted : .refused,
            status: index <= 20 ? 200 : 503)
        })
    }
    let sentences = prober.report.sentences
    #expect(prober.report.outcome == .shaping)
    #expect((prober.report.contradiction != nil) == isWrong, "\(sentences)")
    #expect(sentences.contains { $0.contains("delays requests in a queue") }, "\(sentences)")
  }
}
