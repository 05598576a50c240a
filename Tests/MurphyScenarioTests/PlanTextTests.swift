import MurphyModel
import MurphyScenario
import Testing

@Suite struct PlanTextTests {
  private static let text = """
    name: Plan
    contract: openapi.yaml
    client:
      vars: { mood: "${choose(good, bad)}" }
      headers: { X-Device-ID: "${uuid()}", X-Last: "last ${pick(ids)}" }
    feeds: { laws: { file: laws.csv, order: shuffled } }
    sessions:
      browse:
        share: 2
        steps:
          - call: listLaws
            query: { limit: "${int(1, 25)}", q: "${mood}" }
            save: { ids: "$.data[*].id" }
          - think: 1s..4s
          - call: getLaw
            path: { id: "${pick(ids)}" }
          - repeat: 1..2
            call: listLaws
            query: { offset: "${25 * index}" }
          - if: "${count(ids) > 3}"
            call: getLawOfTheDay
          - call: getLawOfTheDay
      write:
        share: 1
        steps:
          - type: toast
            every: 100ms..400ms
            debounce: 250ms
            call: listLaws
            query: { q: "${typed}" }
          - choose:
              - { share: 1, call: getLawOfTheDay }
              - { share: 1, steps: [end] }
          - burst: 2
            over: 1s
            call: submitLaw
            headers: { X-Key: "${env(KEY)}" }
            body: { text: "${laws.text}", at: "${now()}" }
    load: [{ ramp: 0/s..4/s, for: 3s }]
    """

  private func scenario() throws -> Scenario {
    try LawsAPI.read(
      Self.text, files: ["laws.csv": "text\none\ntwo\nthree\n"], environment: ["KEY": "sesame-open"])
  }

  @Test func `the schedule is written out as far as it does not depend on responses`() throws {
    try Golden.check(PlanText(Plan(scenario: scenario(), seed: 42)).text, "plan.golden.txt")
  }

  private func text(_ steps: String) throws -> String {
    PlanText(Plan(scenario: try LawsAPI.read(LawsAPI.scenario(steps: steps)), seed: 1)).text
  }

  @Test func `a default of a saved value decides nothing`() throws {
    let text = try text(
      """
      - { call: listLaws, save: { ids: "$.data[*].id" } }
      - if: ${count(default(ids, [])) > 0}
        call: getLawOfTheDay
      """)
    #expect(text.contains("if count(default(ids, [])) > 0: (depends on responses)"))
  }

  @Test func `a loop is written out if its condition is known`() throws {
    let text = try text("- { while: \"${index < 3}\", steps: [{ call: getLawOfTheDay }] }")
    #expect(text.split(separator: "\n").count { $0.hasSuffix("  getLawOfTheDay") } == 3)
  }

  @Test func `the same seed gives the same plan byte for byte`() throws {
    let first = try PlanText(Plan(scenario: scenario(), seed: 7)).text
    let second = try PlanText(Plan(scenario: scenario(), seed: 7)).text
    #expect(first == second)
    #expect(try PlanText(Plan(scenario: scenario(), seed: 8)).text != first)
  }

  @Test func `no secret is shown`() throws {
    let text = try PlanText(Plan(scenario: scenario(), seed: 7)).text
    #expect(!text.contains("sesame-open"))
    #expect(text.contains("***"))
  }

  @Test func `a closed models plan holds the first session of every user`() throws {
    var scenario = try scenario()
    scenario.load = .closed(ClosedLoad(stages: [UserStage(from: 3, to: 3, duration: .seconds(5))]))
    let text = PlanText(Plan(scenario: scenario, seed: 1)).text
    #expect(text.contains("first session of each user (3 users in 5 s)"))
    #expect(text.split(separator: "\n").count { $0.hasPrefix("#") } == 3)
  }

  @Test func `a long plan is cut with a sentence`() throws {
    var scenario = try scenario()
    scenario.load = .open([.hold(Rate(perSecond: 100), for: .seconds(100))])
    #expect(PlanText(Plan(scenario: scenario, seed: 1), most: 10).text.hasSuffix("… and 9990 more sessions\n"))
  }
}
