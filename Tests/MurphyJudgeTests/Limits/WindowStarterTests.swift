import MurphyJudge
import MurphyModel
import Simulation
import Testing

/// Windows that begin with a request: what a log leaves out may have begun one.
@Suite struct WindowStarterTests {
  /// A limiter whose windows begin with any request, but which counts only those that succeed.
  private struct StarterLimiter {
    let allowance: Int
    let window: Double
    var end = -Double.infinity
    var count = 0

    mutating func admits(at moment: Double, fails: Bool) -> Bool {
      if moment >= end { (end, count) = (moment + window, 0) }
      guard count < allowance else { return false }
      count += fails ? 0 : 1
      return true
    }
  }

  private static func terms(_ random: inout RandomSource) -> (allowance: Int, window: Double) {
    (3 + Int(random.unit() * 18), random.uniform(2, 20).rounded(.up))
  }

  @Test func `failed requests that begin windows and do not count accuse nobody`() {
    var random = RandomSource(seed: 1818)
    let logs = SimulationSize.count(1000, least: 200)
    var alarms = 0
    var naive = 0
    for _ in 0..<logs {
      let (allowance, window) = Self.terms(&random)
      let traffic = SimulatedTraffic(allowance: allowance, window: window, &random)
      let fails = traffic.requests.map { _ in random.unit() < 0.25 }
      var limiter = StarterLimiter(allowance: allowance, window: window)
      var admitted = [Bool](repeating: false, count: fails.count)
      for index in fails.indices.sorted(by: { traffic.requests[$0].decided < traffic.requests[$1].decided }) {
        admitted[index] = limiter.admits(at: traffic.requests[index].decided, fails: fails[index])
      }
      var builder = LogBuilder()
      for (index, request) in traffic.requests.enumerated() {
        let lost = random.unit() < 0.03
        builder.add(
          request.sent, lost ? nil : request.settled, !admitted[index] ? 429 : fails[index] ? 404 : 200)
      }
      var policy = LimitJudgeTests.policy(.fixed, allowance, window: .seconds(window))
      policy.counts.failed = .no
      let options = LimitJudgeOptions(startsQuiet: true, tick: .milliseconds(1))
      let row = LimitJudge.judge(log: builder.log, policies: [policy], options: options).rows[0]
      if row.verdict != .consistent, row.verdict != .inconclusive { alarms += 1 }
      // The same log without its failed requests, which is how the doubt arose.
      let terms = LimitTerms(allowance: allowance, window: window, tick: 1e-3)
      let counted = LimitTrace(
        traffic.requests.indices.filter { admitted[$0] && !fails[$0] }.map {
          LimitTrace.Request(
            sent: traffic.requests[$0].sent, settled: traffic.requests[$0].settled, role: .certain, id: $0)
        })
      if FixedWindowRule.overAdmits(counted, terms) != nil { naive += 1 }
    }
    print("failed requests as starters: \(alarms) false alarms in \(logs) logs; left out \(naive), seed 1818")
    #expect(alarms == 0)
    #expect(naive > 0, "the simulation no longer shows why failed requests must stay")
  }

  @Test func `a part of a conforming log proves nothing`() {
    var random = RandomSource(seed: 1819)
    let logs = SimulationSize.count(1000, least: 200)
    var alarms = (starters: 0, alone: 0, plain: 0)
    for _ in 0..<logs {
      let (allowance, window) = Self.terms(&random)
      let traffic = SimulatedTraffic(allowance: allowance, window: window, &random)
      var limiter = LimiterModel(.fixed, allowance: allowance, window: window)
      let trace = traffic.trace(traffic.decisions { limiter.admits(at: $0) })
      let terms = LimitTerms(allowance: allowance, window: window, tick: 1e-3)
      let kept = trace.requests.indices.filter { _ in random.unit() < 0.7 }
      func alarm(_ part: LimitTrace) -> Int { FixedWindowRule.overAdmits(part, terms) == nil ? 0 : 1 }
      alarms.starters += alarm(trace.keepingStarters(kept, window: window * 1.001))
      alarms.alone += alarm(trace.alone(kept))
      alarms.plain += alarm(LimitTrace(kept.map { trace.requests[$0] }))
    }
    print("parts of \(logs) conforming logs: \(alarms) false alarms, seed 1819")
    #expect(alarms.starters == 0 && alarms.alone == 0)
    #expect(alarms.plain > 0, "the simulation no longer shows why parts need starters")
  }

  @Test func `a fixed window's witness proves it by itself, or says what else must be known`() {
    var random = RandomSource(seed: 1820)
    var complete = 0
    var proven = 0
    for _ in 0..<SimulationSize.count(600, least: 100) {
      let (allowance, window) = Self.terms(&random)
      let traffic = SimulatedTraffic(allowance: allowance, window: window, &random)
      let excess = random.unit() < 0.5 ? 1 : allowance
      var limiter = LimiterModel(.fixed, allowance: allowance + excess, window: window)
      let trace = traffic.trace(traffic.decisions { limiter.admits(at: $0) })
      let policy = LimitJudgeTests.policy(.fixed, allowance, window: .seconds(window))
      guard let proof = LimitProof.find(in: trace, policy: policy), proof.kind == .overAdmission else { continue }
      proven += 1
      complete += proof.isComplete ? 1 : 0
      let terms = LimitTerms(allowance: allowance, window: window, tick: proof.tick)
      let part =
        proof.isComplete ? trace.alone(proof.witness) : trace.keepingStarters(proof.witness, window: window * 1.001)
      #expect(FixedWindowRule.overAdmits(part, terms) != nil, "\(proof.witness.count) requests of \(policy.text)")
    }
    print("fixed windows: \(complete) of \(proven) witnesses need no other request, seed 1820")
    #expect(complete > 0 && complete < proven)
  }

  @Test func `the log's first admission may have begun the window that the others fall into`() {
    let moments = [0, 9.9, 10.1, 10.2]
    let trace = LimitTrace(
      moments.enumerated().map {
        LimitTrace.Request(sent: $0.element, settled: $0.element + 0.01, role: .certain, id: $0.offset)
      })
    let terms = LimitTerms(allowance: 2, window: 10)
    #expect(FixedWindowRule.overAdmits(trace, terms) == nil)
    #expect(FixedWindowRule.overAdmits(LimitTrace(Array(trace.requests.dropFirst())), terms) != nil)
    #expect(FixedWindowRule.overAdmits(trace.keepingStarters(1...3, window: 10), terms) == nil)
    #expect(FixedWindowRule.overAdmits(trace.alone(1...3), terms) == nil)
  }
}
