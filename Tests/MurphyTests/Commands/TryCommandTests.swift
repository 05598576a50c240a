import Foundation
import Murphy
import Testing

/// What a person sees while a scenario is written: `murphy try`, `--http-debug`, variables, standard input.
@Suite struct TryCommandTests {
  private static let gate = Repository.scenarios + "/release-gate.yaml"

  private static func scenario(_ steps: String, token: String = "") -> String {
    """
    name: one user
    contract: \(Repository.scenarios)/openapi.yaml
    target: embedded:murphys-laws
    \(token)
    sessions:
      read:
        steps:
          \(steps)
    load: [{ users: 1, for: 1s }]
    """
  }

  @Test func `a session is shown step by step`() async throws {
    let outcome = try await Program().run(["try", Self.gate, "--session", "browse"])
    #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    for part in [
      "── browse", "→ GET http://127.0.0.1:", "← 200", "✓ conforms to the contract", "saved ids = [", "step 4.1",
      "✓ completed", "\n1 session, ",
    ] { #expect(outcome.output.contains(part), "\(part)") }
    #expect(!outcome.output.contains("── vote"))
    #expect(outcome.lastLine == "PASS")
  }

  @Test func `what is wrong stands with the step`() async throws {
    let text = Self.scenario(
      "- { call: getLaw, path: { id: 999999 }, expect: { status: 200 }, save: { text: $.text } }")
    try await withScenario(text) { file in
      let outcome = try await Program().run(["try", file, "--fault", "bare-error"])
      #expect(outcome.status == 1)
      #expect(outcome.output.contains("✗ the body: "))
      #expect(outcome.output.contains("✗ expected status 200, found 404"))
      #expect(outcome.output.contains("✗ ended: getLaw: expected status 200"))
      // A session that failed and an error in its response are different figures: no sum counts both.
      #expect(outcome.output.contains("\n1 session, 1 request, 1 session failed, "), "\(outcome.output)")
      #expect(!outcome.output.contains(" failures"))
      #expect(outcome.lastLine == "FAIL")
    }
  }

  @Test func `what goes into a credential is masked where it is saved`() async throws {
    let text = Self.scenario(
      [
        #"- { call: listLaws, query: { limit: 1 }, save: { seen: "$.data[0].text" } }"#,
        #"- set: { pass: "Bearer ${seen}" }"#,
        #"- { call: getLaw, path: { id: 1 }, headers: { Authorization: "${pass}" } }"#,
      ].joined(separator: "\n      "))
    try await withScenario(text) { file in
      let law = try await Program().run(["try", file, "--seed", "3"])
      #expect(law.status == 0, "\(law.output)\(law.errors)")
      #expect(law.output.contains("saved seen = \"***\"") && law.output.contains("saved pass = \"***\""))
      #expect(law.output.contains("\"text\": \"***\""), "the body shows what is saved of it: \(law.output)")
      #expect(law.output.contains("Authorization: Bearer ***"))
    }
  }

  @Test func `an open API document is no scenario`() async throws {
    let outcome = try await Program().run(["run", Repository.scenarios + "/openapi.yaml"])
    #expect(outcome.status == 2)
    #expect(outcome.errors.contains("this is an OpenAPI document") && outcome.errors.contains("murphy init"))
  }

  @Test func `a credential that nobody set is named`() async throws {
    let text = """
      name: one user
      contract: \(Repository.root)/scenarios/journal/openapi.yaml
      target: embedded:journal
      sessions: { read: { steps: [{ call: pullEntries }] } }
      load: [{ users: 1, for: 1s }]
      """
    try await withScenario(text) { file in
      for verb in ["try", "run"] {
        let outcome = try await Program().run([verb, file])
        #expect(
          outcome.errors.contains(" is not set: pullEntries is called without the credentials"), "\(outcome.errors)")
      }
    }
  }

  @Test func `think times are left out and secrets masked`() async throws {
    let text = Self.scenario(
      "- think: 1h\n      - { call: getLaw, path: { id: 1 } }",
      token: "client: { headers: { X-Api-Key: \"${env(KEY)}\" } }")
    try await withScenario(text) { file in
      try "# keys\nexport KEY='s3cret-of-mine'\n".write(toFile: file + ".env", atomically: true, encoding: .utf8)
      let outcome = try await Program().run(["try", file, "--env-file", file + ".env"])
      #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
      #expect(outcome.output.contains("X-Api-Key: ***"))
      #expect(!outcome.output.contains("s3cret-of-mine"))
      let plain = try await Program().run(["try", file])
      #expect(plain.status == 2 && plain.errors.contains("KEY is not set"))
    }
  }

  @Test(arguments: [
    (["-e", "=x"], "-e takes NAME=VALUE"), (["-e", "lonely"], "-e takes NAME=VALUE"),
    (["--env-file", "/nowhere/.env"], "cannot read /nowhere/.env"),
    (["--session", "brwse"], "Did you mean \"browse\"?"), (["--max-seconds", "soon"], "--max-seconds takes a time"),
  ])
  func `a wrong word is usage`(arguments: [String], words: String) async throws {
    let outcome = try await Program().run(["try", Self.gate] + arguments)
    #expect(outcome.status == 2)
    #expect(outcome.errors.contains(words), "\(outcome.errors)")
  }

  @Test func `a run reads standard input and prints one line`() async throws {
    let text = Self.scenario("- { call: getLaw, path: { id: \"${env(LAW)}\" } }")
    try await withScenario(text) { file in
      let command =
        "'\(Program.folder.appending(path: "murphy").path)' run - --iterations 3 --format json --http-debug=1 -e LAW=1 --report '\(file).report' "
        + "< '\(file)'"
      let outcome = try await Program(executable: "/bin/sh").run(["-c", command])
      #expect(outcome.status == 0, "\(outcome.errors)")
      let line = try JSONValue.parse(Array(outcome.output.utf8))
      #expect(line["verdict"] == "PASS" && line["requests"] == 3 && line["exit_status"] == 0)
      #expect(outcome.errors.components(separatedBy: "→ GET").count == 2)
      #expect(FileManager.default.fileExists(atPath: file + ".report/result.json"))
    }
  }

  @Test func `iterations need users`() async throws {
    let outcome = try await Program().run(["run", Self.gate, "--iterations", "3"])
    #expect(outcome.status == 2 && outcome.errors.contains("Add --users N"))
  }

  @Test(arguments: ["bash", "zsh", "fish"]) func `a shell gets its completions`(shell: String) async throws {
    let outcome = try await Program().run(["completions", shell])
    #expect(outcome.status == 0 && outcome.output.contains("http-debug"))
  }
}

/// `murphy schema show`: what editors and scripts need of murphy's own files.
@Suite struct ShownSchemaTests {
  @Test(arguments: [("scenario", "A murphy scenario"), ("result", "The result of a murphy run")])
  func `a schema is shown`(subject: String, title: String) async throws {
    let schema = try await Program().run(["schema", "show", subject])
    #expect(try JSONValue.parse(Array(schema.output.utf8))["title"]?.string == title)
    let page = try await Program().run(["schema", "show", subject, "--markdown"])
    #expect(page.status == 0 && page.output.hasPrefix("# ") && page.output.contains("\n| `"))
  }
}
