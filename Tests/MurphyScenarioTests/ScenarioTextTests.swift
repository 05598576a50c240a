import MurphyModel
import MurphyScenario
import MurphySchema
import Testing

/// The YAML text of a scenario, before its meaning.
@Suite struct ScenarioTextTests {
  @Test func `anchors aliases and merges are unfolded`() throws {
    let scenario = try LawsAPI.read(
      """
      name: Anchors
      contract: openapi.yaml
      x-page: &page { limit: 25, sort: score }
      sessions:
        only:
          steps:
            - call: listLaws
              query: { <<: *page, limit: 5 }
            - call: listLaws
              query: *page
      load: [{ hold: 1/s, for: 1s }]
      """)
    let first = try #require(scenario.sessions[0].steps[0].calls.first)
    let second = try #require(scenario.sessions[0].steps[1].calls.first)
    #expect(first.query.map(\.name) == ["limit", "sort"])
    #expect(first.query[0].value.content == .constant(5))
    #expect(second.query.map(\.value.content) == [.constant(25), .constant("score")])
  }

  @Test func `plain yes stays a text and numbers are those of the core schema`() throws {
    let scenario = try LawsAPI.read(
      LawsAPI.scenario(
        steps:
          "- { call: submitLaw, body: { a: yes, b: \"007\", c: 1.50, d: ~, e: \"5\", f: 0x10, g: 12345678901234567890 } }"
      ))
    let call = try #require(scenario.sessions[0].steps[0].calls.first)
    guard case .json(let body, _)? = call.body else { return #expect(Bool(false), "no JSON") }
    #expect(
      body.content
        == .constant([
          "a": "yes", "b": "007", "c": 1.5, "d": .null, "e": "5", "f": 16,
          "g": .number(try #require(JSONNumber(text: "12345678901234567890"))),
        ]))
  }

  @Test(arguments: [
    "", "- a", "3", "name: x", "{", "a: b: c", "\"\u{0}\"", "? [a]\n: b", "&a [*a]", "!!map {}", "---\n---\n",
  ])
  func `no text breaks the reader`(text: String) {
    #expect(throws: ScenarioError.self) { try LawsAPI.read(text) }
  }

  @Test func `aliases of aliases cannot stall the reader`() {
    var bomb = "x-a: &a [1, 1]\n"
    for (name, next) in zip("abcdefghijklmnopqrstuvwxy", "bcdefghijklmnopqrstuvwxyz") {
      bomb += "x-\(next): &\(next) [*\(name), *\(name)]\n"
    }
    for keys in ["{ ? *z : 1, ? *y : 2 }", "{ *z : 1, *y : 2 }", "[*z, *y]", "{ [*z, *y]: 1 }"] {
      #expect(throws: ScenarioError.self) { try LawsAPI.read(bomb + "x-keys: \(keys)\n") }
    }
  }

  @Test func `many ands and a colon are no aliases`() throws {
    let condition = (0..<8).map { "status != \($0)" }.joined(separator: " && ")
    let scenario = try LawsAPI.read(
      LawsAPI.scenario(
        steps: "- call: listLaws\n- if: ${\(condition)}\n  call: listLaws\n  query: { q: \"${user}: x\" }"))
    #expect(scenario.sessions[0].steps.count == 2)
  }

  @Test func `deep nesting ends in a mistake`() {
    let deep = String(repeating: "[", count: 5000)
    #expect(throws: ScenarioError.self) { try LawsAPI.read("name: \(deep)") }
    let steps = (0..<200).reduce("{ call: listLaws }") { inner, _ in "{ group: a, steps: [\(inner)] }" }
    #expect(
      LawsAPI.mistakes(LawsAPI.scenario(steps: "- \(steps)")).contains("the steps have more than 50 levels of nesting"))
  }
}
