import MurphyModel
import MurphyScenario
import Testing

@Suite struct PlanDemandTests {
  private func demand(_ steps: String, load: String = "- { hold: 10/s, for: 10s }") throws -> PlanDemand? {
    PlanDemand(Plan(scenario: try LawsAPI.read(LawsAPI.scenario(steps: steps, load: load)), seed: 3))
  }

  @Test func `what responses do not decide is counted`() throws {
    let demand = try #require(
      try demand(
        """
        - call: listLaws
        - { repeat: 3, steps: [{ call: listLaws }, { think: 1s }] }
        - { burst: 5, over: 1s, call: getLaw, path: { id: 7 } }
        """))
    #expect(demand.count(of: "listLaws") == 400)
    #expect(demand.count(of: "getLaw") == 500)
    #expect(demand.count(of: "*") == 900)
  }

  @Test func `drawn turns are counted about right`() throws {
    let demand = try #require(try demand("- { repeat: 1..5, steps: [{ call: listLaws }] }"))
    let count = try #require(demand.count(of: "listLaws"))
    #expect((220...380).contains(count))
  }

  @Test func `what responses decide is not guessed`() throws {
    let demand = try #require(
      try demand(
        """
        - { call: listLaws, save: { ids: "$.data[*].id" } }
        - if: ${count(default(ids, [])) > 0}
          call: getLaw
          path: { id: 7 }
        """))
    #expect(demand.count(of: "listLaws") == 100)
    #expect(demand.count(of: "getLaw") == nil)
    #expect(demand.count(of: "*") == nil)
  }

  @Test func `in a closed model responses decide everything`() throws {
    #expect(try demand("- call: listLaws", load: "- { users: 5, for: 1s }") == nil)
  }
}
