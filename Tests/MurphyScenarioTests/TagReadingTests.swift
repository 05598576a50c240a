import MurphyScenario
import Testing

@Suite struct TagReadingTests {
  @Test func `a request has the tags of what is around it`() throws {
    let scenario = try LawsAPI.read(
      LawsAPI.scenario(
        steps: """
          - { call: listLaws, tags: [list, first] }
          - group: pay
            tags: pay
            steps: [{ call: listLaws }, { repeat: 2, tags: again, call: listLaws, query: { limit: 1 } }]
          - choose: [{ tags: way, steps: [{ call: listLaws }] }, { call: listLaws, tags: pay }]
          - call: listLaws
            on: { 404: [{ call: listLaws, tags: lost }] }
          """
      ).replacing("  only:\n", with: "  only:\n    tags: all\n"))
    #expect(scenario.tags == ["all", "list", "first", "pay", "again", "way", "lost"])
    let tags = scenario.sessions[0].steps.flatMap(\.calls).map { $0.tags.map { scenario.tags[$0] } }
    #expect(
      tags == [
        ["all", "list", "first"], ["all", "pay"], ["all", "pay", "again"], ["all", "way"], ["all", "pay"], ["all"],
        ["all", "lost"],
      ])
  }
}
