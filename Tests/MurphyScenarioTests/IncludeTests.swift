import MurphyModel
import MurphyScenario
import Testing

/// `include:` and named steps.
@Suite struct IncludeTests {
  private static func scenario(_ head: String, steps: String = "[{ do: open }]") -> String {
    "name: test\ncontract: openapi.yaml\n\(head)\nsessions: { only: { steps: \(steps) } }\nload: [{ hold: 1/s, for: 1s }]\n"
  }

  private static let open = "steps: { open: [{ call: listLaws, save: { ids: '$.data[*].id' } }] }"

  private static func mistakes(_ text: String, _ files: [String: String] = [:]) -> [String] {
    do throws(ScenarioError) {
      _ = try LawsAPI.read(text, files: files)
      return []
    } catch {
      return error.diagnostics.map { "\($0.mark.text): \($0.message)" }
    }
  }

  @Test func `named steps stand in the place of each do, and names run through them`() throws {
    let text = Self.scenario(
      "steps:\n  open: [{ call: listLaws, query: { q: '${who}' }, save: { ids: '$.data[*].id' } }]",
      steps: "[{ set: { who: ada } }, { do: open }, { call: getLaw, path: { id: '${pick(ids)}' } }, { do: open }]")
    let scenario = try LawsAPI.read(text)
    let session = try #require(scenario.sessions.first)
    #expect(session.calls.map(\.operation.id) == ["listLaws", "getLaw", "listLaws"])
    #expect(session.calls.map(\.number) == ["2.open.1", "3", "4.open.1"])
    #expect(scenario.warnings == [])
  }

  @Test func `steps and sessions come from files, each relative to the one that names it, and once`() throws {
    let scenario = try LawsAPI.read(
      Self.scenario("include: [parts/a.yaml, ./parts/b.yaml]"),
      files: [
        "parts/a.yaml": "include: deep/c.yaml\nsteps: { open: [{ do: list }] }",
        "parts/b.yaml": "include: deep/../deep/c.yaml\nsessions: { more: { share: 3, steps: [{ do: list }] } }",
        "parts/deep/c.yaml": "about: The innermost.\nsteps: { list: [{ call: listLaws }] }",
      ])
    #expect(scenario.sessions.map(\.name) == ["more", "only"] && scenario.sessions.map(\.share) == [3, 1])
    #expect(
      scenario.sessions.map { $0.calls.map(\.mark.text) } == [["parts/deep/c.yaml:2:25"], ["parts/deep/c.yaml:2:25"]])
  }

  @Test func `a mistake names the file in which it stands, once`() {
    let text = Self.scenario("include: parts/a.yaml", steps: "[{ do: open }, { do: open }]")
    #expect(
      Self.mistakes(
        text,
        ["parts/a.yaml": "steps:\n  open:\n    - call: listLawz\n    - call: getLaw\n      path: { id: '${ids}' }\n"])
        == [
          "parts/a.yaml:3:13: unknown operation \"listLawz\". Did you mean \"listLaws\"?",
          "parts/a.yaml:5:22: unknown variable \"ids\"; no variable is saved before",
        ])
  }

  @Test func `circles are rejected with their way round`() {
    #expect(
      Self.mistakes(Self.scenario("steps: { open: [{ do: a }], a: [{ do: b }], b: [{ do: a }] }")) == [
        "scenario.yaml:3:55: named steps run each other in a cycle: a → b → a; remove one of these \"do\" steps"
      ])
    let files = ["a.yaml": "include: b/b.yaml", "b/b.yaml": "include: { file: ../a.yaml, outside: true }"]
    #expect(
      Self.mistakes(Self.scenario("include: a.yaml\n" + Self.open), files) == [
        "b/b.yaml:1:18: files include each other in a cycle: a.yaml → b/b.yaml → a.yaml; remove one of these includes"
      ])
    #expect(
      Self.mistakes(Self.scenario("include: ./scenario.yaml\n" + Self.open)).first
        == "scenario.yaml:3:10: files include each other in a cycle: scenario.yaml → scenario.yaml; remove one of these includes"
    )
  }

  @Test func `a file outside of the folder is taken only where that is said`() throws {
    let files = ["../shared.yaml": Self.open, "/etc/shared.yaml": Self.open]
    for file in ["../shared.yaml", "parts/../../shared.yaml", "/etc/shared.yaml"] {
      #expect(
        Self.mistakes(Self.scenario("include: \(file)"), files).first
          == "scenario.yaml:3:10: \(file) is outside of the folder of this file; to allow this, write { file: \(file), outside: true }"
      )
      let scenario = try LawsAPI.read(Self.scenario("include: { file: \(file), outside: true }"), files: files)
      #expect(scenario.sessions[0].calls.count == 1)
    }
  }

  @Test func `a name stands once`() {
    let text = Self.scenario("include: a.yaml\n" + Self.open)
    let files = ["a.yaml": Self.open + "\nsessions: { only: { steps: [{ do: open }] } }"]
    #expect(
      Self.mistakes(text, files) == [
        "scenario.yaml:4:10: the named steps \"open\" are already defined at a.yaml:1; rename one of them",
        "scenario.yaml:5:13: the session \"only\" is already defined at a.yaml:2; rename one of them",
      ])
  }

  @Test func `what is missing is said`() {
    #expect(
      Self.mistakes(Self.scenario("include: none.yaml\n" + Self.open, steps: "[{ do: opne }]")) == [
        "scenario.yaml:3:10: cannot read the file none.yaml",
        "scenario.yaml:5:35: unknown named steps \"opne\". Did you mean \"open\"?",
      ])
    #expect(
      Self.mistakes(Self.scenario("include: a.yaml"), ["a.yaml": "load: []\nsteps: { open: [] }"]) == [
        "a.yaml:1:1: unknown key \"load\" in an included file; \"load\" is a key of a scenario"
      ])
    #expect(
      Self.mistakes("name: test\ncontract: openapi.yaml\nload: [{ hold: 1/s, for: 1s }]\n") == [
        "scenario.yaml:1:1: a scenario needs the key \"sessions\", or an included file with sessions"
      ])
  }

  @Test func `steps that nobody takes are a warning`() throws {
    let scenario = try LawsAPI.read(Self.scenario(Self.open, steps: "[{ call: listLaws }]"))
    #expect(
      scenario.warnings.map(\.message) == ["no \"do\" step runs the named steps \"open\"; remove them, or run them"])
  }

  @Test func `groups that double at each level end before the memory does`() {
    let levels = (1...30).map { "l\($0): [{ do: l\($0 + 1) }, { do: l\($0 + 1) }]" } + ["l31: [{ call: listLaws }]"]
    let text = Self.scenario("steps: { open: [{ do: l1 }], \(levels.joined(separator: ", ")) }")
    #expect(Self.mistakes(text).contains { $0.contains("runs named steps with \"do\" more than 2000 times") })
  }
}
