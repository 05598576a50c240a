import MurphyModel
import Simulation
import Testing

/// Servers that conform raise no finding, whatever their collations, caches, replicas and writers; servers with a fault
/// raise one.
@Suite struct RelationPropertyTests {
  @Test func `conforming servers raise no finding`() {
    let runs = SimulationSize.count(20_000, least: 200, part: 0.01)
    var exchanges = 0
    var alarms: [String: [UInt64]] = [:]
    for seed in 0..<UInt64(runs) {
      var world = CollectionWorld(seed: 5_000_000 + seed)
      for step in 0..<(3 + Int(seed % 7)) { world.step(step) }
      exchanges += world.exchanges
      for finding in world.findings() {
        alarms["\(finding.kind): \(finding.message)", default: []].append(5_000_000 + seed)
      }
    }
    print("relations: \(runs) conforming servers, \(exchanges) exchanges, false alarms \(alarms)")
    #expect(alarms.isEmpty)
    #expect(exchanges > runs * 5)
  }

  /// The fault, its share of the responses, and the least share of runs of 20 steps that must show it when nobody writes.
  static let faults: [(CollectionWorld.Fault, Double, Double)] = [
    (.oneTooMany, 1, 1), (.echoWrong, 1, 1), (.filterDropped, 1, 0.9), (.secondFilterDropped, 1, 0.6),
    (.orderIgnored, 1, 0.85), (.sortIgnored, 1, 0.85), (.totalOfAll, 1, 0.8), (.totalWavers, 0.05, 0.7),
    (.pagesOverlap, 1, 0.9), (.pagesSkip, 1, 0.9), (.droppedRow, 0.05, 0.5), (.unstableTies, 1, 0.7),
    (.listShowsOld, 0.05, 0.5), (.otherItem, 0.05, 0.3),
  ]

  @Test(arguments: faults)
  func `a fault is found`(fault: CollectionWorld.Fault, share: Double, least: Double) {
    let runs = SimulationSize.count(200, least: 8, part: 0.04)
    var hits = 0
    var kinds: [String: Int] = [:]
    for seed in 0..<UInt64(runs) {
      var world = CollectionWorld(
        seed: 6_000_000 + seed, fault: fault, share: share, count: 40, rate: 0, exclusive: true)
      for step in 0..<20 { world.step(step) }
      let found = Set(world.findings().map(\.kind.rawValue))
      for kind in found { kinds[kind, default: 0] += 1 }
      if !found.isEmpty { hits += 1 }
    }
    print("relations: \(fault) \(share): found in \(hits) of \(runs) runs \(kinds)")
    #expect(Double(hits) >= least * Double(runs))
  }

  /// Strangers write, so murphy counts what it sees several times over, and still says nothing that is not so.
  @Test func `unseen writers raise no finding`() {
    for seed in 0..<UInt64(SimulationSize.count(2_000, least: 30, part: 0.015)) {
      var world = CollectionWorld(seed: 7_000_000 + seed, rate: 20, exclusive: false)
      for step in 0..<12 { world.step(step) }
      #expect(world.findings().map(\.message) == [], "seed \(7_000_000 + seed)")
    }
  }
}
