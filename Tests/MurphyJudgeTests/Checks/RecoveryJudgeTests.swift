import MurphyJudge
import MurphyModel
import MurphyScenario
import Simulation
import Testing

/// Servers that recover from an outage or a spike, and servers that do not.
@Suite struct RecoveryJudgeTests {
  private static let seeds: UInt64 = 400

  private static func verdicts(_ server: RecoveryWorld.Server) -> [RowVerdict: [UInt64]] {
    Dictionary(grouping: 0..<seeds) { RecoveryWorld(server, seed: $0).row(seed: $0)?.verdict ?? .notTested }
  }

  private static func share(_ seeds: [UInt64]?) -> Double { Double(seeds?.count ?? 0) / Double(Self.seeds) }

  @Test func `metastable servers fail`() {
    let found = Self.verdicts(.metastable)
    print("metastable: \(found.mapValues(\.count)) of \(Self.seeds)")
    #expect(Self.share(found[.fail]) >= 0.95, "\(found.filter { $0.key != .fail })")
    #expect(found[.pass] == nil)
  }

  @Test(arguments: [RecoveryWorld.Server.rejecting, .scaling, .idle])
  func `recovering servers pass`(server: RecoveryWorld.Server) {
    let found = Self.verdicts(server)
    print("\(server): \(found.mapValues(\.count)) of \(Self.seeds)")
    #expect(Self.share(found[.fail]) <= 0.01, "\(found.filter { $0.key != .pass })")
    #expect(Self.share(found[.pass]) >= 0.95, "\(found.filter { $0.key != .pass })")
  }
}

extension RecoveryJudgeTests {
  @Test func `the row states what was measured`() throws {
    let row = try #require(RecoveryWorld(.metastable, seed: 1).row(seed: 1))
    let recovery = try #require(row.recovery)
    #expect(row.kind == .recovery && row.limit.hasPrefix("10s of the ") && row.samples > 0 && row.met < row.samples)
    #expect(recovery.level ?? 1 < 0.9 && recovery.returned == nil && recovery.amplification ?? 0 > 2, "\(recovery)")
    #expect(row.sentence.contains("; not recovered at the end. "), "\(row.sentence)")
  }

  @Test func `a short run has no verdict, and says which load decides`() throws {
    var world = RecoveryWorld(.rejecting, seed: 3)
    (world.length, world.at) = (24, 4)
    let row = try #require(world.row(seed: 3))
    #expect(row.verdict == .noData)
    #expect(row.sentence.contains("To decide, the load needs about 8 s before the "), "\(row.sentence)")
  }

  /// Goodput of 20 in each second before the disturbance.
  private static func test(_ later: [Int]) -> GoodputTest {
    let good = Array(repeating: 20, count: 20) + [0, 0, 0, 0, 0] + later
    return GoodputTest(
      good: good, load: good.map { _ in 20 }, before: 0..<20, until: 25, after: 30..<good.count)
  }

  @Test func `goodput that returns too late, or falls again, is missing`() {
    let steady = Array(repeating: 20, count: 60)
    #expect(Self.test(steady).outcome == .back && Self.test(steady).returned == 0)
    let late = Self.test(Array(repeating: 2, count: 20) + steady)
    #expect(late.outcome == .missing && (18...20).contains(late.returned ?? 0))
    #expect(Self.test(steady + Array(repeating: 2, count: 12)).outcome == .missing)
    // A slower second is not a relapse.
    #expect(Self.test(steady + [5] + steady).outcome == .back)
  }

  @Test func `without a disturbance there is no verdict`() {
    var run = RecoveryWorld(.rejecting, seed: 1).run(seed: 1)
    var scenario = run.scenario
    scenario.load = .open([.hold(Rate(perSecond: 20), for: .seconds(60))])
    run = FinishedRun(run.record, scenario, run.contract)
    let rows = RecoveryJudge.rule(on: run).checks.compactMap { $0 as? TrafficRow }
    #expect(rows.map(\.verdict) == [.noData])
  }

  /// A record in which all responses at `times` announce one of the waits.
  private static func record(_ times: [Double], _ wait: (Int) -> Int) -> RunRecord {
    var record = RunRecord.sample
    record.info.duration = .seconds(60)
    for (index, time) in times.enumerated() {
      let sent = Instant(nanoseconds: Int64(time * 1e9))
      let headers = record.limitLog.headerSets.number(of: [HeaderField("retry-after", "\(wait(index))")])
      record.limitLog.observations.append(
        LimitObservation(operation: 0, identity: 0, sent: sent, answered: sent, status: 503, headers: headers))
    }
    return record
  }

  @Test func `clients that all return at once are a warning, and jitter is none`() throws {
    let burst = (0..<200).map { 20 + Double($0) / 250 }
    let finding = try #require(RetryPeaks.finding(in: Self.record(burst) { _ in 10 }, rate: 20))
    #expect(finding.severity == .warning && finding.kind == .trafficRetryPeak)
    #expect(finding.message.contains("sends 200 clients back in the same second, at 30 s"), "\(finding.message)")
    #expect(finding.details.first == "200 of 200 responses with `Retry-After` announce a wait of 10 s.")
    #expect(RetryPeaks.finding(in: Self.record(burst) { 10 + $0 % 6 }, rate: 20) == nil)
    // Rejections over a long time return over a long time, although all waits are equal.
    let spread = (0..<200).map { Double($0) / 5 }
    #expect(RetryPeaks.finding(in: Self.record(spread) { _ in 10 }, rate: 20) == nil)
    #expect(RetryPeaks.finding(in: Self.record(burst) { _ in 10 }, rate: 150) == nil)
  }

  @Test func `clients that return at random times are a warning in no run of a thousand`() {
    let alarms = (0..<1_000).filter { seed in
      var random = RandomSource(seed: UInt64(seed))
      let burst = (0..<150).map { _ in random.uniform(20, 21) }
      return RetryPeaks.finding(in: Self.record(burst) { _ in 4 + random.index(below: 3) }, rate: 10) != nil
    }
    #expect(alarms.isEmpty, "seeds \(alarms)")
  }
}
