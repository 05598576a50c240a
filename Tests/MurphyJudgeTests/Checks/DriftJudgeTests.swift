import MurphyJudge
import MurphyModel
import Simulation
import Testing

/// Operations that grow slower with the load or over time, and those that do not.
@Suite struct DriftJudgeTests {
  private static let loads: [(name: String, rates: [Double])] = [
    ("constant", DriftWorld.constant(50, seconds: 60)), ("ramp", DriftWorld.ramp(to: 60, seconds: 30, hold: 30)),
    ("spike", DriftWorld.spike(15, 60)), ("steps", DriftWorld.steps), ("long", DriftWorld.constant(8, seconds: 300)),
  ]

  @Test(arguments: loads.map(\.name)) func `a steady API drifts in at most one run of a hundred`(load: String) throws {
    let rates = try #require(Self.loads.first { $0.name == load }).rates
    let runs = SimulationSize.count(2_000)
    let alarms = (0..<runs).filter { !DriftWorld(rates: rates).drifts(seed: UInt64($0)).isEmpty }
    print("steady \(load): \(alarms.count) of \(runs) runs")
    #expect(alarms.count <= runs / 100, "seeds \(alarms)")
  }

  /// The runs in which exactly this drift of the first operation is found.
  private static func found(_ world: DriftWorld, _ kind: FindingKind, _ measure: Drift.Measure) -> [Finding] {
    (0..<SimulationSize.count(500)).compactMap { seed in
      let findings = world.drifts(seed: UInt64(seed))
      return findings.count == 1 && findings[0].kind == kind && findings[0].drift?.measure == measure
        && findings[0].operation == "operation0" ? findings[0] : nil
    }
  }

  private static func isFound(_ findings: [Finding]) -> Bool {
    Double(findings.count) >= 0.9 * Double(SimulationSize.count(500))
  }

  @Test func `an operation that is slower above a load is found with the load`() throws {
    let world = DriftWorld(rates: DriftWorld.spike(15, 60), slowdown: { $0.rate > 30 ? 2 : 1 })
    let findings = Self.found(world, .budgetLoadDrift, .latency)
    #expect(Self.isFound(findings))
    let drift = try #require(findings.first?.drift)
    #expect(drift.axis == .requests && !drift.isAmbiguous && (10...35).contains(drift.threshold))
    #expect((1.6...2.4).contains(drift.high / drift.low))
    #expect(findings.first?.severity == .note)
    #expect(findings.first?.message.hasPrefix("latency grows with the load: ") == true)
  }

  @Test func `an operation that is slower from a moment on is found with the moment`() throws {
    let world = DriftWorld(rates: DriftWorld.constant(40, seconds: 60), slowdown: { $0.second >= 35 ? 2 : 1 })
    let findings = Self.found(world, .budgetTimeDrift, .latency)
    #expect(Self.isFound(findings))
    let near = findings.filter { (32...38).contains($0.drift?.threshold ?? 0) }
    #expect(Double(near.count) >= 0.9 * Double(findings.count))
    #expect(near.contains { $0.message.contains(" before 35 s (00:00:35 UTC), ") })
  }

  @Test func `latency that grows all the time is found`() {
    let world = DriftWorld(rates: DriftWorld.constant(40, seconds: 90), slowdown: { 1 + $0.second / 30 })
    #expect(Self.isFound(Self.found(world, .budgetTimeDrift, .latency)))
  }

  @Test func `errors that come only under load are found`() throws {
    let world = DriftWorld(rates: DriftWorld.spike(15, 60), errors: { $0.rate > 30 ? 0.2 : 0 })
    let findings = Self.found(world, .budgetLoadDrift, .errors)
    #expect(Self.isFound(findings))
    #expect(findings.first?.message.hasPrefix("the share of errors grows with the load: 0% up to ") == true)
  }

  @Test func `a load that only grows leaves open whether it is the load or the time`() {
    let world = DriftWorld(rates: DriftWorld.ramp(to: 60, seconds: 60, hold: 1), slowdown: { $0.rate > 30 ? 2.5 : 1 })
    let findings = [FindingKind.budgetLoadDrift, .budgetTimeDrift].flatMap { Self.found(world, $0, .latency) }
    #expect(Self.isFound(findings))
    let open = findings.filter { $0.drift?.isAmbiguous == true && $0.details.count == 1 }
    #expect(Double(open.count) >= 0.9 * Double(findings.count))
  }

  @Test func `what is small, or told by an outage, is none`() {
    let slight = DriftWorld(rates: DriftWorld.spike(15, 60), slowdown: { $0.rate > 30 ? 1.3 : 1 })
    #expect(slight.drifts(seed: 1).isEmpty)
    let down = DriftWorld(rates: DriftWorld.constant(40, seconds: 60), errors: { $0.second >= 40 ? 1 : 0 })
    #expect(down.drifts(seed: 1).count == 1)
    let outage = Outage(from: 40, until: 60, isOver: false, losses: [])
    #expect(DriftJudge.findings(in: down.record(seed: 1), countsUsers: false, besides: [outage]).isEmpty)
  }

  @Test func `users are the load of a closed model`() {
    let world = DriftWorld(rates: DriftWorld.constant(40, seconds: 60), slowdown: { $0.second >= 35 ? 2 : 1 })
    var record = world.record(seed: 3)
    for index in record.timeline.indices { record.timeline[index].users = index < 35 ? 10 : 40 }
    let drift = DriftJudge.findings(in: record, countsUsers: true, besides: []).first?.drift
    #expect(drift?.axis == .users && drift?.isAmbiguous == true)
  }
}
