import MurphyJudge
import MurphyModel
import Simulation
import Testing

@Suite struct ConcurrencyJudgeTests {
  private static func policy(_ limit: Int) -> LimitPolicy {
    LimitPolicy(name: "votes", operations: ["voteLaw"], concurrent: limit, key: .sourceAddress)
  }

  private static func judge(_ log: LimitLog, _ policies: [LimitPolicy]) -> (rows: [LimitRow], findings: [Finding]) {
    LimitJudge.judge(log: log, policies: policies, options: LimitJudgeOptions(startsQuiet: true))
  }

  @Test func `a correct limit is never refuted, and a limit that is wrong by one never passes`() {
    let count = SimulationSize.count(200)
    var (passed, refuted) = (0, 0)
    for index in 0..<count {
      var random = RandomSource(seed: 51, stream: UInt64(index))
      let limit = 1 + index % 12
      let world = FlightWorld(limit: limit, clients: limit + 1 + Int(random.next() % UInt64(limit + 2)))
      let log = world.log(&random)
      for declared in [limit, limit + 1, limit - 1] where declared > 0 {
        let judged = Self.judge(log, [Self.policy(declared)])
        let verdict = judged.rows.map(\.verdict)
        if declared == limit {
          #expect(verdict == [.consistent] || verdict == [.inconclusive], "\(judged.rows.map(\.sentence))")
          #expect(judged.findings.isEmpty)
          passed += verdict == [.consistent] ? 1 : 0
        } else {
          #expect(verdict != [.consistent], "\(limit) of \(declared): \(judged.rows.map(\.sentence))")
          refuted += verdict == [.overThrottling] ? 1 : 0
        }
      }
    }
    print("concurrency: \(passed) of \(count) correct limits passed, \(refuted) too high ones refuted")
    #expect(passed * 10 >= count * 8 && refuted * 10 >= count * 7)
  }

  /// Two slow requests in flight, and a third one after 0.1 s.
  private static func log(third status: UInt16) -> LimitLog {
    var builder = LogBuilder()
    builder.add(1, 2, 200)
    builder.add(1.01, 2.1, 200)
    builder.add(1.1, 1.11, status)
    builder.add(3, 3.1, 200)
    return builder.log
  }

  @Test(arguments: [(1, .inconclusive), (2, .consistent), (3, .overThrottling)] as [(Int, LimitRow.Verdict)])
  func `the requests in flight at a rejection decide`(_ declared: Int, _ verdict: LimitRow.Verdict) {
    let judged = Self.judge(Self.log(third: 429), [Self.policy(declared)])
    #expect(judged.rows.map(\.verdict) == [verdict])
    #expect(judged.findings.map(\.kind) == (verdict == .overThrottling ? [.limitOverThrottling] : []))
    #expect(judged.rows[0].policy == "\(declared) at the same time, key address")
  }

  @Test func `without a rejection there is no data`() {
    let judged = Self.judge(Self.log(third: 200), [Self.policy(3)])
    #expect(judged.rows.map(\.verdict) == [.inconclusive] && judged.findings.isEmpty)
  }

  @Test func `a rejection that a limit in flight explains does not refute a limit with a window`() {
    let window = LimitPolicy(
      name: "window", operations: ["voteLaw"], algorithm: .fixed, allowance: 100, window: .seconds(60),
      key: .sourceAddress)
    let alone = Self.judge(Self.log(third: 429), [window])
    #expect(alone.rows.map(\.verdict) == [.overThrottling])
    let both = Self.judge(Self.log(third: 429), [window, Self.policy(2)])
    #expect(both.rows.map(\.verdict) == [.inconclusive, .consistent] && both.findings.isEmpty)
  }
}
