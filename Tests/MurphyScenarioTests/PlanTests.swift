import MurphyModel
import MurphyScenario
import MurphySchema
import Testing

@Suite struct PlanTests {
  private func scenario(feed: String, sessions: String = "share: 1") throws -> Scenario {
    try LawsAPI.read(
      """
      name: Feeds
      contract: openapi.yaml
      feeds: { laws: { file: laws.csv, \(feed) } }
      sessions:
        takes:
          share: 1
          steps: [{ call: listLaws, query: { q: "${laws.text}" } }]
        idles:
          share: 3
          steps: [{ call: listLaws }]
      load: [{ hold: 40/s, for: 1s }]
      """, files: ["laws.csv": "text\none\ntwo\nthree\nfour\n"])
  }

  /// The rows that the arrivals take, in order; nil for a session that found the feed ended.
  private func rows(_ scenario: Scenario, seed: UInt64 = 3) throws -> [String?] {
    let plan = Plan(scenario: scenario, seed: seed)
    return try (0..<plan.arrivals).compactMap { index -> String?? in
      let arrival = plan.arrival(index)
      guard scenario.sessions[arrival.session].name == "takes" else { return nil }
      let start = try plan.start(arrival, clock: nil)
      return .some(start.flatMap { $0.scope.values[scenario.feeds[0].variable.slot]?["text"]?.string })
    }
  }

  @Test func `every session that needs a row takes the next one`() throws {
    #expect(try rows(scenario(feed: "order: sequential")).prefix(6) == ["one", "two", "three", "four", "one", "two"])
  }

  @Test func `a feed that stops ends the sessions that need it`() throws {
    let taken = try rows(scenario(feed: "at-end: stop"))
    #expect(taken.prefix(4) == ["one", "two", "three", "four"])
    #expect(taken.count == 10)
    #expect(taken.dropFirst(4).allSatisfy { $0 == nil })
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>) func `shuffled takes every row once a round`(seed: UInt64) throws {
    let rows = try rows(scenario(feed: "order: shuffled"), seed: seed)
    #expect(Set(rows.prefix(4)).count == 4, "seed \(seed)")
    #expect(Set(rows.dropFirst(4).prefix(4)).count == 4, "seed \(seed)")
  }

  @Test func `a large shuffle is a permutation`() {
    let rows = FeedRows(columns: ["n"], rows: (0..<1000).map { ["n": JSONValue($0)] })
    let feed = Feed(name: "n", file: "", rows: rows, order: .shuffled, variable: Variable(name: "n", slot: 0))
    let taken = (0..<1000).compactMap { feed.row(turn: $0, seed: 9)?["n"]?.int }
    #expect(Set(taken) == Set(0..<1000))
    #expect(taken != Array(0..<1000))
  }

  @Test func `sessions draw independently of one another`() throws {
    let scenario = try LawsAPI.read(
      LawsAPI.scenario(
        steps: "- call: listLaws", head: "client: { headers: { X-Device-ID: \"${uuid()}\" } }",
        load: "- { hold: 100/s, for: 10s }"))
    let plan = Plan(scenario: scenario, seed: 1)
    let devices = try (0..<plan.arrivals).map { try plan.start(plan.arrival($0), clock: nil)?.headers.first?.value }
    #expect(Set(devices).count == 1000)
    #expect(try plan.start(plan.arrival(17), clock: nil)?.headers.first?.value == devices[17])
  }

  @Test func `a closed model numbers its sessions without gaps`() throws {
    var scenario = try scenario(feed: "order: sequential")
    scenario.load = .closed(ClosedLoad(stages: [UserStage(from: 5, to: 5, duration: .seconds(1))]))
    let plan = Plan(scenario: scenario, seed: 2)
    let numbers = (0..<4).flatMap { round in (0..<5).map { plan.session(user: $0, iteration: round).index } }
    #expect(numbers == Array(0..<20))
  }
}
