import MurphyJudge
import MurphyModel
import Simulation
import Testing

@Suite struct LimitJudgeTests {
  static func policy(
    _ algorithm: LimitAlgorithm = .fixed, _ allowance: Int = 30, window: Duration = .seconds(60),
    key: LimitKey = .header("X-Device-ID"), operations: [String] = ["voteLaw"], tick: Duration? = nil
  ) -> LimitPolicy {
    LimitPolicy(
      name: operations.first ?? "*", operations: operations, algorithm: algorithm, allowance: allowance, window: window,
      key: key, tick: tick)
  }

  static let fresh = LimitJudgeOptions(
    startsQuiet: true, target: "http://127.0.0.1:8080",
    operations: [
      OperationSummary(
        id: "voteLaw", method: "POST", path: "/api/v1/laws/{id}/vote", parameters: [], takesBody: true,
        requiresBody: true, statuses: ["200", "429"])
    ])

  @Test(arguments: LimitAlgorithm.allCases)
  func `the thirty-first admission is proven by thirty-one requests`(_ algorithm: LimitAlgorithm) throws {
    var builder = LogBuilder()
    for index in 0..<35 {
      let sent = 1 + Double(index) * 0.01
      builder.add(sent, sent + 0.02, index < 33 ? 200 : 429)
    }
    for index in 0..<20 { builder.add(Double(index), Double(index) + 0.01, 200, device: "device-2") }
    let result = LimitJudge.judge(log: builder.log, policies: [Self.policy(algorithm)], options: Self.fresh)
    let row = try #require(result.rows.first)
    // A window of an aligned kind may begin between the requests: 33 are 30 and 3.
    if algorithm == .fixedAligned || algorithm == .slidingCounter || algorithm == .any {
      #expect(row.verdict == .inconclusive || row.verdict == .contradictory)
      return
    }
    #expect(row.verdict == .overAdmission)
    #expect(row.witness.count == 31)
    #expect(row.tick == 1)
    #expect(row.requests == 55 && row.admitted == 53 && row.refused == 2 && row.keys == 2)
    let finding = try #require(result.findings.first)
    #expect(finding.kind == .limitOverAdmission)
    #expect(finding.severity == .error)
    // The 31 that are shown prove nothing against an allowance of 31.
    #expect(
      row.refutes?.contains(
        "All requests of the key exclude every quota up to 32 per 60 s, and the requests shown exclude every quota up "
          + "to 30")
        == true, "\(row.refutes ?? "")")
    let curl = try #require(finding.evidence?.curl?.text)
    #expect(curl.contains("-X POST") && curl.contains("seq 31") && curl.contains("x-device-id: device-1"))
    #expect(row.strips.first?.witness.count == 31)
    print(row.sentence)
  }

  @Test(arguments: LimitAlgorithm.allCases)
  func `a rejection with room left names the requests that could have counted`(_ algorithm: LimitAlgorithm) throws {
    var builder = LogBuilder()
    for index in 0..<10 {
      let sent = 1 + Double(index) * 0.01
      builder.add(sent, sent + 0.02, index < 9 ? 200 : 429)
    }
    let result = LimitJudge.judge(log: builder.log, policies: [Self.policy(algorithm)], options: Self.fresh)
    let row = try #require(result.rows.first)
    #expect(row.verdict == .overThrottling)
    #expect(
      row.sentence.contains("after at most 9 counted requests; the limit is "), "\(row.sentence)")
    #expect(
      row.refutes?.contains("The requests shown exclude every quota of 1") == true,
      "\(row.refutes ?? "")")
    #expect(row.witness.count == 10)
  }

  @Test func `a limit that was never reached is inconclusive`() {
    var builder = LogBuilder()
    for index in 0..<30 { builder.add(Double(index), Double(index) + 0.01, 200) }
    let row = LimitJudge.judge(log: builder.log, policies: [Self.policy()], options: Self.fresh).rows[0]
    #expect(row.verdict == .inconclusive)
    #expect(
      row.sentence.contains("the busiest key was admitted 30 times within 60 s, and 30 are allowed"), "\(row.sentence)")
  }

  @Test func `a run that begins on used counters accuses nobody of throttling`() {
    var builder = LogBuilder()
    builder.add(1, 1.01, 429)
    let used = LimitJudge.judge(log: builder.log, policies: [Self.policy()]).rows[0]
    #expect(used.verdict != .overThrottling)
    let fresh = LimitJudge.judge(log: builder.log, policies: [Self.policy()], options: Self.fresh).rows[0]
    #expect(fresh.verdict == .overThrottling)
  }

  @Test func `a violation that a coarse clock would excuse decides nothing until the clock is declared`() {
    var builder = LogBuilder()
    for (start, count) in [(1.0, 30), (60.6, 1)] {
      for index in 0..<count {
        let sent = start + Double(index) * 0.001
        builder.add(sent, sent + 0.002, 200)
      }
    }
    let careful = LimitJudge.judge(log: builder.log, policies: [Self.policy(.slidingLog)], options: Self.fresh)
    #expect(careful.rows[0].verdict == .inconclusive)
    #expect(careful.findings.isEmpty)
    let known = LimitJudge.judge(
      log: builder.log, policies: [Self.policy(.slidingLog, tick: .milliseconds(1))], options: Self.fresh)
    #expect(known.rows[0].verdict == .overAdmission)
  }

  @Test func `of two policies on one operation either may have rejected`() {
    var builder = LogBuilder()
    // Ten a second for everybody explains what thirty a minute for a device does not.
    for index in 0..<12 {
      let sent = 1 + Double(index) * 0.001
      builder.add(sent, sent + 0.002, index < 10 ? 200 : 429, device: "device-\(index % 3)")
    }
    let device = Self.policy()
    let all = LimitPolicy(
      name: "*", operations: [], algorithm: .fixed, allowance: 10, window: .seconds(1), key: .global,
      tick: .milliseconds(1))
    let alone = LimitJudge.judge(log: builder.log, policies: [device], options: Self.fresh)
    #expect(alone.rows[0].verdict == .overThrottling)
    let both = LimitJudge.judge(log: builder.log, policies: [device, all], options: Self.fresh)
    // The refusals show ten a second, and nothing of thirty a minute; nobody asked again later.
    #expect(both.rows.allSatisfy { $0.verdict == .inconclusive }, "\(both.rows.map(\.sentence))")
    #expect(both.rows[0].tests?.map(\.outcome) == [.notTested, .notTested, .notTested])
    #expect(both.rows[1].tests?.map(\.outcome) == [.kept, .kept, .notTested])
    // A refusal that neither explains is still one too many.
    builder.add(5, 5.01, 429)
    let third = LimitJudge.judge(log: builder.log, policies: [device, all], options: Self.fresh)
    #expect(third.rows.allSatisfy { $0.verdict == .overThrottling }, "\(third.rows.map(\.sentence))")
  }

  @Test func `failed requests excuse a rejection unless the policy says that they do not count`() {
    var builder = LogBuilder()
    for index in 0..<30 {
      let sent = 1 + Double(index) * 0.01
      builder.add(sent, sent + 0.005, index < 20 ? 200 : 404)
    }
    builder.add(2, 2.01, 429)
    var policy = Self.policy()
    #expect(
      LimitJudge.judge(log: builder.log, policies: [policy], options: Self.fresh).rows[0].verdict == .inconclusive)
    policy.counts.failed = .no
    let row = LimitJudge.judge(log: builder.log, policies: [policy], options: Self.fresh).rows[0]
    #expect(row.verdict == .overThrottling)
  }

  @Test(arguments: LimitAlgorithm.concrete)
  func `witnesses prove the violation by themselves`(_ algorithm: LimitAlgorithm) {
    var random = RandomSource(seed: 77, stream: UInt64(algorithm.rawValue.count))
    var proven = 0
    for _ in 0..<SimulationSize.count(300) {
      let (allowance, window) = random.terms()
      let traffic = SimulatedTraffic(allowance: allowance, window: window, &random)
      var limiter = LimiterModel(
        algorithm, allowance: allowance * 3 / 2, window: window, phase: random.uniform(0, window))
      let trace = traffic.trace(traffic.decisions { limiter.admits(at: $0) })
      let policy = Self.policy(algorithm, allowance, window: .seconds(window))
      guard let proof = LimitProof.find(in: trace, policy: policy), proof.kind == .overAdmission else { continue }
      proven += 1
      func part(_ indices: [Int]) -> LimitTrace {
        proof.isComplete ? trace.alone(indices) : trace.keepingStarters(indices, window: window * 1.001)
      }
      let alone = LimitCheck.outcome(
        of: part(proof.witness), algorithm: algorithm,
        terms: LimitTerms(allowance: allowance, window: window, tick: proof.tick))
      guard case .overAdmission = alone else {
        Issue.record("\(proof.witness.count) of \(trace.requests.count) requests prove nothing, \(policy.text)")
        continue
      }
      // None of them can be spared.
      if proof.witness.count < 60, algorithm != .slidingCounter {
        let spared = proof.witness.indices.filter { index in
          var fewer = proof.witness
          fewer.remove(at: index)
          let terms = LimitTerms(allowance: allowance, window: window, tick: proof.tick)
          let outcome = LimitCheck.outcome(of: part(fewer), algorithm: algorithm, terms: terms)
          if case .overAdmission = outcome { return true }
          return false
        }
        #expect(spared.isEmpty, "\(proof.witness.count) requests, \(policy.text)")
      }
    }
    #expect(proven > 0)
  }

  @Test(arguments: [false, true])
  func `windows aligned to the epoch are placed by the Date header`(_ aligned: Bool) {
    var builder = LogBuilder()
    let epoch = 1_800_000_000.0  // a multiple of 60
    let clientAhead = 20.0
    // Refused requests with dates, so that the clocks can be compared; on a key of their own.
    for index in 0..<40 {
      let sent = Double(index) * 0.173
      let server = epoch + clientAhead + sent + 0.005
      builder.add(
        sent, sent + 0.01, 429, device: "other",
        headers: [HeaderField("date", HTTPDateText.text(server.rounded(.down)))])
    }
    // 40 admissions around a whole minute of the server, 20 on each side; or all on one side of it.
    let minute = 60 - clientAhead
    for index in 0..<40 {
      let sent = minute + (aligned ? -0.5 : 2) + Double(index) * 0.025
      builder.add(sent, sent + 0.003, 200)
    }
    var policy = Self.policy(.fixedAligned, tick: .milliseconds(1))
    let blind = LimitJudge.judge(log: builder.log, policies: [policy], options: LimitJudgeOptions()).rows[0]
    #expect(blind.verdict != .overAdmission)
    policy.alignedToEpoch = true
    let row = LimitJudge.judge(log: builder.log, policies: [policy], options: LimitJudgeOptions()).rows[0]
    #expect((row.verdict == .overAdmission) == !aligned, "\(row.sentence)")
  }

  @Test func `a quota that only headers announce is shown and not judged`() {
    var builder = LogBuilder(operations: ["voteLaw", "listLaws"])
    for index in 0..<20 {
      builder.add(
        Double(index) * 0.01, Double(index) * 0.01 + 0.005, 200, operation: 1,
        headers: [HeaderField("ratelimit-policy", #""burst";q=10;w=60"#)])
    }
    let result = LimitJudge.judge(log: builder.log, policies: [Self.policy()], options: Self.fresh)
    #expect(result.rows.map(\.verdict) == [.inconclusive, .inconclusive])
    #expect(result.rows[1].policy == "10 per 60 s, from its headers")
    #expect(result.findings.isEmpty)
  }
}
