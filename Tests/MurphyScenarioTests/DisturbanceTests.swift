import MurphyModel
import MurphyScenario
import Testing

/// `outage:` and `spike:` of a load, and what `expect: recovery:` needs.
@Suite struct DisturbanceTests {
  private static func load(_ load: String, head: String = "") throws -> LoadProfile {
    try LawsAPI.read(LawsAPI.scenario(steps: "- call: listLaws", head: head, load: load)).load
  }

  @Test func `a spike multiplies the arrivals of a part of each stage`() throws {
    let load = try Self.load(
      "{ stages: [{ ramp: 0/s..10/s, for: 10s }, { hold: 10/s, for: 20s }], spike: { at: 5s, for: 10s, factor: 3 } }")
    #expect(
      load.stages.map(\.text) == [
        "ramp 0/s..5/s for 5 s", "ramp 15/s..30/s for 5 s", "hold 30/s for 5 s", "hold 10/s for 15 s",
      ])
    #expect(load.disturbances == [Disturbance(kind: .spike, from: .seconds(5), until: .seconds(15))])
  }

  @Test func `an outage leaves the load as it is, and changes with its length`() throws {
    let load = try Self.load("{ stages: [{ users: 4, for: 20s }], outage: { at: 8s, for: 4s } }")
    #expect(load.stages.map(\.text) == ["4 users for 8 s", "4 users for 4 s", "4 users for 8 s"])
    let disturbances = load.stretched(to: .seconds(40)).scaled(by: 2).disturbances
    #expect(disturbances == [Disturbance(kind: .outage, from: .seconds(16), until: .seconds(24))])
  }

  @Test func `users are multiplied too, and a stage may be a spike`() throws {
    let users = try Self.load("{ stages: [{ users: 4, for: 9s }], spike: { at: 3s, for: 3s, factor: 2.5 } }")
    #expect(users.stages.map(\.words) == ["4 users", "10 users", "4 users"])
    let stage = try Self.load("[{ hold: 1/s, for: 4s }, { spike: 9/s, for: 2s }, { hold: 1/s, for: 4s }]")
    #expect(stage.disturbances == [Disturbance(kind: .spike, from: .seconds(4), until: .seconds(6))])
  }

  @Test(
    arguments: [
      ("outage: { at: 8s, for: 4s }", "the outage ends at 12 s, after the load (10 s)"),
      ("outage: { at: 1s, for: 4s }, spike: { at: 4s, for: 1s, factor: 2 }", "the spike overlaps another outage or"),
      ("spike: { at: 1s, for: 1s, factor: 1 }", "the factor of a spike must be above 1"),
      ("spike: { at: 1s, for: 1s }", "factor"),
    ])
  func `a wrong disturbance is a mistake`(key: String, message: String) {
    #expect { try Self.load("{ stages: [{ hold: 1/s, for: 10s }], \(key) }") } throws: { "\($0)".contains(message) }
  }

  @Test func `recovery needs a disturbance`() {
    #expect {
      try Self.load("[{ hold: 1/s, for: 10s }]", head: "expect: { recovery: 10s }")
    } throws: {
      "\($0)".contains("recovery needs a disturbance of the load")
    }
  }
}
