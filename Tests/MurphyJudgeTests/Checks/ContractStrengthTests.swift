import Foundation
import MurphyJudge
import MurphyModel
import Simulation
import Testing

/// What responses that kept the contract are said to be worth, with faults planted (docs/strength.md §2).
@Suite struct ContractStrengthTests {
  @Test func `a fault of the stated share is seen in 95 of 100 runs`() {
    let seed: UInt64 = 9
    var random = RandomSource(seed: seed)
    let runs = SimulationSize.count(40_000, least: 2_000)
    var seen = ["answers": 0, "paths": 0, "seconds": 0]
    var counted = 0
    for _ in 0..<runs {
      let answers = [40, 150, 600][Int(random.next() % 3)]
      let catalogue = [30, 100, 1_000][Int(random.next() % 3)]
      let skew = random.uniform(0.5, 3)
      let ids = (0..<answers).map { _ in Int(pow(random.unit(), skew) * Double(catalogue)) }
      let seconds = (0..<answers).map { _ in Int(random.next() % 30) }
      var record = OperationRecord(operation: "getLaw", method: "GET", path: "/laws/{id}")
      record.conformance = Conformance(conformant: answers)
      record.succeeded = answers
      for (id, second) in zip(ids, seconds) { record.checked.count("/laws/\(id)", second: second) }
      guard let strength = ContractStrength(record, coverage: []), let entities = strength.entities else {
        Issue.record("responses that conform have a strength")
        return
      }
      #expect(entities.seen == Set(ids).count && strength.seconds.seen == Set(seconds).count)
      func isSeen(_ units: [Int], _ share: Double) -> Bool {
        var faulty: [Int: Bool] = [:]
        return units.contains { unit in
          if faulty[unit] == nil { faulty[unit] = random.unit() < share }
          return faulty[unit] ?? false
        }
      }
      if isSeen(Array(0..<answers), strength.responses.missed) { seen["answers", default: 0] += 1 }
      if isSeen(ids, entities.missed) { seen["paths", default: 0] += 1 }
      if isSeen(seconds, strength.seconds.missed) { seen["seconds", default: 0] += 1 }
      // Counting responses instead would promise too much.
      if isSeen(seconds, strength.responses.missed) { counted += 1 }
    }
    print("contract, seed \(seed), \(runs) runs: \(seen), seconds if responses were counted: \(counted)")
    for (unit, count) in seen {
      #expect(abs(Double(count) / Double(runs) - 0.95) < 0.02, "\(unit)")
    }
    #expect(Double(counted) < 0.8 * Double(runs))
  }

  @Test func `documented statuses and fields that never came are named`() throws {
    var record = OperationRecord(operation: "getLaw", method: "GET", path: "/laws/{id}")
    record.conformance = Conformance(conformant: 300)
    record.succeeded = 300
    record.checked.count("/laws/1?lang=en", second: 0)
    let coverage = [
      CoverageItem(kind: "status", operation: "getLaw", name: "200", count: 300),
      CoverageItem(kind: "status", operation: "getLaw", name: "404", count: 0),
      CoverageItem(kind: "property", operation: "getLaw", name: "200 /note", count: 0),
      CoverageItem(kind: "property", operation: "getLaw", name: "404 /detail", count: 0),
      CoverageItem(kind: "property", operation: "listLaws", name: "200 /next", count: 0),
    ]
    let strength = try #require(ContractStrength(record, coverage: coverage))
    #expect(strength.untestedStatuses == ["404"])
    #expect(strength.unseen == ["200 /note"] && strength.unseenCount == 1)
    #expect(strength.responses.seen == 300 && abs(strength.responses.missed - 0.00994) < 1e-4)
    #expect(strength.pages == nil)
    record.conformance.violating = 1
    #expect(ContractStrength(record, coverage: coverage) == nil)
    record.conformance.violating = 0
    record.succeeded = 0
    #expect(ContractStrength(record, coverage: coverage) == nil, "nothing succeeded")
    record.succeeded = 300
    record.conformance.rejected = 300
    #expect(ContractStrength(record, coverage: coverage) == nil, "a rate limit rejected all")
  }

  @Test func `so many units are needed as the table says`() {
    #expect(ContractStrength.Units.needed(for: 0.1) == 29)
    #expect(ContractStrength.Units.needed(for: 0.05) == 59)
    #expect(ContractStrength.Units.needed(for: 0.01) == 299)
    #expect(ContractStrength.Units.needed(for: 0.001) == 2_995)
    for share in [0.001, 0.01, 0.1] {
      #expect(ContractStrength.Units.missed(ContractStrength.Units.needed(for: share)) <= share)
    }
  }

  @Test func `different paths and queries are counted over loops without counting one twice`() {
    var (left, right) = (CheckedUnits(), CheckedUnits())
    for id in 0..<100 { left.count("/laws/\(id)?page=\(id % 4)", second: id) }
    for id in 50..<150 { right.count("/laws/\(id)", second: id) }
    left.merge(right)
    #expect(left.paths.count == 150)
    #expect(left.queries.count == 5)
    #expect(left.secondCount == 150)
    for id in 0..<5_000 { left.count("/laws/\(id)", second: 0) }
    #expect(left.paths.count == DistinctCount.most)
  }
}
