import MurphyContract
import MurphyModel
import Testing

/// A relation passes only on samples that could have broken it (docs/relations.md, "Trials").
@Suite struct RelationTrialTests {
  @Test(arguments: TrialCase.all)
  func `traffic without a sample that could show the fault is not tested`(_ relation: TrialCase) throws {
    for (number, blind) in relation.blind.enumerated() {
      let row = try Self.row(relation, blind)
      #expect(row.outcome == .untested, "traffic \(number): \(row.reason) \(row.samples)")
      #expect(row.reason.contains("; "), "\(row.reason)")
    }
  }

  @Test(arguments: TrialCase.all)
  func `with such samples a right server passes and a faulty one fails`(_ relation: TrialCase) throws {
    let right = try Self.row(relation, relation.right)
    #expect(right.outcome == .kept, "\(right.reason)")
    #expect(right.samples > 0)
    let wrong = try Self.row(relation, relation.wrong)
    #expect(wrong.outcome == .broken, "\(wrong.reason)")
  }

  /// Right traffic beside blind traffic passes on the same trials.
  @Test(arguments: TrialCase.all.filter(\.addsUp))
  func `what shows nothing adds no trial`(_ relation: TrialCase) throws {
    let blind = try #require(relation.blind.first)
    let right = try Self.row(relation, relation.right)
    let both = try Self.row(relation) { world in
      relation.right(&world)
      blind(&world)
    }
    #expect(both.samples == right.samples)
  }

  @Test func `a pass names the sample that was missing`() throws {
    func reason(
      _ rule: RelationRule, of operation: String = "listItems", _ traffic: @escaping TrialCase.Traffic
    ) throws -> String {
      try Self.row(TrialCase(rule, of: operation, blind: [], right: traffic, wrong: traffic), traffic).reason
    }
    #expect(try reason(.pageSize) { $0.page("limit=5", [], total: 0) }.hasSuffix("; every page was empty"))
    #expect(
      try reason(.filter) { $0.page("status=open", ["{\"id\":1}", "{\"id\":2}"]) }
        .hasSuffix("; no item had the field status"))
    #expect(
      try reason(.filter) { $0.page("status=open", [$0.item(1), $0.item(2)]) }
        .hasSuffix("; all returned items have the same status"))
    #expect(
      try reason(.exchanged, of: "getItem") { $0.get(1, sent: 0, answered: 1) }
        .hasSuffix("; no two requests for different items were in flight at the same time"))
  }

  @Test func `fields on one side only are a note`() throws {
    var world = TrialCase.world
    world.page("limit=2", [world.item(1)])
    var sides = RelationLog.Sides()
    (sides.list, sides.item) = (["id", "short"], ["id", "long", "text"])
    world.log.sides[Int32(try #require(CollectionWorld.contract.index(of: "listItems")))] = sides
    let notes = world.ruling().findings.filter { $0.kind == .relationOneSided }
    #expect(notes.map(\.message) == ["3 fields are in the list or in getItem, but not in both: long, short, text"])
    #expect(notes.allSatisfy { $0.severity == .note })
  }

  /// A request with a method that the contract does not document, as an exploration sends it.
  @Test func `no page is compared across a write of which nobody knows what it changes`() throws {
    var world = TrialCase.world
    world.page("limit=2", [world.item(1), world.item(2)], total: 4)
    world.write("", id: 0)
    world.page("limit=2&offset=2", [world.item(2)], total: 4)
    let ruling = world.ruling()
    #expect(ruling.findings.filter { $0.severity == .error }.map(\.message) == [])
    #expect(ruling.checks.of(RelationRow.self).first { $0.relation == "skips" }?.outcome == .untested)
  }

  /// Where others may write, pages of which each says another total could contradict none.
  @Test(arguments: [true, false]) func `a total is tested where responses repeat it`(_ isSteady: Bool) throws {
    var world = CollectionWorld(seed: 1, count: 4, rate: 0, exclusive: false)
    world.kind = CollectionWorld.Kind()
    for number in 0..<24 {
      world.page(
        "limit=2&offset=\(number % 8 * 2)", [world.item(1), world.item(2)], total: isSteady ? 40 : 40 + number * 7 % 24)
    }
    let row = try #require(
      world.ruling().checks.of(RelationRow.self).first {
        $0.operation == "listItems" && $0.relation == RelationRule.total.rawValue
      })
    #expect(row.outcome == (isSteady ? .kept : .untested), "\(row.reason) \(row.samples)")
  }

  private static func row(_ relation: TrialCase, _ traffic: TrialCase.Traffic) throws -> RelationRow {
    var world = TrialCase.world
    traffic(&world)
    return try #require(
      world.ruling().checks.of(RelationRow.self).first {
        $0.operation == relation.operation && $0.relation == relation.rule.rawValue
      })
  }
}
